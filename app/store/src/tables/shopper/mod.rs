//! Consumers: who they are, how they prove it, and how they are forgotten.

pub mod consumers;
pub mod erasures;
pub mod mail_links;
pub mod person_locks;
