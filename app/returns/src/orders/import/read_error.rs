//! The error for a file that cannot be read beyond a line.

use super::{error::ImportError, unpack::TooLarge, zip::ArchiveError};
use std::io;

/// Returns the error for a file that cannot be read beyond this line.
pub(super) fn read_error(line: u64, source: io::Error) -> ImportError {
    let inner = source.get_ref();
    if let Some(too_large) = inner.and_then(|error| error.downcast_ref::<TooLarge>()) {
        return ImportError::TooLarge(too_large.to_string());
    }
    if let Some(archive) = inner.and_then(|error| error.downcast_ref::<ArchiveError>()) {
        return ImportError::Archive(archive.to_string());
    }
    ImportError::Read { line, source }
}
