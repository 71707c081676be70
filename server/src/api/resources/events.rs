//! `/api/v0/account/<account_id>/events`: the events of the account, for clients that poll.

use crate::api::base::{
    auth_extractors::Merchant,
    body::MaybeJsonBody,
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::EventId;
use returns::{EventRedelivery, Scope, lists, view};
use ui::web::routing::{get, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("events", "event", "Webhooks");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listEvents", "List events")
            .described(
                "Lists the events of the last 30 days, as subscribers get them. To follow new events, page in \
                 ascending order, remember the last `timestamp`, request the events since one minute before it, and \
                 skip the ids that you know: changes that are written at the same time may appear in another order.",
            )
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::EVENTS)
            .answers::<view::List<view::Event>>(200, "A page of events."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getEvent", "Retrieve an event")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::Event>(200, "The event, as subscribers get it."),
        of.operation(Method::POST, "/{id}/redeliver", post(redeliver))
            .named("redeliverEvent", "Repeat the deliveries of an event")
            .described(
                "Delivers the event again: to one subscription, or to all enabled subscriptions whose filter matches \
                 the event or that received it. The `webhook-id` stays the same, and a new series of attempts \
                 begins.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .may_take::<EventRedelivery>()
            .answers::<view::List<view::WebhookDelivery>>(202, "The deliveries of the event.")
            .conflicts(&["Disabled"]),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::EVENTS, &[])?;
    Ok(Json(app.retour.merchant(&staff).events(&query.listing).await?).into_response())
}

async fn one(app: State<App>, Merchant { staff, .. }: Merchant, Id(id): Id<EventId>) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).event(id).await?).into_response())
}

async fn redeliver(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<EventId>,
    MaybeJsonBody(body): MaybeJsonBody<EventRedelivery>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).redeliver_event(id, &body.value, key).await?))
}
