//! A refund, and how much of it is still to be requested.

use super::error::PaymentError;
use domain::{Money, payment::RefundOutcome};

/// A refund to make.
#[derive(Debug, Clone)]
pub struct RefundRequest {
    /// The idempotency key: the same key leads to the same refund.
    pub key: String,
    /// The provider's id of the payment.
    pub id: String,
    /// The id that refunds refer to: Stripe's charge, Mollie's payment.
    pub reference: String,
    /// How much to refund.
    pub amount: Money,
    /// How much of the payment was refunded before, in minor units. Anything beyond that counts towards this refund: an
    /// earlier request with a lost answer, or a refund that a person made in the provider's dashboard.
    pub before: i64,
    /// Whether the provider had this refund at the last check.
    pub was_seen: bool,
}

/// What a provider has refunded of a payment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RefundedSoFar {
    /// The sum of all refunds that have not failed, in minor units.
    pub minor: i64,
    /// Whether some of them may still fail.
    pub is_pending: bool,
}

/// What to do for a refund.
pub(super) enum RefundStep {
    /// Request this amount.
    Request(Money),
    /// Nothing: it is refunded, about to be, or has failed.
    Finished(Result<RefundOutcome, PaymentError>),
}

impl RefundRequest {
    /// What is left to request after `refunded`.
    pub(super) fn next_step(&self, refunded: RefundedSoFar) -> RefundStep {
        let missing =
            self.before.saturating_add(self.amount.minor).saturating_sub(refunded.minor).min(self.amount.minor);
        match (missing > 0, refunded.is_pending) {
            (false, false) => RefundStep::Finished(Ok(RefundOutcome::WentBack)),
            (false, true) => RefundStep::Finished(Ok(RefundOutcome::OnItsWay)),
            // The provider had the refund at the last check, and does not have it any more.
            (true, false) if self.was_seen => {
                RefundStep::Finished(Err(PaymentError::RefundFailed("failed".to_owned())))
            }
            (true, _) => RefundStep::Request(Money::new(missing, self.amount.currency)),
        }
    }

    /// The idempotency key of a request for this amount.
    pub(super) fn key_of(&self, amount: Money) -> String {
        format!("{}-{}", self.key, amount.minor)
    }
}
