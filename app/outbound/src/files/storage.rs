//! The storage: one interface for a folder and a bucket.

use super::{bucket::Bucket, error::FilesError, folder::Folder, signing::S3Settings};
use crate::http::Bytes;
use domain::AccountId;
use std::{io, sync::Arc};
use uuid::Uuid;

/// The storage. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Files(Backend);

#[derive(Debug, Clone)]
enum Backend {
    Folder(Folder),
    Bucket(Arc<Bucket>),
}

impl Files {
    /// Opens the folder of `file://FOLDER`, which is created if it does not exist, or the bucket of `s3://BUCKET` or
    /// `s3://BUCKET/PREFIX`, without contacting its server. A folder without a leading slash is relative to the current directory.
    pub fn open(url: &str, s3: &S3Settings) -> Result<Self, FilesError> {
        if let Some(path) = url.strip_prefix("file://") {
            return Ok(Self(Backend::Folder(Folder::open(path)?)));
        }
        let place = url.strip_prefix("s3://").ok_or(FilesError::BadUrl)?;
        Ok(Self(Backend::Bucket(Arc::new(Bucket::open(place, s3)?))))
    }

    /// A temporary folder that is deleted with the last clone: for tests and demos.
    pub fn scratch(name: &str) -> Self {
        Self(Backend::Folder(Folder::scratch(name)))
    }

    /// Checks that files can be written, read and deleted: writes a small file to a bucket.
    pub async fn check(&self) -> Result<(), FilesError> {
        match &self.0 {
            Backend::Folder(_) => Ok(()), // `open` created it
            Backend::Bucket(bucket) => bucket.check().await,
        }
    }

    /// Whether deleted files stay as old versions: S3 buckets can be configured so. False if our key may not ask.
    pub async fn has_versioning(&self) -> bool {
        match &self.0 {
            Backend::Folder(_) => false,
            Backend::Bucket(bucket) => bucket.has_versioning().await,
        }
    }

    /// Stores a file durably: when this returns, a power failure does not lose it.
    pub async fn put(&self, account: AccountId, id: Uuid, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        let bytes = bytes.into();
        match &self.0 {
            Backend::Folder(folder) => on_blocking_thread(folder, move |folder| folder.put(account, id, &bytes)).await,
            Backend::Bucket(bucket) => bucket.put(&key(account, id), bytes).await,
        }
    }

    /// Reads a file.
    pub async fn get(&self, account: AccountId, id: Uuid) -> Result<Vec<u8>, FilesError> {
        match &self.0 {
            Backend::Folder(folder) => on_blocking_thread(folder, move |folder| folder.get(account, id)).await,
            Backend::Bucket(bucket) => bucket.get(&key(account, id)).await,
        }
    }

    /// Whether a file exists.
    pub async fn exists(&self, account: AccountId, id: Uuid) -> Result<bool, FilesError> {
        match &self.0 {
            Backend::Folder(folder) => on_blocking_thread(folder, move |folder| folder.exists(account, id)).await,
            Backend::Bucket(bucket) => bucket.exists(&key(account, id)).await,
        }
    }

    /// Deletes a file. It is no error if the file does not exist.
    pub async fn delete(&self, account: AccountId, id: Uuid) -> Result<(), FilesError> {
        match &self.0 {
            Backend::Folder(folder) => on_blocking_thread(folder, move |folder| folder.delete(account, id)).await,
            Backend::Bucket(bucket) => bucket.delete(&key(account, id)).await,
        }
    }
}

/// The name of an object: by account, as in the folder.
fn key(account: AccountId, id: Uuid) -> String {
    format!("{account}/{id}")
}

/// Waits for the disk on a thread that serves no requests.
async fn on_blocking_thread<T: Send + 'static>(
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
    fn an_invalid_url_is_rejected_with_the_reason() {
        for url in ["data/files", "file://", "", "file:/tmp", "s3:bucket", "https://bucket.example.com"] {
            assert!(matches!(Files::open(url, &S3Settings::default()), Err(FilesError::BadUrl)), "{url}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let inside = format!("file://{}/x", file.path().display());
        let error = Files::open(&inside, &S3Settings::default()).unwrap_err();
        assert!(error.to_string().starts_with("FILES_URL: the folder "), "{error}");
    }
}
