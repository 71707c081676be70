//! Writes and sends mail.

pub(crate) mod links;
pub(crate) mod logo;
pub(crate) mod worker;
