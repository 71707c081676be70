//! The tables.

pub mod merchant;
pub mod shopper;
pub mod sales;
pub mod returning;
pub mod work;
pub mod webhooks;
pub mod service;
