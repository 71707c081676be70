//! Pages: pure functions from what handlers have loaded to a view. They know no request and no use case.

pub mod details;
pub mod gift;
pub mod links;
pub mod look_up;
pub mod pay;
pub mod photos;
pub mod purchases;
pub mod return_order;
pub mod returns;
pub mod review;
pub mod standing;
pub mod steps;
pub mod tracking;
pub mod withdraw;
