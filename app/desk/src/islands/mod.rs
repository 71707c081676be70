//! Islands: what scripting adds to pages. Each page works without them.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

pub mod passkey;
pub mod scan;
mod selection;

pub use selection::*;
