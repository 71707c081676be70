//! Storage for files that are too large for the database: a folder, or a bucket of an S3 server.
//!
//! File names are ids that we generate, never names that clients send. A file is written before the row that refers to
//! it, so that no row lacks its file. A crash between the two leaves a file without a row, which does no harm.

mod bucket;
mod error;
mod folder;
mod location;
mod signing;
mod storage;

pub use error::FilesError;
pub use signing::S3Settings;
pub use storage::Files;
