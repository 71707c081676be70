//! Equal spellings are equal; texts that differ in a digit are not.

mod postal_codes;

use super::{
    EmailKey, OrderNumberKey, ProofKey, TypedOrderNumber, TypedPostalCode, email,
    order_number::{self, NumberFit, compared},
};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// One way in which keyboards, mail programs and clipboards change a text.
#[derive(Debug, Clone, Copy)]
enum Disguise {
    Wide,
    Decomposed,
    Capital,
    Small,
    /// Digits of a script, given its zero.
    Digits(char),
    Dash(char),
    /// An invisible character, and its position.
    Invisible(char, usize),
    /// Text before and behind.
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

/// The text with one digit changed; `None` if it has no digit.
fn with_another_digit(text: &str, place: usize, by: u32) -> Option<String> {
    let mut chars: Vec<char> = text.chars().collect();
    let digits: Vec<usize> = (0..chars.len()).filter(|&at| chars[at].is_ascii_digit()).collect();
    let at = *digits.get(place % digits.len().max(1))?;
    chars[at] = char::from_digit((chars[at].to_digit(10)? + by) % 10, 10)?;
    Some(chars.into_iter().collect())
}

const WORDS: [&str; 48] = [
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
    "Bestell-Nr. ",
    "Auftragsnr. ",
    "Auftrags-Nr. ",
    "Order-Nr. ",
    "Ordernr. ",
    "Bestelnr. ",
    "Ordrenr. ",
    "Nr zamówienia ",
    "Tilausnumero ",
    "N. d'ordine: ",
    "Numero dell’ordine ",
    "Réf. commande ",
    "Order-ID: ",
    "Order-No. ",
    "Order reference: ",
    "Your order reference #",
    "Objednávka č. ",
    "Číslo objednávky: ",
    "Sipariş No: ",
    "הזמנה ",
    "Rendelésszám: ",
    "*#",
    "`#",
    "Nº de referencia del pedido: ",
];

proptest! {
    #[test]
    fn an_order_number_is_found_in_every_spelling(
        number in "([A-ZÄÉ]{1,3}-?)?[0-9]{1,9}(-[A-Z0-9]{1,2})?",
        how in disguises(),
        stored in disguises(),
        word in prop::sample::select(&WORDS[..]),
        end in prop::sample::select(&["", ".", ",", " ", ")", "!", "#", "*", " (paid)", " confirmed", " – Shipped."][..]),
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

    /// Different numbers of a shop keep different keys, however it numbers its orders.
    #[test]
    fn numbers_of_one_shop_stay_apart(one in "#?[A-Z]{0,2}[-#/ ]?[0-9]{1,5}([-#/.][A-Z0-9]{1,2})?", other in "#?[A-Z]{0,2}[-#/ ]?[0-9]{1,5}([-#/.][A-Z0-9]{1,2})?") {
        let plain = |text: &str| OrderNumberKey::new(text).unwrap();
        // Words for "number" before a separator are no part of it.
        let short = |text: &str| {
            let text = text.trim_start_matches('#');
            ["N", "NO", "NR", "ID"].iter().any(|word| text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '#'])))
        };
        prop_assume!(!short(&one) && !short(&other));
        prop_assert_eq!(compared(&one) == compared(&other), plain(&one) == plain(&other));
    }

    #[test]
    fn comparing_is_idempotent(text in "\\PC{0,40}") {
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
fn separate_accents_and_rare_capitals_compare_like_others() {
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
        ("12", "C#12"),
        ("1001", "1001 B"),
        ("1001", "Paid 1001"),
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
        ("ORDER-1001", "order-1001"),
        ("Order # ORDER-1001", "ORDER-1001"),
        ("C#12", "c#12"),
    ] {
        assert_eq!(fits(typed, number), Some(NumberFit::Whole), "{typed} {number}");
    }
    for (typed, number) in [
        ("Gift #1001", "1001"),
        ("Fjord & Fern #1001", "#1001"),
        ("Order-1001", "1001"),
        ("Order–#1001", "#1001"),
        ("bestellung-1001", "1001"),
    ] {
        assert_eq!(fits(typed, number), Some(NumberFit::BehindSign), "{typed} {number}");
        assert_eq!(TypedOrderNumber::new(typed).unwrap().attempt_key().as_str(), "1001");
    }
}

#[test]
fn shops_are_asked_in_the_shoppers_spelling_without_additions() {
    for (typed, asked) in [
        (" Order #1001 ", "#1001"),
        ("１００１", "1001"),
        ("Bestellung Nr. AbC–12\u{200b}", "AbC-12"),
        ("TR6DF4QRPMDH3X3B", "TR6DF4QRPMDH3X3B"),
        ("my order", "my order"),
        ("*#1001*", "#1001"),
        ("Order #1001 confirmed", "#1001"),
        ("1001#", "1001"),
        ("Bestell-Nr. 1001", "1001"),
    ] {
        assert_eq!(order_number::cleaned(typed), asked);
    }
    assert_eq!(email::cleaned(" Ann <Ann@Example.com>. "), "Ann@Example.com");
    assert_eq!(email::cleaned("ada＠example．com"), "ada@example.com");
    assert_eq!(email::cleaned(" a da@example.com"), "a da@example.com", "this is no address");
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
    // Domains with ß and with ss belong to different people, and so may names.
    for (typed, stored) in [
        ("user@straße.example", "user@xn--strae-oqa.example"),
        ("user@xn--strae-oqa.example", "User@Straße.example"),
        ("ann@faß.de", "ANN@xn--fa-hia.de"),
        ("ann@βόλος.com", "ann@xn--nxasmm1c.com"),
    ] {
        assert!(other(typed).spellings().contains(&EmailKey::stored(stored)), "{typed} {stored}");
    }
    assert_ne!(other("user@straße.example"), other("user@strasse.example"));
    assert_ne!(other("groß@example.com"), other("gross@example.com"));
    assert_eq!((EmailKey::stored(""), EmailKey::new("ann").unwrap().as_str()), (String::new(), "ann"));
}
