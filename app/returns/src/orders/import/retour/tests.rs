//! The effects of the columns in Retour's own layout.

use crate::orders::import::{Format, tests::parse};
use domain::order::{IneligibleCode, NewOrder, OrderReview, OrderSums, Product};
use proptest::prelude::*;

const HEADER: &str = "order_number,order_id,ordered_at,email,currency,shipping_paid,tags,name,street,additional,\
    postal_code,city,province,country,line_id,sku,barcode,product,attributes,image_urls,quantity,fulfilled,\
    fulfilled_at,delivered_at,refunded_quantity,total,tax,discount,final_sale,exchange_options,weight,hs_code,\
    origin_country";

#[test]
fn every_column_has_its_place() {
    let text = format!(
        "{HEADER}\nC-1,id-1,2026-01-01T10:00:00+01:00,ann@example.com,EUR,4.95,vip;new,Ann,Dam 1,III,1012 JS,\
         Amsterdam,NH,nl,l-1,S1,871,Mug,colour=blue; size = L,https://a.example/1.jpg  https://a.example/2.jpg,3,2,\
         2026-01-02,2026-01-03T08:00:00Z,1,30.00,5.21,3.00,yes,S2=Size M; S3 = Size S,350,6912.00,pt\n\
         ,,,,,,,,,,,,,,,,,Plate,,,1,,,,,5,,,,,,,\n"
    );
    let (orders, skipped) = parse(Format::Retour, &text);
    assert!(skipped.is_empty(), "{skipped:?}");
    let order = &orders[0];
    assert_eq!((order.external_id.as_str(), order.number.as_str(), order.shipping_paid), ("id-1", "C-1", 495));
    assert_eq!(order.ordered_at.to_string(), "2026-01-01T09:00:00Z");
    assert_eq!(order.tags, ["vip", "new"]);
    assert_eq!(order.address.label_lines("NL", 9), ["Ann", "Dam 1", "III", "NH", "1012 JS Amsterdam"]);
    let [mug, plate] = order.lines.as_slice() else { panic!("two lines") };
    assert_eq!((mug.external_id.as_str(), plate.external_id.as_str()), ("id-1/l-1", "id-1/2"));
    assert_eq!((mug.quantity, mug.fulfilled, mug.shop_refunded, mug.final_sale), (3, 2, 1, true));
    assert_eq!((mug.total, mug.tax, mug.discount), (3000, 521, 300));
    assert_eq!(mug.product.attributes["size"], "L");
    let others: Vec<_> = mug.product.exchange_options.iter().map(|one| (one.sku.as_str(), one.name.as_str())).collect();
    assert_eq!(others, [("S2", "Size M"), ("S3", "Size S")]);
    let parcel = |product: &Product| (product.weight, product.hs_code.clone(), product.origin_country.clone());
    assert_eq!(parcel(&mug.product), (Some(350), "6912.00".to_owned(), "PT".to_owned()));
    assert_eq!(parcel(&plate.product), (None, String::new(), String::new()));
    assert_eq!((mug.product.image_urls.len(), mug.product.barcode.as_str()), (2, "871"));
    assert_eq!(mug.fulfilled_at.unwrap().to_string(), "2026-01-02T00:00:00Z");
    assert_eq!(mug.delivered_at.unwrap().to_string(), "2026-01-03T08:00:00Z");
    assert_eq!((plate.fulfilled, plate.fulfilled_at, plate.final_sale), (1, None, false));
}

#[test]
fn what_does_not_go_together_is_skipped() {
    let line = |cells: &str| {
        let header = "order_number,ordered_at,postal_code,currency,product,total,line_id,quantity,fulfilled,\
                      refunded_quantity,tax,final_sale,attributes,image_urls,delivered_at,exchange_options,weight,\
                      hs_code,origin_country";
        let good = "1,2026-01-01,1012JS,EUR,Mug,5,a,1,,,,,,,,,,,";
        let (orders, skipped) = parse(Format::Retour, &format!("{header}\n{good}\n1,{cells}\n"));
        assert_eq!(orders[0].lines.len() + skipped.len(), 2);
        skipped.first().map(|(_, reason)| reason.split(':').next().unwrap_or_default().to_owned()).unwrap_or_default()
    };
    assert_eq!(line("2026-01-01,1012JS,EUR,Mug,5,b,1,1,1,5,no,a=b,http://x/,2026-01-01,s=t,,,"), "");
    for (cells, column) in [
        ("2026-01-02,,,Mug,5,b,1,,,,,,,,,,,", "ordered_at"),
        (",,GBP,Mug,5,b,1,,,,,,,,,,,", "currency"),
        (",,,Mug,5,a,1,,,,,,,,,,,", "line_id"),
        (",,,Mug,5,b,2,3,,,,,,,,,,", "fulfilled"),
        (",,,Mug,5,b,2,,3,,,,,,,,,", "refunded_quantity"),
        (",,,Mug,5,b,2,,,5.01,,,,,,,,", "tax"),
        (",,,Mug,5,b,2,,,,maybe,,,,,,,", "final_sale"),
        (",,,Mug,5,b,2,,,,,blue,,,,,,", "attributes"),
        (",,,Mug,5,b,2,,,,,a=1;a=2,,,,,,", "attributes"),
        (",,,Mug,5,b,2,,,,,,javascript:x,,,,,", "image_urls"),
        (",,,Mug,5,b,2,,,,,,,31/12/2026,,,,", "delivered_at"),
        (",,,Mug,5,b,2,,,,,,,,S2,,,", "exchange_options"),
        (",,,Mug,5,b,2,,,,,,,,S2=,,,", "exchange_options"),
        (",,,Mug,5,b,2,,,,,,,,,0,,", "weight"),
        (",,,Mug,5,b,2,,,,,,,,,,mug,", "hs_code"),
        (",,,Mug,5,b,2,,,,,,,,,,,Portugal", "origin_country"),
    ] {
        assert_eq!(line(cells), column, "{cells}");
    }
}

#[test]
fn two_orders_of_one_id_are_not_mixed_up() {
    let text = "order_number,order_id,ordered_at,email,currency,product,quantity,total\n\
                1,a,2026-01-01,a@b.nl,EUR,Mug,1,5\n2,a,2026-01-01,a@b.nl,EUR,Mug,1,5\n";
    let (orders, skipped) = parse(Format::Retour, text);
    assert_eq!((orders.len(), skipped[0].0), (1, 3));
}

const MONEY: &str = "order_number,ordered_at,email,currency,shipping_paid,order_total,outstanding,refunded_total,product,sku,quantity,\
    fulfilled,removed_quantity,requires_shipping,total,tax";

fn money(rows: &str) -> (Vec<NewOrder>, Vec<(u64, String)>) {
    parse(Format::Retour, &format!("{MONEY}\n{rows}"))
}

#[test]
fn what_was_paid_and_given_back_is_kept() {
    let sums = |cells: &str| {
        let (orders, skipped) = money(&format!("1,2026-01-01,a@b.nl,EUR,4.95,{cells},Mug,,1,,,,20,\n"));
        assert!(skipped.is_empty(), "{skipped:?}");
        (orders[0].sums, orders[0].review)
    };
    let paid = |paid, refunded| OrderSums { paid, refunded };
    assert_eq!(sums(",,"), (paid(None, 0), None));
    assert_eq!(sums("24.95,,"), (paid(Some(2_495), 0), None));
    assert_eq!(sums("24.95,10,5"), (paid(Some(1_495), 500), None));
    assert_eq!(sums("24.95,-10,0"), (paid(Some(2_495), 0), None), "the shop owes something");
    assert_eq!(sums("30.00,,"), (paid(Some(3_000), 0), None), "something that is no line");
    assert_eq!(sums("20.00,,"), (paid(Some(2_000), 0), Some(OrderReview::SumsDiffer)), "a discount that is no line");
}

#[test]
fn without_a_total_what_was_given_back_or_is_outstanding_comes_off_the_lines() {
    let sums = |cells: &str, more: &str| {
        let (orders, _) = money(&format!("1,2026-01-01,a@b.nl,EUR,4.95,{cells},Mug,,1,,,,100,\n{more}"));
        (orders[0].sums, orders[0].review)
    };
    let paid = |paid, refunded| OrderSums { paid: Some(paid), refunded };
    assert_eq!(sums(",,40", ""), (paid(10_495, 4_000), None));
    assert_eq!(sums(",104.95,", ""), (paid(0, 0), None));
    assert_eq!(sums(",20,40", ""), (paid(8_495, 4_000), None));
    assert_eq!(sums(",200,", ""), (paid(0, 0), None));
    assert_eq!(sums(",,40", "1,,,,,,,,Cup,,1,,,,10,\n1,,,,,,,,Voucher,,1,,,,-5,\n"), (paid(10_995, 4_000), None));
    // The row that cannot be read may be what was refunded.
    let skipped = sums(",,40", "1,,,,,,,,Cup,,x,,,,10,\n");
    assert_eq!(skipped, (paid(10_495, 4_000), Some(OrderReview::SumsDiffer)));
    assert_eq!(sums(",0,0", "1,,,,,,,,Cup,,x,,,,10,\n"), (OrderSums::default(), None));
}

#[test]
fn what_needs_no_parcel_and_what_was_removed_are_told_by_line() {
    let rows = "1,2026-01-01,a@b.nl,EUR,,,,,Mug,M,3,2,1,true,20,\n1,,,,,,,,E-book,E,1,,,false,5,\n1,,,,,,,,Trinkgeld,,1,,,,5,\n\
                1,,,,,,,,Jug,,3,,1,,5,\n1,,,,,,,,Pot,,3,3,1,,5,\n";
    let (orders, skipped) = money(rows);
    let lines: Vec<_> = orders[0]
        .lines
        .iter()
        .map(|line| (line.fulfilled, line.removed, line.requires_shipping, line.obstacle))
        .collect();
    let tip = Some(IneligibleCode::NotShippable);
    assert_eq!(lines, [(2, 1, true, None), (1, 0, false, None), (1, 0, false, tip), (2, 1, true, None)]);
    assert_eq!((skipped.len(), skipped[0].0), (1, 6));
    assert!(skipped[0].1.starts_with("removed_quantity") && orders[0].is_partial, "{skipped:?}");
}

#[test]
fn an_order_with_a_discount_that_cannot_be_read_is_left_out() {
    for (quantity, total) in
        [("1", "-1,234"), ("1", "(30.00)"), ("1", "30.00-"), ("-1", "30.00"), ("1", "\u{2212}1,234")]
    {
        let (orders, skipped) = money(&format!(
            "1,2026-01-01,a@b.nl,EUR,0,,,,Shirt,,1,,,,100,\n1,,,,,,,,Voucher,,{quantity},,,,\"{total}\",\n\
             2,2026-01-01,a@b.nl,EUR,0,,,,Shirt,,1,,,,100,\n"
        ));
        assert_eq!((orders.len(), orders[0].number.as_str()), (1, "2"), "{total}");
        assert!(skipped.iter().any(|(line, reason)| *line == 2 && reason.contains("left out")), "{skipped:?}");
    }
    // A discount that exceeds the order.
    let (orders, skipped) = money("1,2026-01-01,a@b.nl,EUR,4.95,,,,Shirt,,1,,,,10,\n1,,,,,,,,Voucher,,1,,,,-14.96,\n");
    assert!(orders.is_empty() && skipped[0].1.contains("left out"), "{skipped:?}");
    let (orders, _) = money("1,2026-01-01,a@b.nl,EUR,4.95,,,,Shirt,,1,,,,10,2\n1,,,,,,,,Voucher,,1,,,,\u{2212}14,\n");
    assert_eq!((orders[0].lines[0].total, orders[0].lines[0].tax, orders[0].shipping_paid), (0, 0, 95));
}

proptest! {
    #[test]
    fn rows_below_zero_come_off_the_others_exactly(
        lines in prop::collection::vec((0..100_000_i64, 0..=100_i64, any::<bool>()), 1..6),
        vouchers in prop::collection::vec(1..60_000_i64, 0..3),
        shipping in 0..1_000_i64,
    ) {
        let amount = |minor: i64| format!("{}.{:02}", minor / 100, minor % 100);
        let mut rows = String::new();
        for (index, (total, tax, requires)) in lines.iter().enumerate() {
            let order = if index == 0 { format!("1,2026-01-01,a@b.nl,EUR,{},,,", amount(shipping)) } else { "1,,,,,,,".to_owned() };
            let row = format!("{order},Mug,,2,,,{requires},{},{}\n", amount(*total), amount(total * tax / 100));
            rows.push_str(&row);
        }
        for off in &vouchers {
            let row = format!("1,,,,,,,,Voucher,,1,,,,-{},\n", amount(*off));
            rows.push_str(&row);
        }
        let (orders, skipped) = money(&rows);
        let goods: i64 = lines.iter().map(|(total, ..)| total).sum();
        let off: i64 = vouchers.iter().sum();
        if off > goods + shipping {
            prop_assert!(orders.is_empty() && skipped.len() == 1);
        } else {
            let order = &orders[0];
            prop_assert!(skipped.is_empty() && !order.is_partial);
            let after: i64 = order.lines.iter().map(|line| line.total).sum();
            prop_assert_eq!(after + order.shipping_paid, goods + shipping - off);
            prop_assert!(order.shipping_paid == shipping || after == 0, "goods bear it first");
            for (line, (total, tax, _)) in order.lines.iter().zip(&lines) {
                prop_assert_eq!(line.total + line.discount, *total);
                prop_assert!((0..=*total).contains(&line.total) && (0..=total * tax / 100).contains(&line.tax));
            }
        }
    }
}
