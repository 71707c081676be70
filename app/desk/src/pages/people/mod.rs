//! People and API keys.

mod key;
pub mod load;
mod overview;
mod person;
pub(crate) mod texts;
