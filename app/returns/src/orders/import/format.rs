//! The layouts of order files.

use std::fmt;

/// A layout of order files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// What Shopify's "Export orders" writes.
    Shopify,
    /// Our own: one row a line of an order.
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
