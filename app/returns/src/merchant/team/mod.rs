//! The people and programs of a merchant.

pub(crate) mod name;
pub(crate) mod service_users;
pub(crate) mod sign_in;
pub(crate) mod users;
