//! The connection to a Shopify shop.

use super::connection::{BridgeConnection, PreviousSecret};
use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A Shopify shop, by its GraphQL Admin API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShopifyConnection {
    /// The shop's own URL, and the app's secret: the client secret, or the API secret key of a custom app. Shopify signs its
    /// webhooks with that secret.
    #[serde(flatten)]
    pub connection: BridgeConnection,
    /// The secret that was replaced last, if [`BridgeConnection::previous_secret`] is an older one which may still sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_previous_secret: Option<PreviousSecret>,
    /// The version of the Admin API that Retour calls.
    pub version: ShopifyVersion,
    /// How Retour gets an access token.
    pub access: ShopifyAccess,
    /// What Shopify's admin shows of returns.
    #[serde(default, skip_serializing_if = "ShopifyReturns::is_default")]
    pub returns: ShopifyReturns,
    /// Whether duties come back with units.
    #[serde(default, skip_serializing_if = "ShopifyDuties::is_default")]
    pub duties: ShopifyDuties,
}

impl ShopifyConnection {
    /// The secrets that were replaced and may still sign, the oldest first.
    pub fn previous_secrets(&self, now: Timestamp) -> impl Iterator<Item = &PreviousSecret> {
        let all = [&self.connection.previous_secret, &self.latest_previous_secret];
        all.into_iter().flatten().filter(move |previous| previous.signs(now))
    }

    /// When the last of them stops signing; `None` without one that has an end.
    pub fn previous_secrets_end_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.previous_secrets(now).filter_map(|previous| previous.ends_at).max()
    }

    /// Removes the secrets that were replaced, or of these only those that no longer sign. Returns whether there were any.
    pub fn remove_previous_secrets(&mut self, which: RemovedSecrets) -> bool {
        let all = [&mut self.connection.previous_secret, &mut self.latest_previous_secret];
        let removed = all.into_iter().filter_map(|previous| match which {
            RemovedSecrets::All => previous.take(),
            RemovedSecrets::Ended(now) => previous.take_if(|previous| !previous.signs(now)),
        });
        removed.count() > 0
    }
}

/// Which of the replaced secrets are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovedSecrets {
    /// All of them.
    All,
    /// Those that no longer sign at this time.
    Ended(Timestamp),
}

/// What Shopify's admin shows of returns. A change applies to returns that are submitted from then on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "ShopifyReturns")]
pub enum ShopifyReturns {
    /// Their refunds only.
    #[default]
    Refunds,
    /// The returns themselves, through which Retour refunds.
    Mirror,
}

string_enum!(ShopifyReturns);

/// Whether the duties that a shopper paid come back with units. A change applies to orders that are read from then on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "ShopifyDuties")]
pub enum ShopifyDuties {
    /// They stay with the shop.
    #[default]
    Keep,
    /// Units that come back give their share of the duties.
    Refund,
}

string_enum!(ShopifyDuties);

impl ShopifyDuties {
    /// Whether this is the value of a connection that was stored without one.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl ShopifyReturns {
    /// Whether this is the value of a connection that was stored without one.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How Retour gets an access token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ShopifyAccess {
    /// An app of Shopify's developer dashboard: Retour exchanges the client id and the client secret for tokens that last a
    /// day (OAuth 2.0, client credentials grant).
    App {
        /// The client id, which is no secret.
        client_id: String,
    },
    /// A custom app that was created in the shop's admin, whose token has no end.
    Token {
        /// The access token; encrypted.
        access_token: String,
    },
}

/// Omits the token.
impl std::fmt::Debug for ShopifyAccess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::App { client_id } => f.debug_struct("App").field("client_id", client_id).finish(),
            Self::Token { .. } => f.debug_struct("Token").finish_non_exhaustive(),
        }
    }
}

/// How many days before a version may end a warning begins.
const WARNED_DAYS: u32 = 90;

/// A version of Shopify's Admin API that Retour knows. Shopify supports each version for at least a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "ShopifyVersion")]
pub enum ShopifyVersion {
    /// July 2026.
    #[serde(rename = "2026-07")]
    V202607,
    /// October 2026.
    #[serde(rename = "2026-10")]
    V202610,
}

string_enum!(ShopifyVersion);

impl ShopifyVersion {
    /// All versions, the oldest first.
    pub const ALL: [Self; 2] = [Self::V202607, Self::V202610];
    /// The version of a new connection.
    pub const LATEST: Self = Self::V202610;

    /// The version's name in URLs.
    pub fn name(self) -> &'static str {
        match self {
            Self::V202607 => "2026-07",
            Self::V202610 => "2026-10",
        }
    }

    /// The first day on which Shopify may stop answering this version, as `YYYY-MM-DD`: a year after its release.
    pub fn may_end_on(self) -> &'static str {
        match self {
            Self::V202607 => "2027-07-01",
            Self::V202610 => "2027-10-01",
        }
    }

    /// What has to be done before Shopify may stop answering this version, in a sentence; `None` while that is more than
    /// [`WARNED_DAYS`] away.
    pub fn warning(self, now: Timestamp) -> Option<String> {
        let (name, end) = (self.name(), self.may_end_on());
        let ends_at = Timestamp::parse(&format!("{end}T00:00:00Z"))?;
        if ends_at > now.plus_days(WARNED_DAYS) {
            return None;
        }
        let action = if self == Self::LATEST {
            "update Retour to a version that knows a newer one".to_owned()
        } else {
            format!("set the connection's version to {}", Self::LATEST.name())
        };
        Some(format!("Shopify may stop answering version {name} of its API on {end}: {action}."))
    }
}

impl std::str::FromStr for ShopifyVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|version| version.name() == text);
        known.ok_or_else(|| format!("expected one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::integration::Bridge;

    #[test]
    fn a_stored_connection_is_flat_and_debug_output_has_no_secret() {
        let stored = r#"{"kind":"shopify","url":"https://x.myshopify.com/","secret":"sealed","version":"2026-10","access":{"kind":"token","accessToken":"sealed too"}}"#;
        let bridge: Bridge = serde_json::from_str(stored).unwrap();
        assert_eq!(serde_json::to_string(&bridge).unwrap(), stored);
        assert!(!format!("{bridge:?}").contains("sealed"), "{bridge:?}");
        assert!(format!("{bridge:?}").contains("Token"), "{bridge:?}");
        let app = r#"{"kind":"app","clientId":"abc"}"#;
        let access: ShopifyAccess = serde_json::from_str(app).unwrap();
        assert_eq!(access, ShopifyAccess::App { client_id: "abc".to_owned() });
    }

    #[test]
    fn replaced_secrets_are_removed_after_their_end_or_all_at_once() {
        const END: Timestamp = Timestamp::from_seconds(1_772_366_400);
        let ends = |days| Some(PreviousSecret { secret: "sealed".to_owned(), ends_at: Some(END.plus_days(days)) });
        let stored = r#"{"kind":"shopify","url":"https://x.myshopify.com/","secret":"sealed","version":"2026-10","access":{"kind":"app","clientId":"abc"}}"#;
        let Ok(Bridge::Shopify(before)) = serde_json::from_str(stored) else { panic!("a connection") };
        let mut shopify = *before.clone();
        (shopify.connection.previous_secret, shopify.latest_previous_secret) = (ends(0), ends(9));
        assert!(!shopify.remove_previous_secrets(RemovedSecrets::Ended(END.plus_seconds(-1))));
        assert_eq!(shopify.previous_secrets_end_at(END), Some(END.plus_days(9)));
        let mut at_once = shopify.clone();
        assert!(shopify.remove_previous_secrets(RemovedSecrets::Ended(END)));
        assert_eq!((&shopify.connection.previous_secret, &shopify.latest_previous_secret), (&None, &ends(9)));
        assert_eq!(shopify.previous_secrets_end_at(END.plus_days(9)), None, "it is stored, but signs no more");
        assert!(at_once.remove_previous_secrets(RemovedSecrets::All) && at_once == *before);
        assert!(!at_once.remove_previous_secrets(RemovedSecrets::All));
    }

    #[test]
    fn a_connection_that_was_stored_before_shows_refunds_only() {
        let stored = r#"{"kind":"shopify","url":"https://x.myshopify.com/","secret":"sealed","version":"2026-10","access":{"kind":"app","clientId":"abc"}}"#;
        let mirroring = stored.replace(r#""access""#, r#""returns":"mirror","access""#);
        let returns = |stored: &str| {
            let bridge: Bridge = serde_json::from_str(stored).unwrap();
            (bridge.shopify().unwrap().returns, bridge.mirrors_returns())
        };
        assert_eq!(returns(stored), (ShopifyReturns::Refunds, false));
        assert_eq!(returns(&mirroring), (ShopifyReturns::Mirror, true));
    }

    #[test]
    fn a_version_has_a_warning_before_it_ends() {
        let at = |text: &str| Timestamp::parse(text).unwrap();
        let (before, after) = (at("2027-04-01T23:59:59Z"), at("2027-04-02T00:00:00Z"));
        assert_eq!(ShopifyVersion::V202607.warning(before), None);
        let warning = ShopifyVersion::V202607.warning(after).unwrap();
        assert!(warning.contains("2026-07 of its API on 2027-07-01: set the connection's version to"), "{warning}");
        assert_eq!(ShopifyVersion::LATEST.warning(after), None);
        let latest = ShopifyVersion::LATEST.warning(at("2030-01-01T00:00:00Z")).unwrap();
        assert!(latest.ends_with(": update Retour to a version that knows a newer one."), "{latest}");
    }

    #[test]
    fn each_version_has_one_name() {
        for version in ShopifyVersion::ALL {
            assert_eq!(version.name().parse(), Ok(version));
            assert_eq!(serde_json::to_string(&version).unwrap(), format!("\"{}\"", version.name()));
        }
        assert_eq!("2025-01".parse::<ShopifyVersion>(), Err("expected one of 2026-07, 2026-10".to_owned()));
    }
}
