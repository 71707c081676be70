//! Sales orders as shops report them, and the units and money in them that returns take.

#[macro_use]
mod fragments;
pub mod completeness;
pub mod import;
pub mod known_lines;
pub mod ledgers;
pub mod order_spellings;
pub mod orders;
pub mod purchase_units;
pub mod purchases;
pub mod shop_imports;
pub mod shop_orders;
