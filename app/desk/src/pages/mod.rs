//! The pages of the desk: one folder each, with `load.rs` and `view.rs`.

pub mod audit;
pub mod bulk;
pub mod connections;
pub mod found;
pub mod me;
pub mod new_return;
pub mod orders;
mod passkey_forms;
pub mod people;
pub mod return_order;
pub mod returns;
pub mod scan;
pub mod search;
pub mod sign_in;
pub mod today;
pub mod withdrawals;
