//! Why a copy stops.

use crate::engine::StoreError;

/// Why nothing is copied, or no further.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A database reported an error.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The same for an error of sqlx.
    #[error("database: {0}")]
    Sql(#[from] sqlx::Error),
    /// A row of a table could not be copied.
    #[error("{table}: {error}")]
    Table {
        /// The table.
        table: String,
        /// The error of the database.
        error: StoreError,
    },
    /// One of the databases has the tables of another version.
    #[error(
        "the tables of {0} belong to another version: first run `retour migrate` on it, with the version that will \
         serve the copy"
    )]
    OtherVersion(Side),
    /// The tables differ, or one of them cannot be copied.
    #[error("the tables of source and target differ: {0}")]
    OtherTables(String),
    /// A copy of an incomplete copy would look complete.
    #[error("the source is itself an unfinished copy: finish that copy first")]
    HalfSource,
    /// The source changed during the comparison.
    #[error(
        "the source changed during the comparison: stop all instances, imports and other commands that write to it, \
         and run this again"
    )]
    Changed,
    /// The source is empty.
    #[error("the source has no account: there is nothing to copy")]
    NoAccount,
    /// The target is not empty.
    #[error("the target contains data that is not from this copy: copy into an empty database")]
    Occupied,
    /// The target holds an unfinished copy of another source.
    #[error("the target contains an unfinished copy of another database: copy into an empty database")]
    OtherCopy,
}

/// One of the two databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The database that is copied.
    Source,
    /// The database that receives the copy.
    Target,
}

impl std::fmt::Display for Side {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Source => "the source",
            Self::Target => "the target",
        })
    }
}
