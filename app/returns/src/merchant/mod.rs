//! The use cases of a merchant's users and service users.

pub(crate) mod catalog;
pub(crate) mod handle;
pub(crate) mod people;
pub(crate) mod returns;
pub(crate) mod settings;
pub(crate) mod team;
pub(crate) mod version;
pub(crate) mod webhooks;
