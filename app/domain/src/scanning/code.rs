//! A scanned code without what scanners and carriers add around it.

use super::check_digits::{has_fedex_mod_11, has_mod_10, is_digits};

/// The longest code, in characters.
pub const MAX_CODE_CHARS: usize = 200;

/// The digits of a serial shipping container code (GS1).
const SSCC_DIGITS: usize = 18;
/// The digits of a global trade item number in a GS1 barcode.
const GTIN_DIGITS: usize = 14;
/// The lengths of the trade item numbers that products have printed: EAN-13, UPC-A, EAN-8.
const SHORT_GTINS: [usize; 3] = [13, 12, 8];
/// The digits of a USPS parcel number.
const USPS_DIGITS: [usize; 2] = [22, 26];
/// The digits of a ZIP code behind USPS's `420`, without and with ZIP+4.
const ZIP_DIGITS: [usize; 2] = [5, 9];
/// The digits of FedEx's long barcodes, and of the tracking numbers that end them.
const FEDEX_LONG: usize = 34;
const FEDEX_GROUND_96: usize = 22;
const FEDEX_CHECKED: usize = 14;
const FEDEX_EXPRESS: usize = 12;
const FEDEX_GROUND: usize = 15;

/// A code as it was read, and the numbers that it may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedCode {
    /// The code without control characters, spaces around it and its symbology identifier.
    text: String,
    /// Numbers of parcels that it contains.
    parcels: Vec<String>,
    /// Numbers of products that it contains.
    products: Vec<String>,
}

impl ScannedCode {
    /// Reads a code. `None` if nothing is left of it, or if it is longer than any code.
    pub fn read(raw: &str) -> Option<Self> {
        if raw.chars().count() > MAX_CODE_CHARS {
            return None;
        }
        let visible: String = raw.chars().filter(|c| !c.is_control()).collect();
        let visible = visible.trim();
        let text = without_identifier(visible).trim();
        if text.is_empty() {
            return None;
        }
        let parcels = sscc(text).or_else(|| usps(text)).or_else(|| fedex(text));
        let products = if visible.len() == text.len() { Vec::new() } else { gtins(text) };
        Some(Self { text: text.to_owned(), parcels: parcels.map(str::to_owned).into_iter().collect(), products })
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The barcodes and tracking numbers that a parcel with this code may have: the text itself, and the number that a
    /// carrier's code contains.
    pub fn parcel_numbers(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.as_str()).chain(self.parcels.iter().map(String::as_str))
    }

    /// Whether this is the code of a product with that barcode or that stock-keeping unit.
    pub fn is_of_product(&self, barcode: &str, sku: &str) -> bool {
        let is_it = |known: &str| {
            let known = known.trim();
            !known.is_empty()
                && (known.eq_ignore_ascii_case(&self.text)
                    || is_same_gtin(known, &self.text)
                    || self.products.iter().any(|code| is_same_gtin(known, code)))
        };
        is_it(barcode) || is_it(sku)
    }
}

/// The barcode of a parcel's label as it is stored: of GS1-128, with its symbology identifier `]C1` or without, the
/// SSCC behind the application identifier 00. Empty if the text is no code.
pub fn label_barcode(text: &str) -> String {
    let code = ScannedCode::read(text);
    let stored = code.as_ref().map(|code| sscc(code.as_str()).unwrap_or(code.as_str()));
    stored.unwrap_or_default().to_owned()
}

/// A code without its symbology identifier (ISO/IEC 15424), which some scanners send first: `]`, a letter and a
/// modifier, such as `]C1` for GS1-128.
fn without_identifier(code: &str) -> &str {
    let rest = code.strip_prefix(']').map(str::as_bytes);
    match rest {
        Some([letter, modifier, ..]) if letter.is_ascii_alphabetic() && modifier.is_ascii_alphanumeric() => {
            code.get(3..).unwrap_or_default()
        }
        _ => code,
    }
}

/// The SSCC in a GS1 code: 18 digits behind the application identifier 00.
fn sscc(code: &str) -> Option<&str> {
    if let Some(sscc) = code.strip_prefix("(00)") {
        return Some(sscc).filter(|sscc| is_digits(sscc, SSCC_DIGITS));
    }
    let rest = code.strip_prefix("00")?;
    if is_digits(rest, SSCC_DIGITS) {
        return Some(rest);
    }
    // Further elements may follow, because the SSCC has a fixed length. Then only the check digit proves it.
    rest.get(..SSCC_DIGITS).filter(|sscc| is_digits(sscc, SSCC_DIGITS) && has_mod_10(sscc))
}

/// The parcel number in a USPS code: behind `420` and the receiver's ZIP code.
fn usps(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("420")?;
    ZIP_DIGITS.into_iter().find_map(|zip| {
        let number = rest.get(zip..)?;
        let is_number = USPS_DIGITS.iter().any(|&count| is_digits(number, count));
        let is_usps = matches!(number.as_bytes(), [b'9', b'1'..=b'5', ..]);
        (is_number && is_usps && is_digits(rest.get(..zip)?, zip) && has_mod_10(number)).then_some(number)
    })
}

/// The tracking number at the end of one of FedEx's long codes.
fn fedex(code: &str) -> Option<&str> {
    let last = |count: usize| code.len().checked_sub(count).and_then(|start| code.get(start..));
    let is_long = is_digits(code, FEDEX_LONG) && (code.starts_with("100") || code.starts_with("96"));
    if is_long && last(FEDEX_CHECKED).is_some_and(has_fedex_mod_11) {
        // A longer tracking number does not begin with zeros.
        return last(FEDEX_EXPRESS).filter(|_| last(FEDEX_CHECKED).is_some_and(|number| number.starts_with("00")));
    }
    let is_ground = is_digits(code, FEDEX_GROUND_96) && code.starts_with("96");
    last(FEDEX_GROUND).filter(|number| is_ground && has_mod_10(number))
}

/// The trade item number behind the application identifier 01.
fn gtins(code: &str) -> Vec<String> {
    let number = code.strip_prefix("(01)").or_else(|| code.strip_prefix("01"));
    let number = number.and_then(|rest| rest.get(..GTIN_DIGITS));
    number.filter(|gtin| is_digits(gtin, GTIN_DIGITS) && has_mod_10(gtin)).map(str::to_owned).into_iter().collect()
}

/// Whether two texts are the same trade item number: of 8, 12, 13 or 14 digits, which zeros at the front fill up.
fn is_same_gtin(one: &str, other: &str) -> bool {
    let is_gtin = |text: &str| {
        (is_digits(text, GTIN_DIGITS) || SHORT_GTINS.iter().any(|&count| is_digits(text, count))) && has_mod_10(text)
    };
    is_gtin(one) && is_gtin(other) && one.trim_start_matches('0') == other.trim_start_matches('0')
}
