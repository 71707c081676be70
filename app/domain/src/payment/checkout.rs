//! Attempts to pay at a payment provider's page.

use crate::base::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

/// A try to pay, at a provider's page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkout {
    /// Its place among the tries that are kept, from 1: that of one that was dropped is used again, and `begun_at` tells them
    /// apart.
    pub number: u32,
    /// When the provider was asked for it first.
    pub begun_at: Timestamp,
    /// When the page is of no more use.
    pub ends_at: Timestamp,
    /// Where it stands.
    #[serde(flatten)]
    pub state: CheckoutState,
    /// What of it is being given back; `None`: nothing is. The same until it is known how that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refunding: Option<Refunding>,
    /// How many refunds ended, well or not.
    #[serde(default)]
    pub refunds: u32,
    /// What went back, minor units.
    #[serde(default)]
    pub refunded: i64,
}

/// Something that is being given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refunding {
    /// How much, minor units.
    pub minor: i64,
    /// Whether the provider has it, and it may still come to nothing.
    pub on_its_way: bool,
}

/// Where a try stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all_fields = "camelCase")]
pub enum CheckoutState {
    /// The provider was asked for a page, and nobody knows it yet.
    Begun,
    /// It can be paid there.
    Open {
        /// The provider's own id.
        id: String,
        /// Its page.
        url: String,
    },
    /// It was paid in a way that takes days.
    Processing {
        /// The provider's own id.
        id: String,
    },
    /// The money is here.
    Paid {
        /// The provider's own id.
        id: String,
        /// By which it is given back.
        reference: String,
    },
    /// Nothing was paid, and nothing will be.
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

/// What a provider says of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// It can be paid.
    Open,
    /// It was paid in a way that takes days.
    Processing,
    /// The money is here.
    Paid {
        /// By which it is given back.
        reference: String,
    },
    /// Nothing was paid, and nothing will be.
    Closed,
}

/// Where somebody is led who wants to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leads {
    /// To this page of the provider's.
    To(String),
    /// The provider is to be asked for a page: this one.
    Asks(Checkout),
    /// Nowhere: the money is here or on its way, nobody waits for it any more, or there were too many tries.
    Nowhere,
}

/// What is to be asked of the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Todo {
    /// Where a try stands: its number, and the provider's own id.
    Look(u32, String),
    /// That it can be paid no more: likewise.
    Close(u32, String),
    /// To give something back.
    Refund(Refund),
}

impl Todo {
    /// Of which try.
    pub fn number(&self) -> u32 {
        match self {
            Self::Look(number, _) | Self::Close(number, _) => *number,
            Self::Refund(refund) => refund.number,
        }
    }
}

/// Something that is to go back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// Of which try.
    pub number: u32,
    /// How many refunds of it ended before: with the number, what tells this one from others.
    pub before: u32,
    /// The provider's own id of the try.
    pub id: String,
    /// By which it is given back.
    pub reference: String,
    /// How much, minor units.
    pub minor: i64,
    /// How much of that try has gone back before, minor units.
    pub refunded: i64,
    /// Whether the provider had it when it was asked last.
    pub on_its_way: bool,
}

/// What came of a refund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundOutcome {
    /// The money went back.
    WentBack,
    /// The provider has it, and it may still come to nothing.
    OnItsWay,
    /// It did not go back.
    Failed,
}
