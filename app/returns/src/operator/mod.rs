//! The use cases of the operator: the command line.

pub(crate) mod accounts;
pub mod backup;
pub mod bridge_check;
pub mod copy;
pub(crate) mod defaults;
pub(crate) mod demo;
pub(crate) mod figures;
pub(crate) mod handle;
pub(crate) mod housekeeping;
pub(crate) mod migration;
pub(crate) mod orders;
pub(crate) mod secrets;
pub(crate) mod team;
pub(crate) mod trigger;
