//! Tests of both layouts, with the project's real sample orders.

use super::*;
use domain::order::NewOrder;
use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::PathBuf,
    time::Instant,
};

/// The content of a file: its orders, and the rows that were skipped.
pub fn parse(format: Format, text: &str) -> (Vec<NewOrder>, Vec<(u64, String)>) {
    sort(orders(format, text.as_bytes(), &TimeZone::UTC).unwrap().map(Result::unwrap))
}

pub fn sort(all: impl Iterator<Item = Parsed>) -> (Vec<NewOrder>, Vec<(u64, String)>) {
    let (mut orders, mut skipped) = (Vec::new(), Vec::new());
    for parsed in all {
        match parsed {
            Parsed::Order(from) => orders.push(from.order),
            Parsed::Skipped { line, reason } => skipped.push((line, reason)),
            Parsed::Incomplete(_) => {}
        }
    }
    (orders, skipped)
}

const HEADER: &str = "order_number,ordered_at,email,currency,product,quantity,total";

fn retour(rows: &str) -> (Vec<NewOrder>, Vec<(u64, String)>) {
    parse(Format::Retour, &format!("{HEADER}\n{rows}"))
}

fn refused(format: Format, text: &str) -> String {
    orders(format, text.as_bytes(), &TimeZone::UTC).err().unwrap().to_string()
}

#[test]
fn formats_have_names() {
    for format in [Format::Shopify, Format::Retour] {
        assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
    }
    assert!("csv".parse::<Format>().is_err());
}

#[test]
fn line_numbers_are_the_editors() {
    let rows = "1,2026-01-01,a@b.nl,EUR,Mug,1,5.00\n\
                \n\
                ,,,,,,\n\
                2,2026-01-01,a@b.nl,EUR,\"A mug\nof two\n\nlines\",x,5.00\n\
                3,2026-01-01,a@b.nl,EUR,Mug,y,5.00";
    let text = format!("{HEADER}\n{rows}");
    for ending in ["\n", "\r\n"] {
        for (start, end) in [("", ""), ("\u{feff}", ending), ("", ending)] {
            let (orders, skipped) = parse(Format::Retour, &format!("{start}{}{end}", text.replace('\n', ending)));
            assert_eq!(orders.len(), 1);
            let lines: Vec<u64> = skipped.iter().map(|(line, _)| *line).collect();
            assert_eq!(lines, [5, 9], "{ending:?} {start:?} {end:?}");
        }
    }
}

#[test]
fn a_byte_order_mark_before_a_quoted_name_is_no_part_of_it() {
    let text = format!("\u{feff}\"order_number\"{}\n1,2026-01-01,a@b.nl,EUR,Mug,1,5", &HEADER[12..]);
    assert_eq!(parse(Format::Retour, &text).0.len(), 1);
}

#[test]
fn the_first_line_must_name_the_columns() {
    assert!(refused(Format::Retour, "").contains("empty"));
    assert!(refused(Format::Retour, "\n\r\n").contains("empty"));
    let missing = refused(Format::Shopify, "Name,Email,Currency,Lineitem name\n");
    assert!(missing.contains("Created at, Lineitem quantity, Lineitem price"), "{missing}");
    let missing = refused(Format::Retour, "order_number,ordered_at,currency,product,quantity,total\n");
    assert!(missing.contains("email or postal_code"), "{missing}");
    let unknown = refused(Format::Retour, &format!("{HEADER},qty,total\n"));
    assert!(unknown.contains("`qty`") && !unknown.contains("total"), "{unknown}");
    assert!(refused(Format::Retour, &format!("{HEADER},Total\n")).contains("twice: `Total`"));
    // Data in place of the header may be personal, so the message names only what is missing.
    assert!(!refused(Format::Retour, "1,2026-01-01,a@b.nl,EUR,Mug,1,5\n").contains("a@b"));
}

#[test]
fn a_date_without_a_time_begins_where_the_shop_is() {
    let rows = "1,2026-03-29,a@b.nl,EUR,Mug,1,5\n2,2026-03-29T00:30:00+01:00,a@b.nl,EUR,Mug,1,5\n";
    let text = format!("{HEADER}\n{rows}");
    for (zone, midnight) in [
        ("UTC", "2026-03-29T00:00:00Z"),
        ("Europe/Berlin", "2026-03-28T23:00:00Z"),
        ("America/Los_Angeles", "2026-03-29T07:00:00Z"),
        ("Asia/Kathmandu", "2026-03-28T18:15:00Z"),
    ] {
        let zone = TimeZone::from_name(zone).unwrap();
        let (orders, _) = sort(orders(Format::Retour, text.as_bytes(), &zone).unwrap().map(Result::unwrap));
        let ordered: Vec<String> = orders.iter().map(|order| order.ordered_at.to_string()).collect();
        assert_eq!(ordered, [midnight, "2026-03-28T23:30:00Z"], "{zone}");
    }
    // In Cairo, this midnight does not exist because of daylight saving time.
    let cairo = TimeZone::from_name("Africa/Cairo").unwrap();
    let text = format!("{HEADER}\n1,2026-04-24,a@b.nl,EUR,Mug,1,5\n");
    let (orders, _) = sort(orders(Format::Retour, text.as_bytes(), &cairo).unwrap().map(Result::unwrap));
    assert_eq!(orders[0].ordered_at.to_string(), "2026-04-23T22:00:00Z");
}

#[test]
fn a_bad_row_never_stops_the_rest() {
    let rows = "1,2026-01-01,a@b.nl,EUR,Mug,0,5\n1,,,,Mug,x,5\n1,,,,Mug,1.5,5\n1,,,,Mug,1000001,5\n\
                1,,,,Mug,1,+5\n1,,,,Mug,1,5.001\n1,,,,Mug,1,\"1,000\"\n1,,,,Mug,1\n1,,,,Mug,1,5,6\n1,,,,,1,5\n\
                1,,,,Mug\0,1,5\n,,,, Big   Mug ,2,5";
    let (orders, skipped) = retour(rows);
    assert_eq!(skipped.iter().map(|(line, _)| *line).collect::<Vec<_>>(), (2..=12).collect::<Vec<_>>());
    assert_eq!(skipped[0].1, "quantity: expected a whole number from 1 to 1000000");
    assert_eq!(skipped[4].1, "total: expected an amount of 0 or more in EUR, such as 12.50");
    assert!(skipped[7].1.contains("as many cells") && skipped[8].1.contains("as many cells"));
    let line = &orders[0].lines[0];
    // Skipped rows count, so that a line keeps its id after they are corrected.
    assert_eq!((line.position, line.external_id.as_str(), line.product.name.as_str()), (12, "1/12", "Big Mug"));
}

#[test]
fn a_bad_order_skips_its_rows_and_no_others() {
    let rows = "1,2026-13-01,a@b.nl,EUR,Mug,1,5\n1,,,,Mug,1,5\n2,2026-01-01,a@b.nl,EURO,Mug,1,5\n\
                3,2026-01-01,,EUR,Mug,1,5\n#,2026-01-01,a@b.nl,EUR,Mug,1,5\n4,2026-01-01,a@b.nl,EUR,Mug,1,5\n\
                5,2026-01-01\n5,2026-01-01,a@b.nl,EUR,Mug,1,5\n4,2026-01-01,a@b.nl,EUR,Mug,1,5\n";
    let (orders, skipped) = retour(rows);
    assert_eq!(orders.iter().map(|order| order.number.as_str()).collect::<Vec<_>>(), ["4"]);
    let lines: Vec<u64> = skipped.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6, 8, 9, 10]);
    assert!(skipped[1].1.starts_with("the order's first row is unusable: ordered_at: expected a date"));
    assert!(skipped[2].1.contains("ISO 4217") && skipped[3].1.contains("at least one"));
    assert!(skipped[7].1.contains("duplicate"));
}

#[test]
fn texts_have_bounds_and_must_be_utf_8() {
    let exact = "é".repeat(500);
    let (orders, skipped) =
        retour(&format!("1,2026-01-01,a@b.nl,EUR,{exact},1,5\n1,,,,{exact}e,1,5\n2,2026-01-01,{exact}e,EUR,Mug,1,5\n"));
    assert_eq!((orders.len(), orders[0].lines.len()), (1, 1));
    assert_eq!(skipped[0], (3, "product: longer than 500 characters".to_owned()));
    assert_eq!(skipped[1], (4, "email: longer than 500 characters".to_owned()));

    let latin1 = [HEADER.as_bytes(), b"\n1,2026-01-01,a@b.nl,EUR,Caf\xe9,1,5\n1,,,,Mug,1,5\n"].concat();
    let (orders, skipped) =
        sort(super::orders(Format::Retour, latin1.as_slice(), &TimeZone::UTC).unwrap().map(Result::unwrap));
    assert_eq!(orders[0].lines.len(), 1);
    assert!(skipped[0].1.contains("not UTF-8"));
}

#[test]
fn an_order_has_at_most_10_000_lines() {
    let rows = "1,2026-01-01,a@b.nl,EUR,Mug,1,5\n".repeat(10_001) + "2,2026-01-01,a@b.nl,EUR,Mug,1,5\n";
    let (orders, skipped) = retour(&rows);
    assert_eq!((orders[0].lines.len(), orders[1].lines.len()), (10_000, 1));
    assert_eq!(skipped, [(10_002, "the order has more than 10000 lines".to_owned())]);
}

#[test]
fn a_quotation_mark_that_is_never_closed_ends_the_file() {
    let rows = "1,2026-01-01,a@b.nl,EUR,Mug,1,5\n".to_owned()
        + "2,2026-01-01,a@b.nl,EUR,\"Mug,1,5\n"
        + &"3,2026-01-01,a@b.nl,EUR,Mug,1,5\n".repeat(100_000);
    let text = format!("{HEADER}\n{rows}");
    let mut all = orders(Format::Retour, text.as_bytes(), &TimeZone::UTC).unwrap();
    let error = all.next().unwrap().unwrap_err();
    assert!(matches!(error, ImportError::RowTooLong { line: 3 }), "{error:?}");
    assert!(all.next().is_none());
}

#[test]
fn what_cannot_be_read_is_an_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
    let text = format!("{HEADER}\n1,2026-01-01,a@b.nl,EUR,Mug,1,5\n2,2026-01-01,a@b.nl,EUR,Mug,1,5\n");
    let mut all = orders(Format::Retour, text.as_bytes().chain(Broken), &TimeZone::UTC).unwrap();
    assert!(matches!(all.next(), Some(Ok(Parsed::Order(_)))));
    assert!(matches!(all.next(), Some(Err(ImportError::Read { .. }))) && all.next().is_none());
}

#[test]
fn the_documented_example_is_a_file_that_can_be_imported() {
    let manual = include_str!("../../../../../docs/import.md");
    let example = manual.split("```csv\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (orders, skipped) = parse(Format::Retour, example);
    assert!(skipped.is_empty(), "{skipped:?}");
    assert_eq!(orders.iter().map(|order| order.lines.len()).collect::<Vec<_>>(), [2, 1]);
}

fn shared(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("RETOUR_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = folder.join("data/online-retail").join(file);
    path.exists().then_some(path)
}

#[test]
fn all_real_orders_are_accounted_for_and_every_real_return_finds_its_line() {
    let (Some(orders_file), Some(returns_file)) = (shared("orders.csv.gz"), shared("returns.csv")) else {
        println!("all_real_orders_are_accounted_for_and_every_real_return_finds_its_line: skipped: shared data absent");
        return;
    };
    let start = Instant::now();
    let source = open(&orders_file).unwrap();
    let (orders, skipped) = sort(orders(Format::Shopify, source, &TimeZone::UTC).unwrap().map(Result::unwrap));
    let (seconds, lines) = (start.elapsed().as_secs_f64(), orders.iter().map(|order| order.lines.len()).sum::<usize>());
    println!("{} orders, {lines} lines, {} skipped in {seconds:.3} s", orders.len(), skipped.len());
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, reason) in &skipped {
        *reasons.entry(reason).or_default() += 1;
    }
    println!("{reasons:?}");
    assert_eq!((orders.len(), lines + skipped.len(), reasons.len()), (4_706, 94_497, 0));

    let by_number: HashMap<&str, &NewOrder> = orders.iter().map(|order| (order.number.as_str(), order)).collect();
    let mut returns = csv::Reader::from_path(returns_file).unwrap();
    let mut count = 0;
    for row in returns.deserialize::<HashMap<String, String>>() {
        let row = row.unwrap();
        let order = by_number[row["order_name"].as_str()];
        let position: u32 = row["order_line"].parse().unwrap();
        let line = order.lines.iter().find(|line| line.position == position).unwrap();
        let (price, quantity): (i64, u32) =
            (row["unit_price_minor"].parse().unwrap(), row["quantity"].parse().unwrap());
        assert_eq!(line.total, price * i64::from(line.quantity));
        assert_eq!(line.external_id, format!("{}/{position}", order.external_id));
        assert!((1..=line.fulfilled).contains(&quantity) && line.product.sku == row["sku"]);
        assert_eq!((order.email.as_str(), order.currency.code()), (row["email"].as_str(), row["currency"].as_str()));
        count += 1;
    }
    assert_eq!(count, 2_180);
}

#[test]
fn a_lines_id_is_never_another_orders() {
    use super::orders::line_id;
    assert_eq!(line_id("1001", "1"), "1001/1");
    assert_ne!(line_id("A", "1/2"), line_id("A/1", "2"));
    assert_ne!(line_id("A%2F1", "2"), line_id("A/1", "2"));
}
