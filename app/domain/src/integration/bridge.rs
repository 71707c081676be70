//! Bridges: the shop systems that orders come from and that carry out resolutions.

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
}

/// The connection to a shop system.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BridgeConnection {
    /// The base URL of the calls.
    pub url: String,
    /// The secret that signs the calls, or the API key that they carry; encrypted.
    pub secret: String,
    /// The previous secret, which also signs calls for some time after a replacement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_secret: Option<PreviousSecret>,
}

/// A secret that was replaced.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviousSecret {
    /// The secret, encrypted.
    pub secret: String,
    /// When it stops signing.
    pub ends_at: Timestamp,
}

/// Omits the secret.
impl std::fmt::Debug for PreviousSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreviousSecret").field("ends_at", &self.ends_at).finish_non_exhaustive()
    }
}

impl BridgeConnection {
    /// The previous secret, while it still signs.
    pub fn previous_secret(&self, now: Timestamp) -> Option<&str> {
        let previous = self.previous_secret.as_ref().filter(|previous| now < previous.ends_at)?;
        Some(&previous.secret)
    }
}

/// Omits the secrets.
impl std::fmt::Debug for BridgeConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BridgeConnection").field("url", &self.url).finish_non_exhaustive()
    }
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
}

impl Bridge {
    /// The kind of the shop system.
    pub fn kind(&self) -> BridgeKind {
        match self {
            Self::Catalog => BridgeKind::Catalog,
            Self::Http(_) => BridgeKind::Http,
            Self::Vendure(_) => BridgeKind::Vendure,
            Self::Medusa(_) => BridgeKind::Medusa,
        }
    }

    /// A key that identifies the shop system: its kind and address; empty for the catalog.
    pub fn shop_key(&self) -> String {
        match self {
            Self::Catalog => String::new(),
            Self::Http(connection) => format!("http {}", connection.url),
            Self::Vendure(connection) => format!("vendure {}", connection.url),
            Self::Medusa(connection) => format!("medusa {}", connection.url),
        }
    }

    /// The connection; `None` for the catalog.
    pub fn connection(&self) -> Option<&BridgeConnection> {
        match self {
            Self::Catalog => None,
            Self::Http(connection) | Self::Vendure(connection) | Self::Medusa(connection) => Some(connection),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: Timestamp = Timestamp::from_seconds(1_772_366_400);

    fn connection() -> BridgeConnection {
        let previous_secret = Some(PreviousSecret { secret: "sealed before".into(), ends_at: END });
        BridgeConnection { url: "https://x".into(), secret: "sealed".into(), previous_secret }
    }

    #[test]
    fn the_previous_secret_signs_until_its_end() {
        let connection = connection();
        assert_eq!(connection.previous_secret(END.plus_seconds(-1)), Some("sealed before"));
        assert_eq!(connection.previous_secret(END), None);
        assert_eq!(
            BridgeConnection { previous_secret: None, ..connection }.previous_secret(END.plus_seconds(-1)),
            None
        );
    }

    #[test]
    fn each_shop_has_a_key_and_a_connection() {
        for (bridge, kind, shop, is_reached) in [
            (Bridge::Catalog, BridgeKind::Catalog, "", false),
            (Bridge::Http(connection()), BridgeKind::Http, "http https://x", true),
            (Bridge::Vendure(connection()), BridgeKind::Vendure, "vendure https://x", true),
            (Bridge::Medusa(connection()), BridgeKind::Medusa, "medusa https://x", true),
        ] {
            assert_eq!((bridge.kind(), bridge.shop_key().as_str()), (kind, shop));
            assert_eq!(bridge.connection(), is_reached.then(connection).as_ref());
        }
    }

    #[test]
    fn debug_output_has_no_secret() {
        let connection = connection();
        let printed = format!("{connection:?} {:?}", connection.previous_secret);
        assert!(
            printed.contains("https://x") && printed.contains("ends_at") && !printed.contains("sealed"),
            "{printed}"
        );
    }
}
