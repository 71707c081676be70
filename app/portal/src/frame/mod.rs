//! The frame of every page: the HTML document, the shop's theme, and the response with its headers.

pub mod assets;
pub mod contact;
pub mod contact_links;
pub mod document;
pub mod render;
pub mod steps;
pub mod theme;
