//! The label of a parcel.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The label of a parcel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "camelCase")]
pub enum ParcelLabel {
    /// Drawn by Retour on demand.
    #[default]
    Own,
    /// Made by a carrier; its fields are empty until the carrier has made it.
    Carrier(CarrierLabel),
}

/// A label that a carrier made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CarrierLabel {
    /// The file to print; `None` if nothing is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<LabelFile>,
    /// The content of a QR code that replaces a printed label; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qr_code: Option<String>,
    /// The carrier and its id of the shipment, for voiding and tracking. `None` if the carrier supports neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<CarrierReference>,
}

/// The carrier that made a label, and its id of the shipment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarrierReference {
    /// The carrier that made it. The account may have another carrier by now
    /// ([`crate::account::Account::carrier_key`]).
    pub carrier: String,
    /// The carrier's id of the shipment.
    pub id: String,
}

/// A label file from a carrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelFile {
    /// The key of its bytes: a new one each time that a label is fetched.
    pub id: Uuid,
    /// The format of the file.
    pub format: LabelFormat,
}

impl ParcelLabel {
    /// The file from the carrier.
    pub fn file(&self) -> Option<LabelFile> {
        match self {
            Self::Own => None,
            Self::Carrier(label) => label.file,
        }
    }

    /// The formats in which it is available; none if nothing is printed.
    pub fn formats(&self) -> Vec<LabelFormat> {
        match self {
            Self::Own => vec![LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl],
            Self::Carrier(label) => label.file.iter().map(|file| file.format).collect(),
        }
    }

    /// The carrier's id of the shipment, if the carrier supports voiding or tracking.
    pub fn reference(&self) -> Option<&CarrierReference> {
        match self {
            Self::Own => None,
            Self::Carrier(label) => label.reference.as_ref(),
        }
    }

    /// The content of the QR code that replaces a printed label.
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

string_enum!(LabelFormat);

impl LabelFormat {
    /// The media type. The language of label printers has no registered one.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Png => "image/png",
            Self::Zpl => "application/zpl",
        }
    }

    /// The file name extension.
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
    fn a_label_has_what_its_carrier_gave() {
        let own = ParcelLabel::Own;
        assert_eq!((own.file(), own.reference(), own.qr_code()), (None, None, None));
        assert_eq!(own.formats(), [LabelFormat::Pdf, LabelFormat::Png, LabelFormat::Zpl], "Retour draws every format");
        let file = LabelFile { id: Uuid::from_u128(7), format: LabelFormat::Zpl };
        let reference = CarrierReference { carrier: "karrio https://x".into(), id: "shp_1".into() };
        let label = CarrierLabel { file: Some(file), qr_code: Some("code".into()), reference: Some(reference.clone()) };
        let given = ParcelLabel::Carrier(label);
        assert_eq!((given.file(), given.reference(), given.qr_code()), (Some(file), Some(&reference), Some("code")));
        assert_eq!(given.formats(), [LabelFormat::Zpl]);
        assert!(ParcelLabel::Carrier(CarrierLabel::default()).formats().is_empty(), "nothing is printed");
    }

    #[test]
    fn formats_have_media_types_and_extensions() {
        for (format, media_type, extension) in [
            (LabelFormat::Pdf, "application/pdf", "pdf"),
            (LabelFormat::Png, "image/png", "png"),
            (LabelFormat::Zpl, "application/zpl", "zpl"),
        ] {
            assert_eq!((format.media_type(), format.extension()), (media_type, extension));
        }
    }
}
