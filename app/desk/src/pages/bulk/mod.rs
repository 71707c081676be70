//! The page between ticking rows and deciding about all of them.

pub mod load;
mod view;
