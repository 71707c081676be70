//! The lines of an address, for labels and for pages.

use super::{
    country,
    form::Form,
    layout::{self, AddressLine, LineContent},
    parts::Parts,
    postal_address::Address,
    state,
};
use crate::base::language::Locale;

impl Address {
    /// The lines on a label. On mail abroad the city, the state and the country are in capitals (Universal Postal
    /// Union); domestic labels follow the country's own postal service. Letters in postal codes are capitals. The
    /// country is named in the language of the place where the parcel starts if that is German, Spanish, French,
    /// Italian, Dutch or Polish, else in English.
    ///
    /// - `from`: the two-letter country of the other address. If it is empty, the country is always named.
    /// - `most`: the maximum number of lines. Lines that belong together are joined to reach it.
    ///
    /// Empty if the address has nothing but a country.
    pub fn label_lines(&self, from: &str, most: usize) -> Vec<String> {
        let from = country::code(from);
        joined(written(self, &from, country::postal_language(&from), true), most)
    }

    /// The lines on a page or in a mail: names as they were typed, the country in the reader's language, or in English
    /// if the portal does not speak it. `from` has the same meaning as in [`Self::label_lines`]. Empty if the address
    /// has nothing but a country.
    pub fn reading_lines(&self, from: &str, language: &Locale) -> Vec<String> {
        let language = language.0.split('-').next().unwrap_or_default();
        written(self, &country::code(from), language, false).into_iter().map(|row| row.text).collect()
    }
}

fn written(address: &Address, from: &str, language: &str, is_label: bool) -> Vec<AddressLine> {
    let code = country::code(&address.country);
    let is_home = country::is_domestic(&code, from);
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
    // In the Emirates the state is another name of the city: "دبي" and "إمارة دبيّ".
    if !layout::have_city(lines) && state::written(&code, &parts.city, is_local) == parts.state {
        parts.state.clear();
    }
    if is_label {
        parts.write_capitals(&form, &code, is_home);
    }
    let mut rows = layout::rows(parts, lines.clone(), is_label);
    if !is_home && !code.is_empty() {
        let name = country::name(&code, language);
        let text = if is_label { country::capitals(&name, language) } else { name };
        rows.push(AddressLine { kind: LineContent::Country, text });
    }
    rows
}

/// Whether street or city have a letter that is not Latin.
fn is_in_own_script(address: &Address) -> bool {
    let is_latin = |c: char| matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}');
    let mut letters = [&address.street, &address.city].into_iter().flat_map(|text| text.chars());
    letters.any(|c| c.is_alphabetic() && !is_latin(c))
}

/// Joins lines until at most `most` remain: the two shortest neighbours of one kind, else the two shortest neighbours.
/// The country keeps its own line; a postal code keeps its line as long as others can be joined.
fn joined(mut rows: Vec<AddressLine>, most: usize) -> Vec<String> {
    while rows.len() > most {
        let pairs = rows.windows(2).enumerate().filter_map(|(index, pair)| match pair {
            [one, other] if other.kind != LineContent::Country => {
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
