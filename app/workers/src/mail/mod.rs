//! Writes and sends mail.

pub(crate) mod links;
pub(crate) mod logo;
pub(crate) mod staff;
pub(crate) mod worker;
