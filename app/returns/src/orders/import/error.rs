//! Why a file cannot be read.

use super::{format::Format, kinds::FileKind};
use std::{io, str::FromStr};

/// Why a file cannot be read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The format is unknown.
    #[error("expected the format `shopify` or `retour`")]
    UnknownFormat,
    /// The file is empty.
    #[error("the file is empty: expected a first line that names the columns")]
    Empty,
    /// Required columns are missing.
    #[error("the first line lacks {0}")]
    MissingColumns(String),
    /// The file has unknown columns. They are refused, because a misspelt column would be ignored silently.
    #[error("the first line names columns that are unknown: {0}")]
    UnknownColumns(String),
    /// Two columns have the same name.
    #[error("the first line names a column twice: {0}")]
    RepeatedColumns(String),
    /// The file is not CSV.
    #[error("the file is {}", .0.advice())]
    OtherFile(FileKind),
    /// The file is CSV, but has no orders of this format.
    #[error("the file is {0}")]
    OtherTable(String),
    /// The archive does not contain exactly one CSV file.
    #[error("{0}")]
    Archive(String),
    /// Each row is one cell, or ends with semicolons in a file separated by commas.
    #[error(
        "each row is one cell with commas in it, or ends with semicolons: a spreadsheet program has opened and saved the file. \
         Import the file as it was exported; or open it with the program's text import, with commas between the columns"
    )]
    SpreadsheetRows,
    /// The unpacked file is larger than allowed.
    #[error("{0}")]
    TooLarge(String),
    /// The file has more orders than allowed.
    #[error("the file holds more than {0} orders: import it in parts, each with whole orders")]
    TooManyOrders(u64),
    /// A row has no end.
    #[error("the row that starts in line {line} is longer than 1 MiB: is a quotation mark never closed?")]
    RowTooLong {
        /// The line at which the row starts.
        line: u64,
    },
    /// Reading or decompressing failed. Everything before stays valid.
    #[error("the file cannot be read beyond line {line}")]
    Read {
        /// The last line that could be read.
        line: u64,
        /// The cause.
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
