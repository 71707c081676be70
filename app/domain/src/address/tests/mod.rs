use super::{Address, compare::folded, country};
use crate::base::language::Locale;
use proptest::prelude::*;

mod posts;

fn address([street, additional, postal_code, city, province, country]: [&str; 6]) -> Address {
    let [street, additional, postal_code, city, province, country] =
        [street, additional, postal_code, city, province, country].map(str::to_owned);
    Address { name: "Ada Example".to_owned(), street, additional, postal_code, city, province, country }
}

fn label(address: &Address, from: &str) -> Vec<String> {
    address.label_lines(from, 9)
}

fn read(address: &Address, from: &str, language: &str) -> Vec<String> {
    address.reading_lines(from, &Locale(language.to_owned()))
}

#[test]
fn parcels_need_a_street_a_city_and_a_country() {
    let fields =
        |address: &Address| -> Vec<String> { address.check_complete().0.into_iter().map(|(field, _)| field).collect() };
    assert_eq!(fields(&address(["100 Main St", "", "", "Sacramento", "", "US"])), [""; 0]);
    assert_eq!(fields(&address([" ", "", "95820", "", "CA", ""])), ["street", "city", "country"]);
    assert_eq!(fields(&address(["100 Main St", "", "", "Sacramento", "", "USA"])), ["country"]);
}

#[test]
fn an_american_address_on_domestic_and_foreign_labels() {
    let acme = Address {
        name: "Acme Returns".to_owned(),
        ..address(["100 Main St", "Suite 5", "95820", "Sacramento", "CA", "US"])
    };
    let lines = ["Acme Returns", "100 Main St", "Suite 5", "SACRAMENTO, CA 95820"];
    assert_eq!(label(&acme, "US"), lines);
    assert_eq!(label(&acme, "SE"), [&lines[..], &["UNITED STATES"]].concat());
    assert_eq!(label(&acme, "DE"), [&lines[..], &["VEREINIGTE STAATEN"]].concat());
    assert_eq!(label(&acme, "MX"), [&lines[..], &["ESTADOS UNIDOS"]].concat());
    let lines = ["Acme Returns", "100 Main St", "Suite 5", "Sacramento, CA 95820"];
    assert_eq!(read(&acme, "US", "de"), lines);
    assert_eq!(read(&acme, "DE", "de-AT"), [&lines[..], &["Vereinigte Staaten"]].concat());
    assert_eq!(read(&acme, "DE", "sv"), [&lines[..], &["United States"]].concat());
    assert_eq!(
        read(&acme, "", "ar"),
        [&lines[..], &["الولايات المتحدة"]].concat(),
        "the country of departure is unknown"
    );
}

#[test]
fn a_company_stands_below_the_street_and_c_o_below_the_name() {
    let with = |additional| label(&address(["Dorfstr. 2", additional, "8001", "Zürich", "", "CH"]), "CH");
    for care_of in ["c/o Grace Hopper", "C/O Grace", "℅ Grace", "z. Hd. Grace", "Attn: Grace", "À l'attention de Grace"]
    {
        assert_eq!(with(care_of), ["Ada Example", care_of, "Dorfstr. 2", "8001 Zürich"]);
    }
    for other in ["Attnang 5", "Hopper AG", "Corner House", "A/Cx"] {
        assert_eq!(with(other), ["Ada Example", "Dorfstr. 2", other, "8001 Zürich"]);
    }
}

#[test]
fn repeated_parts_are_written_once() {
    for (fields, lines) in [
        (["Alex 1", "", "10115", "10115 Berlin", "Berlin", "DE"], &["Alex 1", "10115 Berlin"][..]),
        (["Alex 1", "alex 1", "10115", "Berlin, 10115", "BERLIN", "DE"], &["Alex 1", "10115 Berlin"]),
        (["1 Ex St", "", "97201", "Portland, OR", "OR", "US"], &["1 Ex St", "PORTLAND, OR 97201"]),
        (["1 Ex St", "", "97201", "Portland, Oregon", "Oregon", "US"], &["1 Ex St", "PORTLAND, OR 97201"]),
        (["1 Ex St", "", "10001", "New York", "NY", "US"], &["1 Ex St", "NEW YORK, NY 10001"]),
        (["1 Ex St", "", "10001", "New York", "New York", "US"], &["1 Ex St", "NEW YORK, NY 10001"]),
        (["1 Rue", "", "G1R 4P5", "Québec", "QC", "CA"], &["1 RUE", "QUÉBEC QC G1R 4P5"]),
        (["C/ Sol 1", "", "28013", "Madrid", "M", "ES"], &["C/ Sol 1", "28013 MADRID"]),
        (["Rd 1", "", "546080", "Singapore", "Singapore", "SG"], &["Rd 1", "SINGAPORE 546080"]),
        (["Rd 1", "", "546080", "", "", "SG"], &["Rd 1", "SINGAPORE 546080"]),
        (["Calle 1", "", "00926", "San Juan", "PR", "PR"], &["CALLE 1", "SAN JUAN PR 00926"]),
        (["1 Pier", "", "JE2 3AB", "Jersey", "", "JE"], &["1 Pier", "JERSEY", "JE2 3AB"]),
        (["Gatve 1", "", "LT-01100", "Vilnius", "", "LT"], &["Gatve 1", "LT-01100 Vilnius"]),
        (["Gatve 1", "", "01100", "Vilnius", "", "LT"], &["Gatve 1", "LT-01100 Vilnius"]),
    ] {
        let address = address(fields);
        assert_eq!(label(&address, &address.country)[1..], *lines, "{fields:?}");
    }
    let address = address(["Rd 1", "", "546080", "Singapore", "", "SG"]);
    assert_eq!(read(&address, "SG", "en")[1..], ["Rd 1", "Singapore 546080"]);
}

#[test]
fn the_city_stands_above_the_street_where_the_name_comes_last() {
    let address = address(["新馬路1號", "", "", "氹仔", "", "MO"]);
    assert_eq!(label(&address, "MO"), ["氹仔", "新馬路1號", "Ada Example"]);
}

#[test]
fn parts_without_a_place_stand_above_the_city() {
    for (fields, lines) in [
        (["Weg 1", "", "01067", "Dresden", "Sachsen", "DE"], &["Weg 1", "Sachsen", "01067 Dresden"][..]),
        (["1 High St", "", "EH6 7AB", "Leith", "Midlothian", "GB"], &["1 High St", "LEITH", "Midlothian", "EH6 7AB"]),
        (["Fő utca 1", "", "2030", "Érd", "Pest", "HU"], &["Pest", "ÉRD", "FŐ UTCA 1", "2030"]),
        (["1 Ring Rd", "", "GA184", "Accra", "Greater Accra", "GH"], &["1 Ring Rd", "Accra GA184", "Greater Accra"]),
        (["1 Rd", "", "999", "Central", "Hong Kong Island", "HK"], &["1 Rd", "Central 999", "HONG KONG ISLAND"]),
        (["Street 1", "", "123", "Dubai", "AZ", "AE"], &["Street 1", "Dubai 123", "Abu Dhabi"]),
        (["1 Way", "", "12345", "Place", "ST", "XX"], &["1 Way", "ST", "12345 Place"]),
    ] {
        let address = address(fields);
        assert_eq!(label(&address, &address.country)[1..], *lines, "{fields:?}");
    }
}

#[test]
fn a_romanian_county_stands_below_the_town() {
    let town = address(["Str. Gării 2", "", "505400", "Râșnov", "jud. Brașov", "RO"]);
    assert_eq!(label(&town, "RO")[1..], ["STR. GĂRII 2", "505400 RÂȘNOV", "jud. Brașov"]);
    assert_eq!(label(&town, "SE")[1..], ["STR. GĂRII 2", "505400 RÂȘNOV", "JUD. BRAȘOV", "ROMANIA"]);
}

#[test]
fn an_emirate_and_its_city_are_written_once() {
    let lines = |city, province| label(&address(["شارع الشيخ زايد 12", "", "", city, province, "AE"]), "AE");
    for province in ["DU", "دبي", "إمارة دبيّ", "Dubai"] {
        assert_eq!(lines("دبي", province)[1..], ["شارع الشيخ زايد 12", "دبي"], "{province}");
    }
    assert_eq!(lines("العين", "AZ")[1..], ["شارع الشيخ زايد 12", "العين", "أبو ظبي"]);
    assert_eq!(lines("", "DU")[1..], ["شارع الشيخ زايد 12", "إمارة دبيّ"]);
}

#[test]
fn letters_of_a_postal_code_are_capitals_on_a_label() {
    let dam = address(["Dam 1", "", "1012 js", "Amsterdam", "", "NL"]);
    assert_eq!(label(&dam, "NL")[2], "1012 JS Amsterdam");
    assert_eq!(read(&dam, "NL", "nl")[2], "1012 js Amsterdam");
}

#[test]
fn a_country_alone_has_no_lines() {
    let alone = Address { country: "DE".to_owned(), ..Address::default() };
    assert!(label(&alone, "FR").is_empty() && read(&alone, "FR", "de").is_empty());
    assert_eq!(label(&Address { city: " Bonn\n ".to_owned(), ..alone }, "FR"), ["BONN", "ALLEMAGNE"]);
    assert!(label(&Address::default(), "").is_empty());
    let uk = address(["1 High St", "", "EH6 7AB", "Leith", "", " uk "]);
    assert_eq!(label(&uk, "FR").last().map(String::as_str), Some("ROYAUME-UNI"));
    let nowhere = address(["1 High St", "", "1", "Leith", "", "Nowhere"]);
    assert_eq!(label(&nowhere, "FR").last().map(String::as_str), Some("NOWHERE"));
}

#[test]
fn lines_that_belong_together_are_joined_first() {
    let long = address(["1 High St", "Flat 2", "EH6 7AB", "Leith", "Midlothian", "GB"]);
    let whole = ["Ada Example", "1 High St", "Flat 2", "LEITH", "MIDLOTHIAN", "EH6 7AB", "ROYAUME-UNI"];
    assert_eq!(long.label_lines("FR", 7), whole);
    assert_eq!(
        long.label_lines("FR", 6),
        ["Ada Example", "1 High St, Flat 2", "LEITH", "MIDLOTHIAN", "EH6 7AB", "ROYAUME-UNI"]
    );
    assert_eq!(
        long.label_lines("FR", 4),
        ["Ada Example", "1 High St, Flat 2", "LEITH, MIDLOTHIAN, EH6 7AB", "ROYAUME-UNI"]
    );
    assert_eq!(long.label_lines("FR", 1).len(), 2, "the country keeps its line");
    let harbour = address(["14 Harbour Yard", "Unit 3", "EH6 7AB", "Edinburgh", "Midlothian", "GB"]);
    assert_eq!(
        harbour.label_lines("FR", 6),
        ["Ada Example", "14 Harbour Yard", "Unit 3", "EDINBURGH, MIDLOTHIAN", "EH6 7AB", "ROYAUME-UNI"],
        "the postal code keeps its line"
    );
}

/// Parts that do not contain each other; some are empty.
fn some_address() -> impl Strategy<Value = Address> {
    let part = |begin: &'static str| prop_oneof![1 => Just(String::new()), 4 => "[0-9]{3}".prop_map(move |end| format!("{begin}{end}"))];
    let countries =
        include_str!("../data/names.tsv").lines().skip(1).filter_map(|row| row.get(..2)).collect::<Vec<_>>();
    let country = prop_oneof![9 => proptest::sample::select(countries), 1 => Just(""), 1 => Just("QQ")];
    let words =
        (part("Name"), part("Road"), part("Flat"), part("7"), part("Town"), part("State"), country, any::<bool>());
    words.prop_map(|(name, street, additional, postal_code, city, province, country, is_native)| Address {
        street: if is_native && !street.is_empty() { format!("町{street}") } else { street },
        country: country.to_owned(),
        ..Address { name, additional, postal_code, city, province, ..Address::default() }
    })
}

fn fields(address: &Address) -> [&String; 6] {
    let Address { name, street, additional, postal_code, city, province, .. } = address;
    [name, street, additional, postal_code, city, province]
}

proptest! {
    #[test]
    fn each_part_is_written_once_and_no_line_is_blank(address in some_address(), from in "(DE|US|JP|BR|)", most in 1_usize..10) {
        for lines in [address.label_lines(&from, 9), address.label_lines(&from, most), read(&address, &from, "en")] {
            let text = lines.join("\n").to_lowercase();
            for part in fields(&address).into_iter().filter(|part| !part.is_empty()) {
                prop_assert_eq!(text.matches(&part.to_lowercase()).count(), 1, "{} in {:?}", part, lines);
            }
            for line in &lines {
                let ends = |c: char| c.is_whitespace() || ",-/".contains(c);
                prop_assert!(!line.is_empty() && line.trim_matches(ends) == line && !line.contains("  "), "{:?}", lines);
            }
        }
        prop_assert!(address.label_lines(&from, most).len() <= most.max(2));
    }

    #[test]
    fn the_country_is_named_abroad_and_left_out_at_home(address in some_address()) {
        let home = read(&address, &address.country, "fr");
        let abroad = read(&address, if address.country == "KZ" { "MN" } else { "KZ" }, "fr");
        let name = country::name(&address.country, "fr");
        if home.is_empty() || name.is_empty() {
            prop_assert_eq!(home, abroad);
        } else {
            prop_assert_eq!(abroad.last(), Some(&name));
            prop_assert_eq!(home.len() + 1, abroad.len());
        }
    }

    /// Holds for equal fields and for text that looks like a format, too.
    #[test]
    fn no_text_is_lost(
        texts in proptest::collection::vec("(Berlin|PR|SINGAPORE|99|Berlin, 99|c/o X|, |東京都|%C|\t)", 6),
        country in "(DE|US|PR|SG|JP|CN|AE|MO|GI|JE|TR|QQ|)"
    ) {
        let [name, street, additional, postal_code, city, province] = <[String; 6]>::try_from(texts).unwrap();
        let address = Address { name, street, additional, postal_code, city, province, country };
        let lines = address.label_lines("FR", 9);
        let text = folded(&lines.concat());
        for part in fields(&address).into_iter().flat_map(|part| part.split_whitespace()) {
            // A state is written as its postal service writes it.
            prop_assert!(["東京都", "PR"].contains(&part) || text.contains(&folded(part)), "{} in {:?}", part, lines);
        }
        prop_assert!(lines.iter().all(|line| !line.trim().is_empty()), "{:?}", lines);
    }
}

#[test]
fn a_postal_code_without_a_place_or_a_city_is_on_the_last_line() {
    for country in ["HK", "PA", "JM", "BS", "GH", "FJ"] {
        let lines = label(&address(["1 Road", "", "99907", "", "Region", country]), country);
        assert_eq!(lines.last().map(String::as_str), Some("99907"), "{lines:?}");
    }
}
