//! The demo: a shop whose orders show each rule, its people, and returns in every stage.

pub(crate) mod people;
pub(crate) mod play;
pub(crate) mod shop;
pub(crate) mod story;
