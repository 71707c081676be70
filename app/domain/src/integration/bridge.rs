//! Where an account's purchases come from, and where what was decided is carried out (design 5).

use crate::base::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

/// An account's shop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Bridge {
    /// Orders are held here, taken in by the API or by import; resolutions are carried out by whoever asks for them.
    #[default]
    Catalog,
    /// A component of the merchant's own, which speaks the contract that we publish.
    Http(Connection),
    /// A Vendure shop, by its Admin API.
    Vendure(Connection),
    /// A Medusa shop, by its Admin API.
    Medusa(Connection),
}

/// How a shop is reached.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection {
    /// The address before the names of the calls.
    pub url: String,
    /// What signs the calls, or is sent with them as a key; encrypted.
    pub secret: String,
    /// What signs them too for a while, since the secret was replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_secret: Option<PreviousSecret>,
}

/// A secret that was replaced.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviousSecret {
    /// Encrypted.
    pub secret: String,
    /// Until when it signs too.
    pub ends_at: Timestamp,
}

/// Without the secret.
impl std::fmt::Debug for PreviousSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreviousSecret").field("ends_at", &self.ends_at).finish_non_exhaustive()
    }
}

impl Connection {
    /// The secret before the present one, while it signs too.
    pub fn previous_secret(&self, now: Timestamp) -> Option<&str> {
        let still = self.previous_secret.as_ref().filter(|previous| now < previous.ends_at)?;
        Some(&still.secret)
    }
}

/// Without the secrets.
impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The kinds of shop that Retour can read orders from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum BridgeKind {
    /// Retour keeps the orders itself: they are sent by the API or imported.
    Catalog,
    /// A component that the merchant runs, which speaks Retour's own protocol.
    Http,
    /// A Vendure shop, which Retour asks directly.
    Vendure,
    /// A Medusa shop, which Retour asks directly.
    Medusa,
}

impl Bridge {
    /// What kind it is.
    pub fn kind(&self) -> BridgeKind {
        match self {
            Self::Catalog => BridgeKind::Catalog,
            Self::Http(_) => BridgeKind::Http,
            Self::Vendure(_) => BridgeKind::Vendure,
            Self::Medusa(_) => BridgeKind::Medusa,
        }
    }

    /// What tells it from other shops: its kind and address; empty where orders are held here.
    pub fn shop(&self) -> String {
        match self {
            Self::Catalog => String::new(),
            Self::Http(connection) => format!("http {}", connection.url),
            Self::Vendure(connection) => format!("vendure {}", connection.url),
            Self::Medusa(connection) => format!("medusa {}", connection.url),
        }
    }

    /// How it is reached, where it is not here.
    pub fn connection(&self) -> Option<&Connection> {
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

    fn connection() -> Connection {
        let previous_secret = Some(PreviousSecret { secret: "sealed before".into(), ends_at: END });
        Connection { url: "https://x".into(), secret: "sealed".into(), previous_secret }
    }

    #[test]
    fn the_secret_before_signs_until_its_end() {
        let connection = connection();
        assert_eq!(connection.previous_secret(END.plus_seconds(-1)), Some("sealed before"));
        assert_eq!(connection.previous_secret(END), None);
        assert_eq!(Connection { previous_secret: None, ..connection }.previous_secret(END.plus_seconds(-1)), None);
    }

    #[test]
    fn each_shop_is_told_from_others_and_reached_at_its_address() {
        for (bridge, kind, shop, is_reached) in [
            (Bridge::Catalog, BridgeKind::Catalog, "", false),
            (Bridge::Http(connection()), BridgeKind::Http, "http https://x", true),
            (Bridge::Vendure(connection()), BridgeKind::Vendure, "vendure https://x", true),
            (Bridge::Medusa(connection()), BridgeKind::Medusa, "medusa https://x", true),
        ] {
            assert_eq!((bridge.kind(), bridge.shop().as_str()), (kind, shop));
            assert_eq!(bridge.connection(), is_reached.then(connection).as_ref());
        }
    }

    #[test]
    fn what_is_printed_for_programmers_has_no_secret() {
        let connection = connection();
        let printed = format!("{connection:?} {:?}", connection.previous_secret);
        assert!(
            printed.contains("https://x") && printed.contains("ends_at") && !printed.contains("sealed"),
            "{printed}"
        );
    }
}
