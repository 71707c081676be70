//! The list of returns.

pub mod address;
pub mod filters;
pub mod load;
mod rows;
mod view;
pub mod walk;

pub use view::count_text;
