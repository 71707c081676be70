//! Requests and responses of pages, whatever they are about.

pub mod assets;
pub mod form;
pub mod headers;
pub mod origin;
pub mod policy;
pub mod routing;
pub mod scripts;
