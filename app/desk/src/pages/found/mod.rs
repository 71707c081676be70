//! Parcels without papers: those that are open, to match to a return or to close.

pub mod load;
mod view;
