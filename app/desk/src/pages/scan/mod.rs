//! Scanning: one field for every code, the parcel on the table, and parcels without papers.

pub mod load;
pub mod photo;
pub mod sheet;
mod table;
mod view;
