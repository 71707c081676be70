//! Plural forms by CLDR's cardinal rules for whole numbers, in the languages of our pages.

use super::format::format;

/// The plural category of a number.
pub fn category(language: &str, number: u64) -> &'static str {
    let (ones, tens) = (number % 10, number % 100);
    match (language, number) {
        ("ar", 0) => "zero",
        ("ar", 2) => "two",
        ("ar", _) if (3..=10).contains(&tens) => "few",
        ("ar", _) if tens >= 11 => "many",
        ("pl", 2..) if (2..=4).contains(&ones) && !(12..=14).contains(&tens) => "few",
        ("pl", 0 | 2..) => "many",
        ("fr", 0) | (_, 1) => "one",
        _ => "other",
    }
}

/// All categories of a language. Some apply only to numbers that our pages never show, such as French `many`, for millions.
#[cfg(feature = "ssr")]
pub fn categories(language: &str) -> &'static [&'static str] {
    match language {
        "ar" => &["zero", "one", "two", "few", "many", "other"],
        "pl" => &["one", "few", "many", "other"],
        "es" | "fr" | "it" => &["one", "many", "other"],
        _ => &["one", "other"],
    }
}

/// Fills in the slots of a sentence and selects its plural forms: `{0} {0:one=day;other=days}`. A missing form falls back to
/// `other`.
pub fn plural(language: &str, sentence: &str, values: &[&str]) -> String {
    format(&formed(language, sentence, values), values)
}

/// The sentence with its plural forms selected, its slots still open.
fn formed(language: &str, sentence: &str, values: &[&str]) -> String {
    let Some((before, number, forms, after)) = next_forms(sentence) else { return sentence.to_owned() };
    let digits: String = values.get(number).copied().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    let category = category(language, digits.parse().unwrap_or(0));
    let form =
        |wanted: &str| forms.split(';').find_map(|form| form.split_once('=').filter(|(name, _)| *name == wanted));
    let (_, chosen) = form(category).or_else(|| form("other")).unwrap_or_default();
    format!("{before}{chosen}{}", formed(language, after, values))
}

/// Splits a sentence at its first plural forms: the text before, the slot they depend on, the forms, the text after. Forms may contain
/// slots.
fn next_forms(sentence: &str) -> Option<(&str, usize, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + sentence.get(from..)?.find('{')?;
        let rest = sentence.get(start + 1..)?;
        let (number, forms) = rest.split_once(':')?;
        let Ok(number) = number.parse() else {
            from = start + 1;
            continue;
        };
        let mut depth = 1;
        let end = forms.char_indices().find_map(|(at, sign)| {
            depth += i32::from(sign == '{') - i32::from(sign == '}');
            (depth == 0).then_some(at)
        })?;
        return Some((sentence.get(..start)?, number, forms.get(..end)?, forms.get(end + 1..)?));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "ssr")]
    fn numbers_have_the_forms_that_cldr_gives_them() {
        use crate::language::Language;
        use icu_plurals::{PluralCategory as Category, PluralRules};
        use std::collections::BTreeSet;
        for language in Language::ALL {
            let tag = language.tag();
            let locale: icu_locale_core::Locale = tag.parse().unwrap();
            let rules = PluralRules::try_new_cardinal((&locale).into()).unwrap();
            let name = |category| match category {
                Category::Zero => "zero",
                Category::One => "one",
                Category::Two => "two",
                Category::Few => "few",
                Category::Many => "many",
                Category::Other => "other",
            };
            for number in 0..=1_200_u64 {
                assert_eq!(category(tag, number), name(rules.category_for(number)), "{tag} {number}");
            }
            let theirs: BTreeSet<_> = rules.categories().map(name).collect();
            assert_eq!(categories(tag).iter().copied().collect::<BTreeSet<_>>(), theirs, "{tag}");
        }
    }

    #[test]
    fn a_sentence_has_the_forms_that_go_with_its_numbers() {
        let said = |language, number: u64| {
            let sentence = "{0} {0:zero=z;one=o;two=t;few=f;many=m;other=x}, {1}";
            plural(language, sentence, &[&number.to_string(), "{0}"])
        };
        for (language, cases) in [
            ("de", &[(0, "x"), (1, "o"), (2, "x"), (21, "x")][..]),
            ("fr", &[(0, "o"), (1, "o"), (2, "x")]),
            ("pl", &[(0, "m"), (1, "o"), (2, "f"), (4, "f"), (5, "m"), (12, "m"), (22, "f"), (112, "m"), (101, "m")]),
            ("ar", &[(0, "z"), (1, "o"), (2, "t"), (3, "f"), (10, "f"), (11, "m"), (99, "m"), (100, "x"), (103, "f")]),
        ] {
            for &(number, form) in cases {
                assert_eq!(said(language, number), format!("{number} {form}, {{0}}"), "{language}");
            }
        }
    }

    #[test]
    fn forms_may_have_slots_and_sentences_none() {
        let days = "{0:one=one day;few={0} days;other={0} day} in {1}";
        assert_eq!(plural("ar", days, &["3", "Cairo"]), "3 days in Cairo");
        assert_eq!(plural("ar", days, &["1", "Cairo"]), "one day in Cairo");
        assert_eq!(plural("en", "{0} things: {1}", &["1,200", "x"]), "1,200 things: x");
        assert_eq!(plural("en", "nothing {here: at all", &["1"]), "nothing {here: at all");
    }
}
