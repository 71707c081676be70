//! A return.

mod amendment;
mod customer;
mod decisions;
mod files;
mod handing;
mod inspection;
mod items;
pub mod load;
mod money;
mod parcels;
mod proposal;
mod sending;
mod timeline;
mod view;

pub use files::{label, photo};
