//! Calls shops to carry out approved resolutions.

pub(crate) mod begin;
pub(crate) mod worker;
