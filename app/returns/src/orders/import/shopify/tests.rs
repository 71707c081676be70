//! The effects of Shopify's sums and states.

use crate::orders::import::{Format, tests::parse};
use domain::order::{IneligibleCode, NewOrder, OrderReview, OrderSums};

const HEADER: &str = "Name,Id,Email,Created at,Cancelled at,Fulfillment Status,Fulfilled at,Financial Status,\
    Currency,Subtotal,Shipping,Taxes,Total,Discount Amount,Refunded Amount,Tags,Shipping Zip,Shipping Country,\
    Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem discount,Lineitem taxable,\
    Lineitem fulfillment status";

/// Parses an order with these cells instead of the usual ones; a line is (quantity, price, discount, taxable).
fn order(cells: &[(&str, &str)], lines: &[(&str, &str, &str, &str)]) -> (Option<NewOrder>, Vec<(u64, String)>) {
    let usual = |name: &str| match name {
        "Created at" => "2026-01-31 23:30:00 -0500",
        "Currency" => "EUR",
        "Fulfillment Status" => "fulfilled",
        "Email" => "ann@example.com",
        _ => "",
    };
    let mut text = format!("{HEADER}\n");
    for (index, (quantity, price, discount, taxable)) in lines.iter().enumerate() {
        let cell = |name: &str| match name {
            "Name" => "#1001".to_owned(),
            "Lineitem quantity" => (*quantity).to_owned(),
            "Lineitem price" => (*price).to_owned(),
            "Lineitem discount" => (*discount).to_owned(),
            "Lineitem taxable" => (*taxable).to_owned(),
            "Lineitem name" => "\"Mug - Blue, large\"".to_owned(),
            "Lineitem sku" => "MUG-1".to_owned(),
            _ if index > 0 => String::new(),
            _ => cells.iter().find(|(known, _)| *known == name).map_or(usual(name), |(_, cell)| cell).to_owned(),
        };
        text.push_str(&HEADER.split(',').map(cell).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    let (mut orders, skipped) = parse(Format::Shopify, &text);
    (orders.pop(), skipped)
}

fn amounts(cells: &[(&str, &str)], lines: &[(&str, &str, &str, &str)]) -> (i64, Vec<(i64, i64, i64)>) {
    let order = order(cells, lines).0.unwrap();
    (order.shipping_paid, order.lines.iter().map(|line| (line.total, line.tax, line.discount)).collect())
}

const THREE: &[(&str, &str, &str, &str)] = &[("1", "10.00", "", ""); 3];

#[test]
fn an_orders_first_row_says_what_all_its_lines_share() {
    let cells = [
        ("Id", "5500000000001"),
        ("Fulfilled at", "2026-02-01 10:00:00 +0000"),
        ("Tags", "\"new, , vip \""),
        ("Shipping Zip", "'01067"),
        ("Shipping Country", "de"),
    ];
    let (order, skipped) = order(&cells, &[("2", "0.00", "", ""), ("1", "3.5", "0.00", "false")]);
    let order = order.unwrap();
    assert!(skipped.is_empty());
    assert_eq!((order.external_id.as_str(), order.number.as_str()), ("5500000000001", "#1001"));
    assert_eq!(order.ordered_at.to_string(), "2026-02-01T04:30:00Z");
    assert_eq!((order.address.postal_code.as_str(), order.address.country.as_str()), ("01067", "DE"));
    assert_eq!(order.tags, ["new", "vip"]);
    let [free, paid] = order.lines.as_slice() else { panic!("two lines of one SKU") };
    assert_eq!((free.external_id.as_str(), paid.external_id.as_str()), ("5500000000001/1", "5500000000001/2"));
    assert_eq!((free.total, free.quantity, free.fulfilled, paid.total), (0, 2, 2, 350));
    assert_eq!((free.product.sku.as_str(), free.product.name.as_str()), ("MUG-1", "Mug - Blue, large"));
    assert_eq!(free.fulfilled_at.unwrap().to_string(), "2026-02-01T10:00:00Z");
}

#[test]
fn a_discount_that_does_not_divide_evenly_is_split_to_the_cent() {
    let cells = [("Subtotal", "20.00"), ("Discount Amount", "10.00"), ("Total", "24.95"), ("Shipping", "4.95")];
    assert_eq!(amounts(&cells, THREE), (495, vec![(666, 0, 334), (667, 0, 333), (667, 0, 333)]));
    // Without a subtotal, only the discount's own amount is known.
    assert_eq!(amounts(&[("Discount Amount", "100")], THREE).1, [(0, 0, 1000); 3]);
}

#[test]
fn a_lines_own_discount_is_its_own_and_counts_once() {
    let lines = [("2", "10.00", "5.00", ""), ("1", "10.00", "", "")];
    // Regardless of whether the order's amount includes it again, and which part of it was for shipping.
    for amount in ["5.00", "0.00", "9.95"] {
        let cells = [("Subtotal", "25.00"), ("Discount Amount", amount), ("Total", "25.00")];
        assert_eq!(amounts(&cells, &lines).1, [(1500, 0, 500), (1000, 0, 0)]);
    }
    // Prices may be after discount already: then nothing is left to subtract.
    assert_eq!(amounts(&[("Subtotal", "30.00")], &lines).1, [(1500, 0, 500), (1000, 0, 0)]);
}

#[test]
fn taxes_outside_the_prices_are_added_and_those_inside_are_not() {
    let outside = [("Subtotal", "30.00"), ("Shipping", "5"), ("Taxes", "2.50"), ("Total", "37.50")];
    assert_eq!(amounts(&outside, THREE), (500, vec![(1084, 84, 0), (1083, 83, 0), (1083, 83, 0)]));
    let inside = [("Subtotal", "30.00"), ("Shipping", "5"), ("Taxes", "2.50"), ("Total", "35.00")];
    assert_eq!(amounts(&inside, THREE), (500, vec![(1000, 84, 0), (1000, 83, 0), (1000, 83, 0)]));
    // A tip makes both interpretations fail: no refund may exceed what was paid.
    let tip = [("Subtotal", "30.00"), ("Shipping", "5"), ("Taxes", "2.50"), ("Total", "36.00")];
    assert_eq!(amounts(&tip, THREE).1[0], (1000, 84, 0));
}

#[test]
fn taxes_go_with_what_is_taxed() {
    let lines = [("1", "10.00", "", "true"), ("1", "10.00", "", "false")];
    let cells = [("Subtotal", "20.00"), ("Shipping", "5"), ("Taxes", "1"), ("Total", "26.00")];
    assert_eq!(amounts(&cells, &lines), (500, vec![(1100, 100, 0), (1000, 0, 0)]));
    // Nothing taxable was paid for, so the tax is on shipping.
    assert_eq!(amounts(&cells, &[("2", "10.00", "", "false")]), (600, vec![(2000, 0, 0)]));
    let free = [("Subtotal", "0"), ("Discount Amount", "10"), ("Shipping", "5"), ("Taxes", "1"), ("Total", "6")];
    assert_eq!(amounts(&free, &[("1", "10.00", "", "true")]), (600, vec![(0, 0, 1000)]));
}

#[test]
fn yen_have_no_decimals() {
    let cells = [("Currency", "JPY"), ("Subtotal", "900"), ("Taxes", "100"), ("Total", "1000")];
    assert_eq!(amounts(&cells, &[("1", "500", "", ""), ("1", "500.00", "", "")]).1, [(500, 50, 50); 2]);
    let (order, skipped) = order(&[("Currency", "JPY")], &[("1", "5.50", "", "")]);
    assert!(order.is_none());
    assert_eq!(skipped[0].1, "Lineitem price: expected an amount in JPY, such as 1250");
}

#[test]
fn a_skipped_line_bears_its_share_of_discount_and_tax() {
    let lines = [("1", "10.00", "", ""), ("1", "10.001", "", ""), ("1", "10.00", "", "")];
    // As if the second line also cost 10.00.
    let cells = [("Subtotal", "27.00"), ("Discount Amount", "3.00"), ("Taxes", "2.70"), ("Total", "29.70")];
    assert_eq!(amounts(&cells, &lines).1, [(990, 90, 100); 2]);
    let (order, skipped) = order(&cells, &lines);
    let order = order.unwrap();
    assert_eq!((skipped[0].0, order.lines[1].position, order.is_partial), (3, 3, true));
    assert_eq!(order.review, Some(OrderReview::SumsDiffer), "nobody knows what of the discount was the line's");
}

#[test]
fn only_what_was_sent_counts_as_sent() {
    let sent = |cells: &[(&str, &str)]| order(cells, &[("3", "1", "", "")]).0.unwrap().lines[0].fulfilled;
    assert_eq!(sent(&[]), 3);
    assert_eq!(sent(&[("Cancelled at", "2026-02-01 10:00:00 +0000")]), 0);
    for (order, line, expected) in [
        ("partial", "", 0),
        ("", "", 0),
        ("partial", "fulfilled", 3),
        ("partial", "partial", 1),
        ("fulfilled", "pending", 0),
    ] {
        let header = "Name,Created at,Currency,Fulfillment Status,Lineitem quantity,Lineitem name,Lineitem price,\
                      Lineitem fulfillment status";
        let text = format!("{header}\n1,2026-01-01,EUR,{order},3,Mug,1,{line}\n");
        assert_eq!(parse(Format::Shopify, &text).0[0].lines[0].fulfilled, expected, "{order} {line}");
    }
}

#[test]
fn only_a_full_refund_can_be_told_by_line() {
    let refunded = |cells: &[(&str, &str)]| order(cells, &[("3", "1", "", "")]).0.unwrap().lines[0].shop_refunded;
    assert_eq!(refunded(&[("Financial Status", "refunded")]), 3);
    assert_eq!(refunded(&[("Total", "3"), ("Refunded Amount", "3")]), 3);
    assert_eq!(refunded(&[("Total", "3"), ("Refunded Amount", "2"), ("Financial Status", "partially_refunded")]), 0);
}

#[test]
fn a_line_below_zero_is_a_discount_of_the_others() {
    let lines = [("1", "100.00", "", ""), ("1", "-30.00", "", "")];
    let cells = [("Subtotal", "70.00"), ("Total", "75.00"), ("Shipping", "5.00"), ("Discount Amount", "0.00")];
    let (order, skipped) = order(&cells, &lines);
    let order = order.unwrap();
    assert!(skipped.is_empty() && !order.is_partial && order.review.is_none(), "{skipped:?}");
    assert_eq!((order.lines.len(), order.lines[0].total, order.lines[0].discount), (1, 7_000, 3_000));
    assert_eq!(amounts(&[], &lines).1, [(7_000, 0, 3_000)]);
    let (none, skipped) = self::order(&[], &lines[1..]);
    assert!(none.is_none() && skipped[0].1.contains("below 0"), "{skipped:?}");
}

#[test]
fn a_line_of_no_units_was_taken_out_of_the_order() {
    let lines = [("1", "10.00", "", ""), ("0", "10.00", "", "")];
    let (order, skipped) = order(&[("Subtotal", "10.00"), ("Total", "10.00")], &lines);
    let order = order.unwrap();
    assert!(skipped.is_empty() && !order.is_partial && order.review.is_none());
    assert_eq!(order.lines.len(), 1);
}

#[test]
fn what_was_paid_and_given_back_is_kept() {
    let sums = |cells: &[(&str, &str)]| order(cells, &[("3", "1", "", "")]).0.unwrap().sums;
    let total = ("Total", "3.00");
    let paid = |paid, refunded| OrderSums { paid, refunded };
    assert_eq!(sums(&[total, ("Financial Status", "paid")]), paid(Some(300), 0));
    assert_eq!(sums(&[total, ("Financial Status", "pending")]), paid(Some(0), 0));
    assert_eq!(
        sums(&[total, ("Refunded Amount", "1"), ("Financial Status", "partially_refunded")]),
        paid(Some(300), 100)
    );
    assert_eq!(sums(&[total]), paid(None, 0));
    let partly = order(&[total, ("Financial Status", "partially_paid")], &[("3", "1", "", "")]).0.unwrap();
    assert_eq!((partly.sums, partly.review), (paid(None, 0), Some(OrderReview::SumsDiffer)), "how much was paid?");
}

#[test]
fn without_a_total_what_was_given_back_or_is_outstanding_comes_off_the_lines() {
    let header = "Name,Created at,Currency,Fulfillment Status,Financial Status,Subtotal,Taxes,Shipping,Refunded Amount,\
                  Outstanding Balance,Lineitem quantity,Lineitem name,Lineitem price";
    let read = |status: &str, subtotal: &str, taxes: &str, amounts: &str, more: &str| {
        let text =
            format!("{header}\n1,2026-01-01,EUR,fulfilled,{status},{subtotal},{taxes},5,{amounts},1,Mug,100\n{more}");
        let order = parse(Format::Shopify, &text).0.pop().unwrap();
        (order.sums.paid, order.sums.refunded, order.review, order.lines[0].shop_refunded)
    };
    let waits = Some(OrderReview::SumsDiffer);
    for status in ["", "paid", "partially_refunded"] {
        assert_eq!(read(status, "", "", "40,", ""), (Some(10_500), 4_000, None, 0), "{status}");
        assert_eq!(read(status, "100", "", "40,", ""), (Some(10_500), 4_000, None, 0), "{status}");
        assert_eq!(read(status, "", "", "40,25", ""), (Some(8_000), 4_000, None, 0), "{status}");
        assert_eq!(read(status, "", "", "105,", ""), (Some(10_500), 10_500, None, 1), "{status}");
        // Nobody knows whether the taxes were paid on top, or what the skipped row was worth.
        assert_eq!(read(status, "100", "19", "40,", "").2, waits, "{status}");
        assert_eq!(read(status, "", "", "40,", "1,,,,,,,,,,x,Cup,10\n").2, waits, "{status}");
    }
    assert_eq!(read("", "", "", ",105", ""), (Some(0), 0, None, 0));
    assert_eq!(read("partially_paid", "", "", ",40", ""), (Some(6_500), 0, waits, 0));
    assert_eq!(read("pending", "", "", ",40", ""), (Some(0), 0, None, 0));
    assert_eq!(read("paid", "", "", ",", ""), (None, 0, None, 0));
    assert_eq!(read("", "", "", "0,0", ""), (None, 0, None, 0));
}

#[test]
fn what_needs_no_parcel_says_so_and_what_is_no_good_never_comes_back() {
    let header = "Name,Created at,Currency,Fulfillment Status,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,\
                  Lineitem requires shipping";
    let line = |name: &str, sku: &str, requires: &str| {
        let text = format!("{header}\n1,2026-01-01,EUR,fulfilled,1,{name},1,{sku},{requires}\n");
        let line = parse(Format::Shopify, &text).0.pop().unwrap().lines.pop().unwrap();
        (line.requires_shipping, line.obstacle)
    };
    assert_eq!(line("E-book", "", "false"), (false, None));
    assert_eq!(line("Mug", "", ""), (true, None));
    assert_eq!((line("Voucher", "", ""), line("Heavy duty", "", "")), ((false, None), (true, None)));
    for name in ["Tip", "Trinkgeld", "COD fee", "Nachnahmegebühr", "Tip (10%)", "Surcharge: bulky", "Versandkosten"] {
        assert_eq!(line(name, "", "false"), (false, Some(IneligibleCode::NotShippable)), "{name}");
        assert_eq!(line(name, "", ""), (false, Some(IneligibleCode::NotShippable)), "{name}");
        assert_eq!(line(name, "A-1", ""), (true, None), "{name}");
        assert_eq!(line(name, "", "true"), (true, None), "{name}");
    }
}
