//! The first page: what waits for the person.

mod figures;
pub mod load;
mod recent;
mod view;
