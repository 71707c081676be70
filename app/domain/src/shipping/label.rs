//! The label of a parcel.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

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
