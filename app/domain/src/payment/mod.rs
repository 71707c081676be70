//! Payments for returns: the providers that take them, the attempts to pay, and what goes back.

mod checkout;
mod fee_payment;
mod hosted_checkout;
mod provider;
mod status;

pub use checkout::{
    Checkout, CheckoutReport, CheckoutState, PaymentRedirect, ProviderTask, Refund, RefundOutcome, Refunding,
};
pub use fee_payment::Payment;
pub use provider::{PaymentKind, PaymentProvider, Processor};
pub use status::{PaymentState, PaymentStatus};
