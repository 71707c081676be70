//! Islands: parts of a page that react in the browser. Each page works without them.
//!
//! Islands know only `domain` and what both sides share. The server renders rows: islands listen to the page as a whole (event
//! delegation) and read what they need from `data-` attributes, so that nothing is sent twice.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "hydrate")]
mod bulk;
#[cfg(feature = "hydrate")]
mod check;
mod corrections;
#[cfg(feature = "hydrate")]
mod filter;
mod finder;
mod helper;
mod live;
pub(crate) mod markup;
mod search;
mod select_all;
mod upload;
mod waiting;
#[cfg(feature = "hydrate")]
mod ways;

pub use corrections::*;
pub use finder::*;
pub use helper::*;
pub use live::*;
pub use search::{SearchCounts, matches};
pub use select_all::*;
pub use upload::*;
pub use waiting::*;
