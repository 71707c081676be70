//! Names in the markup that the server's pages and the islands agree on.

/// The row that the template of questions is about.
pub(crate) const TEMPLATE_KEY: &str = "row0key";

/// Marks a row that was chosen with all its units.
pub(super) const ALL_UNITS: &str = "data-all-units";
