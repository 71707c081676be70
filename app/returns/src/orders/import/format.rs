//! The layouts of order files.

use std::fmt;

/// A layout of order files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Shopify's "Export orders".
    Shopify,
    /// Retour's own layout: one row for each line of an order.
    Retour,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shopify => "shopify",
            Self::Retour => "retour",
        })
    }
}
