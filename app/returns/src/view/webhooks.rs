//! Events, subscriptions and deliveries, as the API shows them.

use crate::{Error, Result};
use domain::{
    AccountId, EventId, Timestamp, WebhookDeliveryId, WebhookSubscriptionId,
    returning::Actor,
    stage::StageName,
    webhook::{DeliveryStatus, DisabledBecause, EventType, Outcome},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use store::{events, webhook_attempts, webhook_deliveries, webhook_subscriptions};
use uuid::Uuid;

/// Something that happened: what a poller reads is what a subscriber is sent.
// Source: design 4.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Identifier; the `webhook-id` of every attempt to deliver it.
    pub id: EventId,
    /// What kind of thing.
    #[serde(rename = "type")]
    pub kind: EventType,
    /// The same, for clients of older systems.
    pub event: EventType,
    /// When it happened.
    pub timestamp: Timestamp,
    /// Whose.
    pub account_id: AccountId,
    /// The resource as the API showed it then, with its related objects in it.
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
            data: RawValue::from_string(event.data).map_err(|_| Error::Broken)?,
        })
    }
}

/// Who wants to be told of what.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSubscription {
    /// Identifier.
    pub id: WebhookSubscriptionId,
    /// Where events are sent.
    #[schemars(extend("examples" = ["https://erp.example/hooks/retour"]))]
    pub url: String,
    /// Of which types; empty: of all, also of those that are added later.
    pub event_types: Vec<EventType>,
    /// Of `return_request.stage_changed`, the entering of these stages alone; empty: of all.
    pub stages: Vec<StageName>,
    /// In the merchant's words; may be empty.
    #[schemars(extend("examples" = ["Accounting"]))]
    pub description: String,
    /// Whether events are sent.
    pub enabled: bool,
    /// Why they are not; `null` while they are.
    pub disabled_reason: Option<DisabledBecause>,
    /// Since when they are not.
    pub disabled_at: Option<Timestamp>,
    /// Since when every attempt has failed; `null` while none has since the last success.
    pub failing_since: Option<Timestamp>,
    /// Until when the secret before the present one signs too; `null`: there is none.
    pub previous_secret_expires_at: Option<Timestamp>,
    /// Whether events of before are still being gathered to be delivered again.
    pub catching_up: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts its changes; the `ETag`.
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

/// What a subscription's deliveries are signed with.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSecret {
    /// `whsec_` and 32 bytes in Base64, as the libraries of Standard Webhooks take it.
    #[schemars(extend("examples" = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaSLt5c3XkF3l8mYk="]))]
    pub secret: String,
    /// The one before it, while that signs too.
    #[schemars(extend("examples" = ["whsec_plJ3nmyCDGBKInavdOK15jsl5Mz8GqCBZKFA9Yh6n7E="]))]
    pub previous_secret: Option<String>,
    /// Until when.
    pub previous_secret_expires_at: Option<Timestamp>,
}

/// What happened to a subscription.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTimelineEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// Which user or service user, where it was one.
    pub actor_id: Option<Uuid>,
    /// What: `Created`, `Changed`, `SecretRotated`, `Enabled`, `CatchUpAsked`, `Disabled: ByMerchant`, `Disabled: Gone`,
    /// `Disabled: Failing`.
    #[schemars(extend("examples" = ["Created"]))]
    pub change: String,
}

impl From<webhook_subscriptions::Entry> for WebhookTimelineEntry {
    fn from(entry: webhook_subscriptions::Entry) -> Self {
        Self { at: entry.at, actor: entry.actor, actor_id: entry.actor_id, change: entry.change }
    }
}

/// An event on its way to a subscription.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDelivery {
    /// Identifier.
    pub id: WebhookDeliveryId,
    /// To whom.
    pub subscription_id: WebhookSubscriptionId,
    /// What.
    pub event_id: EventId,
    /// What kind of thing.
    pub event_type: EventType,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempt_count: u32,
    /// When it is tried next, if the receiver takes what comes before it in the same return; `null` when it is not.
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

/// A delivery with what is sent and what came of it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveryDetails {
    /// The delivery.
    #[serde(flatten)]
    pub delivery: WebhookDelivery,
    /// What is sent.
    pub request: WebhookRequest,
    /// Each attempt, oldest first.
    pub attempts: Vec<WebhookAttempt>,
}

/// What is sent.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookRequest {
    /// Where to.
    #[schemars(extend("examples" = ["https://erp.example/hooks/retour"]))]
    pub url: String,
    /// The body.
    pub body: Event,
}

/// One exchange with a receiver.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookAttempt {
    /// From 1.
    pub number: u32,
    /// When it began; the `webhook-timestamp`, in seconds.
    pub at: Timestamp,
    /// How long it took, milliseconds.
    #[schemars(extend("examples" = [48]))]
    pub duration_ms: i64,
    /// What came of it.
    pub outcome: Outcome,
    /// HTTP status; `null`: there was no answer.
    #[schemars(extend("examples" = [204]))]
    pub status_code: Option<u16>,
    /// The answer's beginning, up to 1,024 bytes.
    #[schemars(extend("examples" = [""]))]
    pub answer: String,
    /// What went wrong, for people; `null`: nothing.
    #[schemars(extend("examples" = [null]))]
    pub error: Option<&'static str>,
}

impl WebhookAttempt {
    pub(crate) fn new((number, found): (u32, webhook_attempts::Attempt)) -> Self {
        let failed = found.outcome != Outcome::Delivered;
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
