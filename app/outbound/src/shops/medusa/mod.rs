//! The `medusa` bridge: a Medusa shop, asked through its own Admin API with a secret API key that the merchant made there.
//!
//! The same questions and answers as with the [`crate::bridge`] to a merchant's component, and the same checks: nothing
//! that the shop says is believed because a shop says it. Seen with Medusa 2.21. What shapes it all is that Medusa
//! ignores filters that it does not know, answers errors after it has paid, and has no guard against paying twice.
//!
//! # One at a time
//!
//! Medusa knows no idempotency keys, and two refunds of an order at the same time corrupt it. So a resolution looks
//! first for what bears its `transactionId`, and does what is missing. That holds if, **for one order, no two of them
//! run at the same time**, which the caller sees to; and if a call that never returned (the process died, the future was
//! dropped) is made again no sooner than [`SETTLED_AFTER`] after it began. A call that returned can be made again at any
//! time: what may still be under way then is answered [`Resolved::Pending`], which is asked again in minutes.
//!
//! A refund is noted in the shop before it is asked for. One whose answer is lost, and that does not show, is not asked
//! for again before people have been told: [`Resolved::Unclear`].

mod client;
mod look_up;
mod money;
mod purchases;
mod refund;
mod refund_note;
mod resolve;
mod responses;
mod take_back;
#[cfg(test)]
mod tests;

pub use crate::{
    api_key::{ApiKey, ApiKeyError},
    shops::resolution::SETTLED_AFTER,
};

use crate::{
    bridge::{
        BridgeError, LookUp, Resolved, WHOLE,
        contract::{GetPurchases, ResolveReturn},
    },
    http::{Endpoint, EndpointError, Http},
};
use client::Session;
use domain::Timestamp;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// A Medusa shop. Cheap to make for each call: the client shares its connections.
#[derive(Debug, Clone)]
pub struct Medusa {
    http: Http,
    whole: Duration,
    key: ApiKey,
    /// The Admin API.
    api: Endpoint,
}

impl Medusa {
    /// A shop at the URL of its server, below which `admin` lies; that URL itself will do too.
    pub fn new(http: Http, url: &Endpoint, key: ApiKey) -> Result<Self, EndpointError> {
        let is_api = url.as_str().trim_end_matches('/').ends_with("/admin");
        let api = if is_api { url.clone() } else { url.below("admin")? };
        Ok(Self { http, whole: WHOLE, key, api })
    }

    /// The same shop, with another time than [`WHOLE`]: for tests.
    #[must_use]
    pub fn with_timeout(self, whole: Duration) -> Self {
        Self { whole, ..self }
    }

    /// Looks an order up and makes purchases of its lines. Drafts and cancelled orders are not found.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        look_up::look_up(&self.session(now), &asked.credentials).await
    }

    /// Settles a return request: takes the units back in the shop, some of them into stock, and refunds what is owed on
    /// the payments of the order. See [`self`] for when it may be called again.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        resolve::resolve(&self.session(now), asked).await
    }

    /// Asks whether the shop is there and takes the key, which then opens all of it.
    pub async fn health(&self, _id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        self.session(now).health().await
    }

    fn session(&self, now: Timestamp) -> Session<'_> {
        Session { shop: self, until: Instant::now() + self.whole, now }
    }
}
