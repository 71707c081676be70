//! Address forms by country.

use super::{compare::folded, country};
use std::{collections::HashMap, sync::LazyLock};

/// How a country writes addresses.
#[derive(Debug, Clone)]
pub(super) struct Form {
    /// The lines in the country's own script, or the only form.
    pub local: Vec<FormLine>,
    /// The lines in Latin letters, if they differ.
    pub latin: Option<Vec<FormLine>>,
    /// The parts that its postal service wants in capitals, by the letters of the table: `A`ddress, `C`ity, `N`ame,
    /// `S`tate.
    pub capitals: &'static str,
    /// The sign before its postal codes.
    pub prefix: Option<Prefix>,
}

/// A sign before a postal code, such as `LT-`.
#[derive(Debug, Clone)]
pub(super) struct Prefix {
    pub sign: &'static str,
    /// Written on domestic mail, too. Most postal services ask for it on mail from abroad only.
    pub is_always: bool,
}

/// A line of an address form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormLine {
    Name,
    Street,
    Place(Vec<Piece>),
}

/// A piece of a line that contains city, state or postal code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    City,
    State,
    PostalCode,
    /// A fixed name that the postal service wants in each address, such as `SINGAPORE`.
    Name(&'static str),
    /// Text between two pieces, written if both are present.
    Between(&'static str),
}

static FORMS: LazyLock<HashMap<&str, Form>> = LazyLock::new(|| {
    let rows = include_str!("data/formats.tsv").lines().skip(1).map(|row| row.split('\t'));
    let form = |mut cells: std::str::Split<'static, char>| {
        let mut next = || cells.next().unwrap_or_default();
        let (country, local, latin, capitals, sign, when) = (next(), next(), next(), next(), next(), next());
        let latin = (!latin.is_empty()).then(|| lines(latin));
        let prefix = (!sign.is_empty()).then_some(Prefix { sign, is_always: when == "always" });
        (country, Form { local: lines(local), latin, capitals, prefix })
    };
    rows.map(form).collect()
});

impl Form {
    /// The form of a country. An unknown country gets the form that is most common in Europe.
    pub(super) fn of(country: &str) -> Self {
        let usual = || {
            // Known countries without an entry in the table have no postal codes, as far as the data's authors know.
            let form = if country::is_known(country) { "%N%n%A%n%C" } else { "%N%n%A%n%Z %C" };
            Self { local: lines(form), latin: None, capitals: "", prefix: None }
        };
        FORMS.get(country).cloned().unwrap_or_else(usual)
    }
}

impl Prefix {
    /// The postal code with the sign before it. A code that is empty or already has the sign stays unchanged.
    pub(super) fn before(&self, postal_code: &str) -> String {
        let has_it = folded(postal_code).starts_with(&folded(self.sign));
        if postal_code.is_empty() || has_it { postal_code.to_owned() } else { format!("{}{postal_code}", self.sign) }
    }
}

/// Parses a format of the table: `%N` is the name, `%A` the street, `%C`, `%S` and `%Z` are the pieces city, state and
/// postal code, `%n` is a new line.
fn lines(format: &'static str) -> Vec<FormLine> {
    let line = |text: &'static str| match text {
        "%N" => FormLine::Name,
        "%A" => FormLine::Street,
        text => FormLine::Place(pieces(text)),
    };
    format.split("%n").map(line).collect()
}

fn pieces(text: &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (index, part) in text.split('%').enumerate() {
        let (piece, rest) = match part.split_at_checked(1) {
            Some(("C", rest)) if index > 0 => (Some(Piece::City), rest),
            Some(("S", rest)) if index > 0 => (Some(Piece::State), rest),
            Some(("Z", rest)) if index > 0 => (Some(Piece::PostalCode), rest),
            _ => (None, part),
        };
        pieces.extend(piece);
        let name = rest.trim();
        if name.chars().any(char::is_alphabetic) {
            let at = rest.find(name).unwrap_or_default();
            let (before, after) = (rest.get(..at), rest.get(at + name.len()..));
            pieces.extend(before.filter(|text| !text.is_empty()).map(Piece::Between));
            pieces.push(Piece::Name(name));
            pieces.extend(after.filter(|text| !text.is_empty()).map(Piece::Between));
        } else if !rest.is_empty() {
            pieces.push(Piece::Between(rest));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use Piece::{Between, City, Name, PostalCode, State};

    #[test]
    fn a_fixed_name_may_begin_with_the_letter_of_a_piece() {
        for name in ["CITY", "SINGAPORE", "ZONE"] {
            assert_eq!(pieces(name), [Name(name)]);
        }
        assert_eq!(pieces("SINGAPORE %Z"), [Name("SINGAPORE"), Between(" "), PostalCode]);
    }

    #[test]
    fn formats_are_read_in_lines_and_pieces() {
        let place = |text| lines(text).pop();
        assert_eq!(
            place("%N%n%A%n%C, %S %Z"),
            Some(FormLine::Place(vec![City, Between(", "), State, Between(" "), PostalCode]))
        );
        assert_eq!(
            place("%C PR %Z"),
            Some(FormLine::Place(vec![City, Between(" "), Name("PR"), Between(" "), PostalCode]))
        );
        assert_eq!(place("%Z %C%nÅLAND"), Some(FormLine::Place(vec![Name("ÅLAND")])));
        assert_eq!(place("%S%C"), Some(FormLine::Place(vec![State, City])));
    }

    #[test]
    fn the_table_holds_for_each_country_that_is_known() {
        assert!(FORMS.len() > 190, "{}", FORMS.len());
        for (country, form) in FORMS.iter() {
            assert!(country::is_known(country), "{country} has no name");
            for form in form.latin.iter().chain([&form.local]) {
                for line in [FormLine::Name, FormLine::Street] {
                    assert_eq!(form.iter().filter(|one| **one == line).count(), 1, "{country}: {form:?}");
                }
                for line in form {
                    let FormLine::Place(pieces) = line else { continue };
                    let read = pieces.iter().all(|piece| !matches!(piece, Between(text) if text.contains('%')));
                    assert!(read && !pieces.is_empty(), "{country}: {form:?}");
                    assert!(!matches!(pieces.first(), Some(Between(_))), "{country}: {form:?}");
                }
            }
            assert!(form.capitals.chars().all(|letter| "ACNS".contains(letter)), "{country}");
        }
    }
}
