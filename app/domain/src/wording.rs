//! Custom wording: texts of the portal that a merchant has replaced.

use crate::base::{
    language::{Locale, Translated},
    refusal::{Problems, RefusalCode},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts of the portal and its mail that replace the standard ones: key → language tag → text. `docs/wording.md` lists the
/// keys. Texts keep the placeholders of the standard text. What is left out keeps its standard text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(transparent)]
#[cfg_attr(feature = "openapi", schemars(example = Wording::example()))]
pub struct Wording(pub BTreeMap<String, Translated>);

/// More texts than the portal has in one language. 64 KiB hold a complete table.
const MAX_TEXTS: usize = 1_000;
const MAX_BYTES: usize = 64 * 1024;
const MAX_KEY_CHARS: usize = 64;

impl Wording {
    /// Whether all texts are the standard ones.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts in a language, by key.
    pub fn in_language<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter_map(move |(key, texts)| Some((key.as_str(), texts.0.get(tag)?.as_str())))
    }

    /// Problems of its form and size, as the value of a field. The portal checks the keys and the placeholders.
    pub fn check(&self, field: &str) -> Problems {
        let mut problems = Problems::default();
        let texts = || self.0.values().flat_map(|texts| texts.0.values());
        if texts().count() > MAX_TEXTS || texts().map(String::len).sum::<usize>() > MAX_BYTES {
            let message = format!("expected at most {MAX_TEXTS} texts and {} kB in all", MAX_BYTES / 1024);
            problems.add(field, RefusalCode::OutOfRange, message);
            return problems;
        }
        for (key, texts) in &self.0 {
            if !(1..=MAX_KEY_CHARS).contains(&key.chars().count()) || key.chars().any(char::is_control) {
                let message = format!("expected keys of 1 to {MAX_KEY_CHARS} characters, such as findMyOrder");
                problems.add(field, RefusalCode::NotAllowed, message);
            } else if texts.0.is_empty() {
                let message = "expected a text in one language at least, such as {\"en\": \"…\"}";
                problems.add(format!("{field}.{key}"), RefusalCode::Required, message);
            } else if !texts.0.keys().all(|tag| Locale(tag.clone()).is_well_formed()) {
                let message = "expected language tags as keys, such as en or de";
                problems.add(format!("{field}.{key}"), RefusalCode::NotAllowed, message);
            }
        }
        problems
    }

    /// An example for the API's documentation.
    #[cfg(feature = "openapi")]
    fn example() -> Self {
        let texts = [("en", "Find my parcel"), ("de", "Meine Bestellung suchen")];
        let texts = texts.map(|(tag, text)| (tag.to_owned(), text.to_owned()));
        Self(BTreeMap::from([("findMyOrder".to_owned(), Translated(texts.into()))]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wording(texts: &[(&str, &[(&str, &str)])]) -> Wording {
        let translated = |texts: &[(&str, &str)]| {
            Translated(texts.iter().map(|&(tag, text)| (tag.to_owned(), text.to_owned())).collect())
        };
        Wording(texts.iter().map(|&(key, texts)| (key.to_owned(), translated(texts))).collect())
    }

    fn fields(wording: &Wording) -> Vec<String> {
        wording.check("wording").0.into_iter().map(|(field, _)| field).collect()
    }

    #[test]
    fn texts_are_found_by_their_language_and_no_other() {
        let wording = wording(&[("a", &[("en", "A"), ("de", "Ä")]), ("b", &[("de", "B")]), ("c", &[("de-CH", "C")])]);
        assert_eq!(wording.in_language("de").collect::<Vec<_>>(), [("a", "Ä"), ("b", "B")]);
        assert_eq!(wording.in_language("fr").count(), 0);
        assert!(!wording.is_empty() && Wording::default().is_empty());
    }

    #[test]
    fn keys_and_languages_have_a_shape() {
        let longest = "k".repeat(MAX_KEY_CHARS);
        let good = wording(&[(&longest, &[("en", "x"), ("pt-BR", "y")]), ("é", &[("de", "")])]);
        assert_eq!(fields(&good), [""; 0]);
        let long = "k".repeat(MAX_KEY_CHARS + 1);
        for key in ["", "a\nb", &long] {
            assert_eq!(fields(&wording(&[(key, &[("en", "x")])])), ["wording"], "{key}");
        }
        let bad = wording(&[("a", &[]), ("b", &[("EN", "x")]), ("c", &[("en", "x")]), ("d", &[("", "x")])]);
        assert_eq!(fields(&bad), ["wording.a", "wording.b", "wording.d"]);
    }

    #[test]
    fn number_and_size_of_texts_are_bounded() {
        let many = |count: usize, text: &str| {
            Wording((0..count).map(|number| (format!("k{number}"), Translated::en(text))).collect())
        };
        assert_eq!(fields(&many(MAX_TEXTS, "x")), [""; 0]);
        assert_eq!(fields(&many(MAX_TEXTS + 1, "x")), ["wording"]);
        let half = "x".repeat(MAX_BYTES / 2);
        assert_eq!(fields(&many(2, &half)), [""; 0]);
        assert_eq!(fields(&many(2, &format!("{half}x"))), ["wording"]);
    }

    #[cfg(feature = "openapi")]
    #[test]
    fn the_example_in_the_reference_is_valid() {
        let example = Wording::example();
        assert_eq!(fields(&example), [""; 0]);
        assert_eq!(example.in_language("en").collect::<Vec<_>>(), [("findMyOrder", "Find my parcel")]);
    }
}
