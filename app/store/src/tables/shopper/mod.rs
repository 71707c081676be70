//! Consumers: how they prove who they are, and their erasure.

pub mod consumers;
pub mod erasures;
pub mod mail_links;
pub mod person_locks;
