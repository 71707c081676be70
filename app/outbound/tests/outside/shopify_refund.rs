//! Refunds in a shop by Shopify's schema: to the original payments, never more than is left.

use crate::support::{
    bought::{Bought, asked},
    bridge::now,
    mirror::Mirror,
    shopify::{Shop, email, money, settle, shared as shop},
};
use domain::{policy, stage::Disposition};
use outbound::{
    bridge::{LookUp, Resolved, contract::ResolveReturn},
    shops::shopify::IN_FLIGHT_LIMIT,
};
use serde_json::{Value, json};

/// Two mugs at 20.00, 10 % off, 4.90 for shipping: 40.90.
fn mugs() -> Value {
    json!({
        "lines": [{"title": "Mug", "sku": "M-1", "quantity": 2, "price": "20.00", "taxRate": "0.19"}],
        "discounts": [{"code": "TEN", "percent": "10"}],
        "shipping": {"title": "Standard", "price": "4.90", "taxRate": "0.19"},
    })
}

async fn raw(shop: &Shop, bought: &Bought) -> Value {
    shop.read(&format!("order?id={}", bought.order_id)).await
}

async fn failed(shop: &Shop, what: &ResolveReturn) -> String {
    match settle(&shop.shopify(), what).await {
        Ok(Resolved::Failed { reason, .. }) => reason,
        other => panic!("expected a failure, not {other:?}"),
    }
}

fn reference(resolved: &Resolved) -> &str {
    match resolved {
        Resolved::Completed { external_reference: Some(reference) } => reference,
        other => panic!("expected a refund, not {other:?}"),
    }
}

#[tokio::test]
async fn a_part_is_refunded_once_with_its_line_its_shipping_and_its_stock() {
    let bought = shop().bought(mugs()).await;
    let mut what = bought.refund(1_001, 1, 1800);
    what.items[0].disposition = Some(Disposition::Restock);
    (what.shipping_refund, what.fees) = (money(490, "EUR"), money(200, "EUR"));
    let first = settle(&shop().shopify(), &what).await.unwrap();
    for _ in 0..2 {
        let ledger = shop().ledger(&bought.order_id).await;
        assert_eq!(ledger.len(), 1, "{ledger:?}");
        assert_eq!((&ledger[0]["amount"], &ledger[0]["gateway"]), (&json!("20.90"), &json!("shopify_payments")));
        let note = format!("Return R-7K3M9Q2A ({})", what.transaction_id);
        assert_eq!(ledger[0]["note"], note.as_str());
        assert!(ledger[0]["refund"].as_str().unwrap().ends_with(&format!("/{}", reference(&first))));
        assert_eq!(settle(&shop().shopify(), &what).await.unwrap(), first, "repeating it changes nothing");
    }
    let found = shop().shopify().get_purchases(&asked(&bought.code, email()), now()).await;
    let Ok(LookUp::Found(found)) = found else { panic!("{found:?}") };
    let mug = &found.purchases[0];
    assert_eq!((mug.refunded_quantity, mug.order.total_refunded.unwrap().decimal()), (1, "20.90".to_owned()));
    // Another request refunds the other mug without stock.
    let second = settle(&shop().shopify(), &bought.refund(1_002, 1, 1800)).await.unwrap();
    assert_ne!(reference(&second), reference(&first));
    let calls = shop().read("calls").await;
    let of_order = |call: &&Value| call["name"] == "RefundOnce" && call.to_string().contains(&bought.order_id);
    let lines: Vec<&Value> = calls
        .as_array()
        .unwrap()
        .iter()
        .filter(of_order)
        .map(|call| &call["variables"]["input"]["refundLineItems"][0])
        .collect();
    let types: Vec<&Value> = lines.iter().map(|line| &line["restockType"]).collect();
    assert_eq!(types, [&json!("RETURN"), &json!("NO_RESTOCK")], "{calls}");
    assert!(lines[0]["locationId"].is_string() && lines[1]["locationId"].is_null());
}

#[tokio::test]
async fn no_more_is_refunded_than_is_left() {
    let shop = shop();
    let bought = shop.bought(mugs()).await;
    let mut all = bought.refund(1_011, 2, 3600);
    all.shipping_refund = money(491, "EUR");
    let reason = failed(shop, &all).await;
    assert_eq!(reason, "The refund is 40.91 EUR, but only 40.90 EUR of the payments can still be refunded.");
    assert_eq!(failed(shop, &bought.refund(1_012, 3, 1800)).await, "The refund covers more units than were ordered.");
    let mut other = bought.refund(1_013, 1, 1800);
    other.items[0].purchase_id = "gid://shopify/LineItem/999999999".to_owned();
    assert_eq!(failed(shop, &other).await, "The order no longer has this line.");
    let other = ResolveReturn { order_id: "gid://shopify/Order/999999999".to_owned(), ..bought.refund(1_014, 1, 1800) };
    assert!(failed(shop, &other).await.starts_with("The shop no longer has this order"));
    let dollars = ResolveReturn { fees: money(0, "USD"), ..bought.refund(1_015, 1, 1800) };
    assert_eq!(failed(shop, &dollars).await, "The refund is in another currency than the order.");
    assert!(shop.ledger(&bought.order_id).await.is_empty());
    // If fees use up the whole amount, nothing is refunded, and the resolution is complete.
    let nothing = ResolveReturn { fees: money(1800, "EUR"), ..bought.refund(1_016, 1, 1800) };
    assert_eq!(settle(&shop.shopify(), &nothing).await, Ok(Resolved::Completed { external_reference: None }));
    assert!(shop.ledger(&bought.order_id).await.is_empty());

    // Staff refund in Shopify: first money, then a unit.
    shop.control("refund", json!({"order": bought.order_id, "amount": "30.00"})).await;
    let reason = failed(shop, &bought.refund(1_017, 1, 1800)).await;
    assert_eq!(reason, "The refund is 18.00 EUR, but only 10.90 EUR of the payments can still be refunded.");
    let by_hand = json!({"order": bought.order_id, "amount": "0.90", "lines": [{"line": 0, "quantity": 2}]});
    shop.control("refund", by_hand).await;
    let reason = failed(shop, &bought.refund(1_018, 1, 500)).await;
    assert!(reason.starts_with("In Shopify, 0 of the 1 units can still be refunded"), "{reason}");
    assert_eq!(shop.paid_out(&bought.order_id).await.len(), 2, "only what staff refunded");
}

#[tokio::test]
async fn a_refund_goes_to_the_payments_in_their_order() {
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 2, "price": "20.00"}],
        "payments": [{"gateway": "gift_card", "amount": "15.00"}, {"gateway": "paypal", "amount": "5.00"}, {"gateway": "shopify_payments"}],
    });
    let bought = shop().bought(order).await;
    let pairs = |expected: &[(&str, &str)]| {
        expected.iter().map(|(gateway, amount)| ((*gateway).to_owned(), (*amount).to_owned())).collect::<Vec<_>>()
    };
    settle(&shop().shopify(), &bought.refund(1_021, 1, 1750)).await.unwrap();
    assert_eq!(shop().paid_out(&bought.order_id).await, pairs(&[("gift_card", "15.00"), ("paypal", "2.50")]));
    settle(&shop().shopify(), &bought.refund(1_022, 1, 2000)).await.unwrap();
    let all = pairs(&[("gift_card", "15.00"), ("paypal", "2.50"), ("paypal", "2.50"), ("shopify_payments", "17.50")]);
    assert_eq!(shop().paid_out(&bought.order_id).await, all);
}

#[tokio::test]
async fn store_credit_is_given_once_within_the_order() {
    let bought = shop().bought(mugs()).await;
    let what = ResolveReturn { kind: policy::Resolution::StoreCredit, ..bought.refund(1_031, 1, 1800) };
    let resolved = settle(&shop().shopify(), &what).await.unwrap();
    assert_eq!(settle(&shop().shopify(), &what).await.unwrap(), resolved);
    let ledger = shop().ledger(&bought.order_id).await;
    assert_eq!(ledger.len(), 1, "{ledger:?}");
    assert_eq!((&ledger[0]["gateway"], &ledger[0]["amount"]), (&json!("shopify_store_credit"), &json!("18.00")));
    let gift = ResolveReturn { gift_recipient_email: Some("bob@example.com".to_owned()), ..what.clone() };
    assert!(failed(shop(), &gift).await.contains("by hand"));
    let exchange = ResolveReturn { kind: policy::Resolution::Exchange, ..bought.refund(1_032, 1, 1800) };
    assert!(failed(shop(), &exchange).await.contains(r#""returns": "mirror""#));
    assert_eq!(shop().ledger(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn a_store_credit_that_the_order_does_not_show_is_given_once() {
    let shop = Shop::start();
    shop.control("shop", json!({"creditTransactions": false})).await;
    let bought = shop.bought(mugs()).await;
    let what = ResolveReturn { kind: policy::Resolution::StoreCredit, ..bought.refund(1_031, 1, 1800) };
    for _ in 0..3 {
        let resolved = settle(&shop.shopify(), &what).await.unwrap();
        assert!(matches!(resolved, Resolved::Unclear { .. }), "{resolved:?}");
        assert_eq!(shop.ledger(&bought.order_id).await.len(), 1);
    }
}

/// Fees leave enough of the payments to refund the costs twice.
#[tokio::test]
async fn shipping_costs_that_staff_refund_after_the_calculation_are_not_refunded_again() {
    let shop = shop();
    let by_hand = async |bought: &Bought, amount: &str| {
        shop.control("refund", json!({"order": bought.order_id, "shipping": amount})).await;
    };
    let calculated = |bought: &Bought, transaction: u128, shipping: i64| ResolveReturn {
        shipping_refund: money(shipping, "EUR"),
        fees: money(500, "EUR"),
        ..bought.refund(transaction, 2, 3600)
    };
    let bought = shop.bought(mugs()).await;
    by_hand(&bought, "4.90").await;
    let what = calculated(&bought, 1_061, 490);
    let reason = failed(shop, &what).await;
    assert!(reason.contains("shipping costs of 4.90 EUR, but only 0.00 EUR"), "{reason}");
    let mut mirror = Mirror::new(&bought, "R-7K3M9Q2A", 2);
    mirror.settle(&shop.shopify()).await;
    let id = mirror.asked.external_id.as_deref().unwrap();
    let done = shop.shopify().resolve_mirrored_return(&what, id, now()).await;
    assert!(matches!(done, Ok(Resolved::Failed { .. })), "{done:?}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1, "only what staff refunded");
    // What is left can be refunded.
    let bought = shop.bought(mugs()).await;
    by_hand(&bought, "2.00").await;
    settle(&shop.shopify(), &calculated(&bought, 1_062, 290)).await.unwrap();
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 2);
    // A request that was lost is not sent again.
    let bought = shop.bought(mugs()).await;
    let what = calculated(&bought, 1_063, 490);
    shop.control("fail", json!({"operation": "refundCreate", "how": "before-close", "order": bought.order_id})).await;
    let pending = Ok(Resolved::Pending { external_reference: None });
    assert_eq!(settle(&shop.shopify(), &what).await, pending);
    by_hand(&bought, "4.90").await;
    assert_eq!(settle(&shop.shopify(), &what).await, pending, "it may be running");
    let later = now().plus_seconds(IN_FLIGHT_LIMIT.as_secs().try_into().unwrap());
    let unclear = shop.shopify().resolve_return(&what, later).await;
    assert!(matches!(unclear, Ok(Resolved::Unclear { .. })), "{unclear:?}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn the_currency_that_the_shopper_paid_in_is_paid_back() {
    let order = json!({
        "currency": "EUR", "presentmentCurrency": "USD", "rate": "1.10", "taxesIncluded": false,
        "lines": [{"title": "Mug", "quantity": 1, "price": "20.00", "taxRate": "0.1"}],
        "shipping": {"price": "5.00", "taxRate": "0.1"},
    });
    let bought = shop().bought(order).await;
    let mut what = bought.refund(1_041, 1, 0);
    what.items[0].amount = bought.line(0).total();
    what.shipping_refund = bought.line(0).order.shipping_paid;
    what.fees = money(0, "USD");
    settle(&shop().shopify(), &what).await.unwrap();
    let ledger = shop().ledger(&bought.order_id).await;
    assert_eq!((&ledger[0]["amount"], &ledger[0]["currency"], ledger.len()), (&json!("27.50"), &json!("USD"), 1));
    assert_eq!(raw(shop(), &bought).await["left"], "0.00");
    let calls = shop().read("calls").await.to_string();
    assert!(calls.contains(r#""shipping":{"amount":"5.00"}"#), "shipping is recorded without the tax on top");
}

#[tokio::test]
async fn a_refused_refund_fails_and_a_person_can_try_again() {
    let shop = shop();
    let bought = shop.bought(mugs()).await;
    let what = bought.refund(1_051, 1, 1800);
    let refuse = json!({"operation": "refundCreate", "how": "user-error", "order": bought.order_id, "message": "The card of ada@example.com is closed"});
    shop.control("fail", refuse).await;
    let reason = failed(shop, &what).await;
    assert!(reason.starts_with("Shopify refused the refund: The card of") && !reason.contains("ada@"), "{reason}");
    assert!(shop.ledger(&bought.order_id).await.is_empty());
    let again = settle(&shop.shopify(), &what).await.unwrap();
    assert!(matches!(again, Resolved::Completed { .. }), "{again:?}");
    assert_eq!(shop.paid_out(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn a_part_that_a_provider_refuses_needs_a_person_who_can_have_the_rest_refunded() {
    let shop = shop();
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 1, "price": "20.00"}],
        "payments": [{"gateway": "gift_card", "amount": "15.00"}, {"gateway": "paypal", "refund": "failure"}],
    });
    let bought = shop.bought(order).await;
    let what = bought.refund(1_061, 1, 2000);
    let unclear = settle(&shop.shopify(), &what).await;
    let Ok(Resolved::Unclear { external_reference: Some(_), reason }) = unclear else { panic!("{unclear:?}") };
    assert!(reason.starts_with("Only 15.00 EUR of 20.00 EUR were refunded."), "{reason}");
    shop.control("gateway", json!({"order": bought.order_id, "gateway": "paypal", "refund": "success"})).await;
    let done = settle(&shop.shopify(), &what).await.unwrap();
    assert_eq!(reference(&done).split(", ").count(), 2, "{done:?}");
    let paid: Vec<String> = shop.paid_out(&bought.order_id).await.into_iter().map(|(_, amount)| amount).collect();
    assert_eq!(paid, ["15.00", "5.00"]);
}

#[tokio::test]
async fn a_refund_that_a_provider_works_on_is_pending() {
    let shop = shop();
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 1, "price": "20.00"}],
        "payments": [{"gateway": "paypal", "refund": "pending"}],
    });
    let bought = shop.bought(order).await;
    let what = bought.refund(1_071, 1, 2000);
    for _ in 0..2 {
        let pending = settle(&shop.shopify(), &what).await;
        assert!(matches!(pending, Ok(Resolved::Pending { external_reference: Some(_) })), "{pending:?}");
    }
    shop.control("settle", json!({"order": bought.order_id, "status": "SUCCESS"})).await;
    let done = settle(&shop.shopify(), &what).await.unwrap();
    assert!(matches!(done, Resolved::Completed { .. }), "{done:?}");
    assert_eq!(shop.ledger(&bought.order_id).await.len(), 1);
}
