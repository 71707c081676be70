//! Taking in orders from files: two CSV layouts, read as a stream, row by row.
//!
//! [`open`] reads a file and counts its bytes, [`orders`] makes orders of it: `unpack` takes off gzip and ZIP, `text` makes
//! UTF-8 with `\n` of what is below, `rows` finds the separator and the columns, `orders` puts rows together. A row that
//! cannot be used is reported with its line number and does not stop the rest; a file of another kind is refused as a whole.
//! `docs/import.md` describes both layouts for those who have the files.
//!
//! To add a layout: write its `orders::Layout` in a module of its own, and add a [`Format`].

mod bill;
mod cells;
mod charges;
#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod grouping_tests;
mod kinds;
mod orders;
mod paid;
mod retour;
mod rows;
mod shopify;
mod source;
mod spreadsheets;
#[cfg(test)]
mod tests;
mod text;
mod unpack;
mod zip;

pub(crate) use cells::{LATEST, MAX_ITEMS, MAX_QUANTITY, MAX_TEXT};
pub use kinds::FileKind;
pub(crate) use orders::line_id;
pub use source::{Source, open};

use domain::{TimeZone, order::NewOrder};
use orders::{Layout, Orders};
use rows::{Header, Rows};
use std::{
    fmt,
    io::{self, Read},
    str::FromStr,
};
use unpack::{Bytes, TooLarge};
use zip::ArchiveError;

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
    Order(FileOrder),
    /// A row that cannot be used.
    Skipped {
        /// Where the row starts: the line number that an editor shows.
        line: u64,
        /// What is wrong and what is expected. Never repeats what the row says: that may be personal data.
        reason: String,
    },
}

/// An order of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOrder {
    /// The order.
    pub order: NewOrder,
    /// Whether the file gives it an id; else its number is its id.
    pub has_id: bool,
    /// Whether the file names its lines by ids; else they are numbered as they come, and known by what they are.
    pub names_lines: bool,
    /// Whether a spreadsheet has rounded its id, so that it is known by its number.
    pub is_id_rounded: bool,
    /// Bytes of its rows.
    pub bytes: usize,
}

impl From<NewOrder> for FileOrder {
    /// An order whose ids are good, not from a file.
    fn from(order: NewOrder) -> Self {
        Self { order, has_id: true, names_lines: true, is_id_rounded: false, bytes: 0 }
    }
}

impl From<NewOrder> for Parsed {
    fn from(order: NewOrder) -> Self {
        Self::Order(order.into())
    }
}

/// How much of a file is read.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Bytes, packed and unpacked.
    pub bytes: u64,
    /// Orders.
    pub orders: u64,
}

impl Bounds {
    /// As much as there is: for files on a disk of one's own.
    pub const NONE: Self = Self { bytes: u64::MAX, orders: u64::MAX };
    /// For files that others send. Each order costs some 40 bytes of memory until the file's end, to know it again.
    pub const SENT: Self = Self { bytes: 1024 * 1024 * 1024, orders: 2_000_000 };
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
    /// It is no CSV.
    #[error("the file is {}", .0.advice())]
    OtherFile(FileKind),
    /// It is CSV, but holds no orders of the format.
    #[error("the file is {0}")]
    OtherTable(String),
    /// An archive that does not hold one CSV file.
    #[error("{0}")]
    Archive(String),
    /// Each row is one cell, or ends with semicolons behind commas.
    #[error(
        "each row is one cell that holds commas, or ends with semicolons: a spreadsheet program has opened and saved the file. \
         Import it as it was exported; or open it by the program's import of text files, with commas between the columns"
    )]
    SpreadsheetRows,
    /// More is unpacked than may be sent.
    #[error("{0}")]
    TooLarge(String),
    /// More orders than may be sent.
    #[error("the file holds more than {0} orders: import it in parts, each with whole orders")]
    TooManyOrders(u64),
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
pub fn orders<'r, R>(format: Format, reader: R, zone: &TimeZone) -> Result<ParsedFile<'r>, ImportError>
where
    R: Read + Send + 'r,
{
    orders_within(Bounds::NONE, format, reader, zone)
}

/// What a file holds, in its order.
pub type ParsedFile<'r> = Box<dyn Iterator<Item = Result<Parsed, ImportError>> + Send + 'r>;

/// The same of a file that is read no further than these bounds.
pub fn orders_within<'r, R>(
    bounds: Bounds,
    format: Format,
    reader: R,
    zone: &TimeZone,
) -> Result<ParsedFile<'r>, ImportError>
where
    R: Read + Send + 'r,
{
    let text = text::text(unpack::unpack(Box::new(reader), bounds.bytes)?)?;
    let (rows, mut header) = Rows::new(text, zone)?;
    match format {
        Format::Shopify => {
            let layout = shopify::Shopify::new(&mut header);
            with(layout, format, rows, &header, bounds)
        }
        Format::Retour => {
            let layout = retour::Retour::new(&mut header);
            with(layout, format, rows, &header, bounds)
        }
    }
}

fn with<'r, L>(
    layout: L,
    format: Format,
    mut rows: Rows<Bytes<'r>>,
    header: &Header,
    bounds: Bounds,
) -> Result<ParsedFile<'r>, ImportError>
where
    L: Layout + Send + 'r,
    L::Bill: Send,
{
    if let Some(table) = kinds::other_table(format, header.names(), header.is_complete()) {
        return Err(ImportError::OtherTable(table));
    }
    header.check_required()?;
    if format == Format::Retour {
        header.check_unknown()?;
    }
    rows.check_first_row(format == Format::Shopify)?;
    Ok(Box::new(Orders::new(rows, layout, bounds.orders)))
}

/// Why the file cannot be read beyond this line.
fn read_error(line: u64, source: io::Error) -> ImportError {
    let inner = source.get_ref();
    if let Some(too_large) = inner.and_then(|error| error.downcast_ref::<TooLarge>()) {
        return ImportError::TooLarge(too_large.to_string());
    }
    if let Some(archive) = inner.and_then(|error| error.downcast_ref::<ArchiveError>()) {
        return ImportError::Archive(archive.to_string());
    }
    ImportError::Read { line, source }
}
