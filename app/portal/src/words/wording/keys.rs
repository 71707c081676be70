//! All texts by the keys that merchants use.

use crate::words::{en::Words, live::Live};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};
use ui::{language::Language, text::placeholders};

/// A text in every language. A text in both tables has one key.
#[derive(Debug)]
pub struct Key {
    texts: Vec<(Language, &'static str)>,
    /// The placeholders that plural forms may depend on: those of any language.
    pub counted: BTreeSet<usize>,
    /// Why the text cannot be changed.
    pub fixed: Option<Fixed>,
}

impl Key {
    /// The standard text in a language.
    pub fn standard(&self, language: Language) -> &'static str {
        self.texts.iter().find(|(one, _)| *one == language).map_or("", |(_, text)| text)
    }
}

/// Why a text cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// It is the language's tag, or how the language writes numbers and lists.
    Format,
    /// Directive (EU) 2023/2673 prescribes it.
    Directive,
}

impl Fixed {
    fn of(name: &str) -> Option<Self> {
        match name {
            "tag" | "decimal" | "group" | "least_grouped" | "minus" | "amount" | "percent" | "range" | "list_comma" => {
                Some(Self::Format)
            }
            "withdraw" | "withdraw_confirm" => Some(Self::Directive),
            _ => None,
        }
    }

    /// The reason as a sentence.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Format => "part of how the language writes numbers and lists",
            Self::Directive => "a label whose words Directive (EU) 2023/2673 gives",
        }
    }
}

static KEYS: LazyLock<BTreeMap<String, Key>> = LazyLock::new(|| {
    let mut keys = BTreeMap::new();
    for language in Language::ALL {
        let words = Words::of(language);
        let live = words.live();
        let texts = words.texts().into_iter().chain(live.texts());
        for (name, text) in Words::NAMES.iter().chain(Live::NAMES).zip(texts) {
            let fixed = Fixed::of(name);
            let new = || Key { texts: Vec::new(), counted: BTreeSet::new(), fixed };
            let key: &mut Key = keys.entry(key_of(name)).or_insert_with(new);
            key.texts.push((language, text));
            key.counted.extend(placeholders::read(text).map(|text| text.counts()).unwrap_or_default());
        }
    }
    keys
});

/// All texts by their keys.
pub fn all() -> &'static BTreeMap<String, Key> {
    &KEYS
}

/// The key of a field of the tables: `find_my_order` becomes `findMyOrder`, `continue_` becomes `continue`.
pub fn key_of(field: &str) -> String {
    let mut key = String::with_capacity(field.len());
    for (number, part) in field.split('_').enumerate() {
        let mut letters = part.chars();
        key.extend(letters.next().map(|first| if number == 0 { first } else { first.to_ascii_uppercase() }));
        key.push_str(letters.as_str());
    }
    key
}

/// The key most similar to an unknown one.
pub fn like(name: &str) -> Option<&'static str> {
    /// One letter too many, too few or wrong, or two letters swapped.
    const FAR: usize = 2;
    let folded = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let meant = folded(name);
    let by_distance = all().keys().map(|key| (strsim::osa_distance(&meant, &folded(key)), key.as_str()));
    by_distance.filter(|(distance, key)| *distance <= FAR && *distance * 3 < key.len()).min().map(|(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_camel_case() {
        for (field, key) in
            [("find_my_order", "findMyOrder"), ("continue_", "continue"), ("n_of_m", "nOfM"), ("return_", "return")]
        {
            assert_eq!(key_of(field), key);
            assert!(all().contains_key(key), "{key}");
        }
    }

    #[test]
    fn a_key_has_one_text_per_language() {
        let fields: BTreeSet<_> = Words::NAMES.iter().chain(Live::NAMES).collect();
        assert_eq!(fields.len(), all().len(), "two fields share a key");
        for (name, key) in all() {
            for language in Language::ALL {
                let texts = key.texts.iter().filter(|(one, _)| *one == language);
                assert!(texts.clone().all(|(_, text)| *text == key.standard(language)), "{name} in {language:?}");
                assert!(matches!(texts.count(), 1 | 2), "{name} in {language:?}");
            }
        }
    }

    #[test]
    fn fixed_texts_are_listed() {
        let fixed: Vec<_> = all().iter().filter_map(|(name, key)| Some((name.as_str(), key.fixed?))).collect();
        assert_eq!(fixed.len(), 11, "{fixed:?}");
        for (key, text) in [("withdraw", "Withdraw from contract here"), ("withdrawConfirm", "Confirm withdrawal")] {
            assert_eq!(all()[key].standard(Language::En), text);
            assert!(fixed.contains(&(key, Fixed::Directive)), "{key}");
        }
    }

    #[test]
    fn similar_keys_are_found() {
        for (name, key) in [
            ("find_my_order", Some("findMyOrder")),
            ("FindMyOrder", Some("findMyOrder")),
            ("findMyOrdr", Some("findMyOrder")),
            ("continue_", Some("continue")),
            ("", None),
            ("x", None),
            ("somethingElseAltogether", None),
        ] {
            assert_eq!(like(name), key, "{name}");
        }
    }
}
