//! Why a command failed.

use std::io;

/// Why a command failed. The message is for the person who typed it.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Retour(#[from] returns::Error),
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

pub(super) type Result<T = (), E = CommandError> = std::result::Result<T, E>;
