//! Signing in.

pub mod load;
mod view;
