//! Where bytes are kept that are too large for the database: a folder of ours. S3 comes later, by the same address.
//!
//! A file is written whole under another name, brought to disk, and then renamed: who finds it finds all of it. Names
//! are ids of ours, never what somebody sent. A file is written before the row that tells of it, so that there is
//! never a row without its file; one without a row, after a crash, is in nobody's way.

use domain::AccountId;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};
use uuid::Uuid;

/// The folder. Cheap to clone. Its functions wait for the disk: not on a thread that serves requests.
#[derive(Debug, Clone)]
pub struct Files {
    root: PathBuf,
    /// Goes when the last clone does.
    _scratch: Option<Arc<Scratch>>,
}

/// Why files cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The address is not one.
    #[error("FILES_URL: expected file://FOLDER, such as file://data/files (s3:// is for a later release)")]
    BadUrl,
    /// The folder cannot be made.
    #[error("FILES_URL: the folder {} cannot be made: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The disk failed.
    #[error("a file could not be read or written: {0}")]
    Io(#[from] io::Error),
}

impl Files {
    /// The folder at `file://FOLDER`, made if it is not there. Without a slash in front it is relative to where the
    /// program was started.
    pub fn open(url: &str) -> Result<Self, FilesError> {
        let path = url.strip_prefix("file://").filter(|path| !path.is_empty() && !path.contains('\0'));
        let root = PathBuf::from(path.ok_or(FilesError::BadUrl)?);
        make_folder(&root).map_err(|error| FilesError::Folder { path: root.clone(), error })?;
        Ok(Self { root, _scratch: None })
    }

    /// A folder among the system's temporary ones that goes again with the last clone: for tests and try-outs.
    pub fn scratch(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("retour-{name}"));
        Self { root: root.clone(), _scratch: Some(Arc::new(Scratch(root))) }
    }

    /// Keeps bytes: when this returns, they are on disk.
    pub fn put(&self, account: AccountId, id: Uuid, bytes: &[u8]) -> Result<(), FilesError> {
        let folder = self.root.join(account.to_string());
        make_folder(&folder)?;
        let unfinished = folder.join(format!(".{id}"));
        let written =
            write_whole(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, folder.join(id.to_string())));
        if let Err(error) = written {
            let _ = fs::remove_file(&unfinished);
            return Err(error.into());
        }
        // The new name is on disk once its folder is.
        File::open(&folder)?.sync_all()?;
        Ok(())
    }

    /// What was kept.
    pub fn get(&self, account: AccountId, id: Uuid) -> Result<Vec<u8>, FilesError> {
        Ok(fs::read(self.path(account, id))?)
    }

    /// Deletes a file; one that is not there is deleted already.
    pub fn delete(&self, account: AccountId, id: Uuid) -> Result<(), FilesError> {
        // What was cut off while it was written.
        let _ = fs::remove_file(self.root.join(account.to_string()).join(format!(".{id}")));
        match fs::remove_file(self.path(account, id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn path(&self, account: AccountId, id: Uuid) -> PathBuf {
        self.root.join(account.to_string()).join(id.to_string())
    }
}

#[derive(Debug)]
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// For nobody but whoever runs the service: photos are personal.
fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_until_it_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("file://{}", folder.path().join("a/b").display());
        let files = Files::open(&url).unwrap();
        let (account, id) = (AccountId(Uuid::from_u128(1)), Uuid::from_u128(2));
        assert!(files.get(account, id).is_err());
        files.put(account, id, b"one").unwrap();
        files.put(account, id, b"two").unwrap();
        assert_eq!(Files::open(&url).unwrap().get(account, id).unwrap(), b"two");
        assert!(files.get(AccountId(Uuid::from_u128(3)), id).is_err(), "another account's");
        assert_eq!(
            fs::read_dir(folder.path().join("a/b").join(account.to_string())).unwrap().count(),
            1,
            "nothing half"
        );
        files.delete(account, id).unwrap();
        files.delete(account, id).unwrap();
        assert!(files.get(account, id).is_err());
    }

    #[test]
    fn a_wrong_address_is_told() {
        for url in ["s3://bucket", "data/files", "file://", "", "file:/tmp"] {
            assert!(matches!(Files::open(url), Err(FilesError::BadUrl)), "{url}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let inside = format!("file://{}/x", file.path().display());
        assert!(Files::open(&inside).unwrap_err().to_string().starts_with("FILES_URL: the folder "));
    }

    #[test]
    fn a_scratch_folder_goes_with_its_last_clone() {
        let files = Files::scratch("test-of-a-scratch-folder");
        let (account, id) = (AccountId(Uuid::from_u128(1)), Uuid::from_u128(2));
        files.clone().put(account, id, b"one").unwrap();
        assert_eq!(files.get(account, id).unwrap(), b"one");
        let root = files.root.clone();
        drop(files);
        assert!(!root.exists());
    }
}
