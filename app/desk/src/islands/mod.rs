//! Islands: what scripting adds to pages. Each page works without them.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

#[cfg(feature = "hydrate")]
mod forms;
pub mod holding;
mod pane;
pub mod passkey;
pub mod scan;
#[cfg(feature = "hydrate")]
mod scan_queue;
mod selection;
#[cfg(feature = "hydrate")]
mod sound;
#[cfg(feature = "hydrate")]
mod storage;
#[cfg(feature = "hydrate")]
mod typed;

pub use pane::*;
pub use selection::*;
