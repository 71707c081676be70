//! The states of a payment.

use serde::{Deserialize, Serialize};

/// The states of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "PaymentState")]
pub enum PaymentState {
    /// The payment has not arrived yet.
    Pending,
    /// The payment has arrived.
    Paid,
    /// The payment did not arrive in time.
    Expired,
}

words!(PaymentState);

impl PaymentState {
    /// Every one of them.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Paid, Self::Expired];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Paid => "Paid",
            Self::Expired => "Expired",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

named_enum! {
    /// The states of a return order's payment.
    PaymentStatus {
        /// The return has nothing to pay.
        NotRequired,
        /// The payment has not arrived yet.
        Pending,
        /// The payment has arrived.
        Paid,
        /// The payment did not arrive in time.
        Expired,
        /// The payment was paid back.
        Refunded,
    }
}
