//! `/consumer/<consumer_id>/…`: the operations of a consumer, with the consumer's token or a key of the account.

use crate::api::base::{
    accept::{LABEL_TYPES, LabelTypes},
    auth_extractors::Customer,
    body::{JsonBody, NoBody},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::{Id, ShipmentIdOfPath},
    query::{Expandable, Query},
    reply::{done, with_etag},
    selection::SelectedPurchase,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{HeaderMap, Method},
    response::{IntoResponse, Response},
};
use domain::{DraftReturnOrderId, ReturnOrderId, ShippingOptionId, address::Address, returning::ReturnSource};
use returns::{Expand, Scope, Sent, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{get, patch, post};

const EXPANDABLE: &[Expandable] =
    &[("consumer", Expand::Consumer), ("shipments", Expand::Shipments), ("returnRequests", Expand::ReturnRequests)];

const CONSUMER: Resource = Resource::consumer("Consumer");

pub(super) fn operations() -> Vec<Operation> {
    [drafts(), return_orders(), sending()].concat()
}

/// From the purchases to the draft of a return.
fn drafts() -> Vec<Operation> {
    vec![
        CONSUMER
            .operation(Method::GET, "/purchases", get(purchases))
            .named("listOwnPurchases", "List the consumer's purchases")
            .open_to(Access::Consumer(Scope::Read))
            .pages()
            .answers::<view::List<view::PurchaseView>>(200, "A page of purchases."),
        CONSUMER
            .operation(Method::POST, "/draft-return-order", post(create_draft))
            .named("createOwnDraftReturnOrder", "Create a draft return order as the consumer")
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .takes::<NewDraft>()
            .answers::<view::Draft>(201, "The draft, with its costs. Its amounts are valid for 24 hours."),
        CONSUMER
            .operation(Method::GET, "/draft-return-order/{id}", get(get_draft))
            .named("getOwnDraftReturnOrder", "Retrieve a draft return order of the consumer")
            .open_to(Access::Consumer(Scope::Read))
            .answers::<view::Draft>(200, "The draft with its figures."),
        CONSUMER
            .operation(Method::PATCH, "/draft-return-order/{id}/shipping-option", patch(set_shipping_option))
            .named("setOwnShippingOption", "Choose a shipping option for a draft")
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .takes::<NewShippingOption>()
            .answers::<view::Draft>(200, "The draft with its new costs.")
            .conflicts(&["DraftExpired", "DraftRejected", "DraftOutdated"]),
        CONSUMER
            .operation(Method::POST, "/draft-return-order/{id}/renew", post(renew_draft))
            .named("renewOwnDraftReturnOrder", "Renew a draft return order of the consumer")
            .described(
                "Creates a new draft with the selections of an outdated or expired one. The new draft omits answers \
                 to questions that the shop no longer asks, and a shipping option that the shop no longer offers: \
                 choose another option. Errors name the selections of the older draft, which does not change.",
            )
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .answers::<view::Draft>(201, "The new draft, with its costs. Its amounts are valid for 24 hours."),
    ]
}

/// From the submission to the end.
fn return_orders() -> Vec<Operation> {
    vec![
        CONSUMER
            .operation(Method::POST, "/return-order", post(create_return_order))
            .named("createOwnReturnOrder", "Submit a draft return order")
            .described(
                "Submits the draft, and starts the payment and the label. A repeated submission of the same draft \
                 answers 200 with the same return order, regardless of `shippingOptionId`.",
            )
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .takes::<NewReturnOrder>()
            .answers::<view::ReturnOrderView>(201, "The return order.")
            .answers::<view::ReturnOrderView>(200, "The return order that the draft became earlier.")
            .conflicts(&["DraftExpired", "DraftRejected", "DraftOutdated", "QuantityExceeded"]),
        CONSUMER
            .operation(Method::GET, "/return-orders", get(list_return_orders))
            .named("listOwnReturnOrders", "List the consumer's return orders")
            .open_to(Access::Consumer(Scope::Read))
            .pages()
            .expands(EXPANDABLE)
            .answers::<view::List<view::ReturnOrderView>>(200, "A page of return orders."),
        CONSUMER
            .operation(Method::GET, "/return-order/{id}", get(get_return_order))
            .named("getOwnReturnOrder", "Retrieve a return order of the consumer")
            .open_to(Access::Consumer(Scope::Read))
            .expands(EXPANDABLE)
            .answers::<view::ReturnOrderView>(200, "The return order."),
        CONSUMER
            .operation(Method::POST, "/return-order/{id}/cancel", post(cancel))
            .named("cancelOwnReturnOrder", "Cancel a return order of the consumer")
            .open_to(Access::Consumer(Scope::Write))
            .once()
            .answers::<view::ReturnOrderView>(200, "The return order, cancelled.")
            .conflicts(&["NotCancellable"]),
    ]
}

/// What a consumer needs to send a parcel.
fn sending() -> Vec<Operation> {
    vec![
        CONSUMER
            .operation(Method::GET, "/return-order/{id}/label", get(label))
            .named("getOwnLabel", "Download the label of a return order")
            .described(
                "Returns the label as PDF, PNG (to show on a phone) or ZPL, depending on `Accept`; as PDF by default.",
            )
            .open_to(Access::Consumer(Scope::Read))
            .negotiates(LABEL_TYPES, "The label, in A6."),
        CONSUMER
            .operation(Method::GET, "/return-order/{id}/shipments/{shipment_id}/label", get(shipment_label))
            .named("getOwnShipmentLabel", "Download the label of a shipment")
            .described(
                "Offers the same file types as the label of the return order, which is the label of the first \
                 shipment.",
            )
            .open_to(Access::Consumer(Scope::Read))
            .negotiates(LABEL_TYPES, "The label, in A6."),
        CONSUMER
            .operation(Method::GET, "/return-order/{id}/return-address", get(return_address))
            .named("getOwnReturnAddress", "Retrieve the address to send a return order to")
            .described(
                "Returns the address for the shipping method `OwnCarrier`, which has no shipment. In all other cases, the \
                 answer is 404: with another method, before the return is approved, after it has ended, and while the \
                 merchant has set no address. The other methods have the address in `receiver` of their shipment.",
            )
            .open_to(Access::Consumer(Scope::Read))
            .answers::<Address>(200, "The address to send the parcel to."),
    ]
}

/// The purchases to return and how to send them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "NewDraftReturnOrder")]
struct NewDraft {
    /// The purchases to return, each at most once.
    #[schemars(length(min = 1, max = 1000))]
    selected_purchases: Vec<SelectedPurchase>,
    /// The shipping option, which can also be chosen later.
    shipping_option_id: Option<ShippingOptionId>,
}

/// The shipping option that the consumer chooses.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ShippingOptionChoice")]
struct NewShippingOption {
    /// The chosen option: one of the purchases' `shippingOptions`.
    shipping_option_id: ShippingOptionId,
}

/// The draft to turn into a return order.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewReturnOrder {
    /// The draft to submit.
    draft_return_order_id: DraftReturnOrderId,
    /// The shipping option, in place of the draft's `shippingOptionId`; without it, the draft's option applies.
    shipping_option_id: Option<ShippingOptionId>,
}

async fn purchases(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    query: Query,
) -> Result<Response, ApiError> {
    let (page, _) = query.page("purchases", &[])?;
    Ok(Json(app.retour.consumer(&shopper).purchases(page, None).await?).into_response())
}

async fn create_draft(
    State(app): State<App>,
    Customer { shopper, caller }: Customer,
    body: JsonBody<NewDraft>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let selections = body.value.selected_purchases.into_iter().map(Into::into).collect();
    Ok(done(app.retour.consumer(&shopper).draft(selections, body.value.shipping_option_id, key).await?))
}

async fn get_draft(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    Id(draft): Id<DraftReturnOrderId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.consumer(&shopper).find_draft(draft).await?).into_response())
}

async fn renew_draft(
    State(app): State<App>,
    Customer { shopper, caller }: Customer,
    Id(draft): Id<DraftReturnOrderId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.consumer(&shopper).renew_draft_with_key(draft, key).await?))
}

async fn set_shipping_option(
    State(app): State<App>,
    Customer { shopper, caller }: Customer,
    Id(draft): Id<DraftReturnOrderId>,
    body: JsonBody<NewShippingOption>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.consumer(&shopper).set_shipping_option(draft, body.value.shipping_option_id, key).await?))
}

async fn create_return_order(
    State(app): State<App>,
    Customer { shopper, caller }: Customer,
    headers: HeaderMap,
    body: JsonBody<NewReturnOrder>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let language = (app.accepted_language)(&headers).unwrap_or_default().to_owned();
    let NewReturnOrder { draft_return_order_id: draft, shipping_option_id: shipping_option } = body.value;
    let sent = Sent { source: ReturnSource::Api, language, shipping_option };
    Ok(done(app.retour.consumer(&shopper).submit(draft, sent, key).await?))
}

async fn list_return_orders(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    query: Query,
) -> Result<Response, ApiError> {
    let (page, expand) = query.page("return-orders", EXPANDABLE)?;
    Ok(Json(app.retour.consumer(&shopper).return_orders(page, &expand).await?).into_response())
}

async fn get_return_order(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    Id(id): Id<ReturnOrderId>,
    query: Query,
) -> Result<Response, ApiError> {
    let expand = query.expand(EXPANDABLE)?;
    let order = app.retour.consumer(&shopper).return_order(id, &expand).await?;
    Ok(with_etag(order.version, Json(order).into_response()))
}

async fn cancel(
    State(app): State<App>,
    Customer { shopper, caller }: Customer,
    Id(id): Id<ReturnOrderId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.consumer(&shopper).cancel(id, key).await?))
}

async fn label(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    Id(id): Id<ReturnOrderId>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let wanted = LabelTypes::of(&headers);
    Ok(wanted.answer(app.retour.consumer(&shopper).label(id, None, &wanted.formats()).await?))
}

async fn shipment_label(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    (Id(id), ShipmentIdOfPath(shipment)): (Id<ReturnOrderId>, ShipmentIdOfPath),
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let wanted = LabelTypes::of(&headers);
    Ok(wanted.answer(app.retour.consumer(&shopper).label(id, Some(shipment), &wanted.formats()).await?))
}

async fn return_address(
    State(app): State<App>,
    Customer { shopper, .. }: Customer,
    Id(id): Id<ReturnOrderId>,
) -> Result<Response, ApiError> {
    let found = app.retour.consumer(&shopper).return_address(id).await?.ok_or(returns::Error::NotFound)?;
    Ok(Json(found.address).into_response())
}
