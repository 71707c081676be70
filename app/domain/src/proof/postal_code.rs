//! Postal codes: which spellings are equal, and which prove nothing.
//!
//! White space, dashes, punctuation, case, full-width digits and the country's sign before a code ("D-10115",
//! "LV-1010") are ignored. If the country of an order is known, its rules apply, too:
//!
//! - In the United States the first five digits count ("91601" equals "91601-3730"), because hardly anyone knows the
//!   other four. In no other country does a part of a code prove anything.
//! - Leading zeros that a spreadsheet removed are restored if all codes of the country have the same number of digits
//!   ("1067" is Dresden's "01067").
//!
//! A stored code that a program wrote as a number ("10115.0") is that number.
//!
//! A code proves nothing if it has fewer than three letters or digits, or no digit other than zero behind its letters: it is
//! a word such as "none", and would prove every order that has it. Codes without digits exist in Bermuda alone ("HM CX").

use super::{key::ProofKey, spelling::folded};
use crate::address::Address;

/// A shorter code proves nothing.
const LEAST_CHARS: usize = 3;
/// The longest sign of a country before its codes.
const MAX_SIGN_CHARS: usize = 3;
/// ZIP+4 has nine digits; the first five are the ZIP code.
const ZIP_PLUS_FOUR_DIGITS: usize = 9;
const ZIP_DIGITS: usize = 5;

/// A postal code as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPostalCode(String);

impl TypedPostalCode {
    /// Parses typed text; `None` if it proves nothing.
    pub fn new(text: &str) -> Option<Self> {
        if text.contains('\0') {
            return None;
        }
        let folded = folded(text);
        let figures = figures(&folded);
        (proves(&figures) || is_bermudian(&figures)).then_some(Self(folded))
    }

    /// The key under which failed attempts are counted: the same for all spellings that may prove one order.
    pub fn attempt_key(&self) -> ProofKey {
        let figures = figures(&self.0);
        let number = figures.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_number =
            figures.len() - number.len() <= MAX_SIGN_CHARS && number.len() >= LEAST_CHARS && is_digits(number);
        let number = if is_number { number } else { &figures };
        let number = if number.len() == ZIP_PLUS_FOUR_DIGITS && is_digits(number) {
            number.get(..ZIP_DIGITS).unwrap_or(number)
        } else {
            number
        };
        let short = number.trim_start_matches('0');
        ProofKey(if short.is_empty() { number } else { short }.to_owned())
    }
}

/// The postal code that proves an order: that of the delivery address, or the billing one if that has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvingPostalCode {
    code: String,
    country: String,
    stored: ProofKey,
}

impl ProvingPostalCode {
    /// The code of an order; `None` if neither proves anything.
    pub fn of(address: &Address, billing_postal_code: &str) -> Option<Self> {
        let country = address.country.trim().to_ascii_lowercase();
        [address.postal_code.as_str(), billing_postal_code].into_iter().find_map(|code| {
            let code = without_decimals(code);
            let (folded, stored) = (folded(code), ProofKey::new(code)?);
            let figures = figures(&folded);
            let is_code = proves(&figures) || (matches!(&*country, "" | "bm") && is_bermudian(&figures));
            is_code.then(|| Self { code: folded, country: country.clone(), stored })
        })
    }

    /// Whether it equals the typed code.
    pub fn is(&self, typed: &TypedPostalCode) -> bool {
        compared(&typed.0, &self.country) == self.compared()
    }

    /// The form that is compared: equal for all spellings of a country's code.
    pub fn compared(&self) -> String {
        // A ZIP+4 code whose leading zero a spreadsheet removed. This applies to stored codes only: typed codes of
        // this form would each have their own count of attempts.
        let figures = figures(without_country(&self.code, &self.country));
        match figures.get(..4) {
            Some(zip) if is_of_us(&self.country) && figures.len() == 8 && is_digits(&figures) => format!("0{zip}"),
            _ => compared(&self.code, &self.country),
        }
    }

    /// The key that is stored with the order.
    pub fn stored(&self) -> &ProofKey {
        &self.stored
    }
}

/// Whether two postal codes of a country are equal. Codes that prove nothing equal none.
pub fn is_same(one: &str, other: &str, country: &str) -> bool {
    let address = Address { postal_code: other.to_owned(), country: country.to_owned(), ..Address::default() };
    let code = ProvingPostalCode::of(&address, "");
    TypedPostalCode::new(one).zip(code).is_some_and(|(typed, code)| code.is(&typed))
}

/// A folded code in the form that the country compares; unchanged for an unknown country.
fn compared(folded: &str, country: &str) -> String {
    let code = figures(without_country(folded, country));
    let is_number = is_digits(&code);
    match digits(country) {
        Some(length) if is_number && code.len() < length && code.len() + 2 >= length => format!("{code:0>length$}"),
        _ if is_number && is_zip_plus_four(&code, country) => code.get(..ZIP_DIGITS).unwrap_or(&code).to_owned(),
        _ => code,
    }
}

/// Nine-digit codes are those of the United States.
fn is_zip_plus_four(code: &str, country: &str) -> bool {
    code.len() == ZIP_PLUS_FOUR_DIGITS && (country.is_empty() || is_of_us(country))
}

fn is_of_us(country: &str) -> bool {
    matches!(country, "us" | "pr" | "gu" | "vi" | "as" | "mp" | "um")
}

/// A code without its country's sign before it.
fn without_country<'a>(folded: &'a str, country: &str) -> &'a str {
    let word = folded.find(|c: char| !c.is_ascii_alphabetic()).and_then(|end| folded.split_at_checked(end));
    let Some((word, behind)) = word.filter(|(word, _)| !word.is_empty()) else { return folded };
    let rest = behind.trim_start_matches(['-', ' ']);
    // If the country is unknown: letters, a dash, and digits only.
    let is_sign = match country {
        "" => word.len() <= MAX_SIGN_CHARS && behind.starts_with('-') && is_digits(&figures(rest)),
        country => word == country || vehicle_sign(country) == Some(word),
    };
    let is_code = rest.starts_with(|c: char| c.is_ascii_digit()) || (rest.len() < behind.len() && rest.len() >= 5);
    if is_sign && is_code { rest } else { folded }
}

/// Letters and digits only.
fn figures(folded: &str) -> String {
    folded.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_digits(code: &str) -> bool {
    !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a code tells one place from others. Words for "no code" have no digits, and placeholders have zeros alone.
fn proves(figures: &str) -> bool {
    let number = figures.trim_start_matches(char::is_alphabetic);
    figures.chars().count() >= LEAST_CHARS && number.bytes().any(|byte| byte != b'0')
}

/// The first letters of the post offices of Bermuda. The codes of their boxes have four letters, and end with an X.
const BERMUDA: [&str; 11] = ["cr", "dd", "dv", "fl", "ge", "hm", "hs", "ma", "pg", "sn", "wk"];

fn is_bermudian(figures: &str) -> bool {
    figures.len() == 4 && figures.ends_with('x') && BERMUDA.iter().any(|office| figures.starts_with(office))
}

/// A code without the decimals that a program appends to numbers: "10115.0" is "10115".
fn without_decimals(code: &str) -> &str {
    let code = code.trim();
    let number = code.strip_suffix(".0").or_else(|| code.strip_suffix(".00"));
    number.filter(|number| is_digits(number)).unwrap_or(code)
}

/// The vehicle registration code of a country, where it is written before postal codes and differs from the country's
/// code.
fn vehicle_sign(country: &str) -> Option<&'static str> {
    Some(match country {
        "at" => "a",
        "be" => "b",
        "de" => "d",
        "es" => "e",
        "fi" => "fin",
        "fr" => "f",
        "hu" => "h",
        "it" => "i",
        "li" => "fl",
        "lu" => "l",
        "no" => "n",
        "pt" => "p",
        "se" => "s",
        "si" => "slo",
        _ => return None,
    })
}

/// The number of digits of a country's codes, if they consist of digits only and some begin with zero.
fn digits(country: &str) -> Option<usize> {
    Some(match country {
        "de" | "fr" | "es" | "it" | "fi" | "ee" | "lt" | "pl" | "gr" | "rs" | "ua" | "tr" | "mx" | "my" | "kr"
        | "id" | "th" | "dz" | "ma" | "vn" | "ke" | "pe" | "gt" | "lk" | "mm" => 5,
        country if is_of_us(country) => 5,
        "no" | "dk" | "au" | "nz" | "za" | "ge" | "am" | "ph" | "pa" | "bo" => 4,
        "in" | "cn" | "ru" | "ro" | "kz" | "sg" | "ec" | "co" => 6,
        "jp" => 7,
        "br" => 8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_of_an_unknown_country_is_short_with_a_dash_and_digits() {
        assert_eq!(without_country("d-12345", ""), "12345");
        for code in ["ab-12cd", "d 12345", "abcdefghijkl-12345", "12345"] {
            assert_eq!(without_country(code, ""), code);
        }
        assert_eq!(without_country("d 12345", "de"), "12345");
        assert_eq!(without_country("de-12345", "de"), "12345");
        assert_eq!(without_country("fr-12345", "de"), "fr-12345");
    }
}
