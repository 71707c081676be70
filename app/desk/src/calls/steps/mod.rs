//! What the server functions do on the server.

pub mod parcels;
pub mod return_order;
