//! What works on whole databases: backups, copies, and fresh databases for tests.

pub mod backup;
pub mod copy;
#[cfg(feature = "testing")]
pub mod testing;
