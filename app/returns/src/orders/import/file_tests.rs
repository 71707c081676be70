//! Files as different programs write them. A valid file in any form gives the same orders, and a file of another kind
//! is refused.

use super::{
    tests::{parse, sort},
    *,
};
use domain::order::NewOrder;
use flate2::{Compression, Crc, write::DeflateEncoder, write::GzEncoder};
use proptest::prelude::*;
use std::io::Write;

/// A table in the form of one program.
#[derive(Debug, Clone, Copy)]
struct Form {
    separator: char,
    tells_separator: bool,
    line_end: &'static str,
    ends_last_line: bool,
    quotes_all: bool,
    encoding: Encoding,
    marks: usize,
    packing: Packing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

#[derive(Debug, Clone, Copy)]
enum Packing {
    None,
    Gzip,
    TwoGzips,
    GzipTwice,
    Zip(Zip),
}

#[derive(Debug, Clone, Copy)]
struct Zip {
    deflates: bool,
    /// Whether checksum and sizes follow the data: with or without a signature, in 32 or 64 bits.
    descriptor: Option<(bool, bool)>,
    has_extras: bool,
}

impl Form {
    fn write(self, table: &[Vec<String>]) -> Vec<u8> {
        let cell = |text: &String| {
            let special = [self.separator, '"', '\n', '\r'];
            if self.quotes_all || text.contains(special) {
                format!("\"{}\"", text.replace('"', "\"\"").replace('\n', self.line_end))
            } else {
                text.clone()
            }
        };
        let separator = self.separator.to_string();
        let mut lines: Vec<String> =
            table.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(&separator)).collect();
        if self.tells_separator {
            lines.insert(0, format!("sep={separator}"));
        }
        let mut text = "\u{feff}".repeat(self.marks) + &lines.join(self.line_end);
        if self.ends_last_line {
            text.push_str(self.line_end);
        }
        let bytes: Vec<u8> = match self.encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        };
        match self.packing {
            Packing::None => bytes,
            Packing::Gzip => gzip(&bytes),
            Packing::TwoGzips => {
                let (first, second) = bytes.split_at(bytes.len() / 2);
                [gzip(first), gzip(second)].concat()
            }
            Packing::GzipTwice => gzip(&gzip(&bytes)),
            Packing::Zip(zip) => zip.pack(&[("orders_export.csv", &bytes)]),
        }
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

impl Zip {
    const PLAIN: Self = Self { deflates: true, descriptor: None, has_extras: false };

    fn pack(self, files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = Vec::new();
        if self.has_extras {
            self.add("export/", b"", &mut archive);
            self.add("__MACOSX/._orders.csv", b"\0\x05\x16\x07", &mut archive);
        }
        for (name, bytes) in files {
            self.add(name, bytes, &mut archive);
        }
        if self.has_extras {
            self.add("__MACOSX/._orders.csv", b"\0\x05\x16\x07", &mut archive);
        }
        archive.extend(b"PK\x01\x02");
        archive.extend([0; 60]);
        archive.extend(b"PK\x05\x06");
        archive.extend([0; 18]);
        archive
    }

    fn add(self, name: &str, bytes: &[u8], archive: &mut Vec<u8>) {
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        let data = if self.deflates { encoder.finish().unwrap() } else { bytes.to_vec() };
        let descriptor = self.descriptor.filter(|_| self.deflates);
        let known = |value: u32| if descriptor.is_some() { 0 } else { value };
        let sizes = [crc.sum(), u32::try_from(data.len()).unwrap(), u32::try_from(bytes.len()).unwrap()];
        archive.extend(b"PK\x03\x04\x14\0");
        archive.extend((if descriptor.is_some() { 8_u16 } else { 0 }).to_le_bytes());
        archive.extend((if self.deflates { 8_u16 } else { 0 }).to_le_bytes());
        archive.extend([0; 4]);
        for &size in &sizes {
            archive.extend(known(size).to_le_bytes());
        }
        archive.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        archive.extend(5_u16.to_le_bytes());
        archive.extend(name.as_bytes());
        archive.extend(b"extra");
        archive.extend(&data);
        if let Some((has_signature, is_64_bit)) = descriptor {
            archive.extend(if has_signature { b"PK\x07\x08".as_slice() } else { b"" });
            let [crc, packed, plain] = sizes;
            archive.extend(crc.to_le_bytes());
            for size in [packed, plain] {
                archive.extend(size.to_le_bytes());
                archive.extend(if is_64_bit { [0; 4].as_slice() } else { b"" });
            }
        }
    }
}

fn forms() -> impl Strategy<Value = Form> {
    let zip = (any::<bool>(), any::<Option<(bool, bool)>>(), any::<bool>())
        .prop_map(|(deflates, descriptor, has_extras)| Packing::Zip(Zip { deflates, descriptor, has_extras }));
    let packing =
        prop_oneof![Just(Packing::None), Just(Packing::Gzip), Just(Packing::TwoGzips), Just(Packing::GzipTwice), zip];
    let encoding = prop_oneof![Just(Encoding::Utf8), Just(Encoding::Utf16Le), Just(Encoding::Utf16Be)];
    (
        prop_oneof![Just(','), Just(';'), Just('\t'), Just('|')],
        prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        (any::<bool>(), any::<bool>(), any::<bool>()),
        encoding,
        0..3_usize,
        packing,
    )
        .prop_map(
            |(separator, line_end, (tells_separator, ends_last_line, quotes_all), encoding, marks, packing)| Form {
                separator,
                tells_separator,
                line_end,
                ends_last_line,
                quotes_all,
                encoding,
                marks: if encoding == Encoding::Utf8 { marks } else { marks.min(1) },
                packing,
            },
        )
}

/// A table of orders, with cells that need quoting in some form.
fn tables() -> impl Strategy<Value = (Format, Vec<Vec<String>>)> {
    let names = prop_oneof![
        Just("Mug"),
        Just("Mug, blue; large"),
        Just("The \"best\" mug"),
        Just("Tab\there | there"),
        Just("Two\nlines"),
        Just("Käse “Ø” 手 🧀"),
    ];
    let orders = proptest::collection::vec(proptest::collection::vec((names, 1..9_u32, 0..100_000_u32), 1..4), 1..6);
    (any::<bool>(), orders).prop_map(|(is_shopify, orders)| {
        let header = if is_shopify {
            "Name,Id,Email,Created at,Currency,Subtotal,Total,Lineitem name,Lineitem quantity,Lineitem price"
        } else {
            "order_number,order_id,email,ordered_at,currency,shipping_paid,tags,product,quantity,total"
        };
        let mut table = vec![header.split(',').map(str::to_owned).collect::<Vec<_>>()];
        for (number, lines) in (1001..).zip(&orders) {
            for (index, (name, quantity, cents)) in lines.iter().enumerate() {
                let price = format!("{}.{:02}", cents / 100, cents % 100);
                let of_order = |text: &str| if index == 0 { text.to_owned() } else { String::new() };
                table.push(vec![
                    format!("#{number}"),
                    of_order(&format!("69{number}")),
                    of_order(&format!("ann{number}@example.com")),
                    of_order(if is_shopify { "2026-11-01 10:00:00 +0100" } else { "2026-11-01" }),
                    of_order("EUR"),
                    String::new(),
                    String::new(),
                    (*name).to_owned(),
                    quantity.to_string(),
                    price,
                ]);
            }
        }
        (if is_shopify { Format::Shopify } else { Format::Retour }, table)
    })
}

fn read(format: Format, bytes: &[u8]) -> (Vec<NewOrder>, Vec<(u64, String)>) {
    sort(orders(format, bytes, &TimeZone::UTC).unwrap().map(Result::unwrap))
}

fn refusal(format: Format, bytes: &[u8]) -> String {
    let error = match orders(format, bytes, &TimeZone::UTC) {
        Err(error) => error,
        Ok(mut file) => file.find_map(Result::err).expect("the file is refused"),
    };
    error.to_string()
}

proptest! {
    #[test]
    fn one_table_in_every_form_is_the_same_orders((format, table) in tables(), form in forms()) {
        let plain = Form {
            separator: ',', tells_separator: false, line_end: "\n", ends_last_line: true, quotes_all: false,
            encoding: Encoding::Utf8, marks: 0, packing: Packing::None,
        };
        let wanted = read(format, &plain.write(&table));
        prop_assert!(wanted.1.is_empty(), "{:?}", wanted.1);
        prop_assert_eq!(wanted.0.iter().map(|order| order.lines.len()).sum::<usize>(), table.len() - 1);
        prop_assert_eq!(read(format, &form.write(&table)), wanted);
    }

    #[test]
    fn no_bytes_stop_the_program(bytes in proptest::collection::vec(any::<u8>(), 0..300), start in 0..6_usize) {
        let starts: [&[u8]; 6] = [b"", b"PK\x03\x04", b"\x1f\x8b\x08\0", b"\xff\xfe", b"Name,Created at,", b"sep=;\n"];
        for format in [Format::Shopify, Format::Retour] {
            if let Ok(file) = orders(format, [starts[start], &bytes].concat().as_slice(), &TimeZone::UTC) {
                file.for_each(drop);
            }
        }
    }
}

const SHOPIFY: &str = "Name,Id,Email,Financial Status,Fulfillment Status,Created at,Currency,Subtotal,Total,Lineitem name,\
    Lineitem quantity,Lineitem price,Lineitem fulfillment status";
const ROW: &str =
    "#1001,11,ann@example.com,paid,fulfilled,2026-11-01 10:00:00 +0100,EUR,5.00,5.00,Mug,1,5.00,fulfilled";

#[test]
fn rows_in_one_cell_are_refused_as_a_whole() {
    let semicolons = ROW.replace(',', ";");
    for file in [
        format!("{SHOPIFY}\n\"{ROW}\";\n"),
        format!("{SHOPIFY}\n\"{ROW}\"\n"),
        format!("{SHOPIFY}\n\"{semicolons}\"\n"),
        format!("\"{SHOPIFY}\"\n\"{ROW}\"\n"),
        format!("\"{SHOPIFY}\";\n\"{ROW}\";\n"),
        format!("\"{SHOPIFY}\";;;\n\"{ROW}\";;;\n"),
        format!("{SHOPIFY};;\n{ROW};;\n"),
        format!("{SHOPIFY}\n{ROW};\n"),
        format!("\"{SHOPIFY}\"\t\n\"{ROW}\"\t\n"),
    ] {
        let message = refusal(Format::Shopify, file.as_bytes());
        assert!(message.contains("spreadsheet") && message.contains("one cell"), "{file}: {message}");
        assert!(!message.contains("ann@"), "{message}");
    }
    // One of many rows is skipped, with a reason.
    let (orders, skipped) = parse(Format::Shopify, &format!("{SHOPIFY}\n{ROW}\n\"{}\"\n", ROW.replace("1001", "1002")));
    assert_eq!(orders.len(), 1);
    assert!(skipped[0].1.contains("one cell"), "{skipped:?}");
}

#[test]
fn files_of_other_kinds_are_refused_by_name() {
    let workbook = Zip::PLAIN.pack(&[("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"<workbook/>")]);
    let document =
        Zip { deflates: false, ..Zip::PLAIN }.pack(&[("mimetype", b"application/vnd.oasis.opendocument.spreadsheet")]);
    let two = Zip::PLAIN.pack(&[("a.csv", format!("{SHOPIFY}\n{ROW}\n").as_bytes()), ("b.csv", b"x")]);
    let picture = Zip::PLAIN.pack(&[("logo.png", b"\x89PNG")]);
    let utf_32 =
        [b"\xff\xfe\0\0".as_slice(), &SHOPIFY.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>()]
            .concat();
    let json_16: Vec<u8> = "[{\"name\": 1}]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, wanted) in [
        (workbook.as_slice(), "Excel workbook"),
        (&gzip(&workbook), "Excel workbook"),
        (&document, "OpenDocument"),
        (&two, "more than one file"),
        (&picture, "other than a CSV file"),
        (&[b"PK\x05\x06".as_slice(), &[0; 18]].concat(), "no CSV file"),
        (&utf_32, "UTF-32"),
        (&json_16, "JSON"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "XLS"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (b"\xff\xd8\xff\xe0", "picture"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "picture"),
        (b"\n <!DOCTYPE HTML><html>", "web page"),
        (b"<table><tr><td>Name", "web page"),
        (b"<?xml version=\"1.0\"?>", "XML"),
        (b" {\"orders\": []}", "JSON"),
        (b"\xef\xbb\xbf[1]", "JSON"),
        (b"Rar!\x1a\x07\0", "archive"),
        (b"BZh91AY", "archive"),
        (b"SQLite format 3\0", "database"),
        (b"{\\rtf1\\ansi", "RTF"),
        (b"PK\x03\x04broken", "damaged"),
    ] {
        for format in [Format::Shopify, Format::Retour] {
            if bytes == two.as_slice() && format == Format::Retour {
                continue;
            }
            let message = refusal(format, bytes);
            assert!(message.contains(wanted), "{wanted}: {message}");
        }
    }
    let mut damaged =
        Zip { deflates: false, ..Zip::PLAIN }.pack(&[("a.csv", format!("{SHOPIFY}\n{ROW}\n").as_bytes())]);
    let place = damaged.windows(3).position(|bytes| bytes == b"Mug").unwrap();
    damaged[place] = b'R';
    assert!(refusal(Format::Shopify, &damaged).contains("checksum"));
}

#[test]
fn other_exports_are_refused_by_name() {
    let full = "Name,Email,Accepts Marketing,Currency,Subtotal,Shipping,Taxes,Total,Discount Code,Discount Amount,Shipping Method,\
                Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem compare at price,Lineitem sku,Lineitem requires \
                shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name";
    for (format, header, wanted) in [
        (Format::Shopify, full.to_owned(), "abandoned checkouts or draft orders"),
        (Format::Shopify, format!("{SHOPIFY},Abandoned Checkout URL"), "abandoned checkouts"),
        (Format::Shopify, format!("{SHOPIFY},Recovery Status"), "abandoned checkouts"),
        (Format::Shopify, format!("{SHOPIFY},Invoice Sent At"), "draft orders"),
        (
            Format::Shopify,
            "First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Total Spent".to_owned(),
            "customers",
        ),
        (Format::Shopify, "Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price".to_owned(), "products"),
        (Format::Retour, "Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price".to_owned(), "products"),
        (Format::Shopify, "Payout Date,Status,Charges,Refunds,Total".to_owned(), "payouts"),
        (Format::Shopify, "Transaction Date,Type,Order,Payout Status,Amount,Fee".to_owned(), "payouts"),
        (Format::Shopify, "Order,Name,Kind,Gateway,Created At,Status,Amount,Currency".to_owned(), "payments"),
        (Format::Shopify, "order_number,ordered_at,email,currency,product,quantity,total".to_owned(), "`retour`"),
        (Format::Retour, SHOPIFY.to_owned(), "`shopify`"),
    ] {
        let message = refusal(format, format!("{header}\n").as_bytes());
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
    // A file made by hand is accepted with only the required columns.
    let by_hand = "Name,Created at,Currency,Email,Lineitem name,Lineitem quantity,Lineitem price\n#1,2026-11-01,EUR,a@b.nl,Mug,1,5\n";
    assert_eq!(parse(Format::Shopify, by_hand).0.len(), 1);
    let draft = ROW.replace("#1001", "#D12").replace("paid,fulfilled", ",");
    let (orders, skipped) =
        parse(Format::Shopify, &format!("{SHOPIFY}\n{draft}\n{ROW}\n{}\n", ROW.replace("#1001,11", "#D1,12")));
    assert_eq!(orders.iter().map(|order| order.number.as_str()).collect::<Vec<_>>(), ["#1001", "#D1"]);
    assert!(skipped[0].1.contains("draft"));
}

#[test]
fn line_numbers_count_what_stands_before_the_rows() {
    for (file, line) in [
        (format!("sep=,\r\n{SHOPIFY}\r\n{ROW}\r\nx\r\n"), 4),
        (format!("{SHOPIFY}\r{ROW}\rx\r"), 3),
        (format!("\u{feff}\n\n{SHOPIFY}\n\n{ROW}\nx"), 6),
    ] {
        let (orders, skipped) = parse(Format::Shopify, &file);
        assert_eq!((orders.len(), skipped[0].0), (1, line), "{file:?}");
    }
}

#[test]
fn what_is_unpacked_has_a_bound() {
    let rows: Vec<String> = (0..2_000).map(|number| ROW.replace("#1001,11", &format!("#{number},9{number}"))).collect();
    let rows = rows.join("\n");
    let file = format!("{SHOPIFY}\n{rows}");
    let bounds = Bounds { bytes: 100_000, orders: u64::MAX };
    for bytes in [
        file.clone().into_bytes(),
        gzip(file.as_bytes()),
        gzip(&gzip(file.as_bytes())),
        Zip::PLAIN.pack(&[("a.csv", file.as_bytes())]),
    ] {
        let mut read = 0;
        let error = orders_within(bounds, Format::Shopify, bytes.as_slice(), &TimeZone::UTC).unwrap().find_map(|one| {
            read += 1;
            one.err()
        });
        assert!(matches!(error, Some(ImportError::TooLarge(_))), "{error:?}");
        assert!((1..2_000).contains(&read));
    }
    let few = Bounds { bytes: u64::MAX, orders: 3 };
    let mut all = orders_within(few, Format::Shopify, file.as_bytes(), &TimeZone::UTC).unwrap();
    assert!(matches!(all.find_map(Result::err), Some(ImportError::TooManyOrders(3))));
}

#[test]
fn numbers_and_words_as_spreadsheets_write_them() {
    let header = "order_number;ordered_at;email;currency;product;quantity;total;final_sale";
    let row = |total: &str, word: &str| {
        let file = format!("{header}\n1;2026-11-01;a@b.nl;EUR;Mug;1;{total};{word}\n");
        let (orders, skipped) = parse(Format::Retour, &file);
        orders
            .first()
            .map(|order| (order.lines[0].total, order.lines[0].final_sale))
            .ok_or_else(|| skipped[0].1.clone())
    };
    assert_eq!(row("1.234,50", "WAHR"), Ok((123_450, true)));
    assert_eq!(row("12,5", "faux"), Ok((1_250, false)));
    assert_eq!(row("12.50", ""), Ok((1_250, false)));
    assert!(row("1.000", "").unwrap_err().starts_with("total: expected an amount"));
    let (_, skipped) = parse(Format::Retour, &format!("{header}\n1;21/11/2026 08:30;a@b.nl;EUR;Mug;1;5;\n"));
    assert!(skipped[0].1.contains("spreadsheet"), "{skipped:?}");
}

#[test]
fn a_byte_order_mark_may_stand_behind_the_line_that_names_the_separator() {
    for header in [
        "order_number;ordered_at;email",
        "\"order_number\";\"ordered_at\";\"email\"",
        "\u{feff}order_number;ordered_at;email",
    ] {
        let file =
            format!("sep=;\r\n\u{feff}{header};currency;product;quantity;total\r\n1;2026-01-01;a@b.nl;EUR;Mug;1;5\r\n");
        let (orders, skipped) = parse(Format::Retour, &file);
        assert_eq!((orders.len(), skipped), (1, vec![]), "{header}");
    }
}
