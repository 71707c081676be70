//! Erasing people, and recognizing them when their orders are imported again.

pub(crate) mod erasure;
pub(crate) mod hashes;
pub(crate) mod shop_requests;
