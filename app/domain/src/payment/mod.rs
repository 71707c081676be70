//! What a consumer pays for a return: who takes the money, and the states of a payment.

mod checkout;
mod fee_payment;
mod hosted_checkout;
mod provider;
mod status;

pub use checkout::{Checkout, CheckoutState, Heard, Leads, Refund, RefundOutcome, Refunding, Todo};
pub use fee_payment::Payment;
pub use provider::{PaymentKind, PaymentProvider, Processor};
pub use status::{PaymentState, PaymentStatus};
