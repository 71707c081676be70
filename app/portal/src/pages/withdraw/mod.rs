//! `/{slug}/withdraw`: withdrawal from a contract.

pub mod load;
pub mod view;
