//! What belongs to the installation rather than to one account.

pub mod audit;
pub mod files;
pub mod guesses;
pub mod idempotency;
pub mod pruning;
pub mod sessions;
