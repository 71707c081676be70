//! From what a shopper selects to a draft, and from the use cases' refusals back to what was selected.

pub mod draft;
pub mod draft_receipt;
pub mod purchases;
pub mod questions;
pub mod rows;
pub mod send_back;
