//! Files in a folder.
//!
//! A file is written completely under another name, synced to disk, and then renamed, so that readers never see a part of
//! it.

use super::error::FilesError;
use domain::AccountId;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};
use uuid::Uuid;

/// The folder. Cheap to clone. Its functions block on the disk: do not call them on a thread that serves requests.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: PathBuf,
    /// Deletes a temporary folder with the last clone.
    _scratch: Option<Arc<Scratch>>,
}

impl Folder {
    /// Opens the folder at a path, and creates it if it does not exist.
    pub(super) fn open(path: &str) -> Result<Self, FilesError> {
        if path.is_empty() || path.contains('\0') {
            return Err(FilesError::BadUrl);
        }
        let root = PathBuf::from(path);
        create_folder(&root).map_err(|error| FilesError::Folder { path: root.clone(), error })?;
        Ok(Self { root, _scratch: None })
    }

    /// A temporary folder that is deleted with the last clone.
    pub(super) fn scratch(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("retour-{name}"));
        Self { root: root.clone(), _scratch: Some(Arc::new(Scratch(root))) }
    }

    /// Stores a file: when this returns, it is on disk.
    pub(super) fn put(&self, account: AccountId, id: Uuid, bytes: &[u8]) -> Result<(), FilesError> {
        let folder = self.root.join(account.to_string());
        create_folder(&folder)?;
        let unfinished = folder.join(format!(".{id}"));
        let written =
            write_whole(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, folder.join(id.to_string())));
        if let Err(error) = written {
            let _ = fs::remove_file(&unfinished);
            return Err(error.into());
        }
        // The new name is durable only after its folder is synced.
        File::open(&folder)?.sync_all()?;
        Ok(())
    }

    /// Reads a file.
    pub(super) fn get(&self, account: AccountId, id: Uuid) -> Result<Vec<u8>, FilesError> {
        fs::read(self.path(account, id)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FilesError::Missing,
            _ => error.into(),
        })
    }

    /// Whether a file exists.
    pub(super) fn exists(&self, account: AccountId, id: Uuid) -> Result<bool, FilesError> {
        Ok(self.path(account, id).try_exists()?)
    }

    /// Deletes a file. It is no error if the file does not exist.
    pub(super) fn delete(&self, account: AccountId, id: Uuid) -> Result<(), FilesError> {
        // A crash may have left an unfinished file.
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

/// Creates a folder that only the service's own user can read: photos are personal.
fn create_folder(path: &Path) -> io::Result<()> {
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
    fn a_file_can_be_read_until_it_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        let files = Folder::open(path.to_str().unwrap()).unwrap();
        let (account, id) = (AccountId(Uuid::from_u128(1)), Uuid::from_u128(2));
        assert!(matches!(files.get(account, id), Err(FilesError::Missing)));
        files.put(account, id, b"one").unwrap();
        files.put(account, id, b"two").unwrap();
        assert_eq!(Folder::open(path.to_str().unwrap()).unwrap().get(account, id).unwrap(), b"two");
        assert!(files.exists(account, id).unwrap());
        assert!(files.get(AccountId(Uuid::from_u128(3)), id).is_err(), "another account has its own files");
        assert_eq!(fs::read_dir(path.join(account.to_string())).unwrap().count(), 1, "no unfinished file is left");
        files.delete(account, id).unwrap();
        files.delete(account, id).unwrap();
        assert!(!files.exists(account, id).unwrap());
    }

    #[test]
    fn a_temporary_folder_is_deleted_with_its_last_clone() {
        let files = Folder::scratch("test-of-a-scratch-folder");
        let (account, id) = (AccountId(Uuid::from_u128(1)), Uuid::from_u128(2));
        files.clone().put(account, id, b"one").unwrap();
        assert_eq!(files.get(account, id).unwrap(), b"one");
        let root = files.root.clone();
        drop(files);
        assert!(!root.exists());
    }
}
