//! Forgetting people, and recognising them when their orders come again.

pub(crate) mod erasure;
pub(crate) mod hashes;
