//! `/{slug}`: looks an order up.

pub mod load;
pub mod view;
