//! `/consumer/<consumer_id>/…`: what a consumer can do. Their own token opens it, or a key of the account.

use super::{
    door::{Authorized, JsonBody, NoBody, PathIds, done},
    error::ApiError,
    query::Query,
};
use crate::App;
use axum::{
    Json, Router,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
    routing::{get, patch, post},
};
use domain::{
    ConsumerId, DraftReturnOrderId, PurchaseId, ReturnOrderId, ReturnReasonId, ShippingOptionId, policy::Resolution,
    returning::Source,
};
use returns::{Expand, Scope, Selection};
use serde::Deserialize;

const EXPANDABLE: &[(&str, Expand)] =
    &[("consumer", Expand::Consumer), ("shipments", Expand::Shipments), ("returnRequests", Expand::ReturnRequests)];

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/consumer/{consumer_id}/purchases", get(purchases))
        .route("/consumer/{consumer_id}/draft-return-order", post(create_draft))
        .route("/consumer/{consumer_id}/draft-return-order/{draft_id}", get(get_draft))
        .route("/consumer/{consumer_id}/draft-return-order/{draft_id}/shipping-option", patch(set_shipping_option))
        .route("/consumer/{consumer_id}/return-order", post(create_return_order))
        .route("/consumer/{consumer_id}/return-orders", get(list_return_orders))
        .route("/consumer/{consumer_id}/return-order/{return_order_id}", get(get_return_order))
        .route("/consumer/{consumer_id}/return-order/{return_order_id}/cancel", post(cancel))
        .route("/consumer/{consumer_id}/return-order/{return_order_id}/label", get(label))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewDraft {
    selected_purchases: Vec<SelectedPurchase>,
    shipping_option_id: Option<ShippingOptionId>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SelectedPurchase {
    purchase_id: PurchaseId,
    #[serde(default = "one")]
    quantity: i64,
    return_reason_id: Option<ReturnReasonId>,
    #[serde(default)]
    return_reason_comment: String,
    #[serde(default = "refund", alias = "resolutionType")]
    requested_resolution: Resolution,
}

fn one() -> i64 {
    1
}

fn refund() -> Resolution {
    Resolution::Refund
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewShippingOption {
    shipping_option_id: ShippingOptionId,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewReturnOrder {
    draft_return_order_id: DraftReturnOrderId,
}

async fn purchases(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds(consumer): PathIds<ConsumerId>,
    query: Query,
) -> Result<Response, Response> {
    let query = query.list(&[], &[])?;
    let list = async {
        let shopper = caller.as_consumer(consumer, Scope::Read)?;
        let account = app.retour.account(&shopper.account.to_string()).await?;
        app.retour.purchases(&shopper, query.page, &account.branding.locale).await
    };
    Ok(Json(list.await.map_err(failed)?).into_response())
}

async fn create_draft(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds(consumer): PathIds<ConsumerId>,
    body: JsonBody<NewDraft>,
) -> Result<Response, ApiError> {
    let shopper = caller.as_consumer(consumer, Scope::Write)?;
    let key = body.key(&caller);
    let selection = |selected: SelectedPurchase| Selection {
        purchase_id: selected.purchase_id,
        quantity: selected.quantity,
        return_reason_id: selected.return_reason_id,
        comment: selected.return_reason_comment,
        resolution: selected.requested_resolution,
    };
    let selections = body.value.selected_purchases.into_iter().map(selection).collect();
    Ok(done(app.retour.draft(shopper, selections, body.value.shipping_option_id, key).await?))
}

async fn get_draft(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds((consumer, draft)): PathIds<(ConsumerId, DraftReturnOrderId)>,
) -> Result<Response, ApiError> {
    let shopper = caller.as_consumer(consumer, Scope::Read)?;
    Ok(Json(app.retour.find_draft(&shopper, draft).await?).into_response())
}

async fn set_shipping_option(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds((consumer, draft)): PathIds<(ConsumerId, DraftReturnOrderId)>,
    body: JsonBody<NewShippingOption>,
) -> Result<Response, ApiError> {
    let shopper = caller.as_consumer(consumer, Scope::Write)?;
    let key = body.key(&caller);
    Ok(done(app.retour.set_shipping_option(shopper, draft, body.value.shipping_option_id, key).await?))
}

async fn create_return_order(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds(consumer): PathIds<ConsumerId>,
    body: JsonBody<NewReturnOrder>,
) -> Result<Response, ApiError> {
    let shopper = caller.as_consumer(consumer, Scope::Write)?;
    let key = body.key(&caller);
    Ok(done(app.retour.submit(shopper, body.value.draft_return_order_id, Source::Api, key).await?))
}

async fn list_return_orders(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds(consumer): PathIds<ConsumerId>,
    query: Query,
) -> Result<Response, Response> {
    let query = query.list(EXPANDABLE, &[])?;
    let list = async {
        let shopper = caller.as_consumer(consumer, Scope::Read)?;
        app.retour.own_return_orders(&shopper, query.page, &query.expand).await
    };
    Ok(Json(list.await.map_err(failed)?).into_response())
}

async fn get_return_order(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds((consumer, id)): PathIds<(ConsumerId, ReturnOrderId)>,
    query: Query,
) -> Result<Response, Response> {
    let expand = query.expand(EXPANDABLE)?;
    let order = async {
        let shopper = caller.as_consumer(consumer, Scope::Read)?;
        app.retour.own_return_order(&shopper, id, &expand).await
    };
    Ok(Json(order.await.map_err(failed)?).into_response())
}

async fn cancel(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds((consumer, id)): PathIds<(ConsumerId, ReturnOrderId)>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let shopper = caller.as_consumer(consumer, Scope::Write)?;
    let key = body.key(&caller);
    Ok(done(app.retour.cancel(shopper, id, key).await?))
}

async fn label(
    State(app): State<App>,
    Authorized(caller): Authorized,
    PathIds((consumer, id)): PathIds<(ConsumerId, ReturnOrderId)>,
) -> Result<Response, ApiError> {
    let shopper = caller.as_consumer(consumer, Scope::Read)?;
    let pdf = app.retour.label_pdf(&shopper, id).await?;
    let name = "inline; filename=\"return-label.pdf\"";
    Ok(([(header::CONTENT_TYPE, "application/pdf"), (header::CONTENT_DISPOSITION, name)], pdf).into_response())
}

fn failed(error: returns::Error) -> Response {
    ApiError(error).into_response()
}
