//! The `medusa` bridge: a Medusa shop, called through its Admin API with a secret API key that the merchant created there.
//!
//! It answers the same questions as a merchant's component and passes the same checks: an answer is not trusted because a
//! shop gives it. Tested with Medusa 2.21. Three of Medusa's properties shape this client: it ignores filters that it does
//! not know, it can report an error after it has paid, and it does not prevent a second refund.
//!
//! # One call per order at a time
//!
//! Medusa has no idempotency keys, and two concurrent refunds of one order corrupt the order. So a resolution first looks
//! for records that contain its `transactionId`, and does what is missing. This is safe under two conditions, which the
//! caller ensures:
//!
//! - **For one order, no two resolutions run at the same time.**
//! - A call that never returned (the process died, or the future was dropped) is repeated no sooner than
//!   [`IN_FLIGHT_LIMIT`] after it started.
//!
//! A call that returned may be repeated at any time. While a refund may still be executing, the answer is
//! [`Resolved::Pending`], and Retour asks again some minutes later. How a lost answer is handled:
//! [`crate::shops::resolution`].

mod client;
mod look_up;
mod money;
mod plan;
mod purchases;
mod refund;
mod refund_note;
mod resolve;
mod responses;
mod take_back;
#[cfg(test)]
mod tests;

pub use crate::bridge::IN_FLIGHT_LIMIT;

use crate::{
    api_key::ApiKey,
    bridge::{
        BridgeError, CALL_TIMEOUT, LookUp, Resolved,
        contract::{GetPurchases, ResolveReturn},
    },
    http::{Endpoint, EndpointError, Http},
};
use client::MedusaApi;
use domain::Timestamp;
use std::time::Duration;
use uuid::Uuid;

/// A Medusa shop. Cheap to create for each call: clients share their connections.
#[derive(Debug, Clone)]
pub struct Medusa(MedusaApi);

impl Medusa {
    /// A shop at the URL of its server, or at the URL of the server's `admin` API.
    pub fn new(http: Http, url: &Endpoint, key: ApiKey) -> Result<Self, EndpointError> {
        let is_api = url.as_str().trim_end_matches('/').ends_with("/admin");
        let url = if is_api { url.clone() } else { url.below("admin")? };
        Ok(Self(MedusaApi { http, timeout: CALL_TIMEOUT, key, url }))
    }

    /// The same shop with another timeout than [`CALL_TIMEOUT`]: for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self(MedusaApi { timeout, ..self.0 })
    }

    /// Looks up an order and turns its lines into purchases. Drafts and cancelled orders are not found.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        look_up::look_up(&self.0.session(now), &asked.credentials).await
    }

    /// Settles a return request: takes the units back in the shop, restocks sellable ones, and refunds what is owed on the
    /// order's payments. See [`self`] for when it may be called again.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        resolve::resolve(&self.0.session(now), asked).await
    }

    /// Checks that the shop is reachable and accepts the key. A key of Medusa gives access to the whole Admin API.
    pub async fn health(&self, _id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        self.0.session(now).health().await
    }
}
