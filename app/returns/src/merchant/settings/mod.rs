//! The settings of an account.

pub(crate) mod account;
pub(crate) mod bridge_input;
pub(crate) mod carrier_input;
pub(crate) mod common;
pub(crate) mod integrations;
pub(crate) mod payment_input;
pub(crate) mod preview;
pub(crate) mod printable;
pub(crate) mod return_locations;
pub(crate) mod return_reasons;
pub(crate) mod shipping_options;
mod shopify_input;
pub(crate) mod wording;
