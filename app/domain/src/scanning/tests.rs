use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn parcels(raw: &str) -> Vec<String> {
    ScannedCode::read(raw).map(|code| code.parcel_numbers().map(str::to_owned).collect()).unwrap_or_default()
}

#[test]
fn every_form_of_a_scanned_sscc_is_the_sscc() {
    for read in ["]C100095212340000000013", "00095212340000000013", "(00)095212340000000013", " 095212340000000013 "] {
        assert_eq!(label_barcode(read), "095212340000000013", "{read}");
    }
    for other in ["3SABC0012345678", "]C1421528", "0012345", "00ABC212340000000013", "", "]C1"] {
        assert_eq!(label_barcode(other), other.trim_start_matches("]C1"), "{other}");
    }
    let with_more = "]C100095212340000000013\u{1d}4211000\r\n";
    assert_eq!(parcels(with_more).last().map(String::as_str), Some("095212340000000013"), "further elements follow");
}

#[test]
fn carriers_long_codes_contain_the_number_of_the_parcel() {
    for (read, number) in [
        ("420221539101026837331000039521", "9101026837331000039521"),
        ("4201028200009261290113185417468510", "9261290113185417468510"),
        ("1001921334250001000300779017972697", "779017972697"),
        ("9622001900000000000000776632517510", "776632517510"),
        ("9611020987654312345672", "987654312345672"),
    ] {
        assert_eq!(parcels(read), [read, number]);
        assert_eq!(parcels(&format!("]C1{read}\u{1d}")), [read, number], "with the scanner's additions");
        let wrong = format!("{}{}", &read[..read.len() - 1], if read.ends_with('0') { '1' } else { '0' });
        assert_eq!(parcels(&wrong), [wrong.as_str()], "the check digit is wrong");
    }
}

#[test]
fn a_long_code_is_of_fedex_by_its_length_and_its_beginning() {
    for other in ["2001921334250001000300779017972697", "00921334250001000300779017972697"] {
        assert_eq!(parcels(other), [other]);
    }
}

#[test]
fn nothing_is_left_of_an_empty_code_and_long_ones_are_none() {
    for none in ["", " ", "\u{1d}\r\n", "]C1", "]C1 \u{1d}", &"9".repeat(MAX_CODE_CHARS + 1)] {
        assert_eq!(ScannedCode::read(none), None, "{none:?}");
    }
    assert!(ScannedCode::read(&"9".repeat(MAX_CODE_CHARS)).is_some());
    assert_eq!(ScannedCode::read("] 12").map(|code| code.as_str().to_owned()).as_deref(), Some("] 12"));
}

#[test]
fn a_product_is_found_by_its_barcode_in_any_length_and_by_its_sku() {
    let is = |read: &str, barcode: &str, sku: &str| {
        ScannedCode::read(read).is_some_and(|code| code.is_of_product(barcode, sku))
    };
    assert!(is("4006381333931", "4006381333931", ""));
    assert!(is("]E04006381333931", "4006381333931", ""));
    assert!(is("]d20104006381333931\u{1d}10LOT7", "4006381333931", ""));
    assert!(is("036000291452", "0036000291452", ""), "UPC-A as EAN-13");
    assert!(is("mug-blue", "", "MUG-BLUE"));
    assert!(!is("400638133393", "4006381333931", ""), "truncated");
    assert!(!is("4006381333932", "4006381333931", ""), "another check digit");
    assert!(!is("1001", "", "") && !is("0", "00000000", ""));
}

#[test]
fn every_command_has_a_code_of_its_own_that_no_parcel_or_product_has() {
    let codes: BTreeSet<String> = ScanCommand::all().map(ScanCommand::code).collect();
    assert_eq!(codes.len(), 18);
    for command in ScanCommand::all() {
        let code = command.code();
        let read = ScannedCode::read(&format!("]C0{}\r", code.to_lowercase())).unwrap();
        assert_eq!(ScanCommand::of_code(read.as_str()), Some(command));
        assert_eq!(read.parcel_numbers().count(), 1, "it contains no number of a parcel");
        // GS1's character set 82 and the alphabets of carriers lack the dollar sign.
        assert!(code.starts_with('$'));
    }
    for other in ["$RETOUR-", "$RETOUR-11", "$RETOUR-0", "RETOUR-DONE", "DONE", "1", "$RETOUR-DONE1"] {
        assert_eq!(ScanCommand::of_code(other), None, "{other}");
    }
}

/// An SSCC with its check digit.
fn any_sscc() -> impl Strategy<Value = String> {
    "0[0-9]{16}".prop_map(|body| with_check_digit(&body))
}

fn with_check_digit(body: &str) -> String {
    (0..10).map(|digit| format!("{body}{digit}")).find(|number| super::check_digits::has_mod_10(number)).unwrap()
}

/// The codes of parcels, as carriers give them.
fn any_parcel() -> impl Strategy<Value = String> {
    prop_oneof![
        any_sscc(),
        "9[2-4][0-9]{19}".prop_map(|body| with_check_digit(&body)),
        "1Z[0-9A-Z]{16}",
        "[0-9]{12}",
        "3S[A-Z]{4}[0-9]{9}",
        "[A-Z]{2}[0-9]{9}[A-Z]{2}",
        "JJD[0-9]{18}",
    ]
}

/// How a scan can go.
#[derive(Debug, Clone)]
enum Reading {
    Whole,
    Truncated(usize),
    WithIdentifier(&'static str),
    WithFnc1(usize),
    AsElement(&'static str),
    Garbled(usize, char),
    Random(String),
}

fn any_reading() -> impl Strategy<Value = Reading> {
    prop_oneof![
        Just(Reading::Whole),
        any::<usize>().prop_map(Reading::Truncated),
        prop::sample::select(vec!["]C1", "]C0", "]E0", "]Q3", "]d2", "]A0"]).prop_map(Reading::WithIdentifier),
        any::<usize>().prop_map(Reading::WithFnc1),
        prop::sample::select(vec!["00", "(00)", "01", "42090210", "420902101234", "96", "100"])
            .prop_map(Reading::AsElement),
        (any::<usize>(), prop::char::range('0', '9')).prop_map(|(at, digit)| Reading::Garbled(at, digit)),
        "[ -~]{1,40}".prop_map(Reading::Random),
        "[0-9]{8,34}".prop_map(Reading::Random),
    ]
}

fn read(code: &str, reading: &Reading) -> String {
    let place = |at: usize| at % code.len();
    match reading {
        Reading::Whole => code.to_owned(),
        Reading::Truncated(at) => code[..place(*at)].to_owned(),
        Reading::WithIdentifier(identifier) => format!("{identifier}{code}\r\n"),
        Reading::WithFnc1(at) => format!("{}\u{1d}{}", &code[..place(*at)], &code[place(*at)..]),
        Reading::AsElement(before) => format!("{before}{code}"),
        Reading::Garbled(at, digit) => format!("{}{digit}{}", &code[..place(*at)], &code[place(*at) + 1..]),
        Reading::Random(text) => text.clone(),
    }
}

/// Both together are the storm: 100,000 codes.
const CASES: u32 = 1_000;
const AT_ONCE: usize = 100;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    /// However a code is read, it opens its own parcel or none: another one only if that parcel's code is literally in
    /// what was read.
    #[test]
    fn a_storm_of_codes_never_opens_a_wrong_parcel(
        known in prop::collection::btree_set(any_parcel(), 20..40),
        scans in prop::collection::vec((any::<prop::sample::Index>(), any_reading()), AT_ONCE),
    ) {
        let known: Vec<String> = known.into_iter().collect();
        for (whose, reading) in scans {
            let code = whose.get(&known);
            let raw = read(code, &reading);
            let numbers = parcels(&raw);
            let found: Vec<&String> = known.iter().filter(|known| numbers.contains(*known)).collect();
            prop_assert!(found.len() <= 1, "{raw:?} opens {found:?}");
            match reading {
                Reading::Whole | Reading::WithIdentifier(_) | Reading::WithFnc1(_) => prop_assert_eq!(found, [code]),
                Reading::Garbled(at, digit) if code[at % code.len()..].starts_with(digit) => prop_assert_eq!(found, [code]),
                Reading::Truncated(_) | Reading::Garbled(..) => prop_assert!(found.iter().all(|found| raw.contains(found.as_str())), "{raw:?}"),
                Reading::AsElement(_) => prop_assert!(found.iter().all(|found| *found == code), "{raw:?}"),
                Reading::Random(_) => prop_assert!(found.iter().all(|found| raw.contains(found.as_str())), "{raw:?}"),
            }
        }
    }
}
