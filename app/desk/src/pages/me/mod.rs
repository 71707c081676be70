//! A person's own settings.

pub mod load;
mod passkeys;
mod view;
