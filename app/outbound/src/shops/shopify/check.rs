//! What the app may do and what the shop has: for `retour bridge check --shopify`. Reads only.

use super::{
    client::ShopifySession,
    documents::{ACCESS, HEALTH, LATEST_ORDER, LOCATIONS, PROTECTED_FIELDS},
    responses::{Installation, Nodes},
    webhooks::{addresses, topics_of},
};
use crate::bridge::BridgeError;
use domain::integration::ShopifyVersion;
use serde::Deserialize;
use serde_json::{Value, json};

/// The path of Retour's addresses for notices of Shopify, before the account's id.
pub const NOTICES_PATH: &str = "/api/v0/shop-notices/shopify/";

/// What `retour bridge check --shopify` found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopReport {
    /// The shop's name and its domain at Shopify.
    pub shop: String,
    /// The shop's own currency, ISO 4217.
    pub currency: String,
    /// The version that Retour calls.
    pub version: ShopifyVersion,
    /// Whether Shopify lists the version as supported.
    pub is_version_supported: bool,
    /// The access scopes of the app.
    pub scopes: Vec<String>,
    /// The name of the latest order and the gateways that it was paid by.
    pub latest_order: ShopFact<Option<(String, Vec<String>)>>,
    /// Whether Shopify shows the app customers' e-mail addresses and addresses.
    pub protected_data: ShopFact<()>,
    /// The names of the active locations.
    pub locations: ShopFact<Vec<String>>,
    /// The webhooks of the app to Retour.
    pub webhooks: WebhookReport,
}

/// Which changes the shop reports to Retour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookReport {
    /// How many topics Retour wants of an app with these scopes.
    pub wanted: usize,
    /// How many of them are reported to an address of Retour.
    pub present: usize,
    /// The topics for which the app lacks an access scope, each with the scope.
    pub withheld: Vec<(&'static str, &'static str)>,
}

/// Something that Shopify shows only to apps with a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShopFact<T> {
    /// What it is.
    Known(T),
    /// The app may not read it.
    Withheld,
}

impl<T> ShopFact<T> {
    fn of<R>(response: Option<R>, read: impl FnOnce(R) -> T) -> Self {
        response.map_or(Self::Withheld, |response| Self::Known(read(response)))
    }
}

#[derive(Deserialize)]
struct HealthResponse {
    #[serde(rename = "orders")]
    _orders: Nodes<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccessResponse {
    current_app_installation: Installation,
    shop: Shop,
    public_api_versions: Vec<ApiVersion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shop {
    name: String,
    myshopify_domain: String,
    currency_code: String,
}

#[derive(Deserialize)]
struct ApiVersion {
    handle: String,
    supported: bool,
}

#[derive(Deserialize)]
struct LatestOrderResponse {
    orders: Nodes<LatestOrder>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LatestOrder {
    name: String,
    payment_gateway_names: Vec<String>,
}

#[derive(Deserialize)]
struct LocationsResponse {
    locations: Nodes<Location>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    name: String,
    is_active: bool,
}

/// See [`super::Shopify::health`].
pub(super) async fn health(session: &ShopifySession<'_>) -> Result<(), BridgeError> {
    session.query::<HealthResponse>(HEALTH, json!({})).await.map(drop)
}

/// See [`super::Shopify::check`].
pub(super) async fn check(session: &ShopifySession<'_>) -> Result<ShopReport, BridgeError> {
    let AccessResponse { current_app_installation, shop, public_api_versions } =
        session.query(ACCESS, json!({})).await?;
    let version = session.api.version;
    let latest_order: Option<LatestOrderResponse> = session.query_if_allowed(LATEST_ORDER).await?;
    let protected_data: Option<HealthResponse> = session.query_if_allowed(PROTECTED_FIELDS).await?;
    let locations: Option<LocationsResponse> = session.query_if_allowed(LOCATIONS).await?;
    let reported = addresses(session).await?.topics_to(NOTICES_PATH);
    let (wanted, withheld) = topics_of(&current_app_installation);
    let present = wanted.iter().filter(|topic| reported.iter().any(|there| there == *topic)).count();
    Ok(ShopReport {
        shop: format!("{} ({})", shop.name, shop.myshopify_domain),
        currency: shop.currency_code,
        version,
        is_version_supported: public_api_versions.iter().any(|known| known.handle == version.name() && known.supported),
        scopes: current_app_installation.access_scopes.into_iter().map(|scope| scope.handle).collect(),
        latest_order: ShopFact::of(latest_order, |response| {
            response.orders.nodes.into_iter().next().map(|order| (order.name, order.payment_gateway_names))
        }),
        protected_data: ShopFact::of(protected_data, drop),
        locations: ShopFact::of(locations, |response| {
            response.locations.nodes.into_iter().filter(|one| one.is_active).map(|one| one.name).collect()
        }),
        webhooks: WebhookReport { wanted: wanted.len(), present, withheld },
    })
}
