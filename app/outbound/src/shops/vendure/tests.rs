//! The purchases of an order, figure by figure. Responses of a real shop are in `tests/outside/vendure.rs`.

use super::{
    money::Scale,
    purchases::purchases,
    responses::{LookUpResponse, PlacedOrder},
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
    let line = |id: &str, quantity: u32, unit: (i64, i64), line: (i64, i64, i64), option: Value| {
        json!({
            "id": id, "createdAt": "2026-11-22T02:00:00Z", "quantity": quantity, "orderPlacedQuantity": quantity,
            "unitPrice": unit.0, "unitPriceWithTax": unit.1,
            "linePriceWithTax": line.0, "proratedLinePrice": line.1, "proratedLinePriceWithTax": line.2,
            "featuredAsset": {"preview": "http://127.0.0.1/bag.png"},
            "productVariant": {
                "sku": "SKU", "product": {"id": "9", "name": "Bag"}, "options": [option], "featuredAsset": null,
            },
        })
    };
    let moved = |from: &str, to: &str, at: &str| {
        let data = json!({"fulfillmentId": 1, "from": from, "to": to});
        json!({"type": "ORDER_FULFILLMENT_TRANSITION", "data": data, "createdAt": at})
    };
    json!({
        "id": "2", "code": "PLG78KX26ZU7EE36", "state": "PartiallyDelivered", "active": false,
        "orderPlacedAt": "2026-11-22T02:12:41.166Z", "currencyCode": "EUR", "shippingWithTax": 499,
        "customer": {"emailAddress": "guest@example.com", "firstName": "Grace", "lastName": "Guest"},
        "shippingAddress": {"fullName": "Grace\tGuest", "streetLine1": "x".repeat(300), "postalCode": "10115", "countryCode": "Berlin"},
        "billingAddress": null, "surcharges": [],
        "lines": [
            line("3", 3, (2079, 2495), (7485, 5614, 6737), json!({"name": "Sand", "group": {"name": "Colour"}})),
            line("4", 2, (1111, 1333), (2666, 1999, 2399), json!({"name": "Large", "group": {"name": ""}})),
        ],
        "fulfillments": [
            {"id": "1", "state": "Delivered", "updatedAt": "2026-11-25T00:00:00Z", "lines": [{"orderLineId": "3", "quantity": 2}]},
            {"id": "2", "state": "Pending", "updatedAt": "2026-11-26T00:00:00Z", "lines": [{"orderLineId": "3", "quantity": 1}]},
        ],
        "payments": [{"id": "2", "state": "Settled", "amount": 9635, "refunds": []}],
        "history": {"items": [
            moved("Shipped", "Delivered", "2026-11-24T00:00:00Z"), moved("Pending", "Shipped", "2026-11-23T00:00:00Z"),
        ]},
    })
}

fn placed_order(order: &Value) -> PlacedOrder {
    let settings = json!({"serverConfig": {"moneyStrategyPrecision": 2}});
    let answer = json!({"globalSettings": settings, "orders": {"items": [order]}});
    let found: LookUpResponse = parse(answer.to_string().as_bytes()).unwrap();
    found.orders.items.into_iter().next().unwrap()
}

fn found(order: &Value) -> Purchases {
    purchases(&placed_order(order), 2).unwrap()
}

fn paid(order: &Value) -> Vec<i64> {
    found(order).purchases.iter().map(|line| line.paid.minor).collect()
}

/// Cancels units as Vendure does.
fn cancel(order: &mut Value, line: usize, left: u32, prices: (i64, i64, i64)) {
    let line = &mut order["lines"][line];
    line["quantity"] = json!(left);
    line["linePriceWithTax"] = json!(prices.0);
    line["proratedLinePrice"] = json!(prices.1);
    line["proratedLinePriceWithTax"] = json!(prices.2);
}

#[test]
fn a_line_has_the_amounts_that_were_paid() {
    let found = found(&order());
    let [bag, mug] = found.purchases.as_slice() else { panic!("expected two lines") };
    let figures = |line: &Purchase| (line.paid.decimal(), line.tax.decimal(), line.discount.unwrap().decimal());
    assert_eq!(figures(bag), ("67.37".to_owned(), "11.23".to_owned(), "7.48".to_owned()));
    assert_eq!(figures(mug), ("23.99".to_owned(), "4.00".to_owned(), "2.67".to_owned()));
    let counts = |line: &Purchase| (line.quantity, line.fulfilled(), line.refunded_quantity);
    assert_eq!((counts(bag), counts(mug)), ((3, 2, 0), (2, 0, 0)));
    assert_eq!(bag.fulfilled_at, domain::Timestamp::parse("2026-11-23T00:00:00Z"));
    assert_eq!((bag.delivered_at, mug.fulfilled_at), (None, None), "one bag is not delivered yet");
    assert_eq!(bag.order.shipping_paid.decimal(), "4.99");
    assert_eq!(bag.product.attributes.as_ref().unwrap()["Colour"], "Sand");
    assert!(mug.product.attributes.as_ref().unwrap().is_empty(), "an option whose group has no name is left out");
    let address = &found.consumer.addresses.as_ref().unwrap()[0];
    assert_eq!((address.name.as_deref(), &address.country), (Some("Grace Guest"), &None));
    assert_eq!(address.street.as_ref().unwrap().len(), 200);
}

#[test]
fn cancelling_units_changes_no_amount() {
    let mut order = order();
    for (left, prices) in [(2, (4990, 3743, 4491)), (1, (2495, 1871, 2246)), (0, (0, 0, 0))] {
        cancel(&mut order, 0, left, prices);
        let bag = &found(&order).purchases[0];
        let tax_and_discount = (bag.tax.decimal(), bag.discount.unwrap().decimal());
        assert_eq!((bag.paid.decimal(), bag.quantity), ("67.37".to_owned(), 3), "{left}");
        assert_eq!(tax_and_discount, ("11.23".to_owned(), "7.48".to_owned()), "{left}");
        assert_eq!(paid(&order).iter().sum::<i64>() + 499, 9635);
    }
    // Both lines are incomplete: the sum is right, and each line within a cent per unit. Then no units are left of either.
    cancel(&mut order, 0, 1, (2495, 1871, 2246));
    cancel(&mut order, 1, 1, (1333, 1000, 1200));
    assert_eq!(paid(&order), [6737, 2399]);
    cancel(&mut order, 0, 0, (0, 0, 0));
    cancel(&mut order, 1, 0, (0, 0, 0));
    assert_eq!(paid(&order), [6737, 2399]);
    // If the payments do not fit the lines, the amounts of the remaining units decide.
    order["payments"][0]["amount"] = json!(100_000);
    assert_eq!(paid(&order), [7485, 2666]);
    cancel(&mut order, 0, 2, (4990, 3743, 4491));
    cancel(&mut order, 1, 2, (2666, 1999, 2399));
    assert_eq!(paid(&order), [6737, 2399]);
}

#[test]
fn the_order_has_what_was_paid_and_refunded() {
    let sums = |order: &Value| {
        let of = found(order).purchases[0].order.clone();
        (of.total_paid.unwrap().minor, of.total_refunded.unwrap().minor)
    };
    let refund = |state: &str, total: i64| json!({"state": state, "total": total, "lines": []});
    let mut order = order();
    assert_eq!(sums(&order), (9_635, 0));
    order["payments"][0]["refunds"] = json!([refund("Settled", 500), refund("Pending", 35), refund("Failed", 9_000)]);
    assert_eq!(sums(&order), (9_635, 535));
    order["payments"][0]["state"] = json!("Authorized");
    assert_eq!(sums(&order).0, 0, "an authorized payment is not paid");
}

#[test]
fn refunded_units_are_the_larger_of_refunded_and_cancelled() {
    let refunded = |order: &Value| found(order).purchases[0].refunded_quantity;
    let refund = |state: &str, quantity: u32| json!({"id": "1", "state": state, "total": 1, "reason": null, "lines": [{"orderLineId": "3", "quantity": quantity}]});
    let mut sent = order();
    sent["fulfillments"][1]["state"] = json!("Shipped");
    assert_eq!(refunded(&sent), 0);
    sent["payments"][0]["refunds"] = json!([refund("Settled", 1), refund("Pending", 1), refund("Failed", 1)]);
    assert_eq!(refunded(&sent), 2, "a failed refund does not count");
    cancel(&mut sent, 0, 2, (4990, 3743, 4491));
    assert_eq!(refunded(&sent), 2, "the cancelled unit is one of the refunded ones");
    sent["payments"][0]["refunds"] = json!([refund("Settled", 99)]);
    assert_eq!(refunded(&sent), 3);
    // One of three was out of stock and never sent: the two that were sent can come back.
    let mut ran_out = order();
    cancel(&mut ran_out, 0, 2, (4990, 3743, 4491));
    assert_eq!(refunded(&ran_out), 0);
    cancel(&mut ran_out, 0, 1, (2495, 1871, 2246));
    assert_eq!(refunded(&ran_out), 1);
}

#[test]
fn an_order_can_be_returned_once_something_was_sent() {
    let is = |field: &str, value: Value| {
        let mut order = order();
        order[field] = value;
        placed_order(&order).can_be_returned()
    };
    assert!(is("state", json!("Delivered")));
    assert!(is("state", json!("Cancelled")), "it was sent and came back");
    assert!(!is("active", json!(true)) && !is("orderPlacedAt", json!(null)));
    let mut never_sent = order();
    never_sent["state"] = json!("Cancelled");
    never_sent["fulfillments"] = json!([]);
    assert!(!placed_order(&never_sent).can_be_returned());
}

#[test]
fn amounts_are_converted_in_every_currency() {
    let scale = |code: &str, decimals| Scale::new(Currency::from_code(code).unwrap(), decimals).unwrap();
    for (code, decimals, theirs, ours, back) in [
        ("EUR", 2, 1250, "12.50", 1250),
        ("JPY", 2, 125_000, "1250", 125_000),
        ("JPY", 2, 125_099, "1250", 125_000),
        ("JPY", 0, 1250, "1250", 1250),
        ("KWD", 2, 1250, "12.500", 1250),
        ("KWD", 3, 1250, "1.250", 1250),
        ("EUR", 3, 12_509, "12.50", 12_500),
    ] {
        let scale = scale(code, decimals);
        let money = scale.money(theirs);
        assert_eq!((money.decimal().as_str(), scale.amount(money.minor)), (ours, back), "{code} {decimals} {theirs}");
    }
    assert_eq!(scale("KWD", 2).amount(1259), 125, "2 decimals cannot represent a fils");
    assert!(Scale::new(Currency::from_code("EUR").unwrap(), 10).is_err());

    // 67.37 and 23.99 yen are 91 in total, so the parts are 67 and 24, not 67 and 23.
    let mut order = order();
    order["currencyCode"] = json!("JPY");
    assert_eq!(paid(&order), [67, 24]);
    assert_eq!(found(&order).purchases[0].tax, Money::new(11, Currency::from_code("JPY").unwrap()));
}

proptest! {
    #[test]
    fn arbitrary_amounts_do_not_panic(
        figures in prop::collection::vec(prop_oneof![any::<i64>(), -3_i64..10_000], 12),
        counts in prop::collection::vec(prop_oneof![any::<u32>(), 0_u32..5], 8),
        decimals in 0_u32..12,
    ) {
        let mut order = order();
        for (line, (figures, counts)) in figures.chunks(5).zip(counts.chunks(2)).take(2).enumerate() {
            let line = &mut order["lines"][line];
            let names = ["unitPrice", "unitPriceWithTax", "linePriceWithTax", "proratedLinePrice", "proratedLinePriceWithTax"];
            names.iter().zip(figures).for_each(|(name, figure)| line[name] = json!(figure));
            line["quantity"] = json!(counts[0]);
            line["orderPlacedQuantity"] = json!(counts[1]);
        }
        order["fulfillments"][0]["lines"][0]["quantity"] = json!(counts[4]);
        order["fulfillments"][1] = order["fulfillments"][0].clone();
        order["payments"][0]["amount"] = json!(figures[10]);
        order["shippingWithTax"] = json!(figures[11]);
        if let Ok(found) = purchases(&placed_order(&order), decimals) {
            let proof = Proof::Email("guest@example.com".to_owned());
            let _ = crate::bridge::verified(found, &Credentials { order_number: "plg78kx26zu7ee36".to_owned(), proof });
        }
    }
}
