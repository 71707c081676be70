//! The first page: what waits for the person.

pub mod load;
mod view;
