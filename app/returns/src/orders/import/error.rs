//! Why a file cannot be read.

use super::{format::Format, kinds::FileKind};
use std::{io, str::FromStr};

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
