//! Postal codes: which spellings are one code, and which prove nothing.
//!
//! Blanks, dashes, other signs, case, wide figures and the sign of the country before a code ("D-10115", "LV-1010") make no
//! difference. Where the country of an order is known, its own rules hold too:
//!
//! - In the United States the first five digits count ("91601" is "91601-3730"): hardly anybody knows the other four. No
//!   other country's code is proved by a part of it.
//! - Zeros that a spreadsheet took from the beginning are put back where all codes of the country have the same number of
//!   digits ("1067" is Dresden's "01067").
//!
//! A code without letters and figures, of fewer than three of them, of zeros alone, of one letter again and again, or a word
//! that says that there is none, proves nothing: it would prove every order that has it.

use super::{key::ProofKey, spelling::folded};
use crate::address::Address;

/// A postal code as somebody typed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPostalCode(String);

impl TypedPostalCode {
    /// What was typed; `None` where it proves nothing.
    pub fn new(text: &str) -> Option<Self> {
        if text.contains('\0') {
            return None;
        }
        let folded = folded(text);
        proves(&figures(&folded)).then_some(Self(folded))
    }

    /// Under what wrong tries are counted: one key for all spellings that may prove the same order.
    pub fn counted(&self) -> ProofKey {
        let figures = figures(&self.0);
        let number = figures.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_number = figures.len() - number.len() <= 3 && number.len() >= 3 && is_digits(number);
        let number = if is_number { number } else { &figures };
        let number = if number.len() == 9 && is_digits(number) { number.get(..5).unwrap_or(number) } else { number };
        let short = number.trim_start_matches('0');
        ProofKey(if short.is_empty() { number } else { short }.to_owned())
    }
}

/// The postal code that proves an order: of the address that it was sent to, or of the bill where that has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvingPostalCode {
    code: String,
    country: String,
    stored: ProofKey,
}

impl ProvingPostalCode {
    /// The code of an order; `None` where nothing of it proves anything.
    pub fn of(address: &Address, billing_postal_code: &str) -> Option<Self> {
        [address.postal_code.as_str(), billing_postal_code].into_iter().find_map(|code| {
            let code = Some(code).filter(|code| TypedPostalCode::new(code).is_some())?;
            let (folded, country) = (folded(code), address.country.trim().to_ascii_lowercase());
            Some(Self { code: folded, country, stored: ProofKey::new(code)? })
        })
    }

    /// Whether it is the one that was typed.
    pub fn is(&self, typed: &TypedPostalCode) -> bool {
        compared(&typed.0, &self.country) == self.compared()
    }

    /// Reduced to what is compared: equal for all spellings of a country's code.
    pub fn compared(&self) -> String {
        // ZIP+4 that lost its leading zero in a spreadsheet. Nobody types that: each of these would be counted apart.
        let figures = figures(without_country(&self.code, &self.country));
        match figures.get(..4) {
            Some(zip) if is_of_us(&self.country) && figures.len() == 8 && is_digits(&figures) => format!("0{zip}"),
            _ => compared(&self.code, &self.country),
        }
    }

    /// As it is stored beside the order.
    pub fn stored(&self) -> &ProofKey {
        &self.stored
    }
}

/// Whether two postal codes of a country are one. Codes that prove nothing are equal to none.
pub fn is_same(one: &str, other: &str, country: &str) -> bool {
    let address = Address { postal_code: other.to_owned(), country: country.to_owned(), ..Address::default() };
    let code = ProvingPostalCode::of(&address, "");
    TypedPostalCode::new(one).zip(code).is_some_and(|(typed, code)| code.is(&typed))
}

/// A folded code as the country compares it; of an unknown country as it looks.
fn compared(folded: &str, country: &str) -> String {
    let code = figures(without_country(folded, country));
    let is_number = is_digits(&code);
    match digits(country) {
        Some(length) if is_number && code.len() < length && code.len() + 2 >= length => format!("{code:0>length$}"),
        _ if is_number && is_zip_plus_four(&code, country) => code.get(..5).unwrap_or(&code).to_owned(),
        _ => code,
    }
}

/// Codes of nine digits are those of the United States.
fn is_zip_plus_four(code: &str, country: &str) -> bool {
    code.len() == 9 && (country.is_empty() || is_of_us(country))
}

fn is_of_us(country: &str) -> bool {
    matches!(country, "us" | "pr" | "gu" | "vi" | "as" | "mp" | "um")
}

/// A code without the sign of its country before it.
fn without_country<'a>(folded: &'a str, country: &str) -> &'a str {
    let word = folded.find(|c: char| !c.is_ascii_alphabetic()).and_then(|end| folded.split_at_checked(end));
    let Some((word, behind)) = word.filter(|(word, _)| !word.is_empty()) else { return folded };
    let rest = behind.trim_start_matches(['-', ' ']);
    // Of an unknown country: letters, a dash, and figures alone.
    let is_sign = match country {
        "" => word.len() <= 3 && behind.starts_with('-') && is_digits(&figures(rest)),
        country => word == country || vehicle_sign(country) == Some(word),
    };
    let is_code = rest.starts_with(|c: char| c.is_ascii_digit()) || (rest.len() < behind.len() && rest.len() >= 5);
    if is_sign && is_code { rest } else { folded }
}

/// Letters and figures alone.
fn figures(folded: &str) -> String {
    folded.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn is_digits(code: &str) -> bool {
    !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// Words in place of a code.
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
    let is_one_again = chars.all(|c| Some(c) == first) && first.is_none_or(|c| c == '0' || c.is_alphabetic());
    figures.chars().count() >= 3 && !is_one_again && !NONE.contains(&figures)
}

/// The sign of vehicles of a country, where it is written before postal codes and is not the country's own code.
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

/// How many digits every code of a country has, where they are all digits and some begin with zero.
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
