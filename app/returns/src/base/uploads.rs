//! Files that people send: checked, cleaned, and written.
//!
//! The bytes are written before the row that tells of them: there is never a row without its file. A file without a
//! row, after a crash, is on the list of those that nobody claimed, and goes with these.

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

/// The largest file, bytes.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// The longest name of a file, characters.
const MAX_FILE_NAME_CHARS: usize = 200;

/// A file that somebody sends.
#[derive(Debug, Clone)]
pub struct Upload {
    /// As it is called there; may be empty.
    pub name: String,
    /// What it is said to be.
    pub kind: FileKind,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A file that somebody fetches.
#[derive(Debug, Clone)]
pub struct Download {
    /// As it was called.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A file that is kept, and that no row tells of yet.
#[derive(Debug, Clone)]
pub(crate) struct StoredFile {
    /// Identifier, by which its bytes are found.
    pub id: EvidenceId,
    /// As the file was called, to be shown.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// How long it is.
    pub bytes: i64,
    /// SHA-256 of what was sent.
    pub sha256: Vec<u8>,
    /// When.
    pub created_at: Timestamp,
}

/// The SHA-256 of a file, and the file: reckoned where nobody waits.
pub(crate) async fn checksum(upload: Upload) -> Result<(Vec<u8>, Upload)> {
    let hashed = tokio::task::spawn_blocking(move || (Sha256::digest(&upload.bytes).to_vec(), upload));
    hashed.await.or_broken()
}

/// A file that was written is somebody's soon, or will never be.
const CLAIMED_WITHIN_SECONDS: i64 = 3_600;

impl Retour {
    /// Checks a file, takes the camera's traces out of it, and keeps it.
    pub(crate) async fn write_upload(&self, account: AccountId, upload: Upload) -> Result<StoredFile> {
        let Upload { name, kind, bytes } = upload;
        let name = check_name(&name, kind)?;
        let (id, created_at) = (EvidenceId(self.source.id()), self.now());
        // Decoding takes a while: not on a thread that serves requests.
        let clean = tokio::task::spawn_blocking(move || cleaned(kind, bytes)).await.or_broken()??;
        let mut writing = self.store.write().await?;
        store::files::announce(writing.db(), account, id.0, created_at).await?;
        writing.commit().await?;
        let length = i64::try_from(clean.bytes.len()).unwrap_or(i64::MAX);
        self.with_file(self.files.put(account, id.0, clean.bytes)).await?;
        let (media_type, sha256) = (kind.media_type().to_owned(), clean.sha256);
        Ok(StoredFile { id, name, media_type, bytes: length, sha256, created_at })
    }

    /// Deletes a file that was written, unless what was done with it made it somebody's.
    pub(crate) async fn delete_unless_kept<T>(&self, account: AccountId, id: EvidenceId, done: &Result<Done<T>>) {
        // Where the database failed, nobody knows whether the row is there: then the file stays for a while.
        let is_somebodys = matches!(done, Ok(Done::Fresh { status: 201, .. }) | Err(Error::Store(_)));
        if !is_somebodys && let Err(error) = self.delete_file(account, id.0).await {
            tracing::warn!(%error, "a file that was refused is still there; it is tried again");
        }
    }

    /// What is in a file, for whoever may have it.
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

    /// Deletes files that nothing in the database tells of any more, and those that never came to be anybody's. One that
    /// cannot be deleted is not in the way of those beside it; where none can be, somebody waits long enough for the first.
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

    /// Deletes a file that is nobody's.
    pub(crate) async fn delete_file(&self, account: AccountId, id: Uuid) -> Result<()> {
        self.with_file(self.files.delete(account, id)).await?;
        let mut writing = self.store.write().await?;
        store::files::claim(writing.db(), account, id).await?;
        Ok(writing.commit().await?)
    }

    /// What is done to a file, counted and traced.
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

/// A file without the camera's traces, and the checksum of what was sent.
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

/// The last part of a path, as people wrote it, without what cannot be seen: a name to show, never one to open by.
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
