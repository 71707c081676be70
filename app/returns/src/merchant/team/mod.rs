//! The users and service users of an account, and how users sign in.

pub(crate) mod audit_log;
pub(crate) mod desk;
pub(crate) mod factors;
pub(crate) mod name;
pub(crate) mod notices;
pub(crate) mod own_user;
pub(crate) mod passkey_answers;
pub(crate) mod passkey_sign_in;
pub(crate) mod passkeys;
pub(crate) mod password;
pub(crate) mod proof;
pub(crate) mod saved_views;
pub(crate) mod service_users;
pub(crate) mod sessions;
pub(crate) mod sign_in;
pub(crate) mod users;
