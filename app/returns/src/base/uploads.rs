//! Uploaded files: checked, cleaned and stored.
//!
//! The bytes are written before the row that refers to them, so there is never a row without its file. After a crash, a
//! file without a row is on the list of unclaimed files, and is deleted with them.

use super::{
    error::{Error, OrBroken, Result},
    idempotency::Done,
    retour::Retour,
};
use domain::{AccountId, EvidenceId, RefusalCode, Timestamp};
use outbound::{
    files::FilesError,
    pictures::{self, Kind as FileKind, PictureError},
};
use sha2::{Digest, Sha256};
use std::time::Instant;
use tracing::Instrument as _;
use uuid::Uuid;

/// The maximum size of a file, in bytes.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// The maximum length of a file's name, in characters.
const MAX_FILE_NAME_CHARS: usize = 200;

/// A file that a client uploads.
#[derive(Debug, Clone)]
pub struct Upload {
    /// The file's name at the client; may be empty.
    pub name: String,
    /// The declared kind.
    pub kind: FileKind,
    /// The content.
    pub bytes: Vec<u8>,
}

/// A file that a client downloads.
#[derive(Debug, Clone)]
pub struct Download {
    /// The file's original name.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// A stored file that no row refers to yet.
#[derive(Debug, Clone)]
pub(crate) struct StoredFile {
    /// The id, by which its bytes are found.
    pub id: EvidenceId,
    /// The file's original name, for display.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The size in bytes.
    pub bytes: i64,
    /// The SHA-256 of the uploaded bytes.
    pub sha256: Vec<u8>,
    /// When the file was uploaded.
    pub created_at: Timestamp,
}

/// Computes the SHA-256 of a file on a blocking thread, and returns both.
pub(crate) async fn checksum(upload: Upload) -> Result<(Vec<u8>, Upload)> {
    let hashed = tokio::task::spawn_blocking(move || (Sha256::digest(&upload.bytes).to_vec(), upload));
    hashed.await.or_broken()
}

/// A stored file that no row claims within this time is never claimed.
const CLAIMED_WITHIN_SECONDS: i64 = 3_600;

impl Retour {
    /// Checks a file, removes camera metadata, and stores it.
    pub(crate) async fn write_upload(&self, account: AccountId, upload: Upload) -> Result<StoredFile> {
        let Upload { name, kind, bytes } = upload;
        let name = check_name(&name, kind)?;
        let (id, created_at) = (EvidenceId(self.source.id()), self.now());
        // Decoding takes a while, so it runs on a thread that serves no requests.
        let clean = tokio::task::spawn_blocking(move || cleaned(kind, bytes)).await.or_broken()??;
        let mut writing = self.store.write().await?;
        store::files::announce(writing.db(), account, id.0, created_at).await?;
        writing.commit().await?;
        let length = i64::try_from(clean.bytes.len()).unwrap_or(i64::MAX);
        self.with_file(self.files.put(account, id.0, clean.bytes)).await?;
        let (media_type, sha256) = (kind.media_type().to_owned(), clean.sha256);
        Ok(StoredFile { id, name, media_type, bytes: length, sha256, created_at })
    }

    /// Deletes a stored file, unless the use case `done` claimed it.
    pub(crate) async fn delete_unless_kept<T>(&self, account: AccountId, id: EvidenceId, done: &Result<Done<T>>) {
        // If the database failed, the row may exist or not, so the file stays for a while.
        let is_somebodys = matches!(done, Ok(Done::Fresh { status: 201, .. }) | Err(Error::Store(_)));
        if !is_somebodys && let Err(error) = self.delete_file(account, id.0).await {
            tracing::warn!(%error, "a refused file could not be deleted; it is retried");
        }
    }

    /// Returns the content of a file. The caller has checked access to it.
    pub(crate) async fn download(
        &self,
        account: AccountId,
        id: EvidenceId,
        name: String,
        media_type: String,
    ) -> Result<Download> {
        let bytes = self.with_file(self.files.get(account, id.0)).await?;
        Ok(Download { name, media_type, bytes })
    }

    /// Deletes files that no row refers to any more, and files that were never claimed. A file that cannot be deleted
    /// does not block others. If the storage is unreachable, it stops at once, so that the worker does not wait for
    /// each file.
    pub(crate) async fn delete_unclaimed_files(&self) -> Result<()> {
        let before = self.now().plus_seconds(-CLAIMED_WITHIN_SECONDS);
        let mut outcome = Ok(());
        while outcome.is_ok() {
            let mut reading = self.store.read().await?;
            let unclaimed = store::files::list_unclaimed(reading.db(), before).await?;
            drop(reading);
            if unclaimed.is_empty() {
                break;
            }
            for (account, id) in unclaimed {
                match self.delete_file(account, id).await {
                    Err(error @ Error::Files(FilesError::Unreachable(_))) => return Err(error),
                    Err(error) => outcome = Err(error),
                    Ok(()) => {}
                }
            }
        }
        outcome
    }

    /// Deletes an unclaimed file.
    pub(crate) async fn delete_file(&self, account: AccountId, id: Uuid) -> Result<()> {
        self.with_file(self.files.delete(account, id)).await?;
        let mut writing = self.store.write().await?;
        store::files::claim(writing.db(), account, id).await?;
        Ok(writing.commit().await?)
    }

    /// Runs an operation on a file, with metrics and traces.
    pub(crate) async fn with_file<T>(&self, work: impl Future<Output = Result<T, FilesError>>) -> Result<T> {
        let began = Instant::now();
        let done = work.instrument(outbound::step!("file")).await;
        let outcome = match &done {
            Ok(_) => "Done",
            Err(FilesError::Missing) => "Missing",
            Err(_) => "Failed",
        };
        self.figures.files.count(outcome, began.elapsed());
        Ok(done?)
    }
}

/// A file without camera metadata, and the checksum of the uploaded bytes.
struct Cleaned {
    bytes: Vec<u8>,
    sha256: Vec<u8>,
}

fn cleaned(kind: FileKind, bytes: Vec<u8>) -> Result<Cleaned> {
    check_bytes(kind, &bytes)?;
    let sha256 = Sha256::digest(&bytes).to_vec();
    let bytes = pictures::strip_metadata(kind, bytes).map_err(|error| {
        let code = match error {
            PictureError::Broken => RefusalCode::NotAllowed,
            PictureError::TooManyPixels => RefusalCode::OutOfRange,
        };
        Error::invalid("file", code, error.to_string())
    })?;
    Ok(Cleaned { bytes, sha256 })
}

fn check_bytes(kind: FileKind, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() || bytes.len() > MAX_FILE_BYTES {
        let message = format!("expected 1 to {MAX_FILE_BYTES} bytes");
        return Err(Error::invalid("file", RefusalCode::OutOfRange, message));
    }
    if FileKind::of_bytes(bytes) != Some(kind) {
        let message = format!("the file is not what its Content-Type says: expected {}", kind.media_type());
        return Err(Error::invalid("file", RefusalCode::Mismatch, message));
    }
    Ok(())
}

/// Returns the last part of a path, without invisible characters. It is a name to display, never one to open a file by.
fn check_name(name: &str, kind: FileKind) -> Result<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let hidden = |c: char| {
        c.is_control() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = last.chars().filter(|&c| !hidden(c)).collect();
    let name = name.trim();
    if name.chars().count() > MAX_FILE_NAME_CHARS {
        let message = format!("expected at most {MAX_FILE_NAME_CHARS} characters");
        return Err(Error::invalid("filename", RefusalCode::OutOfRange, message));
    }
    if name.is_empty() || name.chars().all(|c| c == '.') {
        return Ok(format!("evidence.{}", kind.extension()));
    }
    Ok(name.to_owned())
}
