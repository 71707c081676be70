//! Where bytes are kept that are too large for the database: a folder of ours, or a bucket of an S3 server.
//!
//! Names are ids of ours, never what somebody sent. A file is written before the row that tells of it, so that there is
//! never a row without its file; one without a row, after a crash, is in nobody's way.

mod bucket;
mod folder;
mod location;
mod signing;

pub use signing::S3Settings;

use crate::http::{Bytes, CallError, HttpError};
use bucket::Bucket;
use domain::AccountId;
use folder::Folder;
use std::{io, path::PathBuf, sync::Arc};
use uuid::Uuid;

/// The place where files are kept. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Files(Kept);

#[derive(Debug, Clone)]
enum Kept {
    Folder(Folder),
    Bucket(Arc<Bucket>),
}

/// Why files cannot be kept. The sentences are for whoever runs the service, and name nobody.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The address is not one.
    #[error(
        "FILES_URL: expected file://FOLDER, such as file://data/files, or s3://BUCKET, such as s3://my-returns/files"
    )]
    BadUrl,
    /// The folder cannot be made.
    #[error("FILES_URL: the folder {} cannot be made: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A setting that s3:// needs is missing or wrong.
    #[error("FILES_URL=s3://…: {0}")]
    Setting(&'static str),
    /// There can be no calls at all.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The bucket was tried, and does not do.
    #[error("FILES_URL: the bucket {bucket} cannot be used: {why}")]
    Unusable {
        /// Which.
        bucket: String,
        /// What came of it.
        why: String,
    },
    /// What answers keeps nothing, or something else.
    #[error("what was written there is not what is read back")]
    Altered,
    /// There is no such file.
    #[error("a file is not there")]
    Missing,
    /// The disk failed.
    #[error("a file could not be read or written: {0}")]
    Io(#[from] io::Error),
    /// The S3 server could not be asked, or not in time.
    #[error("the S3 server could not be asked: {0}")]
    Unreachable(#[from] CallError),
    /// The S3 server says no.
    #[error("the S3 server answered {status} {code}")]
    Refused {
        /// The status code.
        status: u16,
        /// Its word for it; may be empty.
        code: String,
    },
    /// What is kept under the name is larger than anything of ours.
    #[error("a file is too large to be one of ours")]
    TooLarge,
    /// The request could not be signed.
    #[error("a request to the S3 server could not be signed")]
    Unsigned,
}

impl Files {
    /// The folder at `file://FOLDER`, made if it is not there, or the bucket at `s3://BUCKET` or `s3://BUCKET/PREFIX`,
    /// which is not asked yet. A folder without a slash in front is relative to where the program was started.
    pub fn open(url: &str, s3: &S3Settings) -> Result<Self, FilesError> {
        if let Some(path) = url.strip_prefix("file://") {
            return Ok(Self(Kept::Folder(Folder::open(path)?)));
        }
        let place = url.strip_prefix("s3://").ok_or(FilesError::BadUrl)?;
        Ok(Self(Kept::Bucket(Arc::new(Bucket::open(place, s3)?))))
    }

    /// A folder among the system's temporary ones that goes again with the last clone: for tests and try-outs.
    pub fn scratch(name: &str) -> Self {
        Self(Kept::Folder(Folder::scratch(name)))
    }

    /// Makes sure that files can be written, read and deleted: a bucket is tried with a small one.
    pub async fn check(&self) -> Result<(), FilesError> {
        match &self.0 {
            Kept::Folder(_) => Ok(()), // it was made, or was there
            Kept::Bucket(bucket) => bucket.check().await,
        }
    }

    /// Whether what is deleted is kept all the same: a bucket says so, if we may ask.
    pub async fn keeps_what_is_deleted(&self) -> bool {
        match &self.0 {
            Kept::Folder(_) => false,
            Kept::Bucket(bucket) => bucket.has_versions().await,
        }
    }

    /// Keeps bytes: when this returns, they last.
    pub async fn put(&self, account: AccountId, id: Uuid, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        let bytes = bytes.into();
        match &self.0 {
            Kept::Folder(folder) => elsewhere(folder, move |folder| folder.put(account, id, &bytes)).await,
            Kept::Bucket(bucket) => bucket.put(&key(account, id), bytes).await,
        }
    }

    /// What was kept.
    pub async fn get(&self, account: AccountId, id: Uuid) -> Result<Vec<u8>, FilesError> {
        match &self.0 {
            Kept::Folder(folder) => elsewhere(folder, move |folder| folder.get(account, id)).await,
            Kept::Bucket(bucket) => bucket.get(&key(account, id)).await,
        }
    }

    /// Whether a file is there.
    pub async fn exists(&self, account: AccountId, id: Uuid) -> Result<bool, FilesError> {
        match &self.0 {
            Kept::Folder(folder) => elsewhere(folder, move |folder| folder.exists(account, id)).await,
            Kept::Bucket(bucket) => bucket.exists(&key(account, id)).await,
        }
    }

    /// Deletes a file; one that is not there is deleted already.
    pub async fn delete(&self, account: AccountId, id: Uuid) -> Result<(), FilesError> {
        match &self.0 {
            Kept::Folder(folder) => elsewhere(folder, move |folder| folder.delete(account, id)).await,
            Kept::Bucket(bucket) => bucket.delete(&key(account, id)).await,
        }
    }
}

/// By account, as in the folder.
fn key(account: AccountId, id: Uuid) -> String {
    format!("{account}/{id}")
}

/// Waits for the disk on a thread that serves no requests.
async fn elsewhere<T: Send + 'static>(
    folder: &Folder,
    work: impl FnOnce(&Folder) -> Result<T, FilesError> + Send + 'static,
) -> Result<T, FilesError> {
    let folder = folder.clone();
    let done = tokio::task::spawn_blocking(move || work(&folder)).await;
    done.map_err(|error| FilesError::Io(io::Error::other(error)))?
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_address_is_told() {
        for url in ["data/files", "file://", "", "file:/tmp", "s3:bucket", "https://bucket.example.com"] {
            assert!(matches!(Files::open(url, &S3Settings::default()), Err(FilesError::BadUrl)), "{url}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let inside = format!("file://{}/x", file.path().display());
        let error = Files::open(&inside, &S3Settings::default()).unwrap_err();
        assert!(error.to_string().starts_with("FILES_URL: the folder "), "{error}");
    }
}
