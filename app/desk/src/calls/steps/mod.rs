//! What the server functions do on the server.

pub mod keys;
pub mod people;
