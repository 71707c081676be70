//! Writes and sends mail.

pub(crate) mod logo;
pub(crate) mod worker;
