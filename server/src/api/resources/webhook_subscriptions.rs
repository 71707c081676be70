//! `/api/v0/account/<account_id>/webhook-subscriptions`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, MaybeJsonBody, NoBody},
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::WebhookSubscriptionId;
use returns::{NewWebhookSubscription, Redelivery, Scope, SecretRotation, WebhookSubscriptionChange, lists, view};
use ui::web::routing::{delete, get, patch, post};

const SUBSCRIPTIONS: Resource = Resource::of_account("webhook-subscriptions", "webhook-subscription", "Webhooks");

pub(super) fn operations() -> Vec<Operation> {
    [settings(), secrets(), deliveries()].concat()
}

fn settings() -> Vec<Operation> {
    let (read, admin) = (Access::Staff(Scope::Read), Access::Staff(Scope::Admin));
    vec![
        SUBSCRIPTIONS
            .operation(Method::GET, "", get(list))
            .named("listWebhookSubscriptions", "List webhook subscriptions")
            .open_to(read)
            .lists(&lists::WEBHOOK_SUBSCRIPTIONS)
            .answers::<view::List<view::WebhookSubscription>>(200, "A page of subscriptions."),
        SUBSCRIPTIONS
            .operation(Method::POST, "", post(create))
            .named("createWebhookSubscription", "Create a webhook subscription")
            .described(
                "Creates a subscription: Retour sends each new event that matches the filter to the URL, at least \
                 once. Read the secret next, and verify the signature of each delivery. An account has at most 50 \
                 subscriptions.",
            )
            .open_to(admin)
            .once()
            .takes::<NewWebhookSubscription>()
            .answers::<view::WebhookSubscription>(201, "The subscription.")
            .conflicts(&["LimitReached", "NoSecretKey"]),
        SUBSCRIPTIONS
            .operation(Method::GET, "/{id}", get(one))
            .named("getWebhookSubscription", "Retrieve a webhook subscription")
            .open_to(read)
            .answers::<view::WebhookSubscription>(200, "The subscription."),
        SUBSCRIPTIONS
            .operation(Method::PATCH, "/{id}", patch(change))
            .named("updateWebhookSubscription", "Update a webhook subscription")
            .described(
                "Changes the given fields only. `{\"enabled\": false}` disables the subscription: Retour marks \
                 waiting deliveries as failed within seconds. `{\"enabled\": true}` enables it again and continues \
                 with deliveries that are not marked yet; `redeliver` delivers the events in between.",
            )
            .open_to(admin)
            .once()
            .versioned()
            .takes::<WebhookSubscriptionChange>()
            .answers::<view::WebhookSubscription>(200, "The subscription, as it is now."),
        SUBSCRIPTIONS
            .operation(Method::DELETE, "/{id}", delete(remove))
            .named("deleteWebhookSubscription", "Delete a webhook subscription")
            .described("Deletes the subscription with its deliveries. Events stay.")
            .open_to(admin)
            .answers_nothing(204, "The subscription is deleted."),
        SUBSCRIPTIONS
            .operation(Method::GET, "/{id}/timeline", get(timeline))
            .named("getWebhookSubscriptionTimeline", "List a subscription's timeline")
            .described("Newest first, the last 500 entries: also why and when it was disabled.")
            .open_to(read)
            .answers::<view::List<view::WebhookTimelineEntry>>(200, "A page of the timeline."),
    ]
}

fn secrets() -> Vec<Operation> {
    let admin = Access::Staff(Scope::Admin);
    vec![
        SUBSCRIPTIONS
            .operation(Method::GET, "/{id}/secret", get(secret))
            .named("getWebhookSecret", "Retrieve a subscription's secret")
            .open_to(admin)
            .answers::<view::WebhookSecret>(200, "The secret that signs deliveries."),
        SUBSCRIPTIONS
            .operation(Method::POST, "/{id}/rotate-secret", post(rotate))
            .named("rotateWebhookSecret", "Rotate a subscription's secret")
            .described(
                "Creates a new secret. The new and the previous secret both sign for `overlapHours`, 24 by default: \
                 each delivery has two signatures, and one valid signature is enough. 0 ends the previous secret at \
                 once.",
            )
            .open_to(admin)
            .once()
            .may_take::<SecretRotation>()
            .answers::<view::WebhookSecret>(200, "The new secret and the previous one.")
            .conflicts(&["Conflict", "NoSecretKey"]),
    ]
}

fn deliveries() -> Vec<Operation> {
    let (read, write) = (Access::Staff(Scope::Read), Access::Staff(Scope::Write));
    vec![
        SUBSCRIPTIONS.operation(Method::POST, "/{id}/test", post(test))
            .named("testWebhookSubscription", "Test a webhook subscription")
            .described("Sends `test.ping` now, also if the subscription is disabled, and answers with the delivery. Retour does not try it again.")
            .open_to(write)
            .once()
            .answers::<view::WebhookDeliveryDetails>(200, "The delivery with its attempt."),
        SUBSCRIPTIONS.operation(Method::GET, "/{id}/deliveries", get(sent_deliveries))
            .named("listWebhookDeliveries", "List a subscription's deliveries")
            .described("For 30 days. `filter=status:Failed` lists what can be delivered again.")
            .open_to(read)
            .lists(&lists::WEBHOOK_DELIVERIES)
            .answers::<view::List<view::WebhookDelivery>>(200, "A page of deliveries."),
        SUBSCRIPTIONS.operation(Method::POST, "/{id}/redeliver", post(redeliver))
            .named("redeliverSince", "Repeat past events")
            .described(
                "Delivers events since the given time again: those that failed or were never sent, for example while the \
                 subscription was disabled; with `\"which\": \"All\"` also delivered ones. Retour collects them in the \
                 background, while `catchingUp` is true. Until it is false, a further request needs the same `which`, \
                 and a `since` before the end of the events that are being collected; otherwise it is 409 `LimitReached`.",
            )
            .open_to(write)
            .once()
            .takes::<Redelivery>()
            .answers::<view::WebhookSubscription>(202, "The subscription.")
            .conflicts(&["Disabled", "LimitReached"]),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::WEBHOOK_SUBSCRIPTIONS, &[])?;
    Ok(Json(app.retour.merchant(&staff).webhook_subscriptions(&query.listing).await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewWebhookSubscription>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_webhook_subscription(body.value, key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
) -> Result<Response, ApiError> {
    let found = app.retour.merchant(&staff).webhook_subscription(id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
    IfMatch(version): IfMatch,
    body: JsonBody<WebhookSubscriptionChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_webhook_subscription(id, body.value, version, key).await?))
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).delete_webhook_subscription(id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn timeline(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).webhook_timeline(id).await?).into_response())
}

async fn secret(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).webhook_secret(id).await?).into_response())
}

async fn rotate(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
    MaybeJsonBody(body): MaybeJsonBody<SecretRotation>,
) -> Result<Response, ApiError> {
    let key = body.sealed_key(&caller);
    Ok(done(app.retour.merchant(&staff).rotate_webhook_secret(id, &body.value, key).await?))
}

async fn test(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).test_webhook_subscription(id, key).await?))
}

async fn sent_deliveries(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
    query: Query,
) -> Result<Response, ApiError> {
    let query = query.list(&lists::WEBHOOK_DELIVERIES, &[])?;
    Ok(Json(app.retour.merchant(&staff).webhook_deliveries(id, &query.listing).await?).into_response())
}

async fn redeliver(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<WebhookSubscriptionId>,
    body: JsonBody<Redelivery>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).redeliver_since(id, &body.value, key).await?))
}
