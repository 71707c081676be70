//! The barcode and the QR code of a label, as modules without a size. The layout decides the size of a module.

use barcoders::sym::code128::Code128;
use qrcode::{Color, EcLevel, QrCode, Version};

use super::{label::LabelError, sscc::Sscc};

/// Switches Code 128 to character set C (two digits a symbol), in the notation of `barcoders`.
const SET_C: char = '\u{0106}';
/// Switches Code 128 to character set B: printable ASCII.
const SET_B: char = '\u{0181}';
/// FNC1 after the start symbol turns a Code 128 into a GS1-128 (GS1 General Specifications, "GS1-128 symbology").
const FNC1: char = '\u{0179}';
/// The application identifier of an SSCC.
const AI_SSCC: &str = "00";

/// The QR versions that a label has room for, with modules large enough for home printers and phones.
const QR_VERSIONS: std::ops::RangeInclusive<i16> = 1..=12;

/// The modules of an SSCC's GS1-128, from the first bar to the last; `true` is black.
pub fn gs1_128(sscc: &Sscc) -> Result<Vec<bool>, LabelError> {
    let data = format!("{SET_C}{FNC1}{AI_SSCC}{sscc}");
    let code = Code128::new(data).map_err(|error| LabelError::Barcode(error.to_string()))?;
    Ok(code.encode().into_iter().map(|module| module == 1).collect())
}

/// The modules of a text's Code 128, from the first bar to the last; `true` is black. The text is printable ASCII.
pub fn code_128(text: &str) -> Result<Vec<bool>, LabelError> {
    let code = Code128::new(format!("{SET_B}{text}")).map_err(|error| LabelError::Barcode(error.to_string()))?;
    Ok(code.encode().into_iter().map(|module| module == 1).collect())
}

/// The rows of a QR code without its quiet zone; `true` is black.
pub fn qr(content: &str) -> Result<Vec<Vec<bool>>, LabelError> {
    // Level M survives a scratch or a fold. The smallest version that holds the content has the largest modules.
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
        // Start, FNC1, ten pairs of digits and the check symbol have 11 modules each; the stop has 13.
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
