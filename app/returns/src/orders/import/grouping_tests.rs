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
    for id in ["6.51673E+12", "\"6,51673E+12\"", "6.51673e12", "1234567890123450000"] {
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
