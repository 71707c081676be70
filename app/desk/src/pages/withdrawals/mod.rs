//! Contracts that customers withdrew from.

pub mod load;
mod view;
