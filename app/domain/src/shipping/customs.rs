//! Which parcels cross a customs border, and what the declaration needs.

use crate::{address::Address, order::Product};
use serde::{Deserialize, Serialize};

/// Countries between which parcels need no declaration: those where both the Union Customs Code (Regulation 952/2013,
/// article 4) and the Union's VAT (Directive 2006/112, articles 5 to 7) apply.
const UNION_COUNTRIES: [&str; 28] = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV",
    "MC", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];
/// Other pairs that form one customs territory.
const SHARED_TERRITORIES: [(&str, &str); 3] = [("IM", "GB"), ("LI", "CH"), ("PR", "US")];
/// Parts of Union countries where one of the two does not apply, by the beginning of their postal codes: Büsingen,
/// Helgoland, Livigno, Campione, Mount Athos, Åland, the French overseas territories, Las Palmas, Tenerife, Ceuta,
/// Melilla.
const EXCLUDED_PARTS: [(&str, &str); 11] = [
    ("DE", "78266"),
    ("DE", "27498"),
    ("IT", "23041"),
    ("IT", "22061"),
    ("GR", "63086"),
    ("FI", "22"),
    ("FR", "97"),
    ("ES", "35"),
    ("ES", "38"),
    ("ES", "51"),
    ("ES", "52"),
];

/// An area within which parcels need no declaration.
#[derive(Debug, PartialEq, Eq)]
enum Area<'a> {
    Union,
    /// Belongs to the Union (for goods) and to the United Kingdom.
    NorthernIreland,
    Country(&'a str),
    /// A part of a country, by the beginning of its postal codes.
    Part(&'a str),
}

/// Whether a parcel between these addresses crosses a customs border. An unknown country counts as the same one.
pub fn is_border_between(one: &Address, other: &Address) -> bool {
    let countries = [one, other].map(|address| address.country.trim().to_ascii_uppercase());
    let [Some(one), Some(other)] = [area(&countries[0], &one.postal_code), area(&countries[1], &other.postal_code)]
    else {
        return false;
    };
    match (&one, &other) {
        (Area::NorthernIreland, area) | (area, Area::NorthernIreland) => {
            !matches!(area, Area::Union | Area::NorthernIreland | Area::Country("GB"))
        }
        _ => one != other,
    }
}

fn area<'a>(country: &'a str, postal_code: &str) -> Option<Area<'a>> {
    let code: String = postal_code.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_uppercase();
    let excluded = EXCLUDED_PARTS.iter().find(|(of, begin)| *of == country && code.starts_with(begin));
    match country {
        "" => None,
        "GB" if code.starts_with("BT") => Some(Area::NorthernIreland),
        _ if excluded.is_some() => excluded.map(|(_, begin)| Area::Part(begin)),
        _ if UNION_COUNTRIES.contains(&country) => Some(Area::Union),
        _ => Some(Area::Country(
            SHARED_TERRITORIES.iter().find(|(one, _)| *one == country).map_or(country, |(_, with)| with),
        )),
    }
}

/// A fact for customs declarations that a product may lack. Every product has the others: its name and its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CustomsFact {
    /// The code in the Harmonized System.
    HsCode,
    /// The country of origin.
    OriginCountry,
}

impl CustomsFact {
    /// The name of the product's field.
    pub fn field(self) -> &'static str {
        match self {
            Self::HsCode => "hsCode",
            Self::OriginCountry => "originCountry",
        }
    }
}

/// The facts for customs that a product lacks.
pub fn unknown_facts(product: &Product) -> Vec<CustomsFact> {
    let facts = [(CustomsFact::HsCode, &product.hs_code), (CustomsFact::OriginCountry, &product.origin_country)];
    facts.into_iter().filter(|(_, known)| known.is_empty()).map(|(fact, _)| fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(country: &str, postal_code: &str) -> Address {
        Address { country: country.into(), postal_code: postal_code.into(), ..Address::default() }
    }

    #[test]
    fn a_border_is_where_an_area_ends() {
        for (one, other, expected) in [
            (at("NL", "1012 JS"), at("DE", "10115"), false),
            (at("fr", ""), at("MC", ""), false),
            (at("NL", ""), at("GB", "SW1A 1AA"), true),
            (at("GB", "BT1 5GS"), at("IE", "D02"), false),
            (at("GB", "bt1 5gs"), at("GB", "SW1A 1AA"), false),
            (at("GB", "BT1"), at("CH", "8001"), true),
            (at("IM", ""), at("GB", ""), false),
            (at("JE", ""), at("GB", ""), true),
            (at("CH", ""), at("LI", ""), false),
            (at("ES", "28001"), at("ES", "35 001"), true),
            (at("ES", "35001"), at("ES", "35002"), false),
            (at("ES", "35001"), at("ES", "38001"), true),
            (at("DE", "27498"), at("DE", "27499"), true),
            (at("FR", "75001"), at("GP", "97100"), true),
            (at("FR", "75001"), at("FR", "97100"), true),
            (at("FI", "00100"), at("FI", "22100"), true),
            (at("IT", "20121"), at("IT", "22061"), true),
            (at("US", ""), at("PR", ""), false),
            (at("NO", ""), at("SE", ""), true),
            (at("", ""), at("GB", ""), false),
            (at("NL", ""), at(" ", ""), false),
        ] {
            assert_eq!(is_border_between(&one, &other), expected, "{one:?} {other:?}");
        }
    }

    proptest! {
        #[test]
        fn a_border_is_symmetric_and_never_within_one_place(
            countries in proptest::array::uniform2("(NL|DE|GB|ES|CH|NO|[A-Z]{2}|)"),
            codes in proptest::array::uniform2("(BT1|35001|27498|[0-9]{5}|)"),
        ) {
            let [one, other] = [at(&countries[0], &codes[0]), at(&countries[1], &codes[1])];
            prop_assert_eq!(is_border_between(&one, &other), is_border_between(&other, &one));
            prop_assert!(!is_border_between(&one, &one));
        }
    }

    #[test]
    fn missing_facts_are_named_by_field() {
        let names = |product: &Product| unknown_facts(product).into_iter().map(CustomsFact::field).collect::<Vec<_>>();
        let mut product = Product::default();
        assert_eq!(names(&product), ["hsCode", "originCountry"]);
        product.hs_code = "6109.10".into();
        assert_eq!(names(&product), ["originCountry"]);
        product.origin_country = "PT".into();
        assert!(names(&product).is_empty());
    }
}
