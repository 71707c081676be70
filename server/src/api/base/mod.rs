//! The framework of the API: what a resource is made of. Nothing here knows a resource.

pub(crate) mod accept;
pub(crate) mod access;
pub(crate) mod auth_extractors;
pub(crate) mod body;
pub(crate) mod error;
pub mod error_codes;
pub(crate) mod file;
pub(crate) mod idempotency;
pub(crate) mod if_match;
pub(crate) mod json;
pub(crate) mod named_account;
mod objects_only;
pub mod operation;
pub(crate) mod parameter;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod reply;
pub(crate) mod resource;
pub(crate) mod selection;
pub(crate) mod strict_json;
