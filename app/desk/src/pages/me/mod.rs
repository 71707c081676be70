//! A person's own settings.

pub mod load;
mod view;
