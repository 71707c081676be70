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

string_enum!(PaymentState);

enum_names!(PaymentState { Pending, Paid, Expired });

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
