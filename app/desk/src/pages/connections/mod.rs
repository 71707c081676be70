//! The systems that the account is connected to, and whether they answer.

pub mod load;
mod view;

pub use view::{has_problem, role_text};
