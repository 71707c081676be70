//! `/api/v0/account/<account_id>/deliveries`: the delivery of an event to a subscription.

use crate::api::base::{
    auth_extractors::Merchant,
    body::NoBody,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::WebhookDeliveryId;
use returns::{Scope, view};
use ui::web::routing::{get, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("deliveries", "delivery", "Webhooks");
    vec![
        of.operation(Method::GET, "/{id}", get(one))
            .named("getWebhookDelivery", "Retrieve a webhook delivery")
            .described(
                "Returns the request that Retour sends, and the time, the duration and the receiver's answer \
                 of each attempt.",
            )
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::WebhookDeliveryDetails>(200, "The delivery with its attempts."),
        of.operation(Method::POST, "/{id}/redeliver", post(redeliver))
            .named("redeliverWebhookDelivery", "Repeat a webhook delivery")
            .described("Sends the event again at once, under the same `webhook-id`, with a new series of attempts.")
            .open_to(Access::Staff(Scope::Write))
            .once()
            .answers::<view::WebhookDelivery>(202, "The delivery, which Retour sends again.")
            .conflicts(&["Disabled"]),
    ]
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WebhookDeliveryId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).webhook_delivery(id).await?).into_response())
}

async fn redeliver(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<WebhookDeliveryId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).redeliver(id, key).await?))
}
