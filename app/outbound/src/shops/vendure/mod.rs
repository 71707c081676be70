//! The `vendure` bridge: a Vendure shop, called through its Admin API with a key that the merchant created there.
//!
//! It answers the same questions as a merchant's component and passes the same checks: an answer is not trusted because a
//! shop gives it. Tested with Vendure 3.7. API keys exist since 3.6, and the shop has to accept them
//! (`authOptions.tokenMethod` with `'api-key'`). The key's role needs `ReadOrder` and `UpdateOrder`.
//!
//! # One call per order at a time
//!
//! Vendure has no idempotency keys, and shows a refund only when it has gone through. So a resolution first looks for
//! records that contain its `transactionId`, and does what is missing. This is safe under two conditions, which the caller
//! ensures:
//!
//! - **For one order, no two resolutions run at the same time.**
//! - A call that never returned (the process died, or the future was dropped) is repeated no sooner than
//!   [`IN_FLIGHT_LIMIT`] after it started.
//!
//! A call that returned may be repeated at any time. While a refund may still be executing, the answer is
//! [`Resolved::Pending`], and Retour asks again some minutes later. How a lost answer is handled:
//! [`crate::shops::resolution`].

mod client;
mod graphql;
mod look_up;
mod money;
mod plan;
mod prices;
mod purchases;
mod refund;
mod refund_note;
mod resolve;
mod responses;
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
use client::VendureApi;
use domain::Timestamp;
use std::time::Duration;
use uuid::Uuid;

/// A Vendure shop. Cheap to create for each call: clients share their connections.
#[derive(Debug, Clone)]
pub struct Vendure(VendureApi);

impl Vendure {
    /// A shop at the URL of its server, or at the URL of the server's `admin-api`.
    pub fn new(http: Http, url: &Endpoint, key: ApiKey) -> Result<Self, EndpointError> {
        let is_api = url.as_str().trim_end_matches('/').ends_with("/admin-api");
        let url = if is_api { url.clone() } else { url.below("admin-api")? };
        Ok(Self(VendureApi { http, timeout: CALL_TIMEOUT, key, url }))
    }

    /// The same shop with another timeout than [`CALL_TIMEOUT`]: for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self(VendureApi { timeout, ..self.0 })
    }

    /// Looks up an order and turns its lines into purchases. Orders that were never placed are not found; nor are orders
    /// that were cancelled before anything was sent. The e-mail address has to be the customer's current one.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        look_up::look_up(&self.0.session(now), asked).await
    }

    /// Settles a return request: refunds what is owed on the order's payments, puts sellable units back into stock, and
    /// writes a note on the order. See [`self`] for when it may be called again.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        resolve::resolve(&self.0.session(now), asked).await
    }

    /// Checks that the shop is reachable and that the key may read orders. Whether it may refund shows with the first
    /// refund.
    pub async fn health(&self, _id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        self.0.session(now).health().await
    }
}
