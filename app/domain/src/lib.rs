//! The rules of returns: resources, stages, money. No database, no socket, no clock.
//!
//! Every item is a plain value or a pure function, compiles natively and to WebAssembly, and is tested by tables and
//! properties. Callers pass the time in. Start reading at [`stage`] (the life of a return request) and [`costs`] (what
//! a return costs and gives back).
//!
//! To add a rule: find the module of its subject, give the refusal a [`RefusalCode`], add a test beside it.
//!
//! Modules import downwards only: [`base`] and [`money`] at the bottom; then [`address`], [`order`] and [`policy`];
//! then [`stage`], [`costs`] and [`payment`]; [`returning`] and [`account`] at the top. `.ci/house` checks it.

#[macro_use]
pub mod base;

pub mod account;
pub mod address;
pub mod audit;
pub mod branding;
pub mod costs;
pub mod integration;
pub mod mail;
pub mod money;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod order;
pub mod party;
pub mod payment;
pub mod policy;
pub mod proof;
pub mod returning;
pub mod scanning;
pub mod shipping;
pub mod sign_in;
pub mod stage;
#[cfg(test)]
mod tests;
pub mod webhook;
pub mod withdrawal;
pub mod wording;

pub use base::{
    email::{MAX_EMAIL_CHARS, is_email},
    id::*,
    language::{Locale, Translated},
    refusal::{Problems, Refusal, RefusalCode},
    time_zone::TimeZone,
    timestamp::Timestamp,
};
pub use money::{Currency, Money, Percent};
