//! Numbers and addresses of parcels.

use crate::words::Words;
use domain::{Locale, address::Address};
use returns::QrCode;
use std::fmt::Write as _;

/// The number of a shipment: ours in groups, a carrier's as the carrier writes it.
pub fn number_of(barcode: &str) -> String {
    if barcode.bytes().all(|byte| byte.is_ascii_digit()) { grouped(barcode) } else { barcode.to_owned() }
}

/// A long number in groups of four, easy to read out.
fn grouped(digits: &str) -> String {
    digits.chars().enumerate().fold(String::new(), |mut text, (index, digit)| {
        if index > 0 && index.is_multiple_of(4) {
            text.push(' ');
        }
        text.push(digit);
        text
    })
}

/// The lines of the return address, as written for mail from a country. Empty while the address is not known.
pub fn receiver(address: &Address, from: &str, words: &Words) -> Vec<String> {
    address.reading_lines(from, &Locale(words.language().tag().to_owned()))
}

/// A QR code as the path of its dark modules.
pub fn qr_code(text: &str) -> Option<(usize, String)> {
    let code = QrCode::new(text)?;
    let mut path = String::new();
    for (column, row) in code.dark() {
        let _ = write!(path, "M{column} {row}h1v1h-1z");
    }
    Some((code.width(), path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui::language::Language;

    #[test]
    fn a_parcel_s_address_has_the_form_of_its_country_in_the_reader_s_language() {
        let address = |country: &str| Address {
            name: "Fjord & Fern Returns".to_owned(),
            street: "100 Main St".to_owned(),
            additional: "Suite 5".to_owned(),
            postal_code: "95820".to_owned(),
            city: "Sacramento".to_owned(),
            province: "CA".to_owned(),
            country: country.to_owned(),
        };
        let home = ["Fjord & Fern Returns", "100 Main St", "Suite 5", "Sacramento, CA 95820"];
        for (from, language, country) in [
            ("US", Language::De, None),
            ("DE", Language::De, Some("Vereinigte Staaten")),
            ("DE", Language::Ar, Some("الولايات المتحدة")),
            ("", Language::En, Some("United States")),
        ] {
            let lines = receiver(&address("US"), from, Words::of(language));
            assert_eq!(lines, home.into_iter().chain(country).collect::<Vec<_>>(), "{from} {language:?}");
        }
        let nothing = Address { country: "US".to_owned(), ..Address::default() };
        assert!(receiver(&nothing, "DE", Words::of(Language::En)).is_empty());
    }

    #[test]
    fn a_code_is_a_square_of_dark_modules() {
        let (width, path) = qr_code("R-7Q2M4KXD").unwrap();
        assert_eq!(width, 21);
        assert!(path.starts_with("M0 0h1v1h-1z"));
        assert_eq!(grouped("003404341234567890"), "0034 0434 1234 5678 90");
    }
}
