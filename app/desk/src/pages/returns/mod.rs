//! The list of returns.

pub mod address;
mod filters;
pub mod load;
mod rows;
mod view;
pub mod walk;
