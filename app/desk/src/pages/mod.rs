//! The pages of the desk: one folder each, with `load.rs` and `view.rs`.

pub mod me;
pub mod return_order;
pub mod sign_in;
