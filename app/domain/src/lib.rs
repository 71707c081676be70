//! Returns without a database, a socket or a clock: resources, stages, money and the rules between them.
//!
//! Everything here is a plain value or a pure function, compiles natively and to WebAssembly, and is tested
//! by tables and properties. Time is always handed in. Start reading at [`stage`] (the life of a return
//! request) and [`costs`] (what a return costs and gives back).
//!
//! To add a rule: find the module of its subject, give the refusal a [`RefusalCode`], add a test beside it.

#[cfg(feature = "openapi")]
pub mod openapi;
mod text;

#[macro_use]
mod words;

mod address;
pub mod allocate;
pub mod branding;
pub mod bridge;
pub mod carrier;
pub mod costs;
pub mod customs;
pub mod eligibility;
pub mod host;
pub mod id;
pub mod integration;
pub mod ledger;
pub mod mail;
pub mod money;
pub mod order;
pub mod origin;
pub mod payment;
pub mod policy;
mod product;
pub mod proof;
pub mod quantity;
pub mod question;
pub mod reason;
mod refusal;
pub mod returning;
pub mod shipping;
pub mod stage;
pub mod status;
mod timestamp;
pub mod webhook;
pub mod withdrawal;
pub mod wording;
mod zone;

pub use id::*;
pub use money::{Currency, Money, Percent};
pub use refusal::{Problems, Refusal, RefusalCode};
pub use text::{Locale, MAX_EMAIL_CHARS, Translated, is_email};
pub use timestamp::Timestamp;
pub use zone::TimeZone;
