//! Clients of shops: a merchant's own component ([`http`]), [`vendure`] and [`medusa`].
//!
//! Each client answers the questions of [`crate::bridge::contract`]: look up an order, settle a return request.

pub mod http;
pub mod medusa;
mod resolution;
mod text;
pub mod vendure;
