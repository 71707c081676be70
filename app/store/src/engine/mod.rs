//! What runs SQL: connections, transactions, migrations, and the tools that build statements. Knows no table of the
//! domain.
//!
//! From bottom to top: [`error`] · [`url`] · [`db`] · [`time_limit`] · [`dialect`] (every difference between SQLite and Postgres)
//! · `macros`, [`template`], [`batches`], [`stored`] (building statements, reading rows) · [`migrate`] · [`writable`],
//! [`group_commit`], [`readers`] (SQLite) · [`reachability`], [`pool`] (Postgres) · [`soundness`], [`due`], [`changes`] ·
//! [`statistics`] (Postgres), [`database`] (all of it as one [`Store`]) · [`write_probe`], [`queue`].

#[macro_use]
mod macros;
#[macro_use]
pub(crate) mod dialect;
pub(crate) mod batches;
pub mod changes;
mod database;
mod db;
pub mod due;
mod error;
mod group_commit;
mod migrate;
mod pool;
#[macro_use]
pub(crate) mod queue;
mod reachability;
mod readers;
mod soundness;
mod statistics;
pub(crate) mod stored;
pub(crate) mod template;
pub(crate) mod time_limit;
mod url;
mod writable;
pub(crate) mod write_probe;

pub(crate) use database::Transaction;
pub use database::{Reading, Store};
pub use db::{DatabaseKind, Db};
pub use error::{Result, StoreError, damage_seen};
pub use migrate::Tables;
pub use pool::PooledConnection;
pub use queue::{IsEnough, Lease, Shares};
pub use readers::Connections;
pub use soundness::Lookup;
pub(crate) use url::DatabaseUrl;
