//! Files in a folder.
//!
//! A file is written whole under another name, brought to disk, and then renamed: who finds it finds all of it.

use super::FilesError;
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
pub(super) struct Folder {
    root: PathBuf,
    /// Goes when the last clone does.
    _scratch: Option<Arc<Scratch>>,
}

impl Folder {
    /// The folder at a path, made if it is not there.
    pub(super) fn open(path: &str) -> Result<Self, FilesError> {
        if path.is_empty() || path.contains('\0') {
            return Err(FilesError::BadUrl);
        }
        let root = PathBuf::from(path);
        make_folder(&root).map_err(|error| FilesError::Folder { path: root.clone(), error })?;
        Ok(Self { root, _scratch: None })
    }

    /// A folder among the system's temporary ones that goes again with the last clone.
    pub(super) fn scratch(name: &str) -> Self {
        let root = std::env::temp_dir().join(format!("retour-{name}"));
        Self { root: root.clone(), _scratch: Some(Arc::new(Scratch(root))) }
    }

    /// Keeps bytes: when this returns, they are on disk.
    pub(super) fn put(&self, account: AccountId, id: Uuid, bytes: &[u8]) -> Result<(), FilesError> {
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
    pub(super) fn get(&self, account: AccountId, id: Uuid) -> Result<Vec<u8>, FilesError> {
        fs::read(self.path(account, id)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FilesError::Missing,
            _ => error.into(),
        })
    }

    /// Whether a file is there.
    pub(super) fn exists(&self, account: AccountId, id: Uuid) -> Result<bool, FilesError> {
        Ok(self.path(account, id).try_exists()?)
    }

    /// Deletes a file; one that is not there is deleted already.
    pub(super) fn delete(&self, account: AccountId, id: Uuid) -> Result<(), FilesError> {
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
        let path = folder.path().join("a/b");
        let files = Folder::open(path.to_str().unwrap()).unwrap();
        let (account, id) = (AccountId(Uuid::from_u128(1)), Uuid::from_u128(2));
        assert!(matches!(files.get(account, id), Err(FilesError::Missing)));
        files.put(account, id, b"one").unwrap();
        files.put(account, id, b"two").unwrap();
        assert_eq!(Folder::open(path.to_str().unwrap()).unwrap().get(account, id).unwrap(), b"two");
        assert!(files.exists(account, id).unwrap());
        assert!(files.get(AccountId(Uuid::from_u128(3)), id).is_err(), "another account's");
        assert_eq!(fs::read_dir(path.join(account.to_string())).unwrap().count(), 1, "nothing half");
        files.delete(account, id).unwrap();
        files.delete(account, id).unwrap();
        assert!(!files.exists(account, id).unwrap());
    }

    #[test]
    fn a_scratch_folder_goes_with_its_last_clone() {
        let files = Folder::scratch("test-of-a-scratch-folder");
        let (account, id) = (AccountId(Uuid::from_u128(1)), Uuid::from_u128(2));
        files.clone().put(account, id, b"one").unwrap();
        assert_eq!(files.get(account, id).unwrap(), b"one");
        let root = files.root.clone();
        drop(files);
        assert!(!root.exists());
    }
}
