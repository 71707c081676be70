//! Shops.

pub mod medusa;
mod resolution;
pub mod vendure;
