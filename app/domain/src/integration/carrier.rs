//! The carriers that make labels for an account.

use serde::{Deserialize, Serialize};

/// The carrier of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Carrier {
    /// Retour draws the labels.
    #[default]
    Own,
    /// No carrier: labels are specimens and parcels move automatically. For test accounts.
    Simulated,
    /// The account's bridge makes the labels.
    Bridge,
    /// A karrio server, which has carriers of its own.
    Karrio(Karrio),
}

/// The connection to a karrio server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Karrio {
    /// The base URL, before `/v1`.
    pub url: String,
    /// The merchant's API key; encrypted.
    pub api_key: String,
}

/// Omits the key.
impl std::fmt::Debug for Karrio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Karrio").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Carrier {
    /// The kind of the carrier.
    pub fn kind(&self) -> CarrierKind {
        match self {
            Self::Own => CarrierKind::Own,
            Self::Simulated => CarrierKind::Simulated,
            Self::Bridge => CarrierKind::Bridge,
            Self::Karrio(_) => CarrierKind::Karrio,
        }
    }

    /// The connection, if it is a karrio server.
    pub fn karrio(&self) -> Option<&Karrio> {
        match self {
            Self::Karrio(karrio) => Some(karrio),
            Self::Own | Self::Simulated | Self::Bridge => None,
        }
    }
}

/// The kinds of carrier that can make labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "CarrierKind")]
pub enum CarrierKind {
    /// Retour creates the label with an SSCC. The merchant has their own carrier contract.
    #[default]
    Own,
    /// Retour creates a specimen of a label, and the parcel moves automatically within a minute. For accounts with
    /// `test`.
    Simulated,
    /// The merchant's component creates the label, by `/get-label`: for a `bridge` of the kind `http`.
    Bridge,
    /// The merchant's karrio server creates the label.
    Karrio,
}

string_enum!(CarrierKind);

impl CarrierKind {
    /// Whether another system makes the labels.
    pub fn is_external(self) -> bool {
        match self {
            Self::Own | Self::Simulated => false,
            Self::Bridge | Self::Karrio => true,
        }
    }

    /// Whether it can give the shopper a QR code in place of a printed label. Karrio makes printed labels only.
    pub fn gives_codes(self) -> bool {
        match self {
            Self::Own | Self::Simulated | Self::Bridge => true,
            Self::Karrio => false,
        }
    }

    /// Whether a request without a response may have left a label behind that Retour can find and void. A bridge is
    /// asked again with the same id and answers with the same label.
    pub fn can_void_unconfirmed_labels(self) -> bool {
        match self {
            Self::Own | Self::Simulated | Self::Bridge => false,
            Self::Karrio => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_carriers_stay_readable_and_debug_output_has_no_secret() {
        let own: Carrier = serde_json::from_str(r#"{"kind":"own"}"#).unwrap();
        let bridge: Carrier = serde_json::from_str(r#"{"kind":"bridge"}"#).unwrap();
        let simulated: Carrier = serde_json::from_str(r#"{"kind":"simulated"}"#).unwrap();
        assert_eq!((own, bridge, simulated), (Carrier::Own, Carrier::Bridge, Carrier::Simulated));
        let karrio = Carrier::Karrio(Karrio { url: "https://x".into(), api_key: "sealed".into() });
        let text = serde_json::to_string(&karrio).unwrap();
        assert_eq!(text, r#"{"kind":"karrio","url":"https://x","apiKey":"sealed"}"#);
        assert_eq!(serde_json::from_str::<Carrier>(&text).unwrap(), karrio);
        let printed = format!("{karrio:?}");
        assert!(printed.contains("https://x") && !printed.contains("sealed"), "{printed}");
    }

    #[test]
    fn each_carrier_has_its_kind_and_karrio_an_address() {
        let karrio = Karrio { url: "https://x".into(), api_key: "sealed".into() };
        for (carrier, kind, reached, is_external) in [
            (Carrier::Own, CarrierKind::Own, None, false),
            (Carrier::Simulated, CarrierKind::Simulated, None, false),
            (Carrier::Bridge, CarrierKind::Bridge, None, true),
            (Carrier::Karrio(karrio.clone()), CarrierKind::Karrio, Some(&karrio), true),
        ] {
            assert_eq!((carrier.kind(), carrier.karrio(), kind.is_external()), (kind, reached, is_external));
        }
    }

    #[test]
    fn karrio_gives_no_codes_and_voids_labels_that_nobody_confirmed() {
        for (kind, gives_codes, can_void) in [
            (CarrierKind::Own, true, false),
            (CarrierKind::Simulated, true, false),
            (CarrierKind::Bridge, true, false),
            (CarrierKind::Karrio, false, true),
        ] {
            assert_eq!((kind.gives_codes(), kind.can_void_unconfirmed_labels()), (gives_codes, can_void), "{kind:?}");
        }
    }
}
