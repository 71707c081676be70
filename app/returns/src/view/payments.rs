//! Payments of return orders, as the API shows them.

use domain::{
    Money, PaymentId, Timestamp,
    payment::{Checkout, CheckoutState, Payment, PaymentKind, PaymentState},
};
use schemars::JsonSchema;
use serde::Serialize;

/// The payment of a return order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payment")]
pub struct PaymentView {
    /// Unique identifier of the payment.
    pub id: PaymentId,
    /// The provider that takes the payment.
    pub kind: PaymentKind,
    /// The state of the payment.
    pub status: PaymentState,
    /// The amount to pay.
    pub amount: Money,
    /// The part of the amount that must be or was refunded.
    pub refund_due: Money,
    /// The part of the amount that was refunded.
    pub refunded: Money,
    /// Whether the consumer paid with a method that takes days, and the payment has not arrived yet.
    pub on_its_way: bool,
    /// Where the consumer pays: a path of this server. `null` when no payment is expected.
    pub checkout_url: Option<String>,
    /// The last moment at which the payment is accepted.
    pub due_at: Timestamp,
    /// When the payment was created.
    pub created_at: Timestamp,
    /// Checkouts at the provider's pages, oldest first; none with `simulated`.
    pub checkouts: Vec<CheckoutView>,
    /// Why calls to the provider fail, or why the provider refuses. Only for staff. `null`: nothing is wrong.
    pub error_message: Option<String>,
    /// The number of calls to the provider that have failed since the last success. Only for staff.
    pub failed_attempts: u32,
    /// When Retour calls the provider again after a failure; `null`: nothing is wrong, or Retour calls when the
    /// consumer wants to pay.
    pub next_attempt_at: Option<Timestamp>,
}

/// An attempt to pay on a provider's page. One checkout settles the payment; money from any other is refunded.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PaymentCheckout")]
pub struct CheckoutView {
    /// The state of the checkout: `Begun`, `Open`, `Processing`, `Paid` or `Closed`.
    pub status: &'static str,
    /// The provider's id of the checkout, to find it on the provider's pages. Only for staff. `null` if there is none
    /// yet.
    pub external_id: Option<String>,
    /// Whether this checkout paid the amount.
    pub settled: bool,
    /// The part of the amount that was refunded.
    pub refunded: Money,
    /// When the checkout was opened.
    pub created_at: Timestamp,
}

impl From<Payment> for PaymentView {
    fn from(payment: Payment) -> Self {
        let checkout = |one: &Checkout| CheckoutView {
            status: one.state.name(),
            external_id: one.state.id().map(str::to_owned),
            settled: payment.settled_by == Some(one.number),
            refunded: Money::new(one.refunded, payment.amount.currency),
            created_at: one.begun_at,
        };
        let checkouts = payment.checkouts.iter().map(checkout).collect();
        let is_processing = |one: &Checkout| matches!(one.state, CheckoutState::Processing { .. });
        let on_its_way = payment.state == PaymentState::Pending && payment.checkouts.iter().any(is_processing);
        Self {
            id: payment.id,
            kind: payment.kind,
            status: payment.state,
            amount: payment.amount,
            refund_due: Money::new(payment.refund_due, payment.amount.currency),
            refunded: Money::new(payment.refunded, payment.amount.currency),
            on_its_way,
            checkout_url: (payment.state == PaymentState::Pending && !on_its_way).then_some(payment.checkout),
            due_at: payment.due,
            created_at: payment.created_at,
            checkouts,
            error_message: (!payment.last_error.is_empty()).then_some(payment.last_error),
            failed_attempts: payment.failed_attempts,
            next_attempt_at: payment.next_attempt_at,
        }
    }
}

impl PaymentView {
    /// The payment as its consumer sees it: without the fields for staff.
    #[must_use]
    pub(super) fn seen_by_consumer(self) -> Self {
        let Self {
            id,
            kind,
            status,
            amount,
            refund_due,
            refunded,
            on_its_way,
            checkout_url,
            due_at,
            created_at,
            checkouts,
            error_message: _,
            failed_attempts: _,
            next_attempt_at: _,
        } = self;
        Self {
            id,
            kind,
            status,
            amount,
            refund_due,
            refunded,
            on_its_way,
            checkout_url,
            due_at,
            created_at,
            checkouts: checkouts.into_iter().map(CheckoutView::seen_by_consumer).collect(),
            error_message: None,
            failed_attempts: 0,
            next_attempt_at: None,
        }
    }
}

impl CheckoutView {
    fn seen_by_consumer(self) -> Self {
        let Self { status, external_id: _, settled, refunded, created_at } = self;
        Self { status, external_id: None, settled, refunded, created_at }
    }
}
