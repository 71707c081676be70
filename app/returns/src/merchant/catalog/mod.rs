//! Orders and purchases from the merchant's programs.

pub(crate) mod import;
pub(crate) mod order_input;
pub(crate) mod purchases;
