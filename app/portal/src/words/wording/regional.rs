//! English names a postal code differently from country to country: "postcode" in the United Kingdom, "ZIP code" in the United States.

use crate::words::{Language, en::Words, live::Live};
use std::sync::LazyLock;

static POSTCODE: LazyLock<Words> = LazyLock::new(|| with_postal_code("Postcode", "postcode"));
static ZIP_CODE: LazyLock<Words> = LazyLock::new(|| with_postal_code("ZIP code", "ZIP code"));

/// The standard words of a language in a country (ISO 3166-1 alpha-2).
pub(super) fn words(language: Language, country: &str) -> &'static Words {
    match (language, country) {
        (Language::En, "AU" | "GB" | "GG" | "IM" | "JE" | "NZ") => &POSTCODE,
        (Language::En, "AS" | "GU" | "MP" | "PR" | "US" | "VI") => &ZIP_CODE,
        _ => Words::of(language),
    }
}

/// The English words, with another word for the postal code at the beginning of a sentence and within one.
fn with_postal_code(first: &str, within: &str) -> Words {
    let english = Words::of(Language::En);
    let text = |text: &'static str| match text.replace("Postal code", first).replace("postal code", within) {
        changed if changed == text => text,
        changed => &*changed.leak(),
    };
    let live: &'static Live = Box::leak(Box::new(Live::of_texts(english.live().texts().into_iter().map(text))));
    Words::of_texts(live, english.texts().into_iter().map(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_postal_code_has_the_name_that_its_country_gives_it() {
        let [british, american, other] = ["GB", "US", "DE"].map(|country| words(Language::En, country));
        assert_eq!(
            (british.postal_code, american.postal_code, other.postal_code),
            ("Postcode", "ZIP code", "Postal code")
        );
        assert_eq!(british.email_or_postal_code, "Email address or postcode");
        assert_eq!(american.either_missing, "Enter your email address or ZIP code");
        for words in [british, american] {
            let texts = words.texts().into_iter().chain(words.live().texts());
            assert!(texts.map(str::to_lowercase).all(|text| !text.contains("postal code")));
            assert_eq!(words.language(), Language::En);
        }
        assert!(std::ptr::eq(words(Language::De, "US"), Words::of(Language::De)));
        assert!(std::ptr::eq(words(Language::En, ""), Words::of(Language::En)));
    }
}
