//! The search over everything.

pub mod load;
mod view;
