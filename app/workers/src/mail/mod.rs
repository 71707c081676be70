//! Writes and sends mail.

pub(crate) mod drafts;
pub(crate) mod logo;
pub(crate) mod staff;
pub(crate) mod worker;
