//! Who makes the labels of an account's parcels (design 5), and what is known of a label.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An account's carrier.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Carrier {
    /// We draw its labels.
    #[default]
    Own,
    /// No carrier: labels are specimens, and parcels move by themselves. For test accounts.
    Simulated,
    /// The account's bridge.
    Bridge,
    /// A karrio server, with carriers of its own behind it.
    Karrio(Karrio),
}

/// How a karrio server is reached.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Karrio {
    /// The address before `/v1`.
    pub url: String,
    /// What it knows the merchant by; encrypted.
    pub api_key: String,
}

/// Without the key.
impl std::fmt::Debug for Karrio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Karrio").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Carrier {
    /// Of what kind it is.
    pub fn kind(&self) -> CarrierKind {
        match self {
            Self::Own => CarrierKind::Own,
            Self::Simulated => CarrierKind::Simulated,
            Self::Bridge => CarrierKind::Bridge,
            Self::Karrio(_) => CarrierKind::Karrio,
        }
    }

    /// How it is reached, where it is a karrio server.
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
    /// Retour creates a specimen of a label, and the parcel moves by itself within a minute. For accounts with `test`.
    Simulated,
    /// The merchant's component creates the label, by `/get-label`: for a `bridge` of the kind `http`.
    Bridge,
    /// The merchant's karrio server creates the label.
    Karrio,
}

words!(CarrierKind);

impl CarrierKind {
    /// Whether another system makes the labels.
    pub fn is_asked(self) -> bool {
        match self {
            Self::Own | Self::Simulated => false,
            Self::Bridge | Self::Karrio => true,
        }
    }
}

/// A parcel's label.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "camelCase")]
pub enum ParcelLabel {
    /// Drawn by us whenever it is asked for.
    #[default]
    Own,
    /// Made by a carrier; nothing is known of it until it is there.
    Carrier(CarrierLabel),
}

/// What a carrier gave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CarrierLabel {
    /// The file that is to be printed; `None` where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<LabelFile>,
    /// What a code says that is shown in place of a label; `None` where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qr_code: Option<String>,
    /// Who made it, and what they call the shipment: it is voided and followed by that. `None` where nobody can be asked to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<CarrierReference>,
}

/// A shipment as whoever made its label knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarrierReference {
    /// Who made it: the account's carrier may be another one by now ([`crate::order::Account::carrier_name`]).
    pub carrier: String,
    /// What they call the shipment.
    pub id: String,
}

/// A file that a carrier gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelFile {
    /// By which its bytes are found: each time that a label is fetched another one.
    pub id: Uuid,
    /// What it is.
    pub format: LabelFormat,
}

impl ParcelLabel {
    /// The file that a carrier gave.
    pub fn file(&self) -> Option<LabelFile> {
        match self {
            Self::Own => None,
            Self::Carrier(label) => label.file,
        }
    }

    /// What it can be had as; nothing where nothing is printed.
    pub fn formats(&self) -> Vec<LabelFormat> {
        match self {
            Self::Own => vec![LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl],
            Self::Carrier(label) => label.file.iter().map(|file| file.format).collect(),
        }
    }

    /// What its maker calls the shipment, where it can be asked about it.
    pub fn reference(&self) -> Option<&CarrierReference> {
        match self {
            Self::Own => None,
            Self::Carrier(label) => label.reference.as_ref(),
        }
    }

    /// What the code says that is shown in place of a label, where a carrier said so.
    pub fn qr_code(&self) -> Option<&str> {
        match self {
            Self::Own => None,
            Self::Carrier(label) => label.qr_code.as_deref(),
        }
    }
}

/// The file formats that labels can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(remote = "LabelFormat")]
pub enum LabelFormat {
    /// A page to print.
    #[serde(rename = "application/pdf")]
    Pdf,
    /// A picture for a screen.
    #[serde(rename = "image/png")]
    Png,
    /// Commands for a label printer.
    #[serde(rename = "application/zpl")]
    Zpl,
}

words!(LabelFormat);

impl LabelFormat {
    /// Its media type. Label printers' own language has no registered one.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Zpl => "application/zpl",
        }
    }

    /// How names of such files end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Png => "png",
            Self::Zpl => "zpl",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_before_and_tells_no_secret() {
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
        for (carrier, kind, reached, is_asked) in [
            (Carrier::Own, CarrierKind::Own, None, false),
            (Carrier::Simulated, CarrierKind::Simulated, None, false),
            (Carrier::Bridge, CarrierKind::Bridge, None, true),
            (Carrier::Karrio(karrio.clone()), CarrierKind::Karrio, Some(&karrio), true),
        ] {
            assert_eq!((carrier.kind(), carrier.karrio(), kind.is_asked()), (kind, reached, is_asked));
        }
    }

    #[test]
    fn a_label_is_what_its_maker_gave() {
        let own = ParcelLabel::Own;
        assert_eq!((own.file(), own.reference(), own.qr_code()), (None, None, None));
        assert_eq!(own.formats(), [LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl], "we draw it as any");
        let file = LabelFile { id: Uuid::from_u128(7), format: LabelFormat::Zpl };
        let reference = CarrierReference { carrier: "karrio https://x".into(), id: "shp_1".into() };
        let label = CarrierLabel { file: Some(file), qr_code: Some("code".into()), reference: Some(reference.clone()) };
        let given = ParcelLabel::Carrier(label);
        assert_eq!((given.file(), given.reference(), given.qr_code()), (Some(file), Some(&reference), Some("code")));
        assert_eq!(given.formats(), [LabelFormat::Zpl]);
        assert!(ParcelLabel::Carrier(CarrierLabel::default()).formats().is_empty(), "nothing is printed");
    }

    #[test]
    fn files_of_labels_are_told_apart() {
        for (format, media_type, extension) in [
            (LabelFormat::Pdf, "application/pdf", "pdf"),
            (LabelFormat::Png, "image/png", "png"),
            (LabelFormat::Zpl, "application/zpl", "zpl"),
        ] {
            assert_eq!((format.media_type(), format.extension()), (media_type, extension));
        }
    }
}
