//! Countries: codes, names, and the language that their postal service reads.

use icu_casemap::CaseMapper;
use icu_locale_core::{LanguageIdentifier, langid};
use std::{collections::HashMap, sync::LazyLock};

/// The languages of the columns in the table of names: those of the portal.
pub(super) const LANGUAGES: [&str; 8] = ["en", "de", "es", "fr", "it", "nl", "pl", "ar"];

static NAMES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let rows = include_str!("data/names.tsv").lines().skip(1);
    rows.filter_map(|row| row.split_once('\t')).map(|(code, names)| (code, names.split('\t').collect())).collect()
});

/// A code of ISO 3166-1 as the tables have it: in capitals, with common mistakes corrected.
pub(super) fn code(typed: &str) -> String {
    match typed.trim().to_ascii_uppercase().as_str() {
        "UK" => "GB".to_owned(),
        "EL" => "GR".to_owned(),
        code if is_known(code) => code.to_owned(),
        _ => typed.trim().to_owned(),
    }
}

pub(super) fn is_known(code: &str) -> bool {
    NAMES.contains_key(code)
}

/// Whether a text has the form of an ISO 3166-1 alpha-2 code.
pub fn is_country(code: &str) -> bool {
    code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The name of a country, in English if the language is not in [`LANGUAGES`]. An unknown code is returned unchanged.
pub(super) fn name(code: &str, language: &str) -> String {
    let column = LANGUAGES.iter().position(|one| *one == language).unwrap_or_default();
    NAMES.get(code).and_then(|names| names.get(column)).map_or_else(|| code.to_owned(), |name| (*name).to_owned())
}

/// Territories that a country's domestic mail covers: an address there needs no country line. (France: La Poste's
/// "Outre-mer"; United States: Domestic Mail Manual 608.2; United Kingdom: Royal Mail's inland letters.)
const DOMESTIC_TERRITORIES: [(&str, &[&str]); 5] = [
    ("AU", &["CC", "CX", "NF"]),
    ("FR", &["BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "WF", "YT"]),
    ("GB", &["GG", "IM", "JE"]),
    ("NO", &["SJ"]),
    ("US", &["AS", "FM", "GU", "MH", "MP", "PR", "PW", "UM", "VI"]),
];

/// Whether mail between two countries is domestic; `false` if either is unknown.
pub(super) fn is_domestic(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|code| {
        DOMESTIC_TERRITORIES.iter().find(|(_, places)| places.contains(&code)).map_or(code, |(country, _)| country)
    });
    !one.is_empty() && one == other
}

/// The official languages of countries whose postal service sorts by Latin letters, limited to [`LANGUAGES`]. (CLDR,
/// territory information; of several languages, the one that the country uses with the Universal Postal Union.)
const POSTAL_LANGUAGES: [(&str, &[&str]); 6] = [
    ("de", &["AT", "CH", "DE", "LI"]),
    (
        "es",
        &[
            "AR", "BO", "CL", "CO", "CR", "CU", "DO", "EC", "ES", "GQ", "GT", "HN", "MX", "NI", "PA", "PE", "PY", "SV",
            "UY", "VE",
        ],
    ),
    (
        "fr",
        &[
            "BE", "BF", "BJ", "BL", "CD", "CF", "CG", "CI", "CM", "DJ", "DZ", "FR", "GA", "GF", "GN", "GP", "HT", "KM",
            "LU", "MA", "MC", "MF", "MG", "ML", "MQ", "NC", "NE", "PF", "PM", "RE", "SN", "TD", "TG", "TN", "WF", "YT",
        ],
    ),
    ("it", &["IT", "SM", "VA"]),
    ("nl", &["AW", "BQ", "CW", "NL", "SR", "SX"]),
    ("pl", &["PL"]),
];

/// The language in which a country's postal service reads names of countries.
pub(super) fn postal_language(country: &str) -> &'static str {
    POSTAL_LANGUAGES.iter().find(|(_, countries)| countries.contains(&country)).map_or("en", |(language, _)| language)
}

/// The language whose rules a country uses for capitals.
pub(super) fn capitals_language(country: &str) -> &'static str {
    match country {
        "AM" => "hy",
        "AZ" => "az",
        "CY" | "GR" => "el",
        "LT" => "lt",
        "TR" => "tr",
        country => postal_language(country),
    }
}

/// A text in capitals by the rules of a language: Turkish capitalizes "i" as "İ", Greek drops accents.
pub(super) fn capitals(text: &str, language: &str) -> String {
    let language: LanguageIdentifier = language.parse().unwrap_or(langid!("und"));
    CaseMapper::new().uppercase_to_string(text, &language).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_with_common_mistakes_and_other_texts_stay() {
        for (typed, read) in
            [("nl", "NL"), (" De ", "DE"), ("uk", "GB"), ("EL", "GR"), (" Holland", "Holland"), ("xx", "xx")]
        {
            assert_eq!(code(typed), read);
        }
    }

    #[test]
    fn each_country_has_a_name_in_each_language() {
        assert!(NAMES.len() > 240, "{}", NAMES.len());
        for (code, names) in NAMES.iter() {
            assert_eq!(names.len(), LANGUAGES.len(), "{code}");
            assert!(names.iter().all(|name| !name.trim().is_empty()), "{code}");
        }
        assert!(include_str!("data/names.tsv").starts_with(&format!("country\t{}\n", LANGUAGES.join("\t"))));
        for (code, language, called) in [
            ("US", "en", "United States"),
            ("US", "de", "Vereinigte Staaten"),
            ("NL", "fr", "Pays-Bas"),
            ("HK", "en", "Hong Kong"),
            ("DE", "ar", "ألمانيا"),
            ("DE", "sv", "Germany"),
            ("QQ", "de", "QQ"),
        ] {
            assert_eq!(name(code, language), called);
        }
    }

    #[test]
    fn every_country_that_is_named_here_exists() {
        let posts = DOMESTIC_TERRITORIES.iter().flat_map(|(country, places)| places.iter().chain([country]));
        let languages = POSTAL_LANGUAGES.iter().flat_map(|(_, countries)| countries.iter());
        for country in posts.chain(languages) {
            assert!(is_known(country), "{country}");
        }
        assert!(POSTAL_LANGUAGES.iter().all(|(language, _)| LANGUAGES.contains(language)));
    }

    #[test]
    fn mail_to_a_territory_is_domestic() {
        for (one, other) in [("US", "US"), ("US", "PR"), ("PR", "US"), ("GB", "JE"), ("RE", "FR"), ("GP", "RE")] {
            assert!(is_domestic(one, other), "{one} {other}");
        }
        for (one, other) in [("US", "CA"), ("GB", "IE"), ("FR", "MC"), ("", ""), ("DE", ""), ("", "DE")] {
            assert!(!is_domestic(one, other), "{one} {other}");
        }
    }

    #[test]
    fn capitals_follow_the_language() {
        for (text, language, written) in [
            ("İzmir diyarbakır", "tr", "İZMİR DİYARBAKIR"),
            ("Αθήνα", "el", "ΑΘΗΝΑ"),
            ("Gießen", "de", "GIESSEN"),
            ("IJsland", "nl", "IJSLAND"),
            ("Saint-Étienne", "fr", "SAINT-ÉTIENNE"),
            ("東京", "en", "東京"),
            ("x", "not a language", "X"),
        ] {
            assert_eq!(capitals(text, language), written);
        }
    }
}
