//! What is said between us and a merchant's component, field by field.
//!
//! Rules for both sides: names are in camelCase; money is `{"value": "39.95", "currency": "EUR"}`, exact to the
//! currency's minor unit; times are RFC 3339. In answers, a field that may be left out may also be null, and fields
//! that are not listed here are ignored: both sides can grow. What decides over money and units must be said.

mod label;
mod purchases;
mod resolve;

pub use label::{GetLabel, LabelFile, LabelItem, LabelOption, LabelStatus, MadeLabel};
pub use purchases::{
    Address, Consumer, Credentials, ExchangeOption, GetPurchases, Order, Product, Proof, Purchase, Purchases,
};
pub use resolve::{Item, Resolution, ResolutionItem, ResolutionStatus, ResolveReturn};
