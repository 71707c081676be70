//! Why files cannot be stored or read.

use crate::http::{CallError, HttpError};
use std::{io, path::PathBuf};

/// Why files cannot be stored or read. The messages are for the operator and contain no personal data.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the variants are described; their fields are named for what they hold")]
pub enum FilesError {
    /// `FILES_URL` is invalid.
    #[error(
        "FILES_URL: expected file://FOLDER, such as file://data/files, or s3://BUCKET, such as s3://my-returns/files"
    )]
    BadUrl,
    /// The folder cannot be created.
    #[error("FILES_URL: the folder {} cannot be made: {error}", path.display())]
    Folder { path: PathBuf, error: io::Error },
    /// A setting that s3:// needs is missing or wrong.
    #[error("FILES_URL=s3://…: {0}")]
    Setting(&'static str),
    /// The HTTP client cannot be built.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The check of the bucket failed.
    #[error("FILES_URL: the bucket {bucket} cannot be used: {why}")]
    Unusable { bucket: String, why: String },
    /// The server does not store what is sent to it.
    #[error("the bytes read back differ from the bytes written")]
    Altered,
    /// There is no such file.
    #[error("a file does not exist")]
    Missing,
    /// The disk failed.
    #[error("a file could not be read or written: {0}")]
    Io(#[from] io::Error),
    /// The S3 server did not answer, or not in time.
    #[error("the request to the S3 server failed: {0}")]
    Unreachable(#[from] CallError),
    /// The S3 server refused the request.
    #[error("the S3 server answered {status} {code}")]
    Refused {
        status: u16,
        /// The server's error code; may be empty.
        code: String,
    },
    /// The stored file is larger than any file of ours.
    #[error("a file is larger than any file that Retour stores")]
    TooLarge,
    /// The request could not be signed.
    #[error("a request to the S3 server could not be signed")]
    Unsigned,
}
