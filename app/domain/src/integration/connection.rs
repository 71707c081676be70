//! The URL and the secret of a shop system.

use crate::base::timestamp::Timestamp;
use serde::{Deserialize, Serialize};

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
    /// When it stops signing; `None` if that is not known in advance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Timestamp>,
}

/// Omits the secret.
impl std::fmt::Debug for PreviousSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PreviousSecret").field("ends_at", &self.ends_at).finish_non_exhaustive()
    }
}

impl PreviousSecret {
    /// Whether it still signs.
    pub fn signs(&self, now: Timestamp) -> bool {
        self.ends_at.is_none_or(|end| now < end)
    }
}

impl BridgeConnection {
    /// The previous secret, while it still signs.
    pub fn previous_secret(&self, now: Timestamp) -> Option<&str> {
        self.previous_secret.as_ref().filter(|previous| previous.signs(now)).map(|previous| previous.secret.as_str())
    }
}

/// Omits the secrets.
impl std::fmt::Debug for BridgeConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BridgeConnection").field("url", &self.url).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: Timestamp = Timestamp::from_seconds(1_772_366_400);

    fn connection() -> BridgeConnection {
        let previous_secret = Some(PreviousSecret { secret: "sealed before".into(), ends_at: Some(END) });
        BridgeConnection { url: "https://x".into(), secret: "sealed".into(), previous_secret }
    }

    #[test]
    fn the_previous_secret_signs_until_its_end() {
        let connection = connection();
        assert_eq!(connection.previous_secret(END.plus_seconds(-1)), Some("sealed before"));
        assert_eq!(connection.previous_secret(END), None);
        let without_end = Some(PreviousSecret { secret: "sealed before".into(), ends_at: None });
        let connection = BridgeConnection { previous_secret: without_end, ..connection };
        assert_eq!(connection.previous_secret(END), Some("sealed before"));
        assert_eq!(
            BridgeConnection { previous_secret: None, ..connection }.previous_secret(END.plus_seconds(-1)),
            None
        );
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
