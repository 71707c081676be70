//! What was bought: orders, their lines, their units and their money.

mod imported;
mod ineligible;
mod ledger;
mod product;
mod purchase;
mod sums;
mod units;

pub use imported::{NameKeys, NewOrder, NewPurchase};
pub use ineligible::IneligibleCode;
pub use ledger::{Ledger, RefundClaim, refund_limits};
pub use product::{
    ExchangeOption, MAX_EXCHANGE_CHARS, MAX_WEIGHT, Product, check_exchange_options, check_parcel_facts,
};
pub use purchase::{OrderSummary, Purchase};
pub use sums::{OrderReview, OrderSums};
pub use units::{TakenUnits, Units};
