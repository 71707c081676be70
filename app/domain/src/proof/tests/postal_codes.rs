//! Postal codes: spellings that are equal, and those that are not.

use super::{disguises, dressed, with_another_digit};
use crate::{
    address::Address,
    proof::{ProvingPostalCode, TypedPostalCode, postal_code},
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_postal_code_is_found_in_every_spelling((country, code) in some_code(), how in disguises(), stored in disguises(), sign in any::<bool>()) {
        let spaceless: String = code.chars().filter(|c| c.is_alphanumeric()).collect();
        let mut spellings = vec![code.clone(), spaceless];
        if sign {
            spellings.push(format!("{country}-{code}"));
        }
        let order = order(country, &dressed(&code, &stored));
        for spelling in spellings {
            let typed = TypedPostalCode::new(&dressed(&spelling, &how)).unwrap();
            prop_assert!(order.is(&typed), "{:?} {:?}", spelling, order);
        }
    }

    #[test]
    fn another_digit_is_another_postal_code((country, code) in some_code(), how in disguises(), place in 0_usize..9, by in 1_u32..10) {
        // In the United States only five of nine digits count.
        let place = if country == "US" { place % 5 } else { place };
        let Some(other) = with_another_digit(&code, place, by) else { return Ok(()) };
        let Some(typed) = TypedPostalCode::new(&dressed(&other, &how)) else { return Ok(()) };
        prop_assert!(!order(country, &code).is(&typed), "{} {}", code, other);
        // A part of a code is not equal to it.
        let part: String = code.chars().take(code.chars().count() - 1).collect();
        let is_zip = country == "US";
        prop_assert!(is_zip || TypedPostalCode::new(&part).is_none_or(|part| !order(country, &code).is(&part)), "{}", part);
    }
}

fn some_code() -> impl Strategy<Value = (&'static str, String)> {
    let of = |country: &'static str, pattern: &'static str| pattern.prop_map(move |code| (country, code));
    prop_oneof![
        of("US", "[1-9][0-9]{4}(-[0-9]{4})?"),
        of("DE", "[1-9][0-9]{4}"),
        of("NL", "[1-9][0-9]{3} ?[A-Z]{2}"),
        // No postcode area is called GB, the country's sign.
        of("GB", "([A-Z]|[A-FH-Z][A-Z])[0-9]{1,2} ?[0-9][A-HJ-Z]{2}"),
        of("CA", "[A-Z][0-9][A-Z] [0-9][A-Z][0-9]"),
        of("PL", "[1-9][0-9]-[0-9]{3}"),
        of("PT", "[1-9][0-9]{3}-[0-9]{3}"),
        of("BR", "[1-9][0-9]{4}-[0-9]{3}"),
        of("SE", "[1-9][0-9]{2} [0-9]{2}"),
        of("IE", "[A-Z][0-9]{2} ?[A-Z0-9]{4}"),
        of("JP", "[1-9][0-9]{2}-[0-9]{4}"),
        of("LV", "[1-9][0-9]{3}"),
    ]
}

fn order(country: &str, code: &str) -> ProvingPostalCode {
    let address = Address { postal_code: code.to_owned(), country: country.to_owned(), ..Address::default() };
    ProvingPostalCode::of(&address, "").unwrap()
}

#[test]
fn countries_have_rules_of_their_own() {
    for (country, typed, stored) in [
        ("US", "91601", "91601-3730"),
        ("US", "91601-3730", "91601"),
        ("US", "916013730", "91601 3730"),
        ("US", "02134", "2134"),
        ("US", "02134", "2134-1000"),
        ("", "91601", "91601-3730"),
        ("DE", "D-10115", "'10115"),
        ("DE", "01067", "1067"),
        ("LV", "1010", "LV-1010"),
        ("NL", "NL 1012 ab", "1012AB"),
        ("GB", "gb sw1a1aa", "SW1A 1AA"),
        ("PL", "00950", "00-950"),
        ("", "D-10115", "10115"),
        ("AD", "AD500", "500"),
        ("DE", "10115", "10115.0"),
        ("US", "91601", "91601.00"),
        ("LI", "9490", "FL-9490"),
        ("LI", "FL-9490", "9490"),
        ("KE", "00100", "100"),
        ("EC", "010101", "10101"),
        ("BM", "HM CX", "hm cx"),
        ("", "hmcx", "HM CX"),
    ] {
        assert!(order(country, stored).is(&TypedPostalCode::new(typed).unwrap()), "{country} {typed} {stored}");
    }
    for (country, typed, stored) in [
        ("US", "91602", "91601-3730"),
        ("US", "9160", "91601"),
        ("PT", "1000", "1000-205"),
        ("BR", "01310", "01310-100"),
        ("CA", "K1A", "K1A 0B1"),
        ("GB", "SW1A", "SW1A 1AA"),
        ("DE", "91601", "91601-3730"),
        ("IE", "02X285", "D02 X285"),
        ("GB", "16AN", "E1 6AN"),
        ("NL", "1012", "1012 AB"),
        ("", "1067", "01067"),
        ("DE", "101150", "10115.0"),
    ] {
        assert!(!order(country, stored).is(&TypedPostalCode::new(typed).unwrap()), "{country} {typed} {stored}");
    }
    assert!(postal_code::is_same("10115", " 10115", "DE") && !postal_code::is_same("-", "-", "BD"));
}

#[test]
fn texts_that_are_no_code_prove_nothing() {
    for nothing in [
        "",
        " ",
        "-",
        "--",
        ".",
        "0",
        "00",
        "00000",
        "000-0000",
        "n/a",
        "N/A",
        "NA",
        "none",
        "None.",
        "xxx",
        "XXXXX",
        "1",
        "x1",
        "０００００",
        "null",
        "\u{200b}",
        "?",
        "no-code",
        "N/A N/A",
        "tbd",
        "leer",
        "kein",
        "keine PLZ",
        "sin código",
        "geen postcode",
        "brak kodu",
        "نعم لا يوجد",
        "нет",
        "UAE",
        "Hong Kong",
        "pickup",
        "BG-0000",
        "D-00000",
        "0.0",
    ] {
        assert!(TypedPostalCode::new(nothing).is_none(), "{nothing:?}");
        let address = Address { postal_code: nothing.to_owned(), country: "BD".to_owned(), ..Address::default() };
        assert!(ProvingPostalCode::of(&address, nothing).is_none(), "{nothing:?}");
        let billed = ProvingPostalCode::of(&address, "10115").unwrap();
        assert_eq!(billed.stored().as_str(), "10115");
    }
    let hong_kong = Address { postal_code: "HM CX".to_owned(), country: "HK".to_owned(), ..Address::default() };
    assert!(ProvingPostalCode::of(&hong_kong, "").is_none(), "the form of Bermuda alone");
    let both = Address { postal_code: "1012 AB".to_owned(), country: "NL".to_owned(), ..Address::default() };
    assert_eq!(ProvingPostalCode::of(&both, "10115").unwrap().stored().as_str(), "1012ab");
}

#[test]
fn spellings_of_one_code_share_their_count_of_attempts() {
    let attempt_key = |text: &str| TypedPostalCode::new(text).unwrap().attempt_key().as_str().to_owned();
    for (spellings, key) in [
        (&["91601", "91601-3730", "91601-0001", "US-91601", "９１６０１"][..], "91601"),
        (&["01067", "1067", "D-01067", "DE 1067"][..], "1067"),
        (&["1012 AB", "1012ab"][..], "1012ab"),
        (&["SW1A 1AA", "sw1a1aa"][..], "sw1a1aa"),
    ] {
        for spelling in spellings {
            assert_eq!(attempt_key(spelling), key, "{spelling}");
        }
    }
}

#[test]
fn eight_digits_prove_no_zip_code() {
    let address = |code: &str| Address { postal_code: code.to_owned(), country: "US".to_owned(), ..Address::default() };
    let code = ProvingPostalCode::of(&address("02134-1000"), "").unwrap();
    let typed = |text: &str| TypedPostalCode::new(text).unwrap();
    assert!(["02134", "2134", "02134-1000", "021341000"].iter().all(|text| code.is(&typed(text))));
    assert!(!code.is(&typed("21341000")), "typed codes of this form would each have their own count");
    let from_spreadsheet = ProvingPostalCode::of(&address("21341000"), "").unwrap();
    assert!(from_spreadsheet.is(&typed("02134")) && !from_spreadsheet.is(&typed("21341000")));
    assert_eq!(from_spreadsheet.compared(), code.compared());
}

#[test]
fn a_postal_code_may_follow_the_vehicle_sign_of_its_country() {
    for (country, code, sign) in [
        ("AT", "1010", "A"),
        ("BE", "1000", "B"),
        ("DE", "10115", "D"),
        ("ES", "28013", "E"),
        ("FI", "20100", "FIN"),
        ("FR", "75001", "F"),
        ("HU", "1051", "H"),
        ("IT", "20121", "I"),
        ("LU", "1009", "L"),
        ("NO", "5003", "N"),
        ("PT", "1000-001", "P"),
        ("SE", "111 20", "S"),
        ("SI", "1000", "SLO"),
    ] {
        let typed = TypedPostalCode::new(&format!("{sign}-{code}")).unwrap();
        assert!(order(country, code).is(&typed), "{sign}-{code} in {country}");
    }
}

#[test]
fn the_country_decides_whether_two_postal_codes_are_equal() {
    assert!(postal_code::is_same("1067", "01067", "DE"), "a spreadsheet dropped the zero");
    assert!(!postal_code::is_same("1067", "01067", "GB"));
    assert!(!postal_code::is_same("1067", "01068", "DE"));
    assert!(postal_code::is_same("1310100", "01310100", "BR"));
    assert!(postal_code::is_same("600000", "0600000", "JP"));
    assert!(postal_code::is_same("1234", "001234", "IN"), "two zeros");
    assert!(!postal_code::is_same("123", "000123", "IN"), "three zeros are no slip");
}
