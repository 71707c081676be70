//! The users and service users of an account.

pub(crate) mod audit_log;
pub(crate) mod name;
pub(crate) mod service_users;
pub(crate) mod sign_in;
pub(crate) mod users;
