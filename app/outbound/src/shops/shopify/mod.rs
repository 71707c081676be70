//! The `shopify` bridge: a Shopify shop, called through its GraphQL Admin API.
//!
//! It answers the same questions as a merchant's component and passes the same checks: an answer is not trusted because a
//! shop gives it. The documents are in the `.graphql` files of this folder, and a test validates them against Shopify's
//! published schema of each version that [`ShopifyVersion`] lists. No live shop was tried.
//!
//! Shopify's pages that the code follows: "GraphQL Admin API rate limits" for [`client`], "Using the client credentials
//! grant" for [`token`], "Implementing idempotency" for [`refund`], "Modify your payloads" for [`webhooks`].
//!
//! # One call per order at a time
//!
//! The caller ensures the same two conditions as for Vendure:
//!
//! - **For one order, no two resolutions run at the same time.**
//! - A call that never returned is repeated no sooner than [`IN_FLIGHT_LIMIT`] after it started.
//!
//! How a lost answer is handled: [`begun`], and [`return_process`] for returns that Shopify has, too.

mod address;
mod begun;
mod changes;
mod check;
mod client;
mod credentials;
mod documents;
mod duties;
mod errors;
mod exchange_options;
mod export;
mod export_completion;
mod export_lines;
mod export_orders;
mod export_shipped;
mod line_amounts;
mod look_up;
mod money;
mod notices;
mod order_state;
mod plan;
mod purchases;
mod refund;
mod refund_input;
mod resolve;
mod responses;
mod restock;
mod return_asked;
mod return_changes;
mod return_disposal;
mod return_exchange;
mod return_process;
mod return_steps;
mod return_units;
mod return_view;
mod supplement;
#[cfg(test)]
mod tests;
mod token;
mod webhooks;

pub use crate::bridge::IN_FLIGHT_LIMIT;
pub use address::{ShopAddressError, shop_address};
pub use changes::{ChangedOrder, ChangedOrders, OrderNow};
pub use check::{NOTICES_PATH, ShopFact, ShopReport, WebhookReport};
pub use credentials::ShopifyCredentials;
pub use export::{ExportError, ExportFile, ExportFilter, ExportLoss, ExportState, ExportedOrders};
pub use export_completion::IncompleteOrder;
pub use export_orders::{ExportedContent, ExportedOrder};
pub use notices::{NotJson, NoticedCustomer, ShopNotice, is_signed, notice_of};
pub use return_asked::{
    MirroredDecision, MirroredItem, MirroredParcel, MirroredReturn, MirroredUnits, NextStep, RefusedParts,
    ReturnComparison, ReturnStatus, ReturnStep, StepResult,
};
pub use return_steps::ReturnableLine;
pub use token::TokenCache;
pub use webhooks::Subscribed;

use crate::{
    bridge::{
        BridgeError, CALL_TIMEOUT, LookUp, Resolved,
        contract::{GetPurchases, Purchases, ResolveReturn},
    },
    http::{Endpoint, EndpointError, Http},
};
use client::ShopifyApi;
use domain::{
    Timestamp,
    integration::{ShopifyDuties, ShopifyVersion},
};
use std::time::Duration;
use token::TokenSource;
use uuid::Uuid;

/// A Shopify shop. Cheap to create for each call: clients share their connections and their tokens.
#[derive(Debug, Clone)]
pub struct Shopify(ShopifyApi);

impl Shopify {
    /// A shop at its own URL, such as `https://x.myshopify.com`.
    pub fn new(
        http: Http,
        tokens: TokenCache,
        url: &Endpoint,
        version: ShopifyVersion,
        credentials: ShopifyCredentials,
    ) -> Result<Self, EndpointError> {
        let admin = url.below("admin")?;
        Ok(Self(ShopifyApi {
            timeout: CALL_TIMEOUT,
            reads_returns: false,
            offers_exchanges: false,
            duties: ShopifyDuties::default(),
            url: admin.below("api")?.below(version.name())?.below("graphql.json")?,
            version,
            tokens: TokenSource {
                http: http.clone(),
                url: admin.below("oauth")?.below("access_token")?,
                credentials,
                cache: tokens,
            },
            http,
        }))
    }

    /// The same shop, whose look-ups leave out units of returns that staff made there. The app needs the scope `read_returns`.
    #[must_use]
    pub fn reading_returns(self, reads_returns: bool) -> Self {
        Self(ShopifyApi { reads_returns, ..self.0 })
    }

    /// The same shop, whose look-ups say what an order's lines can be exchanged for.
    #[must_use]
    pub fn offering_exchanges(self, offers_exchanges: bool) -> Self {
        Self(ShopifyApi { offers_exchanges, ..self.0 })
    }

    /// The same shop, whose duties come back with units, or do not.
    #[must_use]
    pub fn with_duties(self, duties: ShopifyDuties) -> Self {
        Self(ShopifyApi { duties, ..self.0 })
    }

    /// The same shop with another timeout than [`CALL_TIMEOUT`]: for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self(ShopifyApi { timeout, ..self.0 })
    }

    /// Looks up an order and turns its lines into purchases. Orders that were cancelled before anything was sent are not
    /// found.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        look_up::look_up(&self.0.session(now), asked).await
    }

    /// Reads an order by its id, `gid://shopify/Order/…`. Unlike a look-up, it also finds an order that was cancelled before
    /// anything was sent.
    pub async fn get_order(&self, id: &str, now: Timestamp) -> Result<OrderNow, BridgeError> {
        changes::order(&self.0.session(now), id).await
    }

    /// A page of the orders that have changed since a time. `after`: where the previous page ended.
    pub async fn list_changed(
        &self,
        since: Timestamp,
        after: Option<&str>,
        now: Timestamp,
    ) -> Result<ChangedOrders, BridgeError> {
        changes::changed(&self.0.session(now), since, after).await
    }

    /// Whether the shop still has the app: an error says why the shop did not answer, or that Shopify refuses the app.
    pub async fn is_installed(&self, now: Timestamp) -> Result<(), BridgeError> {
        changes::scopes(&self.0.session(now)).await.map(drop)
    }

    /// Forgets the access token that this process keeps for the shop.
    pub fn forget_token(&self) {
        self.0.tokens.forget();
    }

    /// Reads one order by its id, for somebody who may see every order; `None` if a look-up would not find it.
    pub async fn read_order(&self, id: &str, now: Timestamp) -> Result<Option<Purchases>, BridgeError> {
        look_up::read_order(&self.0.session(now), id).await
    }

    /// Starts an export of all orders, a bulk operation; returns Shopify's id of it. Another call starts another export.
    pub async fn start_export(&self, filter: ExportFilter, now: Timestamp) -> Result<String, ExportError> {
        export::start(&self.0.session(now), filter).await
    }

    /// How far an export is.
    pub async fn export_state(&self, id: &str, now: Timestamp) -> Result<ExportState, ExportError> {
        export::state(&self.0.session(now), id).await
    }

    /// Begins to download an export at a position: 0, or the [`ExportedOrder::end`] of an order. The file is on another host,
    /// which gets no access token.
    pub async fn open_export(&self, file: &ExportFile, from: u64) -> Result<ExportedOrders, ExportError> {
        ExportedOrders::open(&self.0.http, file, from, self.0.duties).await
    }

    /// Reads the fulfilments of orders of an export, as many of them from the beginning as one request may ask for: at least one.
    /// Returns what each of these is now.
    pub async fn complete_orders(
        &self,
        orders: &[IncompleteOrder],
        now: Timestamp,
    ) -> Result<Vec<ExportedContent>, BridgeError> {
        export_completion::complete(&self.0.session(now), orders).await
    }

    /// Settles a return request: refunds what is owed to the order's payments or as store credit, and puts sellable units
    /// back into stock. See [`self`] for when it may be called again.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        resolve::resolve(&self.0.session(now), asked).await
    }

    /// Compares a return of ours with Shopify's, and says what has to be done next. Changes nothing.
    pub async fn compare_return(
        &self,
        asked: &MirroredReturn,
        now: Timestamp,
    ) -> Result<ReturnComparison, BridgeError> {
        return_steps::compare(&self.0.session(now), asked).await
    }

    /// Makes a change that [`Self::compare_return`] has named. An error says that nothing changed. A change without a known
    /// result must not be repeated before [`IN_FLIGHT_LIMIT`] has passed and the return was compared again.
    pub async fn change_return(&self, step: &ReturnStep, now: Timestamp) -> Result<StepResult, BridgeError> {
        return_changes::change(&self.0.session(now), step).await
    }

    /// Finds an order by its number, with a line that can be returned; `None` if the shop shows no such order. For the merchant's
    /// staff: it needs no proof.
    pub async fn returnable_line(&self, number: &str, now: Timestamp) -> Result<Option<ReturnableLine>, BridgeError> {
        return_steps::returnable_line(&self.0.session(now), number).await
    }

    /// Settles a return request by its return in Shopify: processes its units there, with a refund of what is owed, and sends
    /// the items of an exchange. See
    /// [`self`] for when it may be called again.
    pub async fn resolve_mirrored_return(
        &self,
        asked: &ResolveReturn,
        return_id: &str,
        now: Timestamp,
    ) -> Result<Resolved, BridgeError> {
        return_process::resolve(&self.0.session(now), asked, return_id).await
    }

    /// Checks that the shop is reachable and that the app may read orders.
    pub async fn health(&self, _id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        check::health(&self.0.session(now)).await
    }

    /// Reads what the app may do and what the shop has, for `retour bridge check --shopify`. Changes nothing.
    pub async fn check(&self, now: Timestamp) -> Result<ShopReport, BridgeError> {
        check::check(&self.0.session(now)).await
    }
}
