//! `/{slug}/returns`: all returns.

pub mod load;
pub mod view;
