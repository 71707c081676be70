//! The file of a label, out of its Base64.

use super::contract::LabelFile;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::{Problems, RefusalCode, shipping::LabelFormat};

/// Decodes a file, and checks that its first bytes are those of its format.
pub(crate) fn decode(file: &LabelFile) -> Result<(LabelFormat, Vec<u8>), Problems> {
    let invalid = |message: &str| {
        let mut problems = Problems::default();
        problems.add("label.data", RefusalCode::NotAllowed, message);
        problems
    };
    let bytes = STANDARD
        .decode(file.data.trim())
        .map_err(|_| invalid("expected Base64 with the alphabet of RFC 4648, section 4"))?;
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    let has_format = match file.media_type {
        LabelFormat::Pdf => begins(b"%PDF-"),
        LabelFormat::Png => begins(b"\x89PNG\r\n\x1a\n"),
        LabelFormat::Zpl => bytes.trim_ascii_start().starts_with(b"^XA") && std::str::from_utf8(&bytes).is_ok(),
    };
    if has_format {
        Ok((file.media_type, bytes))
    } else {
        Err(invalid("expected a file in the format that mediaType names"))
    }
}
