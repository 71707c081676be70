//! What every query function takes: a borrowed connection to either database.

use sqlx::{PgConnection, SqliteConnection};

/// Which database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A file of our own.
    Sqlite,
    /// A server.
    Postgres,
}

/// A borrowed connection to either database.
#[derive(Debug)]
pub enum Db<'c> {
    /// To a file.
    Sqlite(&'c mut SqliteConnection),
    /// To a server.
    Postgres(&'c mut PgConnection),
}

impl Db<'_> {
    /// The same connection once more, for a loop of queries.
    pub fn reborrow(&mut self) -> Db<'_> {
        match self {
            Self::Sqlite(connection) => Db::Sqlite(connection),
            Self::Postgres(connection) => Db::Postgres(connection),
        }
    }
}
