//! Attempts to pay at a provider's page, and the tasks that they create.

use crate::base::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

/// An attempt to pay at a provider's page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkout {
    /// Its number, from 1. The number of a dropped attempt is reused; `begun_at` tells them apart.
    pub number: u32,
    /// When Retour first asked the provider for the page.
    pub begun_at: Timestamp,
    /// When the page expires.
    pub ends_at: Timestamp,
    /// The state of the attempt.
    #[serde(flatten)]
    pub state: CheckoutState,
    /// The refund in progress; `None`: none. It stays the same until its result is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refunding: Option<Refunding>,
    /// The number of finished refunds, successful or not.
    #[serde(default)]
    pub refunds: u32,
    /// The amount refunded, minor units.
    #[serde(default)]
    pub refunded: i64,
}

/// A refund in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refunding {
    /// The amount, minor units.
    pub minor: i64,
    /// Whether the provider has accepted it; it may still fail.
    pub on_its_way: bool,
}

/// The state of an attempt to pay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all_fields = "camelCase")]
pub enum CheckoutState {
    /// Retour asked the provider for a page and has no answer yet.
    Begun,
    /// The page is open.
    Open {
        /// The provider's own id.
        id: String,
        /// The page.
        url: String,
    },
    /// It was paid by a method that takes days.
    Processing {
        /// The provider's own id.
        id: String,
    },
    /// The money has arrived.
    Paid {
        /// The provider's own id.
        id: String,
        /// The provider's reference for refunds.
        reference: String,
    },
    /// It ended without a payment.
    Closed {
        /// The provider's own id.
        id: String,
    },
}

impl CheckoutState {
    /// The provider's own id, once it is known.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Begun => None,
            Self::Open { id, .. } | Self::Processing { id } | Self::Paid { id, .. } | Self::Closed { id } => Some(id),
        }
    }

    /// The name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Begun => "Begun",
            Self::Open { .. } => "Open",
            Self::Processing { .. } => "Processing",
            Self::Paid { .. } => "Paid",
            Self::Closed { .. } => "Closed",
        }
    }
}

/// The state of an attempt, as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutReport {
    /// The page is open.
    Open,
    /// It was paid by a method that takes days.
    Processing,
    /// The money has arrived.
    Paid {
        /// The provider's reference for refunds.
        reference: String,
    },
    /// It ended without a payment.
    Closed,
}

/// The page that a shopper who wants to pay is redirected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentRedirect {
    /// The provider's page at this URL.
    To(String),
    /// Retour has to ask the provider for a page for this attempt.
    NeedsPage(Checkout),
    /// No page: the money has arrived or is under way, the payment has ended, or there were too many attempts.
    Unavailable,
}

/// A call to the provider that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderTask {
    /// Check the state of an attempt: its number, and the provider's own id.
    Check(u32, String),
    /// Close the page of an attempt: its number, and the provider's own id.
    Close(u32, String),
    /// Refund something.
    Refund(Refund),
}

impl ProviderTask {
    /// The number of the attempt.
    pub fn number(&self) -> u32 {
        match self {
            Self::Check(number, _) | Self::Close(number, _) => *number,
            Self::Refund(refund) => refund.number,
        }
    }
}

/// A refund to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// The number of the attempt.
    pub number: u32,
    /// The number of its finished refunds: together with `number` it identifies this refund.
    pub before: u32,
    /// The provider's own id of the attempt.
    pub id: String,
    /// The provider's reference for refunds.
    pub reference: String,
    /// The amount, minor units.
    pub minor: i64,
    /// The amount refunded of that attempt before, minor units.
    pub refunded: i64,
    /// Whether the provider had accepted it at the last check.
    pub on_its_way: bool,
}

/// The result of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundOutcome {
    /// The refund succeeded.
    WentBack,
    /// The provider has accepted it; it may still fail.
    OnItsWay,
    /// The refund failed.
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_in_json() {
        let id = || "cs_1".to_owned();
        for state in [
            CheckoutState::Begun,
            CheckoutState::Open { id: id(), url: "https://pay.example".into() },
            CheckoutState::Processing { id: id() },
            CheckoutState::Paid { id: id(), reference: "ch_1".into() },
            CheckoutState::Closed { id: id() },
        ] {
            assert_eq!(serde_json::to_value(&state).unwrap()["state"], state.name());
        }
    }
}
