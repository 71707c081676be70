//! Reads orders from files: two CSV layouts, as a stream, row by row.
//!
//! [`open`] opens a file and counts its bytes, and [`orders`] parses it. `unpack` removes gzip and ZIP, `text` converts
//! to UTF-8 with `\n`, `rows` finds the separator and the columns, and `orders` combines rows. A row that cannot be
//! used is reported with its line number, and does not stop the rest. A file of another kind is refused as a whole.
//! `docs/import.md` describes both layouts for the people who export the files.
//!
//! To add a layout, implement `orders::Layout` in a new module, and add a [`Format`].

mod bill;
mod cells;
mod charges;
mod error;
mod file;
#[cfg(test)]
mod file_tests;
mod format;
#[cfg(test)]
mod grouping_tests;
mod kinds;
mod orders;
mod paid;
mod read_error;
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
pub(crate) use charges::shipping_of;
pub use error::ImportError;
pub use file::{Bounds, FileOrder, OrderRef, Parsed};
pub use format::Format;
pub use kinds::FileKind;
pub(crate) use orders::line_id;
pub use source::{Source, open};

use domain::TimeZone;
use orders::{Layout, Orders};
use rows::{Header, Rows};
use std::io::Read;
use unpack::Bytes;

/// The orders of a file in this format and its skipped rows, in the file's order. Dates without a time are in the given
/// time zone.
///
/// An `Err` is the last item of the stream: the rest of the file cannot be read.
pub fn orders<'r, R>(format: Format, reader: R, zone: &TimeZone) -> Result<ParsedFile<'r>, ImportError>
where
    R: Read + Send + 'r,
{
    orders_within(Bounds::NONE, format, reader, zone)
}

/// The content of a file, in its order.
pub type ParsedFile<'r> = Box<dyn Iterator<Item = Result<Parsed, ImportError>> + Send + 'r>;

/// The same, up to these limits.
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
            let layout = shopify::ShopifyLayout::new(&mut header);
            with(layout, format, rows, &header, bounds)
        }
        Format::Retour => {
            let layout = retour::RetourLayout::new(&mut header);
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
