//! Clients of shops: a merchant's own component ([`http`]), [`vendure`], [`medusa`] and [`shopify`].
//!
//! Each client answers the questions of [`crate::bridge::contract`]: look up an order, settle a return request.

pub mod http;
pub mod medusa;
mod resolution;
pub mod shopify;
mod text;
pub mod vendure;
