//! Events, subscriptions and deliveries, as the API shows them.

use crate::base::{OrBroken, Result};
use domain::{
    AccountId, EventId, Timestamp, WebhookDeliveryId, WebhookSubscriptionId,
    party::Actor,
    stage::StageName,
    webhook::{DeliveryOutcome, DeliveryStatus, DisabledReason, EventType},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use store::{events, webhook_attempts, webhook_deliveries, webhook_subscriptions};
use uuid::Uuid;

/// An event. Pollers and subscribers get the same object.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    pub id: EventId,
    /// The type of the event, which decides what `data` holds.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// The same as `type`, for clients of older systems.
    pub event: EventType,
    /// When the event happened.
    pub timestamp: Timestamp,
    /// The account that the event happened in.
    pub account_id: AccountId,
    /// The resource and its related objects, as they were when the event happened.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub data: Box<RawValue>,
}

impl Event {
    pub(crate) fn new(event: events::Event) -> Result<Self> {
        Ok(Self {
            id: event.id,
            kind: event.kind,
            event: event.kind,
            timestamp: event.created_at,
            account_id: event.account_id,
            data: RawValue::from_string(event.data).or_broken()?,
        })
    }
}

/// A webhook subscription: a URL, and the events to send to it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSubscription {
    /// Unique identifier of the subscription.
    pub id: WebhookSubscriptionId,
    /// The URL that events are sent to.
    #[schemars(extend("examples" = ["https://erp.example/hooks/retour"]))]
    pub url: String,
    /// The types of events to send; empty: all, including types that are added later.
    pub event_types: Vec<EventType>,
    /// For `return_request.stage_changed`: send only events that enter these stages; empty: all stages.
    pub stages: Vec<StageName>,
    /// What the subscription is for; may be empty.
    #[schemars(extend("examples" = ["Accounting"]))]
    pub description: String,
    /// Whether events are sent to the URL.
    pub enabled: bool,
    /// The reason why the subscription is disabled; `null` while it is enabled.
    pub disabled_reason: Option<DisabledReason>,
    /// When the subscription was disabled; `null` while it is enabled.
    pub disabled_at: Option<Timestamp>,
    /// The time since which every attempt has failed; `null` if the last attempt succeeded.
    pub failing_since: Option<Timestamp>,
    /// When the previous secret stops signing deliveries; `null`: there is none.
    pub previous_secret_expires_at: Option<Timestamp>,
    /// Whether Retour is still collecting past events to deliver them again.
    pub catching_up: bool,
    /// When the subscription was created.
    pub created_at: Timestamp,
    /// When the subscription last changed.
    pub updated_at: Timestamp,
    /// The version of the subscription: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl WebhookSubscription {
    pub(crate) fn new(found: webhook_subscriptions::Subscription, now: Timestamp) -> Self {
        Self {
            id: found.id,
            url: found.url,
            event_types: found.interest.event_types,
            stages: found.interest.stages,
            description: found.description,
            enabled: found.disabled.is_none(),
            disabled_reason: found.disabled.map(|(because, _)| because),
            disabled_at: found.disabled.map(|(_, at)| at),
            failing_since: found.health.failing_since,
            previous_secret_expires_at: found.previous_secret.map(|(_, at)| at).filter(|at| *at > now),
            catching_up: found.catch_up.is_some(),
            created_at: found.created_at,
            updated_at: found.updated_at,
            version: found.version,
        }
    }
}

/// The secret that signs a subscription's deliveries.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSecret {
    /// `whsec_` and 32 bytes in Base64, in the format of the Standard Webhooks libraries.
    #[schemars(extend("examples" = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaSLt5c3XkF3l8mYk="]))]
    pub secret: String,
    /// The previous secret, while it still signs deliveries as well.
    #[schemars(extend("examples" = ["whsec_plJ3nmyCDGBKInavdOK15jsl5Mz8GqCBZKFA9Yh6n7E="]))]
    pub previous_secret: Option<String>,
    /// When the previous secret stops signing deliveries.
    pub previous_secret_expires_at: Option<Timestamp>,
}

/// A change of a webhook subscription.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTimelineEntry {
    /// When the subscription changed.
    pub at: Timestamp,
    /// The party that changed the subscription.
    pub actor: Actor,
    /// The user or service user who made the change, if staff did.
    pub actor_id: Option<Uuid>,
    /// The kind of change: `Created`, `Changed`, `SecretRotated`, `Enabled`, `CatchUpAsked`, `Disabled: ByMerchant`,
    /// `Disabled: Gone`, `Disabled: Failing`.
    #[schemars(extend("examples" = ["Created"]))]
    pub change: String,
}

impl From<webhook_subscriptions::SubscriptionEntry> for WebhookTimelineEntry {
    fn from(entry: webhook_subscriptions::SubscriptionEntry) -> Self {
        Self { at: entry.at, actor: entry.actor, actor_id: entry.actor_id, change: entry.change }
    }
}

/// The delivery of an event to a subscription.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Unique identifier of the delivery.
    pub id: WebhookDeliveryId,
    /// The subscription that the event is delivered to.
    pub subscription_id: WebhookSubscriptionId,
    /// The event that is delivered.
    pub event_id: EventId,
    /// The type of the event.
    pub event_type: EventType,
    /// The state of the delivery.
    pub status: DeliveryStatus,
    /// The number of attempts so far.
    pub attempt_count: u32,
    /// When the next attempt is made, if the receiver accepts the earlier events of the same return; `null` if none is
    /// planned.
    pub next_attempt_at: Option<Timestamp>,
    /// When the event happened.
    pub created_at: Timestamp,
}

impl From<webhook_deliveries::Delivery> for WebhookDelivery {
    fn from(found: webhook_deliveries::Delivery) -> Self {
        Self {
            id: found.id,
            subscription_id: found.subscription_id,
            event_id: found.event_id,
            event_type: found.event_type,
            status: found.status,
            attempt_count: found.attempts,
            next_attempt_at: (found.status == DeliveryStatus::Pending).then_some(found.due_at),
            created_at: found.created_at,
        }
    }
}

/// A delivery with its request and all attempts.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryDetails {
    /// The delivery.
    #[serde(flatten)]
    pub delivery: WebhookDelivery,
    /// The request that is sent to the receiver.
    pub request: WebhookRequest,
    /// Every attempt, oldest first.
    pub attempts: Vec<WebhookAttempt>,
}

/// The request that is sent to the receiver.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRequest {
    /// The URL that the request is sent to.
    #[schemars(extend("examples" = ["https://erp.example/hooks/retour"]))]
    pub url: String,
    /// The body of the request: the event as JSON.
    pub body: Event,
}

/// One attempt to deliver an event to a receiver.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookAttempt {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// When the attempt began; the `webhook-timestamp`, in seconds.
    pub at: Timestamp,
    /// The duration of the attempt in milliseconds.
    #[schemars(extend("examples" = [48]))]
    pub duration_ms: i64,
    /// The result of the attempt.
    pub outcome: DeliveryOutcome,
    /// The HTTP status of the response; `null` if there was none.
    #[schemars(extend("examples" = [204]))]
    pub status_code: Option<u16>,
    /// The first 1,024 bytes of the receiver's response.
    #[schemars(extend("examples" = [""]))]
    pub answer: String,
    /// The error as a sentence for people; `null` if the attempt succeeded.
    #[schemars(extend("examples" = [null]))]
    pub error: Option<&'static str>,
}

impl WebhookAttempt {
    pub(crate) fn new((number, found): (u32, webhook_attempts::Attempt)) -> Self {
        let failed = found.outcome != DeliveryOutcome::Delivered;
        Self {
            number,
            at: found.at,
            duration_ms: found.duration / 1_000,
            outcome: found.outcome,
            status_code: found.status_code,
            answer: found.answer,
            error: failed.then(|| found.outcome.sentence()),
        }
    }
}
