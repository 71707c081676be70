//! The purchases of an order, figure by figure. Responses of a real shop are in `tests/outside/medusa.rs`.

use super::{
    money::Decimal,
    purchases::purchases,
    responses::{OrderResponse, PlacedOrder},
};
use crate::bridge::{
    contract::{Credentials, Proof, Purchase, Purchases},
    parse,
};
use domain::{Currency, Money};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A real shop's order: 3 bags at 24.95 and 2 mugs at 13.33, 10 % off, 4.99 for shipping. 2 bags are delivered.
fn order() -> Value {
    let line = |id: &str, quantity: u32, unit: f64, total: f64, sent: u32| {
        json!({
            "id": id, "created_at": "2026-11-22T02:00:00Z", "title": "Bag", "product_id": "prod_9",
            "product_title": "Canvas\tbag", "variant_sku": "BAG-SAND", "variant_barcode": null,
            "thumbnail": "https://shop.example/bag.png", "unit_price": unit, "is_tax_inclusive": true,
            "tax_lines": [{"rate": 20}], "quantity": quantity, "total": total,
            "return_received_total": 0, "return_dismissed_total": 0,
            "variant": {
                "hs_code": "4202.92", "origin_country": "de",
                "options": [{"value": "Sand", "option": {"title": "Colour"}}, {"value": "?", "option": null}],
            },
            "detail": {
                "fulfilled_quantity": sent, "return_requested_quantity": 0, "return_received_quantity": 0,
                "return_dismissed_quantity": 0, "written_off_quantity": 0,
            },
        })
    };
    let address = json!({
        "first_name": "Grace", "last_name": "Guest", "company": null, "address_1": "x".repeat(300), "address_2": null,
        "city": "Berlin", "country_code": "de", "province": null, "postal_code": "10115",
    });
    let fulfillment = |line: &str, shipped_at: Value, delivered_at: Value| {
        json!({
            "location_id": "sloc_1", "shipped_at": shipped_at, "delivered_at": delivered_at, "canceled_at": null,
            "items": [{"line_item_id": line, "quantity": 2}],
        })
    };
    let own = json!({"return_id": null, "claim_id": null, "exchange_id": null});
    json!({
        "id": "order_1", "display_id": 29, "custom_display_id": null, "email": "guest@example.com",
        "status": "pending", "currency_code": "eur", "created_at": "2026-11-22T02:12:41.166Z",
        "items": [line("ordli_2", 2, 13.33, 23.994, 0), line("ordli_1", 3, 24.95, 67.365, 2)],
        "shipping_methods": [
            {"total": 4.99, "detail": own},
            {"total": 3.5, "detail": {"return_id": "return_1", "claim_id": null, "exchange_id": null}},
        ],
        "shipping_address": address, "billing_address": null,
        "fulfillments": [
            fulfillment("ordli_1", json!("2026-11-23T00:00:00Z"), json!("2026-11-24T00:00:00Z")),
            fulfillment("ordli_2", json!(null), json!(null)),
        ],
        "payment_collections": [{"refunded_amount": 5, "payments": [{
            "id": "pay_1", "created_at": "2026-11-22T02:12:42.166Z", "captures": [{"amount": 90}, {"amount": 6.35}],
            "refunds": [{"id": "ref_1", "amount": 5, "note": null, "created_at": "2026-11-25T00:00:00Z"}],
        }]}],
    })
}

fn placed_order(order: &Value) -> PlacedOrder {
    let answer = json!({ "order": order });
    parse::<OrderResponse<PlacedOrder>>(answer.to_string().as_bytes()).unwrap().order
}

fn found(order: &Value) -> Purchases {
    purchases(placed_order(order), "29".to_owned())
}

fn figures(line: &Purchase) -> (String, String, String) {
    (line.paid.decimal(), line.tax.decimal(), line.discount.unwrap().decimal())
}

fn all_figures(order: &Value) -> Vec<(String, String, String)> {
    found(order).purchases.iter().map(figures).collect()
}

fn three(paid: &str, tax: &str, discount: &str) -> (String, String, String) {
    (paid.to_owned(), tax.to_owned(), discount.to_owned())
}

#[test]
fn the_order_has_what_was_paid_and_refunded() {
    let sums = |order: &Value| {
        let of = found(order).purchases[0].order.clone();
        (of.total_paid.map(|paid| paid.minor), of.total_refunded.map(|refunded| refunded.minor))
    };
    let mut order = order();
    assert_eq!(sums(&order), (Some(9_635), Some(500)));
    order["payment_collections"][0]["payments"][0]["captures"] = json!([]);
    assert_eq!(sums(&order).0, Some(0), "an authorized payment is not paid");
    order["payment_collections"][0]["payments"][0]["captures"] = json!(null);
    assert_eq!(sums(&order).0, None, "the shop does not show its captures");
    order["payment_collections"] = json!(null);
    assert_eq!(sums(&order), (None, Some(0)));
}

#[test]
fn a_line_has_the_amounts_that_were_paid() {
    let found = found(&order());
    let [bag, mug] = found.purchases.as_slice() else { panic!("expected two lines") };
    assert_eq!(bag.purchase_id, "ordli_1", "lines of the same time are sorted by id");
    assert_eq!(figures(bag), three("67.37", "11.23", "7.49"));
    assert_eq!(figures(mug), three("23.99", "4.00", "2.67"));
    assert_eq!(bag.order.shipping_paid.decimal(), "4.99", "the shipping of a return is not included");
    let counts = |line: &Purchase| (line.quantity, line.fulfilled(), line.refunded_quantity);
    assert_eq!((counts(bag), counts(mug)), ((3, 2, 0), (2, 0, 0)), "a packed fulfilment was not sent");
    assert_eq!(bag.fulfilled_at, domain::Timestamp::parse("2026-11-23T00:00:00Z"));
    assert_eq!((bag.delivered_at, mug.fulfilled_at), (None, None));
    let product = &bag.product;
    assert_eq!((product.name.as_str(), json!(product.attributes)), ("Canvas bag", json!({"Colour": "Sand"})));
    assert_eq!((product.hs_code.as_deref(), product.origin_country.as_deref()), (Some("4202.92"), Some("DE")));
    let address = &found.consumer.addresses.as_ref().unwrap()[0];
    assert_eq!((address.name.as_deref(), address.country.as_deref()), (Some("Grace Guest"), Some("DE")));
    assert_eq!(address.street.as_ref().unwrap().len(), 200);
}

#[test]
fn returned_units_change_no_amount() {
    let before = all_figures(&order());
    for (total, received, dismissed) in [(44.91, 22.455, 0.0), (22.455, 22.455, 22.455), (0.0, 0.0, 67.365)] {
        let mut order = order();
        let bag = &mut order["items"][1];
        bag["total"] = json!(total);
        bag["return_received_total"] = json!(received);
        bag["return_dismissed_total"] = json!(dismissed);
        bag["detail"]["return_received_quantity"] = json!(1);
        bag["detail"]["return_requested_quantity"] = json!(1);
        assert_eq!(all_figures(&order), before);
        assert_eq!(found(&order).purchases[0].refunded_quantity, 2);
    }
}

#[test]
fn prices_without_tax_and_other_currencies() {
    // 10.00 with a discount of 1.00, plus 19 % tax.
    let mut exclusive = order();
    exclusive["items"].as_array_mut().unwrap().truncate(1);
    exclusive["items"][0]["quantity"] = json!(1);
    for (name, value) in [("unit_price", json!(10)), ("is_tax_inclusive", json!(false)), ("total", json!(10.71))] {
        exclusive["items"][0][name] = value;
    }
    exclusive["items"][0]["tax_lines"] = json!([{"rate": 12}, {"rate": 7}]);
    assert_eq!(all_figures(&exclusive), [three("10.71", "1.71", "1.19")]);
    // 96.349 yen are 96 in total, so the parts are 67, 24 and 5.
    let mut yen = order();
    yen["currency_code"] = json!("jpy");
    assert_eq!(all_figures(&yen), [three("67", "11", "7"), three("24", "4", "3")]);
    assert_eq!(found(&yen).purchases[0].order.shipping_paid.decimal(), "5");
    yen["currency_code"] = json!("kwd");
    assert_eq!(found(&yen).purchases[0].paid.decimal(), "67.365");
}

#[test]
fn decimals_are_exact() {
    let eur = Currency::from_code("EUR").unwrap();
    let decimal = |text: &str| Decimal::parse(text).unwrap();
    for (text, minor) in
        [("22.455", 2246), ("22.454999999", 2245), ("22.4549999999", 2246), ("0", 0), ("-4.945", -494), ("7", 700)]
    {
        assert_eq!(decimal(text).minor(eur), minor, "{text}");
    }
    for bad in ["", ".", "-", ".5", "1e3", "+1", "--1", "1234567890123456", "NaN"] {
        assert_eq!(Decimal::parse(bad), None, "{bad}");
    }
    for (text, sent) in [("22.46", "22.46"), ("-4.945", "-4.945"), ("20", "20"), ("0.000000001", "1e-9")] {
        assert_eq!(decimal(text).number().to_string(), sent);
    }
    let parse = |json: &str| serde_json::from_str::<Decimal>(json).ok();
    assert_eq!(parse("16.058166666666665"), Some(decimal("16.058166667")));
    assert_eq!(
        (parse("-2.8e-20"), parse("20"), parse("-3")),
        (Some(decimal("0")), Some(decimal("20")), Some(decimal("-3")))
    );
    assert_eq!((parse("1e300"), parse("\"1\""), parse("null")), (None, None, None));
    assert_eq!(decimal("44.91").share(Decimal::whole(3), Decimal::whole(2)), decimal("67.365"));
    assert_eq!(decimal("1").share(Decimal::whole(1), Decimal::default()), Decimal::default());
}

proptest! {
    #[test]
    fn amounts_in_minor_units_survive_the_round_trip(
        minor in 0_i64..100_000_000_000_000,
        currency in prop::sample::select(Currency::all().collect::<Vec<_>>()),
    ) {
        let sent = Decimal::from_minor(minor, currency);
        prop_assert_eq!(sent.minor(currency), minor);
        let again: Decimal = serde_json::from_str(&sent.number().to_string()).unwrap();
        prop_assert_eq!(Money::new(again.minor(currency), currency), Money::new(minor, currency));
    }

    #[test]
    fn arbitrary_amounts_do_not_panic(
        figures in prop::collection::vec(prop_oneof![-1e15_f64..1e15, -3.0_f64..100.0], 10),
        counts in prop::collection::vec(prop_oneof![any::<u32>(), 0_u32..5], 8),
        code in prop::sample::select(vec!["eur", "jpy", "kwd", "clf"]),
    ) {
        let mut order = order();
        order["currency_code"] = json!(code);
        for (line, (figures, counts)) in figures.chunks(4).zip(counts.chunks(3)).take(2).enumerate() {
            let line = &mut order["items"][line];
            let names = ["unit_price", "total", "return_received_total", "return_dismissed_total"];
            names.iter().zip(figures).for_each(|(name, figure)| line[name] = json!(figure));
            line["tax_lines"][0]["rate"] = json!(figures[0]);
            line["quantity"] = json!(counts[0]);
            line["detail"]["return_requested_quantity"] = json!(counts[1]);
            line["detail"]["written_off_quantity"] = json!(counts[2]);
        }
        order["fulfillments"][0]["items"][0]["quantity"] = json!(counts[6]);
        order["fulfillments"][1] = order["fulfillments"][0].clone();
        order["shipping_methods"][0]["total"] = json!(figures[8]);
        let answer = json!({ "order": order }).to_string();
        if let Ok(OrderResponse { order }) = parse::<OrderResponse<PlacedOrder>>(answer.as_bytes()) {
            let proof = Proof::Email("guest@example.com".to_owned());
            let found = purchases(order, "29".to_owned());
            let _ = crate::bridge::verified(found, &Credentials { order_number: "29".to_owned(), proof });
        }
    }
}
