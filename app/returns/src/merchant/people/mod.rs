//! Consumers, their withdrawals, their mail and their data.

pub(crate) mod consumers;
pub(crate) mod erasure;
pub(crate) mod mails;
pub(crate) mod new_consumer;
pub(crate) mod withdrawals;
