//! Something that happened, as other systems receive it.

use crate::engine::{Result, stored::named};
use domain::{AccountId, EventId, ReturnOrderId, Timestamp, stage::StageName, webhook::EventType};

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Event {
    /// The same for every attempt to deliver it.
    pub id: EventId,
    pub account_id: AccountId,
    pub kind: EventType,
    /// The stage that it reports, if it reports one.
    pub stage: Option<StageName>,
    /// A receiver gets the events of one return order in their order.
    pub return_order_id: ReturnOrderId,
    /// The resource as the API shows it, JSON.
    pub data: String,
    pub created_at: Timestamp,
}

impl Event {
    /// The event without its data, with its number.
    pub fn outline(&self, seq: i64) -> Outline {
        Outline {
            seq,
            id: self.id,
            account_id: self.account_id,
            kind: self.kind,
            stage: self.stage,
            return_order_id: self.return_order_id,
            created_at: self.created_at,
        }
    }
}

/// An event without its data: what decides which subscriptions receive it.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Its number.
    pub seq: i64,
    pub id: EventId,
    pub account_id: AccountId,
    pub kind: EventType,
    /// The stage that it reports, if it reports one.
    pub stage: Option<StageName>,
    pub return_order_id: ReturnOrderId,
    pub created_at: Timestamp,
}

/// A stored type of events.
pub(super) fn event_type(name: &str) -> Result<EventType> {
    named("events.type", EventType::parse(name))
}
