//! Requests labels from carriers.

pub(crate) mod ask;
pub(crate) mod maker;
pub(crate) mod verdict;
pub(crate) mod worker;
