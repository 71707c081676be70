//! Countries: their codes, their names, and what language their posts read.

use icu_casemap::CaseMapper;
use icu_locale_core::{LanguageIdentifier, langid};
use std::{collections::HashMap, sync::LazyLock};

/// The languages that names of countries are known in, as the table's columns have them: those of the portal.
pub(super) const LANGUAGES: [&str; 8] = ["en", "de", "es", "fr", "it", "nl", "pl", "ar"];

static NAMES: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let rows = include_str!("data/names.tsv").lines().skip(1);
    rows.filter_map(|row| row.split_once('\t')).map(|(code, names)| (code, names.split('\t').collect())).collect()
});

/// A code of ISO 3166-1 as it stands in the tables: in capitals, and the usual mistakes mended.
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

/// Whether it looks like a code of ISO 3166-1 alpha-2.
pub fn is_country(code: &str) -> bool {
    code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// What a country is called; in English, if the language is none of [`LANGUAGES`]. A code that is not known stays.
pub(super) fn name(code: &str, language: &str) -> String {
    let column = LANGUAGES.iter().position(|one| *one == language).unwrap_or_default();
    NAMES.get(code).and_then(|names| names.get(column)).map_or_else(|| code.to_owned(), |name| (*name).to_owned())
}

/// Places that mail reaches as it does the country: their posts are one, so an address within needs no country.
/// (France: La Poste's "Outre-mer"; United States: Domestic Mail Manual 608.2; United Kingdom: Royal Mail's inland letters.)
const ONE_POST: [(&str, &[&str]); 5] = [
    ("AU", &["CC", "CX", "NF"]),
    ("FR", &["BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "WF", "YT"]),
    ("GB", &["GG", "IM", "JE"]),
    ("NO", &["SJ"]),
    ("US", &["AS", "FM", "GU", "MH", "MP", "PR", "PW", "UM", "VI"]),
];

/// Whether mail between two countries is inland mail; no, if one of them is not known.
pub(super) fn have_one_post(one: &str, other: &str) -> bool {
    let [one, other] = [one, other]
        .map(|code| ONE_POST.iter().find(|(_, places)| places.contains(&code)).map_or(code, |(country, _)| country));
    !one.is_empty() && one == other
}

/// Official languages of countries, as far as names are known in them and posts sort by Latin letters. (CLDR, territory
/// information; of several, the one that the country writes to the Universal Postal Union in.)
const OF_POST: [(&str, &[&str]); 6] = [
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

/// The language that a country's post reads names of countries in.
pub(super) fn language_of_post(country: &str) -> &'static str {
    OF_POST.iter().find(|(_, countries)| countries.contains(&country)).map_or("en", |(language, _)| language)
}

/// The language by whose rules a country writes capitals.
pub(super) fn language_of_capitals(country: &str) -> &'static str {
    match country {
        "AM" => "hy",
        "AZ" => "az",
        "CY" | "GR" => "el",
        "LT" => "lt",
        "TR" => "tr",
        country => language_of_post(country),
    }
}

/// A text in capitals, by the rules of its language: Turkish has "İ" for "i", Greek drops accents.
pub(super) fn capitals(text: &str, language: &str) -> String {
    let language: LanguageIdentifier = language.parse().unwrap_or(langid!("und"));
    CaseMapper::new().uppercase_to_string(text, &language).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let posts = ONE_POST.iter().flat_map(|(country, places)| places.iter().chain([country]));
        let languages = OF_POST.iter().flat_map(|(_, countries)| countries.iter());
        for country in posts.chain(languages) {
            assert!(is_known(country), "{country}");
        }
        assert!(OF_POST.iter().all(|(language, _)| LANGUAGES.contains(language)));
    }

    #[test]
    fn mail_is_inland_where_the_post_is_one() {
        for (one, other) in [("US", "US"), ("US", "PR"), ("PR", "US"), ("GB", "JE"), ("RE", "FR"), ("GP", "RE")] {
            assert!(have_one_post(one, other), "{one} {other}");
        }
        for (one, other) in [("US", "CA"), ("GB", "IE"), ("FR", "MC"), ("", ""), ("DE", ""), ("", "DE")] {
            assert!(!have_one_post(one, other), "{one} {other}");
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
