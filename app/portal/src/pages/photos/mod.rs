//! `/{slug}/returns/{id}/photos`: photos of returned items.

pub mod load;
pub mod upload;
pub mod view;
