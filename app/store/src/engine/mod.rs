//! Engine.

#[macro_use]
pub(crate) mod macros;
#[macro_use]
pub(crate) mod queue;
pub(crate) mod database;
pub(crate) mod group_commit;
pub(crate) mod migrate;
pub(crate) mod pool;
pub(crate) mod reachability;
pub(crate) mod readers;
pub(crate) mod soundness;
pub(crate) mod writable;
pub mod due;
