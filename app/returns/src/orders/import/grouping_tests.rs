//! Which rows form one order.

use super::{tests::parse, *};
use domain::order::NewOrder;

const HEADER: &str = "Name,Id,Email,Created at,Currency,Lineitem name,Lineitem quantity,Lineitem price";

/// (id, e-mail, goods).
type ReadOrder = (String, String, Vec<String>);

/// The parsed orders, and the line numbers of skipped rows.
fn read(rows: &[&str]) -> (Vec<ReadOrder>, Vec<u64>) {
    let (orders, skipped) = parse(Format::Shopify, &format!("{HEADER}\n{}\n", rows.join("\n")));
    let goods = |order: &NewOrder| order.lines.iter().map(|line| line.product.name.clone()).collect();
    let orders = orders.iter().map(|order| (order.external_id.clone(), order.email.clone(), goods(order))).collect();
    (orders, skipped.into_iter().map(|(line, _)| line).collect())
}

fn order(id: &str, email: &str, goods: &[&str]) -> (String, String, Vec<String>) {
    (id.to_owned(), email.to_owned(), goods.iter().map(|&name| name.to_owned()).collect())
}

const ANN: &str = "ann@example.com";
const BOB: &str = "bob@example.com";

#[test]
fn an_id_or_an_e_mail_of_its_own_begins_another_order() {
    let at = "2026-11-01 10:00:00 +0100";
    let first = format!("#1001,11,{ANN},{at},EUR,Mug,1,5");
    // Rows with empty or equal cells continue the order.
    for (row, goods) in [
        ("#1001,,,,,Plate,1,5".to_owned(), vec!["Mug", "Plate"]),
        (",,,,,Plate,1,5".to_owned(), vec!["Mug", "Plate"]),
        (format!("#1001,11,ANN@example.com,{at},EUR,Plate,1,5"), vec!["Mug", "Plate"]),
    ] {
        assert_eq!(read(&[&first, &row]), (vec![order("11", ANN, &goods)], vec![]), "{row}");
    }
    // Two orders with the same number, each with its id.
    for (row, email) in
        [(format!("#1001,22,{BOB},{at},EUR,Ring,1,500"), BOB), (format!("#1001,22,,{at},EUR,Ring,1,500"), "")]
    {
        let wanted = vec![order("11", ANN, &["Mug"]), order("22", email, &["Ring"])];
        assert_eq!(read(&[&first, &row]), (wanted, vec![]), "{row}");
    }
    let apart = [
        &*first,
        &format!("#1002,33,{ANN},{at},EUR,Cup,1,5"),
        &format!("#1001,22,{BOB},{at},EUR,Ring,1,500"),
        "#1001,,,,,Box,1,1",
    ];
    let wanted = vec![order("11", ANN, &["Mug"]), order("33", ANN, &["Cup"]), order("22", BOB, &["Ring", "Box"])];
    assert_eq!(read(&apart), (wanted, vec![]));
    // Without ids, the second order cannot be told from the first, so it is skipped.
    let nameless = first.replace(",11,", ",,");
    let rows = [&*nameless, &format!("#1001,,{BOB},{at},EUR,Ring,1,500"), "#1001,,,,,Box,1,1"];
    assert_eq!(read(&rows), (vec![order("#1001", ANN, &["Mug"])], vec![3, 4]));
    // The same holds for an order of the same buyer on another day.
    let rows = [&*nameless, &format!("#1001,,{ANN},2026-11-02 10:00:00 +0100,EUR,Ring,1,500"), "#1001,,,,,Box,1,1"];
    assert_eq!(read(&rows), (vec![order("#1001", ANN, &["Mug"])], vec![3, 4]));
    // A row without an order number does not join the order above it.
    assert_eq!(read(&[&first, &format!(",,{BOB},,,Ring,1,500")]), (vec![order("11", ANN, &["Mug"])], vec![3]));
}

#[test]
fn an_order_without_units_is_named() {
    let at = "2026-11-01 10:00:00 +0100";
    let rows = [
        format!("#1001,11,{ANN},{at},EUR,Mug,0,5"),
        ",,,,,Plate,0,5".to_owned(),
        format!("#1002,12,{BOB},{at},EUR,Cup,1,5"),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(read(&rows), (vec![order("12", BOB, &["Cup"])], vec![2]));
}

#[test]
fn a_rounded_id_puts_nothing_together() {
    let at = "2026-11-01 10:00:00 +0100";
    for id in [
        "6.51673E+12",
        "\"6,51673E+12\"",
        "6.51673e12",
        "1234567890123450000",
        "6516730000000",
        "6516730000000.0",
        "\"6,516,730,000,000\"",
        "'6.51673E+12",
        "651673E+7",
        "########",
        "#REF!",
        "null",
        "N/A",
        "-",
        "0",
    ] {
        let rows = [
            format!("#2005,{id},{ANN},{at},EUR,Mug,1,5"),
            "#2005,,,,,Cup,1,5".to_owned(),
            format!("#2006,{id},{BOB},{at},EUR,Plate,1,5"),
            format!("#2007,{id},{ANN},{at},EUR,Plate,1,5"),
        ];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let wanted = vec![
            order("#2005", ANN, &["Mug", "Cup"]),
            order("#2006", BOB, &["Plate"]),
            order("#2007", ANN, &["Plate"]),
        ];
        assert_eq!(read(&rows), (wanted, vec![]), "{id}");
        // Two orders with the same number, and no ids to tell them apart.
        let twice = [rows[0].to_owned(), format!("#2005,{id},{BOB},{at},EUR,Ring,1,500")];
        assert_eq!(read(&[&twice[0], &twice[1]]), (vec![order("#2005", ANN, &["Mug"])], vec![3]), "{id}");
    }
    let floats = format!("#1,6900000000001.0,{ANN},{at},EUR,Mug,1,5");
    assert_eq!(read(&[&floats]).0[0].0, "6900000000001");
    let number = format!("6.51673E+12,,{ANN},{at},EUR,Mug,1,5");
    assert_eq!(read(&[&number]), (vec![], vec![2]));
}

#[test]
fn an_id_of_two_systems_puts_nothing_together() {
    let at = "2026-11-01 10:00:00 +0100";
    let rows = [
        format!("#2005,17,{ANN},{at},EUR,Mug,1,5"),
        "#2005,null,,,,Cup,1,5".to_owned(),
        format!("#3006,17,{BOB},{at},EUR,Plate,1,5"),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(read(&rows), (vec![order("17", ANN, &["Mug", "Cup"])], vec![4]));
    assert_eq!(lacking(HEADER, &rows), (vec![], vec![]), "the skipped row is of another order");
}

/// The numbers of orders that lack rows, and the orders that lack rows that stand behind them.
fn lacking(header: &str, rows: &[&str]) -> (Vec<String>, Vec<OrderRef>) {
    let file = format!("{header}\n{}\n", rows.join("\n"));
    let format = if header == HEADER { Format::Shopify } else { Format::Retour };
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for parsed in orders(format, file.as_bytes(), &TimeZone::UTC).unwrap().map(Result::unwrap) {
        match parsed {
            Parsed::Order(from) if from.order.is_partial => before.push(from.order.number),
            Parsed::Incomplete(order) => behind.push(order),
            Parsed::Order(_) | Parsed::Skipped { .. } => {}
        }
    }
    (before, behind)
}

#[test]
fn an_order_lacks_the_rows_that_stand_elsewhere() {
    let at = "2026-11-01 10:00:00 +0100";
    let first = format!("#1001,11,{ANN},{at},EUR,Mug,1,5");
    let other = format!("#1009,99,{BOB},{at},EUR,Hat,1,5");
    let number = |number: &str| OrderRef::Number(number.to_owned());
    let id = |id: &str| OrderRef::Id(id.to_owned());
    for (row, order) in [
        ("#1001,,,,,Plate,1,5".to_owned(), number("#1001")),
        (format!("#1001,11,{ANN},{at},EUR,Plate,1,5"), id("11")),
        (format!("#1001,11,{BOB},{at},EUR,Plate,1,5"), id("11")),
        ("#1001,11,,,,Plate,x,5".to_owned(), id("11")),
        ("#1001,11,Plate".to_owned(), number("#1001")),
    ] {
        assert_eq!(lacking(HEADER, &[&first, &other, &row]), (vec![], vec![order]), "{row}");
        let wanted = if row.contains("EUR") { (vec![], vec![id("11")]) } else { (vec!["#1001".to_owned()], vec![]) };
        assert_eq!(lacking(HEADER, &[&row, &other, &first]), wanted, "{row}");
    }
    // An order with the same number and another id lacks nothing.
    assert_eq!(lacking(HEADER, &[&first, &other, &format!("#1001,22,{BOB},{at},EUR,Ring,1,5")]), (vec![], vec![]));
    assert_eq!(lacking(HEADER, &[&first, &other, "#1001,22,,,,Ring,1,5"]), (vec![], vec![]));
    let own = "order_number,ordered_at,email,currency,line_id,product,quantity,total";
    let row = |number: &str, line: &str| format!("{number},2026-01-01,a@b.nl,EUR,{line},Mug,1,5");
    let rows = [row("1", "1"), row("9", "1"), row("1", "2"), row("9", "2"), row("7", "1")];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(lacking(own, &rows), (vec![], vec![number("1"), number("9")]));
}

#[test]
fn a_line_may_be_number_0_of_its_order() {
    let file = "order_number,ordered_at,email,currency,product,quantity,total,line_id\n\
                1,2026-01-01,a@b.nl,EUR,Mug,1,5,0\n1,,,,Cup,1,5,1\n1,,,,Jug,1,5,null\n";
    let (orders, skipped) = parse(Format::Retour, file);
    let ids: Vec<&str> = orders[0].lines.iter().map(|line| line.external_id.as_str()).collect();
    assert_eq!((ids, skipped), (vec!["1/0", "1/1", "1/3"], vec![]));
}

#[test]
fn an_order_says_whether_the_file_gives_ids() {
    let file = "order_number,order_id,ordered_at,email,currency,product,quantity,total,line_id\n\
                1,a,2026-01-01,a@b.nl,EUR,Mug,1,5,x\n2,,2026-01-01,a@b.nl,EUR,Mug,1,5,\n3,6.5E+12,2026-01-01,a@b.nl,EUR,Mug,1,5,6.5E+12\n";
    let facts = |parsed| match parsed {
        Ok(Parsed::Order(from)) => {
            (from.has_id, from.names_lines, from.is_id_rounded, from.order.lines[0].external_id.clone())
        }
        other => panic!("{other:?}"),
    };
    let found: Vec<_> = orders(Format::Retour, file.as_bytes(), &TimeZone::UTC).unwrap().map(facts).collect();
    let wanted = [(true, true, false, "a/x"), (false, false, false, "2/1"), (false, false, true, "3/1")];
    assert_eq!(found, wanted.map(|(id, lines, rounded, line)| (id, lines, rounded, line.to_owned())));
}

#[test]
fn an_order_of_many_bytes_ends() {
    let long = "x".repeat(480);
    let row = format!("1,2026-01-01,a@b.nl,EUR,{long},1,5\n");
    let rows = row.repeat(9_000);
    let tags = "y,".repeat(250);
    let file = format!(
        "order_number,ordered_at,email,currency,product,quantity,total,tags\n{}",
        rows.replace(",5\n", &format!(",5,\"{tags}\"\n"))
    );
    let (orders, skipped) = parse(Format::Retour, &file);
    assert!(orders[0].lines.len() < 9_000 && orders[0].lines.len() + skipped.len() == 9_000);
    assert!(skipped[0].1.contains("larger than 8 MiB"));
}
