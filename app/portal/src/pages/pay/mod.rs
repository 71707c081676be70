//! `/{slug}/pay/{id}`: pays a fee.

pub mod load;
pub mod view;
