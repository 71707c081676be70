//! A return that staff make for a customer: finding the order, choosing items, and the costs with the three ways to end it.

mod costs;
mod items;
pub mod load;
mod rules;
