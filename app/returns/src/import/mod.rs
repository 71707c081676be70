//! Taking in orders from files: two CSV layouts, read as a stream, row by row.
//!
//! [`open`] reads a file (gzipped or not) and counts its bytes, [`orders`] makes orders of it. A row that
//! cannot be used is reported with its line number and does not stop the rest. `docs/import.md` describes both
//! layouts for those who have the files.
//!
//! To add a layout: write its `orders::Layout` in a module of its own, and add a [`Format`].

mod bill;
mod cells;
mod charges;
mod orders;
mod paid;
mod retour;
mod rows;
mod shopify;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use cells::{LATEST, MAX_ITEMS, MAX_QUANTITY, MAX_TEXT};
pub use source::{Source, open};

use domain::{TimeZone, order::NewOrder};
use orders::Orders;
use rows::Rows;
use std::{
    fmt,
    io::{self, Read},
    str::FromStr,
};

/// A layout of order files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// What Shopify's "Export orders" writes.
    Shopify,
    /// Our own: one row a line of an order.
    Retour,
}

impl FromStr for Format {
    type Err = ImportError;
    fn from_str(name: &str) -> Result<Self, ImportError> {
        match name {
            "shopify" => Ok(Self::Shopify),
            "retour" => Ok(Self::Retour),
            _ => Err(ImportError::UnknownFormat),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shopify => "shopify",
            Self::Retour => "retour",
        })
    }
}

/// What a file turned out to hold, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all are orders, and few are held at a time")]
pub enum Parsed {
    /// An order with at least one line.
    Order(NewOrder),
    /// A row that cannot be used.
    Skipped {
        /// Where the row starts: the line number that an editor shows.
        line: u64,
        /// What is wrong and what is expected. Never repeats what the row says: that may be personal data.
        reason: String,
    },
}

/// Why a file cannot be read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// No such layout.
    #[error("expected the format `shopify` or `retour`")]
    UnknownFormat,
    /// Nothing in it.
    #[error("the file is empty: expected a first line that names the columns")]
    Empty,
    /// Columns that must be there are not.
    #[error("the first line lacks {0}")]
    MissingColumns(String),
    /// Columns that we do not know. Refused, because a misspelt one would be lost without a word.
    #[error("the first line names columns that are unknown: {0}")]
    UnknownColumns(String),
    /// Two columns of one name.
    #[error("the first line names a column twice: {0}")]
    RepeatedColumns(String),
    /// A row without an end.
    #[error("the row that starts in line {line} is longer than 1 MiB: is a quotation mark never closed?")]
    RowTooLong {
        /// Where it starts.
        line: u64,
    },
    /// The disk or the compression gave up. What was parsed before stays good.
    #[error("the file cannot be read beyond line {line}")]
    Read {
        /// The last line that could be read.
        line: u64,
        /// Why.
        source: io::Error,
    },
}

/// The orders in a file of that format, and the rows that had to be skipped, in the file's order. Dates without a time are
/// days of that zone.
///
/// An `Err` inside the stream is the last thing it yields: the rest of the file cannot be read.
pub fn orders<'r, R>(
    format: Format,
    reader: R,
    zone: &TimeZone,
) -> Result<Box<dyn Iterator<Item = Result<Parsed, ImportError>> + Send + 'r>, ImportError>
where
    R: Read + Send + 'r,
{
    let (rows, mut header) = Rows::new(reader, zone)?;
    Ok(match format {
        Format::Shopify => {
            let layout = shopify::Shopify::new(&mut header);
            header.check_required()?;
            Box::new(Orders::new(rows, layout))
        }
        Format::Retour => {
            let layout = retour::Retour::new(&mut header);
            header.check_required()?;
            header.check_unknown()?;
            Box::new(Orders::new(rows, layout))
        }
    })
}
