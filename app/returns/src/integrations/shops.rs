//! The connection to the shop behind an account.

use crate::base::{Error, OrBroken, Result, Retour};
use domain::{
    Timestamp,
    account::Account,
    integration::{self, BridgeKind, ShopifyAccess},
    policy::Resolution,
};
use outbound::{
    api_key::ApiKey,
    bridge::{BridgeError, LookUp, contract::GetPurchases},
    http::Endpoint,
    shops::{
        http::Bridge,
        medusa::{self, Medusa},
        shopify::{self, Shopify, ShopifyCredentials},
        vendure::{self, Vendure},
    },
    webhook::Secret,
};
use std::time::Duration;

/// The longest time that a call to a shop takes, seconds.
const CALL_SECONDS: i64 = 30;

/// A shop that Retour can call.
pub enum ShopConnection {
    /// A bridge over HTTP.
    Http(Box<Bridge>),
    /// A Vendure shop.
    Vendure(Vendure),
    /// A Medusa shop.
    Medusa(Medusa),
    /// A Shopify shop.
    Shopify(Box<Shopify>),
}

impl ShopConnection {
    /// The subject of a sentence about this shop.
    pub fn who(&self) -> &'static str {
        match self {
            Self::Http(_) => "The bridge",
            Self::Vendure(_) | Self::Medusa(_) => "The shop",
            Self::Shopify(_) => "Shopify",
        }
    }

    /// How many seconds after a call the shop may still be working on it, even if this instance has crashed.
    pub fn held_for(&self) -> i64 {
        let after = match self {
            Self::Http(_) => Duration::ZERO, // bridges are idempotent: a call may be repeated at any time
            Self::Vendure(_) => vendure::IN_FLIGHT_LIMIT,
            Self::Medusa(_) => medusa::IN_FLIGHT_LIMIT,
            Self::Shopify(_) => shopify::IN_FLIGHT_LIMIT,
        };
        i64::try_from(after.as_secs()).unwrap_or(i64::MAX).saturating_add(CALL_SECONDS)
    }

    pub(crate) async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        match self {
            Self::Http(bridge) => bridge.get_purchases(asked, now).await,
            Self::Vendure(vendure) => vendure.get_purchases(asked, now).await,
            Self::Medusa(medusa) => medusa.get_purchases(asked, now).await,
            Self::Shopify(shopify) => Box::pin(shopify.get_purchases(asked, now)).await,
        }
    }
}

impl Retour {
    /// The shop of a connection. Its settings were validated when they were saved, so an invalid one here is a bug.
    pub(crate) fn shop(&self, account: &Account, connection: &integration::BridgeConnection) -> Result<ShopConnection> {
        let http = self.config.http.clone().or_broken()?;
        let url = Endpoint::parse(&connection.url).or_broken()?;
        let opened = self.open_bridge_secret(account.id, &connection.secret)?;
        match account.bridge.kind() {
            BridgeKind::Catalog => Err(Error::broken()),
            BridgeKind::Http => {
                let read = |opened: &str| Secret::parse(opened).or_broken();
                let previous = connection.previous_secret(self.now());
                let previous =
                    previous.map(|sealed| read(&self.open_bridge_secret(account.id, sealed)?)).transpose()?;
                let bridge = Bridge::new(http, &url, read(&opened)?, previous).or_broken()?;
                Ok(ShopConnection::Http(Box::new(bridge)))
            }
            BridgeKind::Vendure => {
                let key = ApiKey::parse(&opened).or_broken()?;
                Ok(ShopConnection::Vendure(Vendure::new(http, &url, key).or_broken()?))
            }
            BridgeKind::Medusa => {
                let key = ApiKey::parse(&opened).or_broken()?;
                Ok(ShopConnection::Medusa(Medusa::new(http, &url, key).or_broken()?))
            }
            BridgeKind::Shopify => {
                let shopify = account.bridge.shopify().or_broken()?;
                let credentials = match &shopify.access {
                    ShopifyAccess::App { client_id } => ShopifyCredentials::App {
                        client_id: client_id.clone(),
                        client_secret: ApiKey::parse(&opened).or_broken()?,
                    },
                    ShopifyAccess::Token { access_token } => {
                        let token = self.open_bridge_secret(account.id, access_token)?;
                        ShopifyCredentials::Token(ApiKey::parse(&token).or_broken()?)
                    }
                };
                let tokens = self.shopify_tokens.clone();
                let shop = Shopify::new(http, tokens, &url, shopify.version, credentials).or_broken()?;
                let mirrors = account.bridge.mirrors_returns();
                // An exchange needs a return in Shopify.
                let offers = mirrors && account.policy.resolutions.contains(&Resolution::Exchange);
                let shop = shop.reading_returns(mirrors).offering_exchanges(offers).with_duties(shopify.duties);
                Ok(ShopConnection::Shopify(Box::new(shop)))
            }
        }
    }
}
