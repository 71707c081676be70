//! What scanners read, as modules without a size: the page decides how large a module is printed.

use barcoders::sym::code128::Code128;
use qrcode::{Color, EcLevel, QrCode, Version};

use crate::labels::{LabelError, Sscc};

/// Switches Code 128 to character set C (two digits a symbol), in the notation of `barcoders`.
const SET_C: char = '\u{0106}';
/// FNC1 right after the start makes a Code 128 a GS1-128 (GS1 General Specifications,
/// "GS1-128 symbology").
const FNC1: char = '\u{0179}';
/// The application identifier of an SSCC.
const AI_SSCC: &str = "00";

/// The largest QR symbol that a label has room for at a module that home printers and phones manage.
const QR_VERSIONS: std::ops::RangeInclusive<i16> = 1..=12;

/// Modules of the GS1-128 of an SSCC, from the first bar to the last: `true` is black.
pub fn gs1_128(sscc: &Sscc) -> Result<Vec<bool>, LabelError> {
    let data = format!("{SET_C}{FNC1}{AI_SSCC}{sscc}");
    let code = Code128::new(data).map_err(|error| LabelError::Barcode(error.to_string()))?;
    Ok(code.encode().into_iter().map(|module| module == 1).collect())
}

/// The rows of the QR code of `content`, without its quiet zone: `true` is black.
pub fn qr(content: &str) -> Result<Vec<Vec<bool>>, LabelError> {
    // Level M survives a scratch or a fold; the smallest version that holds the content prints largest.
    let code = QR_VERSIONS
        .into_iter()
        .find_map(|version| QrCode::with_version(content, Version::Normal(version), EcLevel::M).ok())
        .ok_or(LabelError::QrTooLong { bytes: content.len() })?;
    let width = code.width();
    let modules = code.into_colors();
    Ok(modules.chunks(width).map(|row| row.iter().map(|module| *module == Color::Dark).collect()).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_sscc_has_156_modules() {
        // Start, FNC1, ten pairs of digits and the check symbol of 11 modules each, and the stop of 13.
        let bars = gs1_128(&Sscc::new("9521234", 0, 1).unwrap()).unwrap();
        assert_eq!(bars.len(), 156);
        assert!(bars.first().unwrap() & bars.last().unwrap());
    }

    #[test]
    fn a_qr_code_is_square_and_bounded() {
        let rows = qr("RET-2026-0001").unwrap();
        assert!(rows.iter().all(|row| row.len() == rows.len()));
        assert_eq!(qr(&"x".repeat(287)).unwrap().len(), 65);
        assert_eq!(qr(&"x".repeat(288)), Err(LabelError::QrTooLong { bytes: 288 }));
    }
}
