//! What the server functions do on the server.

pub mod keys;
pub mod parcels;
pub mod people;
pub mod return_order;
