//! Why a command failed.

use returns::{FilesError, StoreError};
use std::{io, path::PathBuf};

/// Why a command failed. The message is for the person who typed it.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Retour(returns::Error),
    /// The file of the database cannot be used.
    #[error("{}: {error}", file.display())]
    Opening {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: returns::Error,
    },
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Failed(String),
    /// An option, or its environment variable, is wrong. To run the command again would not help.
    #[error("{0}")]
    WrongOption(String),
    /// The command has already printed why.
    #[error("see above")]
    Reported,
}

impl CommandError {
    /// The same error with another message.
    pub(super) fn with_message(self, edit: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::WrongOption(message) => Self::WrongOption(edit(message)),
            error => Self::Failed(edit(error.to_string())),
        }
    }
}

impl From<returns::Error> for CommandError {
    fn from(error: returns::Error) -> Self {
        match error {
            returns::Error::Store(StoreError::BadUrl(_)) => Self::WrongOption(error.to_string()),
            error => Self::Retour(error),
        }
    }
}

impl From<FilesError> for CommandError {
    fn from(error: FilesError) -> Self {
        match error {
            FilesError::BadUrl | FilesError::Setting(_) => Self::WrongOption(error.to_string()),
            error => Self::Failed(error.to_string()),
        }
    }
}

pub(super) type Result<T = (), E = CommandError> = std::result::Result<T, E>;
