//! The demo: a shop whose orders show each rule, its people, and returns in every stage.

mod acts;
pub(crate) mod people;
pub(crate) mod play;
mod rules;
pub(crate) mod shop;
pub(crate) mod story;
