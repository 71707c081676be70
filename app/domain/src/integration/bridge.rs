//! Bridges: the shop systems that orders come from and that carry out resolutions.

use super::{
    connection::BridgeConnection,
    shopify::{ShopifyAccess, ShopifyConnection, ShopifyReturns},
};
use crate::base::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

/// The shop system of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Bridge {
    /// Retour stores the orders, which arrive by the API or by import. Another system carries out resolutions and
    /// reports them.
    #[default]
    Catalog,
    /// A component that the merchant runs, which implements our published contract.
    Http(BridgeConnection),
    /// A Vendure shop, by its Admin API.
    Vendure(BridgeConnection),
    /// A Medusa shop, by its Admin API.
    Medusa(BridgeConnection),
    /// A Shopify shop, by its GraphQL Admin API.
    Shopify(Box<ShopifyConnection>),
}

/// The kinds of shop that Retour can read orders from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum BridgeKind {
    /// Retour stores the orders, which arrive by the API or by import.
    Catalog,
    /// A component that the merchant runs, which implements Retour's own protocol.
    Http,
    /// A Vendure shop, which Retour calls directly.
    Vendure,
    /// A Medusa shop, which Retour calls directly.
    Medusa,
    /// A Shopify shop, which Retour calls directly.
    Shopify,
}

impl Bridge {
    /// The kind of the shop system.
    pub fn kind(&self) -> BridgeKind {
        match self {
            Self::Catalog => BridgeKind::Catalog,
            Self::Http(_) => BridgeKind::Http,
            Self::Vendure(_) => BridgeKind::Vendure,
            Self::Medusa(_) => BridgeKind::Medusa,
            Self::Shopify(_) => BridgeKind::Shopify,
        }
    }

    /// A key that identifies the shop system: its kind and address; empty for the catalog.
    pub fn shop_key(&self) -> String {
        match self {
            Self::Catalog => String::new(),
            Self::Http(connection) => format!("http {}", connection.url),
            Self::Vendure(connection) => format!("vendure {}", connection.url),
            Self::Medusa(connection) => format!("medusa {}", connection.url),
            Self::Shopify(shopify) => format!("shopify {}", shopify.connection.url),
        }
    }

    /// The connection; `None` for the catalog.
    pub fn connection(&self) -> Option<&BridgeConnection> {
        match self {
            Self::Catalog => None,
            Self::Http(connection) | Self::Vendure(connection) | Self::Medusa(connection) => Some(connection),
            Self::Shopify(shopify) => Some(&shopify.connection),
        }
    }

    /// What only a Shopify shop has.
    pub fn shopify(&self) -> Option<&ShopifyConnection> {
        match self {
            Self::Shopify(shopify) => Some(shopify),
            Self::Catalog | Self::Http(_) | Self::Vendure(_) | Self::Medusa(_) => None,
        }
    }

    /// Whether returns that are submitted now appear in the shop.
    pub fn mirrors_returns(&self) -> bool {
        self.shopify().is_some_and(|shopify| shopify.returns == ShopifyReturns::Mirror)
    }

    /// All encrypted secrets that calls need at a time.
    pub fn sealed_secrets(&self, now: Timestamp) -> Vec<&str> {
        let Some(connection) = self.connection() else { return Vec::new() };
        let token = match self.shopify().map(|shopify| &shopify.access) {
            Some(ShopifyAccess::Token { access_token }) => Some(access_token.as_str()),
            Some(ShopifyAccess::App { .. }) | None => None,
        };
        let latest = self.shopify().and_then(|shopify| shopify.latest_previous_secret.as_ref());
        let latest = latest.filter(|previous| previous.signs(now)).map(|previous| previous.secret.as_str());
        let present = Some(connection.secret.as_str());
        [present, connection.previous_secret(now), latest, token].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integration::{PreviousSecret, ShopifyDuties, ShopifyVersion};

    const END: Timestamp = Timestamp::from_seconds(1_772_366_400);

    fn shopify() -> Bridge {
        Bridge::Shopify(Box::new(ShopifyConnection {
            connection: connection(),
            latest_previous_secret: Some(PreviousSecret { secret: "sealed since".into(), ends_at: Some(END) }),
            version: ShopifyVersion::LATEST,
            access: ShopifyAccess::Token { access_token: "sealed token".into() },
            returns: ShopifyReturns::Refunds,
            duties: ShopifyDuties::default(),
        }))
    }

    fn connection() -> BridgeConnection {
        let previous_secret = Some(PreviousSecret { secret: "sealed before".into(), ends_at: Some(END) });
        BridgeConnection { url: "https://x".into(), secret: "sealed".into(), previous_secret }
    }

    #[test]
    fn each_shop_has_a_key_and_a_connection() {
        for (bridge, kind, shop, is_reached) in [
            (Bridge::Catalog, BridgeKind::Catalog, "", false),
            (Bridge::Http(connection()), BridgeKind::Http, "http https://x", true),
            (Bridge::Vendure(connection()), BridgeKind::Vendure, "vendure https://x", true),
            (Bridge::Medusa(connection()), BridgeKind::Medusa, "medusa https://x", true),
            (shopify(), BridgeKind::Shopify, "shopify https://x", true),
        ] {
            assert_eq!((bridge.kind(), bridge.shop_key().as_str()), (kind, shop));
            assert_eq!(bridge.connection(), is_reached.then(connection).as_ref());
        }
    }

    #[test]
    fn each_secret_that_calls_need_is_listed() {
        assert!(Bridge::Catalog.sealed_secrets(END).is_empty());
        assert_eq!(Bridge::Http(connection()).sealed_secrets(END), ["sealed"]);
        assert_eq!(Bridge::Http(connection()).sealed_secrets(END.plus_seconds(-1)), ["sealed", "sealed before"]);
        assert_eq!(shopify().sealed_secrets(END), ["sealed", "sealed token"]);
        let all = ["sealed", "sealed before", "sealed since", "sealed token"];
        assert_eq!(shopify().sealed_secrets(END.plus_seconds(-1)), all);
    }
}
