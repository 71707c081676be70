//! Looking up orders: their items, whether these can be returned, and what was returned.

pub mod finder;
pub mod load;
mod view;
pub mod why;
