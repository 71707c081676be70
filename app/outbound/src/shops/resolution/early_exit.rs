//! How a resolution ends, and what it ends with.

use crate::bridge::{BridgeError, Resolved, contract::ResolveReturn};
use domain::{Currency, Money};

/// What ends a resolution before it is done.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An answer.
    Resolved(Resolved),
    /// None.
    Error(BridgeError),
    /// What was found at first is not how it is any more.
    LookAgain,
}

impl From<BridgeError> for Stop {
    fn from(error: BridgeError) -> Self {
        Self::Error(error)
    }
}

/// Takes the steps of a resolution, which each look whether they were taken before; once more where they say so.
pub(crate) async fn ended<F>(steps: impl Fn() -> F) -> Result<Resolved, BridgeError>
where
    F: Future<Output = Result<Resolved, Stop>>,
{
    for _ in 0..2 {
        match steps().await {
            Ok(resolved) | Err(Stop::Resolved(resolved)) => return Ok(resolved),
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::LookAgain) => {}
        }
    }
    Ok(Resolved::Pending { external_reference: None })
}

/// A refund that a resolution made.
pub(crate) struct Given {
    /// The shop's id.
    pub id: String,
    /// In the shop's smallest unit.
    pub amount: i64,
}

/// The shop's ids of refunds.
pub(crate) fn reference(given: &[Given]) -> Option<String> {
    let ids: Vec<&str> = given.iter().map(|refund| refund.id.as_str()).collect();
    (!ids.is_empty()).then(|| ids.join(", "))
}

/// What they come to.
pub(crate) fn total(given: &[Given]) -> i64 {
    given.iter().fold(0, |sum, refund| sum.saturating_add(refund.amount))
}

pub(crate) fn failed(reason: &str) -> Resolved {
    Resolved::Failed { external_reference: None, reason: reason.to_owned() }
}

pub(crate) fn stop(reason: &str) -> Stop {
    Stop::Resolved(failed(reason))
}

/// The next look tells.
pub(crate) fn pending(given: &[Given]) -> Stop {
    Stop::Resolved(Resolved::Pending { external_reference: reference(given) })
}

/// A part or all of it may have been given: people look.
pub(crate) fn unclear(given: &[Given], reason: String) -> Stop {
    Stop::Resolved(Resolved::Unclear { external_reference: reference(given), reason })
}

/// What the consumer gets, in minor units.
pub(crate) fn owed(asked: &ResolveReturn, currency: Currency) -> Result<i64, Stop> {
    let added = asked.items.iter().map(|item| item.amount).chain([asked.shipping_refund]);
    let amounts: Vec<Money> = added.clone().chain([asked.fees]).collect();
    if amounts.iter().any(|amount| amount.currency != currency) {
        return Err(stop("The refund is in another currency than the order."));
    }
    if amounts.iter().any(|amount| amount.minor < 0) {
        return Err(stop("An amount of the refund is below 0."));
    }
    let sum = added.map(|amount| amount.minor).try_fold(0_i64, i64::checked_add);
    let owed = sum.and_then(|sum| sum.checked_sub(asked.fees.minor)).filter(|owed| *owed >= 0);
    owed.ok_or_else(|| stop("What is to be refunded is below 0, or no number."))
}
