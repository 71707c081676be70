//! An address as it is written: in the form of its country, as seen from another one.
//!
//! Three tables in `data` say how: the order of the parts, what the country's post writes for a state, and what countries are
//! called. The README beside them names their sources and licences.
//!
//! - Everything that an address holds is written, and once. A part that the country's form has no place for, such as a state in
//!   Germany, has a line above the city.
//! - `additional` stands below the street, or below the name where it says "c/o".
//! - An address in its country's own script goes from large to small where the country does, as in Japan. The same address in
//!   Latin letters goes from small to large.
//! - The country is the last line. It is left out if both places have the same post.

mod country;
mod form;
mod layout;
mod state;
#[cfg(test)]
mod tests;

use crate::{Locale, policy::Address};
use form::Form;
use layout::{Kind, Row};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

impl Address {
    /// The lines on a label, for the post: the city, the state and the country in capitals if the parcel goes abroad, and what the post
    /// of the country itself asks for (the Universal Postal Union's rules). Letters of postal codes are capitals. The country is named in the language of the place where the
    /// parcel starts, if it is German, Spanish, French,
    /// Italian, Dutch or Polish, else in English.
    ///
    /// - `from`: the country of the other address, two letters; empty if it is not known. The country is named then.
    /// - `most`: if there are more lines, those that belong together are joined.
    ///
    /// Empty if nothing but a country is known.
    pub fn label_lines(&self, from: &str, most: usize) -> Vec<String> {
        let from = country::code(from);
        joined(written(self, &from, country::language_of_post(&from), true), most)
    }

    /// The lines on a page or in mail: names as they were typed, the country in the reader's language (English, if the portal does
    /// not speak it). `from` is as for [`Self::label_lines`]. Empty if nothing but a country is known.
    pub fn reading_lines(&self, from: &str, language: &Locale) -> Vec<String> {
        let language = language.0.split('-').next().unwrap_or_default();
        written(self, &country::code(from), language, false).into_iter().map(|row| row.text).collect()
    }
}

/// An address without blanks that mean nothing, and with each part said once.
#[derive(Debug, Default)]
struct Parts {
    name: String,
    care_of: String,
    street: String,
    additional: String,
    postal_code: String,
    city: String,
    state: String,
}

fn written(address: &Address, from: &str, language: &str, is_label: bool) -> Vec<Row> {
    let code = country::code(&address.country);
    let is_home = country::have_one_post(&code, from);
    let form = Form::of(&code);
    let is_local = is_in_own_script(address);
    let mut parts = Parts::of(address, &code, is_local);
    if parts.is_empty() {
        return Vec::new();
    }
    if let Some(prefix) = form.prefix.as_ref().filter(|prefix| prefix.is_always || !is_home) {
        parts.postal_code = prefix.before(&parts.postal_code);
    }
    let lines = form.latin.as_ref().filter(|_| !is_local).unwrap_or(&form.local);
    // In the Emirates the state is the city, by another name: "دبي" and "إمارة دبيّ".
    if !layout::have_place_for_city(lines) && state::written(&code, &parts.city, is_local) == parts.state {
        parts.state.clear();
    }
    if is_label {
        parts.write_capitals(&form, &code, is_home);
    }
    let mut rows = layout::rows(parts, lines.clone(), is_label);
    if !is_home && !code.is_empty() {
        let name = country::name(&code, language);
        let text = if is_label { country::capitals(&name, language) } else { name };
        rows.push(Row { kind: Kind::Country, text });
    }
    rows
}

impl Parts {
    fn of(address: &Address, country: &str, is_local: bool) -> Self {
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
        // Shops often repeat the postal code or the state in the field of the city.
        let city = without(&city, &postal_code, false);
        let city = without(&without(&city, &typed, true), &state, true);
        let unless_said = |text: String, said: &[&str]| {
            if said.iter().any(|said| is_same(&text, said)) { String::new() } else { text }
        };
        let state = unless_said(state, &[&city]);
        let street = unless_said(street, &[&name]);
        let additional = unless_said(additional, &[&name, &street, &city, &state]);
        let (care_of, additional) =
            if is_care_of(&additional) { (additional, String::new()) } else { (String::new(), additional) };
        Self { name, care_of, street, additional, postal_code, city, state }
    }

    fn is_empty(&self) -> bool {
        let Self { name, care_of, street, additional, postal_code, city, state } = self;
        [name, care_of, street, additional, postal_code, city, state].into_iter().all(String::is_empty)
    }

    /// Writes in capitals the postal code, what the post of the country asks for, and the city and the state of a parcel that goes abroad.
    fn write_capitals(&mut self, form: &Form, country: &str, is_home: bool) {
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
            *text = country::capitals(text, country::language_of_capitals(country));
        }
    }
}

/// How a line begins that says with whom somebody lives, or who in a company is meant.
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

/// A city without another part at its beginning or end; behind a comma only, if `after_comma`.
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

/// Whether an address is written in a script of its own: with a letter that is not Latin.
fn is_in_own_script(address: &Address) -> bool {
    let is_latin = |c: char| matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}');
    let mut letters = [&address.street, &address.city].into_iter().flat_map(|text| text.chars());
    letters.any(|c| c.is_alphabetic() && !is_latin(c))
}

/// Whether two texts say the same, apart from case, accents and signs.
fn is_same(one: &str, other: &str) -> bool {
    let [folded_one, folded_other] = [one, other].map(folded);
    if folded_one.is_empty() { one == other } else { folded_one == folded_other }
}

/// A text without case, accents and signs, to compare by.
fn folded(text: &str) -> String {
    let letters = text.nfkd().filter(|c| c.is_alphanumeric() && !is_combining_mark(*c));
    letters.flat_map(char::to_lowercase).collect()
}

/// Joins rows until there are no more than `most`: the shortest two of one kind that stand together, else the shortest two. The
/// country keeps its line, and a postal code that has a line of its own keeps it as long as others can be joined.
fn joined(mut rows: Vec<Row>, most: usize) -> Vec<String> {
    while rows.len() > most {
        let pairs = rows.windows(2).enumerate().filter_map(|(index, pair)| match pair {
            [one, other] if other.kind != Kind::Country => {
                Some(((one.kind != other.kind, one.text.len() + other.text.len()), index))
            }
            _ => None,
        });
        let Some((_, index)) = pairs.min() else { break };
        let below = rows.remove(index + 1);
        if let Some(row) = rows.get_mut(index) {
            row.text.push_str(", ");
            row.text.push_str(&below.text);
            row.kind = below.kind;
        }
    }
    rows.into_iter().map(|row| row.text).collect()
}
