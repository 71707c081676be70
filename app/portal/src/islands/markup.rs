//! Names in the markup that the server's pages and the islands agree on.

/// The key of the row in the template of questions.
pub(crate) const TEMPLATE_KEY: &str = "row0key";

/// Marks a row that was selected with all its units.
#[cfg(feature = "hydrate")]
pub(super) const ALL_UNITS: &str = "data-all-units";
