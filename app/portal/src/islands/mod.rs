//! Islands: what gets better with scripting. Each page works without them; see `docs` of the crate.
//!
//! Islands know only `domain` and what both sides share. Rows stay the server's: islands listen to the page as a
//! whole (event delegation) and read what they need from `data-` attributes, so that nothing is sent twice.

#![allow(missing_docs)] // the macro makes items that cannot bear any

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "hydrate")]
mod check;
mod corrections;
#[cfg(feature = "hydrate")]
mod filter;
mod finder;
mod helper;
mod live;
mod select_all;
#[cfg(feature = "hydrate")]
mod together;
mod upload;
mod waiting;
#[cfg(feature = "hydrate")]
mod ways;

/// The row that the template of questions is about.
pub(crate) const TEMPLATE_KEY: &str = "row0key";

pub use corrections::*;
pub use finder::*;
pub use helper::*;
pub use live::*;
pub use select_all::*;
pub use upload::*;
pub use waiting::*;
