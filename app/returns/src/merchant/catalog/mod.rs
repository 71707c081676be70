//! Orders and purchases that the merchant sends in.

pub(crate) mod import;
pub(crate) mod order_input;
pub(crate) mod purchases;
