//! `/{slug}/gift`: the order of a gift.

pub mod load;
pub mod view;
