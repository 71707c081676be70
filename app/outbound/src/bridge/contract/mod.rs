//! The requests and answers of the contract, field by field.
//!
//! Names are in camelCase. Money is `{"value": "39.95", "currency": "EUR"}`, exact to the currency's minor unit. Times are
//! RFC 3339. In answers, optional fields may also be null, and unknown fields are ignored, so that both sides can add
//! fields. Fields that decide about money or units are required.
//!
//! The doc comments of the types become the descriptions in `docs/bridge-openapi.json`: they address the author of a
//! component.

mod label;
mod purchases;
mod resolve;

pub use label::{GetLabel, LabelFile, LabelItem, LabelOption, LabelStatus, MadeLabel};
pub use purchases::{
    Address, Consumer, Credentials, ExchangeOption, GetPurchases, Order, Product, Proof, Purchase, Purchases,
};
pub use resolve::{Item, Resolution, ResolutionItem, ResolutionStatus, ResolveReturn};
