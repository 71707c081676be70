//! Money: whole minor units of an ISO 4217 currency. No floating point anywhere.

pub mod allocate;
mod amount;
mod currency;
mod percent;
mod prices;

#[cfg(feature = "openapi")]
pub(crate) use amount::MAX_DECIMAL_CHARS;
pub use amount::{MAX_AMOUNT, Money};
pub use currency::Currency;
pub use percent::Percent;
pub use prices::Prices;
