//! Languages, and texts in several of them.

use super::refusal::{Problems, RefusalCode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A language tag (BCP 47).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(transparent)]
// The schema states what `is_well_formed` checks.
#[cfg_attr(
    feature = "openapi",
    schemars(extend("pattern" = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", "maxLength" = MAX_LOCALE_CHARS, "examples" = ["en"]))
)]
pub struct Locale(pub String);

/// The longest language tag, characters.
const MAX_LOCALE_CHARS: usize = 35;

impl Default for Locale {
    fn default() -> Self {
        Self("en".to_owned())
    }
}

impl Locale {
    /// Whether it has the form of a language tag: `de`, `pt-BR`, `zh-Hant-TW`.
    pub fn is_well_formed(&self) -> bool {
        let mut parts = self.0.split('-');
        let language = parts.next().unwrap_or_default();
        let is_language = (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_subtag = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        is_language && self.0.len() <= MAX_LOCALE_CHARS && parts.all(is_subtag)
    }
}

/// A text in several languages: language tag → text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(transparent)]
// The schema states what `check` refuses in any field.
#[cfg_attr(
    feature = "openapi",
    schemars(
        example = Translated::en("Too small"),
        extend(
            "maxProperties" = MAX_LANGUAGES,
            "additionalProperties" = {"type": "string", "minLength": 1, "maxLength": MAX_CHARS},
        )
    )
)]
pub struct Translated(pub BTreeMap<String, String>);

impl Translated {
    /// A text in English only.
    pub fn en(text: &str) -> Self {
        Self(BTreeMap::from([("en".to_owned(), text.to_owned())]))
    }

    /// The text in `locale`, else in its primary language, else in English, else in any language.
    pub fn get(&self, locale: &Locale) -> &str {
        let bare = locale.0.split('-').next().unwrap_or_default();
        [locale.0.as_str(), bare, "en"]
            .iter()
            .find_map(|tag| self.0.get(*tag))
            .or_else(|| self.0.values().next())
            .map_or("", String::as_str)
    }

    /// Problems of it as the value of a field: `least` languages at least, each text up to `most` characters.
    pub fn check(&self, field: &str, least: usize, most: usize) -> Problems {
        debug_assert!(most <= MAX_CHARS, "the schema allows {MAX_CHARS} characters");
        let mut problems = Problems::default();
        if !(least..=MAX_LANGUAGES).contains(&self.0.len()) {
            let message = format!("expected texts in {least} to {MAX_LANGUAGES} languages, such as {{\"en\": \"…\"}}");
            problems.add(field, RefusalCode::OutOfRange, message);
        }
        for (tag, text) in self.0.iter().take(MAX_LANGUAGES) {
            if Locale(tag.clone()).is_well_formed() {
                problems.check_text(&format!("{field}.{tag}"), text, 1..=most);
            } else {
                problems.add(field, RefusalCode::NotAllowed, "expected language tags as keys, such as en or pt-BR");
            }
        }
        problems
    }
}

/// No shop speaks more languages.
const MAX_LANGUAGES: usize = 50;

/// The longest text of any field, in characters. Most fields allow less.
const MAX_CHARS: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_need_languages_and_bounded_lines() {
        let fields = |texts: &[(&str, &str)]| {
            let texts = texts.iter().map(|&(tag, text)| (tag.to_owned(), text.to_owned())).collect();
            Translated(texts).check("name", 1, 5).0.into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        assert!(fields(&[("en", "Label"), ("pt-BR", "É"), ("zh-Hant-TW", "標籤")]).is_empty());
        assert_eq!(fields(&[]), ["name"]);
        for tag in ["", "e", "EN", "en_US", "en-", "en-a", "english"] {
            assert_eq!(fields(&[(tag, "x")]), ["name"], "{tag}");
        }
        for text in ["", "  ", "longer", "a\nb", "a\0b"] {
            assert_eq!(fields(&[("en", "x"), ("de", text)]), ["name.de"], "{text}");
        }
    }
}
