//! The payment provider of a merchant: one interface for Stripe and Mollie.

use super::{
    error::PaymentError,
    mollie::Mollie,
    page::{NewPaymentPage, PaymentPage},
    refund::{RefundRequest, RefundStep},
    stripe::Stripe,
};
use domain::{
    Money, Timestamp,
    payment::{CheckoutReport, RefundOutcome},
};

/// A payment provider.
#[derive(Debug, Clone)]
pub enum Processor {
    /// Stripe.
    Stripe(Stripe),
    /// Mollie.
    Mollie(Mollie),
}

impl Processor {
    /// Opens a page to pay on.
    pub async fn open(&self, page: &NewPaymentPage, now: Timestamp) -> Result<PaymentPage, PaymentError> {
        match self {
            Self::Stripe(stripe) => stripe.open(page, now).await,
            Self::Mollie(mollie) => mollie.open(page, now).await,
        }
    }

    /// Reads the state of a page for this amount.
    pub async fn look(&self, id: &str, amount: Money, now: Timestamp) -> Result<CheckoutReport, PaymentError> {
        match self {
            Self::Stripe(stripe) => stripe.look(id, amount, now).await,
            Self::Mollie(mollie) => mollie.look(id, amount, now).await,
        }
    }

    /// Closes a page, so that nobody can pay on it any more, and reads its state.
    pub async fn close(&self, id: &str, amount: Money, now: Timestamp) -> Result<CheckoutReport, PaymentError> {
        match self {
            Self::Stripe(stripe) => stripe.close(id, amount, now).await,
            Self::Mollie(mollie) => mollie.close(id, amount, now).await,
        }
    }

    /// Refunds a payment, once: existing refunds are read first, because providers forget idempotency keys. After an error with
    /// [`PaymentError::is_refusal`], nothing was refunded.
    pub async fn give_back(&self, refund: &RefundRequest, now: Timestamp) -> Result<RefundOutcome, PaymentError> {
        let refunded = match self {
            Self::Stripe(stripe) => stripe.refunded(refund, now).await,
            Self::Mollie(mollie) => mollie.refunded(refund, now).await,
        };
        let missing = match refund.next_step(refunded.map_err(PaymentError::while_reading_refunds)?) {
            RefundStep::Request(missing) => missing,
            RefundStep::Finished(outcome) => return outcome,
        };
        match self {
            Self::Stripe(stripe) => stripe.refund(refund, missing, now).await,
            Self::Mollie(mollie) => mollie.refund(refund, missing, now).await,
        }
    }
}
