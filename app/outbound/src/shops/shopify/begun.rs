//! The record that a refund begins, in a metafield of the order that only our app can change.
//!
//! Shopify carries out equal inputs with the same idempotency key once, within 24 hours. For this to hold, a repeated request
//! must be equal, although the order may have changed since. So before each refund we store the key and the whole input on
//! the order. A later call that finds the record
//!
//! - but no refund sends the same input with the same key again: Shopify refunds, or answers with the refund it has made,
//! - and no refund after [`KEY_LASTS_SECONDS`] leaves the decision to a person.
//!
//! A record ends when its attempt has a known result. The next request, which a person wants, begins another attempt with
//! another key.

use super::{
    client::{MutationError, ShopifySession},
    documents::REMEMBER,
    order_state::RememberResponse,
    plan::ShopifyPlan,
};
use crate::bridge::{BridgeError, contract::ResolveReturn};
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How long Shopify recognizes a key, less an hour for clocks that differ and requests that take long.
const KEY_LASTS_SECONDS: i64 = 23 * 3_600;
/// The namespace that Shopify reserves for our app.
const NAMESPACE: &str = "$app:retour";

/// What the order's metafield says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub(super) enum Record {
    /// A refund was or is about to be requested.
    Begun(Attempt),
    /// The latest attempt has a known result.
    Ended {
        /// How many attempts there were.
        attempts: u32,
    },
}

/// One attempt to refund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Attempt {
    /// 1 for the first attempt of a resolution.
    number: u32,
    pub began_at: Timestamp,
    /// How many refunds of this resolution there were before.
    pub refunds_before: usize,
    /// The `RefundInput`.
    pub input: Value,
}

impl Attempt {
    /// An attempt that begins now, after the attempts that the order's record counts.
    pub fn new(plan: &ShopifyPlan<'_>, input: Value, now: Timestamp) -> Self {
        let before = match record(plan) {
            Some(Record::Begun(attempt)) => attempt.number,
            Some(Record::Ended { attempts }) => attempts,
            None => 0,
        };
        let number = before.saturating_add(1);
        Self { number, began_at: now, refunds_before: plan.our_refunds().count(), input }
    }

    /// The idempotency key, which no other attempt has.
    pub fn key(&self, plan: &ShopifyPlan<'_>) -> String {
        format!("{}-{}", plan.asked.transaction_id, self.number)
    }

    /// Whether Shopify still recognizes the key.
    pub fn can_be_repeated(&self, now: Timestamp) -> bool {
        now < self.began_at.plus_seconds(KEY_LASTS_SECONDS)
    }
}

/// The name of the metafield of a resolution.
pub(super) fn record_key(asked: &ResolveReturn) -> String {
    format!("refund_{}", asked.transaction_id.simple())
}

/// The attempt that has no known result yet.
pub(super) fn open_attempt(plan: &ShopifyPlan<'_>) -> Option<Attempt> {
    match record(plan) {
        Some(Record::Begun(attempt)) => Some(attempt),
        Some(Record::Ended { .. }) | None => None,
    }
}

/// The order's record. One that cannot be read is none of ours: only our app can write there.
fn record(plan: &ShopifyPlan<'_>) -> Option<Record> {
    serde_json::from_str(&plan.order.metafield.as_ref()?.value).ok()
}

/// Stores the record. If it may not have been stored, nothing must be refunded.
pub(super) async fn remember(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    record: &Record,
) -> Result<(), MutationError> {
    let value = serde_json::to_string(record).map_err(|_| MutationError::Unknown)?;
    let metafield = json!({
        "ownerId": plan.order.id, "namespace": NAMESPACE, "key": plan.record_key, "type": "json", "value": value,
    });
    let response: RememberResponse = session.mutate(REMEMBER, &json!({"metafields": [metafield]})).await?;
    match response.metafields_set {
        Some(payload) if payload.user_errors.is_empty() => Ok(()),
        Some(_) => Err(MutationError::NotDone(BridgeError::bad_field(
            "data.metafieldsSet.userErrors",
            "expected none: Retour stores on the order that a refund begins",
        ))),
        None => Err(MutationError::Unknown),
    }
}

/// Ends the attempt. If this fails, a person has to decide once more than necessary, or Shopify reports that the attempt's key
/// is used up.
pub(super) async fn end(session: &ShopifySession<'_>, plan: &ShopifyPlan<'_>, attempt: &Attempt) {
    let _ = remember(session, plan, &Record::Ended { attempts: attempt.number }).await;
}
