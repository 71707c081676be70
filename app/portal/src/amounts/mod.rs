//! Receipts and estimates, computed and shown alike on both sides.

#![allow(missing_docs, reason = "the crate's public modules serve only the browser's build, which re-exports them")]

pub mod estimate;
pub mod receipt;
pub mod view;
