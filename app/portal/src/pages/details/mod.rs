//! `/{slug}/details`: questions and photos.

pub mod load;
pub mod upload;
pub mod view;
