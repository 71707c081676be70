//! Routes that belong to neither the API nor the portal: health, metrics, and notices of payment providers and carriers.

pub(crate) mod health;
pub(crate) mod metrics;
pub(crate) mod notices;
