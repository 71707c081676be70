//! The frame of every page: the HTML document, its navigation, and the response with its headers.

pub mod assets;
pub mod document;
pub mod navigation;
pub mod preferences;
pub mod render;
