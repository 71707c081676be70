//! `/{slug}/returns/{id}`: one return.

pub mod load;
pub mod to_do;
pub mod tracking;
pub mod view;
