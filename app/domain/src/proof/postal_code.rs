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
//! A code proves nothing if it has fewer than three letters or digits, consists of zeros or of one repeated letter, or
//! is a word for "none": it would prove every order that has it.

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
        proves(&figures(&folded)).then_some(Self(folded))
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
        [address.postal_code.as_str(), billing_postal_code].into_iter().find_map(|code| {
            let code = Some(code).filter(|code| TypedPostalCode::new(code).is_some())?;
            let (folded, country) = (folded(code), address.country.trim().to_ascii_lowercase());
            Some(Self { code: folded, country, stored: ProofKey::new(code)? })
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

/// Words that people type in place of a code.
const NONE: &[&str] = &[
    "none",
    "null",
    "nil",
    "nan",
    "undefined",
    "unknown",
    "notapplicable",
    "notavailable",
    "nocode",
    "nozip",
    "nopostcode",
    "nopostalcode",
    "nozipcode",
    "keine",
    "keines",
    "sincodigo",
    "aucun",
    "nessuno",
    "geen",
    "brak",
    "zip",
    "zipcode",
    "postcode",
    "postalcode",
    "plz",
    "test",
];

fn proves(figures: &str) -> bool {
    let mut chars = figures.chars();
    let first = chars.next();
    let is_one_repeated = chars.all(|c| Some(c) == first) && first.is_none_or(|c| c == '0' || c.is_alphabetic());
    figures.chars().count() >= LEAST_CHARS && !is_one_repeated && !NONE.contains(&figures)
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
        | "id" | "th" | "dz" | "ma" | "vn" => 5,
        country if is_of_us(country) => 5,
        "no" | "dk" | "au" | "nz" | "za" => 4,
        "in" | "cn" | "ru" | "ro" | "kz" | "sg" => 6,
        "jp" => 7,
        "br" => 8,
        _ => return None,
    })
}
