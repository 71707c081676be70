//! What is equal to a person is equal; what differs in a digit is not.

use super::{
    EmailKey, OrderNumberKey, ProofKey, ProvingPostalCode, TypedOrderNumber, TypedPostalCode, email,
    order_number::{self, NumberFit, compared},
    postal_code,
};
use crate::policy::Address;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// What keyboards, mail programs and clipboards make of a text, one way each.
#[derive(Debug, Clone, Copy)]
enum Disguise {
    Wide,
    Decomposed,
    Capital,
    Small,
    /// Digits of a script, by its zero.
    Digits(char),
    Dash(char),
    /// A character that nobody sees, behind so many others.
    Invisible(char, usize),
    /// Around it.
    Around(&'static str, &'static str),
}

const ZEROS: [char; 8] = ['٠', '۰', '०', '০', '๐', '０', '𝟎', '၀'];
const DASHES: [char; 11] = ['‐', '‑', '‒', '–', '—', '―', '−', '﹣', '－', '⁃', '➖'];
const UNSEEN: [char; 12] = [
    '\u{200b}', '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202c}', '\u{2060}', '\u{feff}',
    '\u{ad}', '\u{fe0f}', '\u{2068}',
];
const BLANKS: [&str; 7] = [" ", "\u{a0}", "\u{3000}", "\u{2009}", "\u{202f}", "\t", "\r\n"];

impl Disguise {
    fn apply(self, text: &str) -> String {
        match self {
            Self::Wide => text.chars().map(|c| wide(c).unwrap_or(c)).collect(),
            Self::Decomposed => text.nfd().collect(),
            Self::Capital => text.to_uppercase(),
            Self::Small => text.to_lowercase(),
            Self::Digits(zero) => {
                let of = |c: char| c.to_digit(10).and_then(|value| char::from_u32(u32::from(zero) + value));
                text.chars().map(|c| of(c).unwrap_or(c)).collect()
            }
            Self::Dash(dash) => text.replace('-', &dash.to_string()),
            Self::Invisible(unseen, place) => {
                let mut chars: Vec<char> = text.chars().collect();
                chars.insert(place % (chars.len() + 1), unseen);
                chars.into_iter().collect()
            }
            Self::Around(before, behind) => format!("{before}{text}{behind}"),
        }
    }
}

fn wide(c: char) -> Option<char> {
    c.is_ascii_graphic().then(|| char::from_u32(u32::from(c) - 0x21 + 0xff01)).flatten()
}

fn disguise() -> impl Strategy<Value = Disguise> {
    prop_oneof![
        Just(Disguise::Wide),
        Just(Disguise::Decomposed),
        Just(Disguise::Capital),
        Just(Disguise::Small),
        prop::sample::select(&ZEROS[..]).prop_map(Disguise::Digits),
        prop::sample::select(&DASHES[..]).prop_map(Disguise::Dash),
        (prop::sample::select(&UNSEEN[..]), 0_usize..40).prop_map(|(unseen, place)| Disguise::Invisible(unseen, place)),
        prop::sample::select(&BLANKS[..]).prop_map(|blank| Disguise::Around(blank, blank)),
    ]
}

fn disguises() -> impl Strategy<Value = Vec<Disguise>> {
    prop::collection::vec(disguise(), 0..6)
}

fn dressed(text: &str, disguises: &[Disguise]) -> String {
    disguises.iter().fold(text.to_owned(), |text, disguise| disguise.apply(&text))
}

/// With another digit in one place; `None` where it has none.
fn with_another_digit(text: &str, place: usize, by: u32) -> Option<String> {
    let mut chars: Vec<char> = text.chars().collect();
    let digits: Vec<usize> = (0..chars.len()).filter(|&at| chars[at].is_ascii_digit()).collect();
    let at = *digits.get(place % digits.len().max(1))?;
    chars[at] = char::from_digit((chars[at].to_digit(10)? + by) % 10, 10)?;
    Some(chars.into_iter().collect())
}

const WORDS: [&str; 24] = [
    "#",
    "Order #",
    "Order ",
    "order: ",
    "Order no. ",
    "Your order number: #",
    "Bestellung #",
    "Bestellung Nr. ",
    "Bestellnummer: ",
    "Commande n° ",
    "Numéro de commande : ",
    "Nº de pedido: ",
    "Pedido #",
    "Ordine n. ",
    "Bestelnummer ",
    "Zamówienie nr ",
    "Заказ № ",
    "注文番号：",
    "طلب رقم ",
    "No. ",
    "Nr. ",
    "n°",
    "№",
    "# ",
];

proptest! {
    #[test]
    fn an_order_number_is_found_in_every_spelling(
        number in "([A-ZÄÉ]{1,3}-?)?[0-9]{1,9}(-[A-Z0-9]{1,2})?",
        how in disguises(),
        stored in disguises(),
        word in prop::sample::select(&WORDS[..]),
        end in prop::sample::select(&["", ".", ",", " ", ")", "!"][..]),
    ) {
        let typed = dressed(&format!("{word}{number}{end}"), &how);
        let found = TypedOrderNumber::new(&typed).unwrap();
        for in_shop in [number.clone(), format!("#{number}"), dressed(&number, &stored)] {
            prop_assert_eq!(found.fit(&in_shop), Some(NumberFit::Whole), "{:?} {:?}", typed, in_shop);
            let plain = OrderNumberKey::new(&in_shop).unwrap();
            let kept = order_number::compared_if_other(&in_shop);
            let kept = if kept.is_empty() { plain.as_str() } else { &kept };
            prop_assert!(found.candidates().contains(&kept), "{:?} {:?}", typed, in_shop);
        }
    }

    #[test]
    fn another_digit_is_another_number(
        number in "([A-Z]{1,3}-?)?[0-9]{1,9}(-[A-Z0-9]{1,2})?",
        how in disguises(),
        place in 0_usize..9,
        by in 1_u32..10,
        word in prop::sample::select(&WORDS[..]),
    ) {
        let other = with_another_digit(&number, place, by).unwrap();
        let typed = TypedOrderNumber::new(&dressed(&format!("{word}{other}"), &how)).unwrap();
        prop_assert_eq!(typed.fit(&number), None);
        for longer in [format!("{number}0"), format!("0{number}"), format!("{number}-A"), format!("{number}#2")] {
            prop_assert_eq!(TypedOrderNumber::new(&number).unwrap().fit(&longer), None, "{}", longer);
        }
    }

    /// The key of a shop's number is no other number's of that shop, whatever the shop calls its orders.
    #[test]
    fn numbers_of_one_shop_stay_apart(one in "#?[A-Z]{0,2}[-#/ ]?[0-9]{1,5}([-#/.][A-Z0-9]{1,2})?", other in "#?[A-Z]{0,2}[-#/ ]?[0-9]{1,5}([-#/.][A-Z0-9]{1,2})?") {
        let plain = |text: &str| OrderNumberKey::new(text).unwrap();
        // Words for "number" before a sign are no part of it.
        let short = |text: &str| {
            let text = text.trim_start_matches('#');
            ["N", "NO", "NR", "ID"].iter().any(|word| text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '#'])))
        };
        prop_assume!(!short(&one) && !short(&other));
        prop_assert_eq!(compared(&one) == compared(&other), plain(&one) == plain(&other));
    }

    #[test]
    fn what_is_compared_is_compared_to_itself(text in "\\PC{0,40}") {
        let once = compared(&text);
        prop_assert!(compared(&once) == once || once.contains(['#', ' ', '.', ':', '°', '\'', '’']), "{:?} {:?}", text, once);
        if let Some(key) = EmailKey::new(&text) {
            prop_assert!(key.spellings().contains(&EmailKey::stored(&text)));
        }
        let _ = (order_number::cleaned(&text), email::cleaned(&text), TypedPostalCode::new(&text));
    }

    #[test]
    fn an_e_mail_is_found_in_every_spelling(
        local in "[a-z0-9]{1,8}([.+_-][a-z0-9]{1,5})?",
        domain in prop::sample::select(&["example.com", "müller.example", "xn--mller-kva.example", "пример.example", "例え.example"][..]),
        how in disguises(),
        around in prop::sample::select(&[("", ""), ("Ann Example <", ">"), ("<", ">"), ("mailto:", ""), ("mailto:", "?subject=1001"), ("", "."), ("(", "),"), ("\"Ann\" <mailto:", ">;")][..]),
    ) {
        let address = format!("{local}@{domain}");
        let typed = format!("{}{}{}", around.0, dressed(&address, &how), around.1);
        let key = EmailKey::new(&typed).unwrap();
        prop_assert_eq!(&key, &EmailKey::new(&address).unwrap(), "{:?}", typed);
        prop_assert!(key.spellings().contains(&EmailKey::stored(&address)));
        prop_assert!(key.spellings().contains(&EmailKey::stored(&typed)), "{:?}", typed);
        let other = EmailKey::new(&format!("x{local}@{domain}")).unwrap();
        prop_assert_ne!(key, other);
    }

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
        // Of nine digits in the United States five count.
        let place = if country == "US" { place % 5 } else { place };
        let Some(other) = with_another_digit(&code, place, by) else { return Ok(()) };
        let Some(typed) = TypedPostalCode::new(&dressed(&other, &how)) else { return Ok(()) };
        prop_assert!(!order(country, &code).is(&typed), "{} {}", code, other);
        // A part of a code is none.
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
        // No area is called GB, which is the sign of the country.
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

fn fits(typed: &str, number: &str) -> Option<NumberFit> {
    TypedOrderNumber::new(typed).and_then(|typed| typed.fit(number))
}

#[test]
fn stored_keys_have_no_hash_blanks_and_case() {
    for typed in ["#C-1001", " c-1001", "C - 1001 ", "##c-1001"] {
        assert_eq!(OrderNumberKey::new(typed).unwrap().as_str(), "c-1001");
    }
    assert!(OrderNumberKey::new(" # ").is_none() && ProofKey::new("  ").is_none());
    assert!(OrderNumberKey::new("10\x0001").is_none() && ProofKey::new("a\0b").is_none());
    assert_eq!(ProofKey::new(" Ann@Example.COM ").unwrap().as_str(), "ann@example.com");
    assert_eq!(ProofKey::new("1012 ab").unwrap().as_str(), "1012ab");
    assert!(TypedOrderNumber::new("10\x0001").is_none() && TypedOrderNumber::new(" # ").is_none());
    assert!(EmailKey::new("a\0@b").is_none() && EmailKey::new(" \u{200b}").is_none());
    assert!(TypedPostalCode::new("10115\0").is_none());
}

#[test]
fn accents_of_their_own_and_rare_capitals_are_compared_as_others() {
    assert_eq!(compared("C´12"), compared("ć12"));
    assert_eq!(compared("ᄀ ᅡ12"), compared("가12"));
    assert_eq!(compared("STRAẞE-1"), compared("strasse-1"));
}

#[test]
fn all_parts_of_a_number_count() {
    for (typed, number) in [
        ("1001", "1001-A"),
        ("1001", "01001"),
        ("12", "A#12"),
        ("12", "#A#12"),
        ("A#12", "B#12"),
        ("1001", "1001#2"),
        ("2", "1001#2"),
        ("1001", "US #1001"),
        ("EU #1001", "US #1001"),
        ("NO-1001", "1001"),
        ("NO1001", "1001"),
        ("ORDER1001", "1001"),
        ("1001", "ORDER-1001"),
    ] {
        assert_eq!(fits(typed, number), None, "{typed} {number}");
    }
    for (typed, number) in [
        ("a # 12", "#A#12"),
        ("1001 #2", "1001#2"),
        ("us#1001", "US #1001"),
        ("order us #1001", "US #1001"),
        ("1001", "Order #1001"),
        ("Bestellung #1001", "Order #1001"),
        ("order1001", "Order 1001"),
        ("STRASSE-1", "straße-1"),
        ("Order Order #1001", "1001"),
        ("my order", "My Order"),
    ] {
        assert_eq!(fits(typed, number), Some(NumberFit::Whole), "{typed} {number}");
    }
    for (typed, number) in [("Gift #1001", "1001"), ("Fjord & Fern #1001", "#1001")] {
        assert_eq!(fits(typed, number), Some(NumberFit::BehindSign), "{typed} {number}");
        assert_eq!(TypedOrderNumber::new(typed).unwrap().counted().as_str(), "1001");
    }
}

#[test]
fn shops_are_asked_in_the_shopper_s_spelling_without_what_is_no_part_of_it() {
    for (typed, asked) in [
        (" Order #1001 ", "#1001"),
        ("１００１", "1001"),
        ("Bestellung Nr. AbC–12\u{200b}", "AbC-12"),
        ("TR6DF4QRPMDH3X3B", "TR6DF4QRPMDH3X3B"),
        ("my order", "my order"),
    ] {
        assert_eq!(order_number::cleaned(typed), asked);
    }
    assert_eq!(email::cleaned(" Ann <Ann@Example.com>. "), "Ann@Example.com");
    assert_eq!(email::cleaned("ada＠example．com"), "ada@example.com");
    assert_eq!(email::cleaned(" a da@example.com"), "a da@example.com", "which is no address");
}

#[test]
fn an_address_is_one_in_both_forms_of_its_domain() {
    let key = EmailKey::new("User@Müller.example").unwrap();
    assert_eq!(key.as_str(), "user@xn--mller-kva.example");
    assert_eq!(key.spellings(), ["user@xn--mller-kva.example", "user@müller.example"]);
    assert_eq!(EmailKey::stored(" User@Müller.example"), "user@müller.example");
    assert_eq!(EmailKey::stored("Ann <ann@example.com>"), "ann@example.com");
    let other = |text: &str| EmailKey::new(text).unwrap();
    for (one, two) in
        [("a.b@example.com", "ab@example.com"), ("a+b@example.com", "a@example.com"), ("a1@b.c", "a2@b.c")]
    {
        assert_ne!(other(one), other(two));
    }
    assert_eq!((EmailKey::stored(""), EmailKey::new("ann").unwrap().as_str()), (String::new(), "ann"));
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
    ] {
        assert!(!order(country, stored).is(&TypedPostalCode::new(typed).unwrap()), "{country} {typed} {stored}");
    }
    assert!(postal_code::is_same("10115", " 10115", "DE") && !postal_code::is_same("-", "-", "BD"));
}

#[test]
fn what_is_no_code_proves_nothing() {
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
    ] {
        assert!(TypedPostalCode::new(nothing).is_none(), "{nothing:?}");
        let address = Address { postal_code: nothing.to_owned(), country: "BD".to_owned(), ..Address::default() };
        assert!(ProvingPostalCode::of(&address, nothing).is_none(), "{nothing:?}");
        let billed = ProvingPostalCode::of(&address, "10115").unwrap();
        assert_eq!(billed.stored().as_str(), "10115");
    }
    let both = Address { postal_code: "1012 AB".to_owned(), country: "NL".to_owned(), ..Address::default() };
    assert_eq!(ProvingPostalCode::of(&both, "10115").unwrap().stored().as_str(), "1012ab");
}

#[test]
fn spellings_of_one_code_are_counted_as_one() {
    let counted = |text: &str| TypedPostalCode::new(text).unwrap().counted().as_str().to_owned();
    for (spellings, key) in [
        (&["91601", "91601-3730", "91601-0001", "US-91601", "９１６０１"][..], "91601"),
        (&["01067", "1067", "D-01067", "DE 1067"][..], "1067"),
        (&["1012 AB", "1012ab"][..], "1012ab"),
        (&["SW1A 1AA", "sw1a1aa"][..], "sw1a1aa"),
    ] {
        for spelling in spellings {
            assert_eq!(counted(spelling), key, "{spelling}");
        }
    }
}

#[test]
fn eight_digits_prove_no_zip_code() {
    let address = |code: &str| Address { postal_code: code.to_owned(), country: "US".to_owned(), ..Address::default() };
    let code = ProvingPostalCode::of(&address("02134-1000"), "").unwrap();
    let typed = |text: &str| TypedPostalCode::new(text).unwrap();
    assert!(["02134", "2134", "02134-1000", "021341000"].iter().all(|text| code.is(&typed(text))));
    assert!(!code.is(&typed("21341000")), "each of these has a count of its own");
    let from_spreadsheet = ProvingPostalCode::of(&address("21341000"), "").unwrap();
    assert!(from_spreadsheet.is(&typed("02134")) && !from_spreadsheet.is(&typed("21341000")));
    assert_eq!(from_spreadsheet.compared(), code.compared());
}

#[test]
fn a_postal_code_may_stand_behind_its_country_s_vehicle_sign() {
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
fn two_codes_are_compared_by_the_rules_of_their_country() {
    assert!(postal_code::is_same("1067", "01067", "DE"), "a code of five digits that lost its zero");
    assert!(!postal_code::is_same("1067", "01067", "GB"));
    assert!(!postal_code::is_same("1067", "01068", "DE"));
}
