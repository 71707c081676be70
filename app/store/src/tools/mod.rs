//! Tools.

pub mod backup;
pub mod copy;
#[cfg(feature = "testing")]
pub mod testing;
