//! The parts of an address, each written once.

use super::{compare::is_same, country, form::Form, postal_address::Address, state};

/// An address with collapsed white space, each part present once.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub name: String,
    pub care_of: String,
    pub street: String,
    pub additional: String,
    pub postal_code: String,
    pub city: String,
    pub state: String,
}

impl Parts {
    pub fn of(address: &Address, country: &str, is_local: bool) -> Self {
        let [name, street, additional, postal_code, city, typed] = [
            &address.name,
            &address.street,
            &address.additional,
            &address.postal_code,
            &address.city,
            &address.province,
        ]
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let state = state::written(country, &typed, is_local);
        // Shops often repeat the postal code or the state in the city field.
        let city = without(&city, &postal_code, false);
        let city = without(&without(&city, &typed, true), &state, true);
        let unless_repeated = |text: String, others: &[&str]| {
            if others.iter().any(|other| is_same(&text, other)) { String::new() } else { text }
        };
        let state = unless_repeated(state, &[&city]);
        let street = unless_repeated(street, &[&name]);
        let additional = unless_repeated(additional, &[&name, &street, &city, &state]);
        let (care_of, additional) =
            if is_care_of(&additional) { (additional, String::new()) } else { (String::new(), additional) };
        Self { name, care_of, street, additional, postal_code, city, state }
    }

    pub fn is_empty(&self) -> bool {
        let Self { name, care_of, street, additional, postal_code, city, state } = self;
        [name, care_of, street, additional, postal_code, city, state].into_iter().all(String::is_empty)
    }

    /// Capitalizes the postal code, the parts that the country's postal service wants in capitals, and city and state
    /// of a parcel that goes abroad.
    pub fn write_capitals(&mut self, form: &Form, country: &str, is_home: bool) {
        let of = |letter| form.capitals.contains(letter);
        let parts = [
            (of('N'), &mut self.name),
            (of('N'), &mut self.care_of),
            (of('A'), &mut self.street),
            (of('A'), &mut self.additional),
            (true, &mut self.postal_code),
            (of('C') || !is_home, &mut self.city),
            (of('S') || !is_home, &mut self.state),
        ];
        for (_, text) in parts.into_iter().filter(|(wanted, _)| *wanted) {
            *text = country::capitals(text, country::capitals_language(country));
        }
    }
}

/// Beginnings of a line that names the person to reach in a household or company.
const CARE_OF: [&str; 14] = [
    "c/o",
    "℅",
    "care of",
    "attn",
    "att.",
    "att:",
    "z. hd",
    "z.hd",
    "zu hd",
    "zu händen",
    "p/a",
    "t.a.v",
    "a/c",
    "à l'attention",
];

fn is_care_of(line: &str) -> bool {
    let line = line.to_lowercase().replace('’', "'");
    let ends = |rest: &str| rest.chars().next().is_none_or(|next| !next.is_alphanumeric());
    CARE_OF.iter().any(|begin| line.strip_prefix(begin).is_some_and(|rest| ends(rest) || begin.ends_with('℅')))
}

/// The city without `part` at its beginning or end; with `after_comma` only behind a comma.
fn without(city: &str, part: &str, after_comma: bool) -> String {
    let matches = |piece: Option<&str>| !part.is_empty() && piece.is_some_and(|piece| piece.eq_ignore_ascii_case(part));
    let is_between = |c: char| c.is_whitespace() || c == ',';
    let cut = city.len().wrapping_sub(part.len());
    let (head, tail) = (city.get(..part.len()), city.get(cut..));
    let after = city.get(part.len()..).filter(|rest| matches(head) && !after_comma && rest.starts_with(is_between));
    let separates = |rest: &str| if after_comma { rest.trim_end().ends_with(',') } else { rest.ends_with(is_between) };
    let before = city.get(..cut).filter(|rest| matches(tail) && separates(rest));
    let rest = after.or(before).unwrap_or(city).trim_matches(is_between);
    if rest.is_empty() { city.to_owned() } else { rest.to_owned() }
}
