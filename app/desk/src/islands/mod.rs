//! Islands: what scripting adds to pages. Each page works without them.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

mod pane;
mod presence;
pub mod passkey;
pub mod scan;
mod selection;

pub use pane::*;
pub use presence::*;
pub use selection::*;
