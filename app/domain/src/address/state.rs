//! How a country's postal service writes states, provinces and prefectures.

use super::compare::folded;
use std::{collections::HashMap, sync::LazyLock};

struct StateNames {
    /// The second part of its ISO 3166-2 code; may be empty.
    iso: &'static str,
    /// The form that the postal service writes.
    written: &'static str,
    /// That form in Latin letters.
    latin: &'static str,
    /// Both forms, folded for comparing.
    names: [String; 2],
    /// Other names and codes, folded for comparing.
    others: Vec<String>,
}

static STATES: LazyLock<HashMap<&str, Vec<StateNames>>> = LazyLock::new(|| {
    let mut states: HashMap<&str, Vec<StateNames>> = HashMap::new();
    for row in include_str!("data/states.tsv").lines().skip(1) {
        let mut cells = row.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        let (country, iso, written, latin, others) = (next(), next(), next(), next(), next());
        let latin = if latin.is_empty() { written } else { latin };
        let others = others.split('|').filter(|name| !name.is_empty()).map(folded).collect();
        let names = [written, latin].map(folded);
        states.entry(country).or_default().push(StateNames { iso, written, latin, names, others });
    }
    states
});

/// How the postal service of `country` writes a state that was typed as a code or a name, in its own script or in
/// Latin letters. An unknown state is returned as it was typed.
pub(super) fn written(country: &str, typed: &str, is_local: bool) -> String {
    let states = STATES.get(country).map(Vec::as_slice).unwrap_or_default();
    // "JP-13" is "13" of Japan.
    let is_of_country = |head: &str| head.eq_ignore_ascii_case(country);
    let code = typed.split_once('-').filter(|(head, _)| is_of_country(head)).map_or(typed, |(_, code)| code);
    let name = folded(code);
    if name.is_empty() {
        return typed.to_owned();
    }
    let by = |is_it: &dyn Fn(&StateNames) -> bool| states.iter().find(|state| is_it(state));
    let found = by(&|state| state.names.contains(&name))
        .or_else(|| by(&|state| state.iso.eq_ignore_ascii_case(code)))
        .or_else(|| by(&|state| state.others.contains(&name)));
    found.map_or(typed, |state| if is_local { state.written } else { state.latin }).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_found_by_each_of_its_names_and_codes() {
        for (country, typed, local, latin) in [
            ("US", "CA", "CA", "CA"),
            ("US", "california", "CA", "CA"),
            ("US", "US-CA", "CA", "CA"),
            ("CA", "Québec", "QC", "QC"),
            ("CA", "quebec", "QC", "QC"),
            ("AU", "New South Wales", "NSW", "NSW"),
            ("IT", "Milano", "MI", "MI"),
            ("BR", "São Paulo", "SP", "SP"),
            ("BR", "Sao Paulo", "SP", "SP"),
            ("MX", "AGS", "Ags.", "Ags."),
            ("MX", "Jalisco", "Jal.", "Jal."),
            ("ES", "M", "Madrid", "Madrid"),
            ("ES", "MA", "Málaga", "Málaga"),
            ("JP", "JP-13", "東京都", "Tokyo"),
            ("JP", "Tokyo", "東京都", "Tokyo"),
            ("JP", "東京都", "東京都", "Tokyo"),
            ("CN", "BJ", "北京市", "Beijing Shi"),
            ("KR", "KR-11", "서울특별시", "Seoul"),
            ("HK", "Kowloon", "九龍", "Kowloon"),
            ("MY", "SGR", "Selangor", "Selangor"),
            ("IN", "MH", "Maharashtra", "Maharashtra"),
            ("IE", "D", "Co. Dublin", "Co. Dublin"),
            ("US", "Nowhere", "Nowhere", "Nowhere"),
            ("US", "", "", ""),
            ("DE", "BY", "BY", "BY"),
            ("", "BY", "BY", "BY"),
        ] {
            assert_eq!(written(country, typed, true), local, "{country} {typed}");
            assert_eq!(written(country, typed, false), latin, "{country} {typed}");
        }
    }

    #[test]
    fn no_state_of_the_table_is_taken_for_another() {
        for (country, states) in STATES.iter() {
            for state in states {
                assert!(!state.written.is_empty(), "{country}");
                for typed in [state.written, state.latin] {
                    assert_eq!(written(country, typed, true), state.written, "{country} {typed}");
                }
            }
        }
    }
}
