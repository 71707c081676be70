//! Where an account's purchases come from, and where what was decided is carried out (design 5).

use crate::Timestamp;
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
