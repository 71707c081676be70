//! The connections to the external systems of accounts: shops, carriers, payment providers.

pub(crate) mod carriers;
pub(crate) mod health;
pub(crate) mod payments;
pub(crate) mod shops;
pub(crate) mod webhook_exchange;
