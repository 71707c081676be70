//! What came of asking for a label.

use super::{
    BridgeError, accepted, check,
    contract::{GetLabel, LabelFile, LabelStatus, MadeLabel},
    none, one_line, understood,
};
use crate::http::Answer;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{Problems, RefusalCode, Timestamp, carrier::LabelFormat};

/// What came of asking for a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labelled {
    /// Here it is, made now or before.
    Created(Box<Made>),
    /// It will be made: ask again with the same id.
    Pending,
    /// It was not made, for a reason that may pass: ask again with the same id. A component of a merchant's never says so.
    NotNow {
        /// As with [`Labelled::Failed`].
        code: String,
        /// As with [`Labelled::Failed`].
        reason: String,
    },
    /// It was not made.
    Failed {
        /// Why not, for programs; may be empty.
        code: String,
        /// Why not, for the merchant's people: 1 to 500 characters on one line.
        reason: String,
    },
}

/// A label that a carrier made.
#[derive(Clone, PartialEq, Eq)]
pub struct Made {
    /// What is to be printed: what it is, and its bytes.
    pub file: Option<(LabelFormat, Vec<u8>)>,
    /// What a code says that is shown in place of it.
    pub qr_code: Option<String>,
    /// What scanners read on it; may be empty.
    pub barcode: String,
    /// Who carries it; may be empty.
    pub carrier: String,
    /// The carrier's number; may be empty.
    pub tracking_number: String,
    /// Where to follow it; may be empty.
    pub tracking_url: String,
    /// What whoever made it calls the shipment, where they can be asked about it.
    pub reference: Option<String>,
}

/// Without what stands on it.
impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made").field("format", &self.file.as_ref().map(|(format, _)| format)).finish_non_exhaustive()
    }
}

pub(super) fn labelled(answer: Answer, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
    let answer: MadeLabel = understood(&accepted(answer, now)?)?;
    let reason = answer.reason.as_deref().map(one_line).unwrap_or_default();
    none(check::label(&answer, asked, &reason))?;
    match answer.status {
        LabelStatus::Pending => Ok(Labelled::Pending),
        LabelStatus::Failed => Ok(Labelled::Failed { code: some(answer.error_code).unwrap_or_default(), reason }),
        LabelStatus::Created => made(answer).map(|made| Labelled::Created(Box::new(made))),
    }
}

/// A text without what stands around it; an empty one is none.
fn some(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn made(answer: MadeLabel) -> Result<Made, BridgeError> {
    let file = answer.label.as_ref().map(decoded).transpose().map_err(BridgeError::BadAnswer)?;
    let tracking_number = some(answer.tracking_number).unwrap_or_default();
    Ok(Made {
        file,
        qr_code: some(answer.qr_code),
        barcode: some(answer.barcode).unwrap_or_else(|| tracking_number.clone()),
        carrier: some(answer.carrier).unwrap_or_default(),
        tracking_number,
        tracking_url: some(answer.tracking_url).unwrap_or_default(),
        reference: None,
    })
}

/// The bytes of a file, if they are what they are said to be.
pub(crate) fn decoded(file: &LabelFile) -> Result<(LabelFormat, Vec<u8>), Problems> {
    let wrong = |message: &str| {
        let mut problems = Problems::default();
        problems.add("label.data", RefusalCode::NotAllowed, message);
        problems
    };
    let bytes = STANDARD
        .decode(file.data.trim())
        .map_err(|_| wrong("expected Base64 with the alphabet of RFC 4648, section 4"))?;
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    let is_it = match file.media_type {
        LabelFormat::Pdf => begins(b"%PDF-"),
        LabelFormat::Png => begins(b"\x89PNG\r\n\x1a\n"),
        LabelFormat::Zpl => bytes.trim_ascii_start().starts_with(b"^XA") && std::str::from_utf8(&bytes).is_ok(),
    };
    if is_it { Ok((file.media_type, bytes)) } else { Err(wrong("expected a file of the kind that mediaType says")) }
}
