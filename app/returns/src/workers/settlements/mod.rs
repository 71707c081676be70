//! Has shops carry out the resolutions that were approved.

pub(crate) mod begin;
pub(crate) mod worker;
