//! People and API keys.

mod key;
pub mod load;
mod overview;
mod parts;
mod person;
pub(crate) mod texts;
