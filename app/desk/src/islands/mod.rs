//! Islands: what scripting adds to pages. Each page works without them.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

#[cfg(feature = "hydrate")]
mod forms;
pub mod holding;
mod pane;
pub mod passkey;
pub mod scan;
mod selection;
#[cfg(feature = "hydrate")]
mod sound;

pub use pane::*;
pub use selection::*;
