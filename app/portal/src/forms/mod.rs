//! What forms contain, and what can be wrong with it. Server functions take these types, sessions store them, pages show them.

#![allow(missing_docs, reason = "the crate's public modules serve only the browser's build, which re-exports them")]

pub mod answers;
pub mod choice;
pub mod gift;
pub mod link;
pub mod look_up;
#[cfg(feature = "ssr")]
pub mod photos;
pub mod problem;
pub mod shipping;
pub mod withdrawal;
#[cfg(feature = "ssr")]
pub mod withdrawal_draft;
