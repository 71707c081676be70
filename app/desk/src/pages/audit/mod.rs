//! The audit log.

mod actions;
mod actors;
mod csv;
mod filter;
pub mod load;
mod view;
