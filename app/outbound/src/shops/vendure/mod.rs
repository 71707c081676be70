//! The `vendure` bridge: a Vendure shop, asked through its own Admin API with a key that the merchant made there.
//!
//! The same questions and answers as with the [`crate::bridge`] to a merchant's component, and the same checks: nothing
//! that the shop says is believed because a shop says it. Seen with Vendure 3.7; API keys came with 3.6, and the shop
//! has to take them (`authOptions.tokenMethod` with `'api-key'`). The key's role needs `ReadOrder` and `UpdateOrder`.
//!
//! # One at a time
//!
//! Vendure knows no idempotency keys, and shows a refund only when it is through. So a resolution looks first for what
//! bears its `transactionId`, and does what is missing. That holds if, **for one order, no two of them run at the same
//! time**, which the caller sees to; and if a call that never returned (the process died, the future was dropped) is
//! made again no sooner than [`SETTLED_AFTER`] after it began. A call that returned can be made again at any time: what
//! may still be under way then is answered [`Resolved::Pending`], which is asked again in minutes.
//!
//! A refund is noted in the shop before it is asked for. One whose answer is lost, and that does not show, is not asked
//! for again before people have been told: [`Resolved::Unclear`].

mod client;
mod documents;
mod money;
mod prices;
mod purchases;
mod refund;
mod refund_note;
mod resolve;
mod responses;
#[cfg(test)]
mod tests;

pub use crate::{
    api_key::{ApiKey, ApiKeyError},
    shops::resolution::SETTLED_AFTER,
};

use crate::{
    bridge::{
        BridgeError, LookUp, Resolved, WHOLE, checked,
        contract::{GetPurchases, ResolveReturn},
    },
    http::{Endpoint, EndpointError, Http},
};
use client::Session;
use domain::{
    Timestamp,
    proof::{TypedOrderNumber, order_number},
};
use serde_json::json;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// A Vendure shop. Cheap to make for each call: the client shares its connections.
#[derive(Debug, Clone)]
pub struct Vendure {
    http: Http,
    whole: Duration,
    key: ApiKey,
    /// The Admin API.
    api: Endpoint,
}

impl Vendure {
    /// A shop at the URL of its server, below which `admin-api` lies; that URL itself will do too.
    pub fn new(http: Http, url: &Endpoint, key: ApiKey) -> Result<Self, EndpointError> {
        let is_api = url.as_str().trim_end_matches('/').ends_with("/admin-api");
        let api = if is_api { url.clone() } else { url.below("admin-api")? };
        Ok(Self { http, whole: WHOLE, key, api })
    }

    /// The same shop, with another time than [`WHOLE`]: for tests.
    #[must_use]
    pub fn with_timeout(self, whole: Duration) -> Self {
        Self { whole, ..self }
    }

    /// Looks an order up and makes purchases of its lines. Orders that were never placed, and those that were cancelled
    /// before anything was sent, are not found; nor is anything by another e-mail address than the customer's present one.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        let number = &asked.credentials.order_number;
        let Some(wanted) = TypedOrderNumber::new(number) else { return Ok(LookUp::NotFound) };
        // Codes compare exactly, and the usual ones are in upper case.
        let typed: String = order_number::cleaned(number).chars().filter(|c| !c.is_whitespace()).collect();
        let plain = typed.trim_start_matches('#');
        let codes = [&typed, plain, &plain.to_uppercase()];
        let api = self.api.with("languageCode", &asked.locale.0.replace('-', "_")).unwrap_or_else(|_| self.api.clone());
        let found: shop::Found = self.session(now).ask(&api, documents::LOOK_UP, json!({"codes": codes})).await?;
        let is_asked_for = |order: &shop::PlacedOrder| wanted.fit(&order.code).is_some();
        let Some(order) = found.orders.items.into_iter().find(is_asked_for).filter(shop::PlacedOrder::can_be_returned)
        else {
            return Ok(LookUp::NotFound);
        };
        let decimals = found.global_settings.server_config.money_strategy_precision;
        Ok(match checked(purchases::purchases(&order.sorted(), decimals)?, &asked.credentials)? {
            LookUp::NotTheirs(_) => LookUp::NotFound, // the shop was not asked who it is, so it made no mistake
            looked_up => looked_up,
        })
    }

    /// Settles a return request: refunds what is owed on the payments of the order, counts what is sold again back into
    /// stock, and leaves a note on the order. See [`self`] for when it may be called again.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        resolve::resolve(&self.session(now), asked).await
    }

    /// Asks whether the shop is there and lets us read orders. That it lets us refund shows with the first one.
    pub async fn health(&self, _id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        self.session(now).ask::<shop::Health>(&self.api, documents::HEALTH, json!({})).await.map(drop)
    }

    fn session(&self, now: Timestamp) -> Session<'_> {
        Session { shop: self, until: Instant::now() + self.whole, now }
    }
}
