//! Payment providers: open a page to pay on, ask for its state, refund.
//!
//! Each provider is called through its own API. Requests with the same idempotency key are executed once, as long as the
//! provider remembers the key.

mod error;
mod mollie;
mod page;
mod processor;
mod refund;
mod request;
mod stripe;
mod stripe_notices;

pub use error::PaymentError;
pub use mollie::Mollie;
pub use page::{NewPaymentPage, PaymentPage};
pub use processor::Processor;
pub use refund::RefundRequest;
pub use stripe::Stripe;
pub use stripe_notices::{NoticeError, SignatureSecret, notice_of};
