//! Exchanges through returns in Shopify: the chosen variant is sent once, and nothing is paid or refunded for it.

use crate::support::{
    bought::{Bought, asked, eur},
    bridge::now,
    mirror::Mirror,
    shopify::{Shop, email, shared as shop},
};
use domain::{integration::ShopifyVersion, policy::Resolution};
use outbound::{
    bridge::{
        LookUp, Resolved,
        contract::{ExchangeOption, ResolveReturn},
    },
    shops::shopify::{MirroredDecision, ReturnStatus},
};
use serde_json::{Value, json};

const NUMBER: &str = "R-7K3M9Q2A";
const PROCESS: &str =
    "mutation ($input: ReturnProcessInput!) { returnProcess(input: $input) { userErrors { message } } }";

/// Four shirts at 20.00 less 10 %, in size M; L has the same price, XL another one, and S is sold out.
fn shirts() -> Value {
    json!({
        "lines": [{
            "title": "Shirt", "sku": "S-M", "variantTitle": "M", "quantity": 4, "price": "20.00", "taxRate": "0.19",
            "variants": [
                {"title": "L", "sku": "S-L"}, {"title": "XL", "sku": "S-XL", "price": "25.00"},
                {"title": "S", "sku": "S-S", "forSale": false}, {"title": "none"},
                {"title": "twice", "sku": "S-2"}, {"title": "twice", "sku": "S-2"},
            ],
        }],
        "discounts": [{"code": "TEN", "percent": "10"}], "shipping": {"price": "4.90"},
    })
}

/// A return of units of the shirts for others.
fn mirror(bought: &Bought, quantity: u32, sku: &str) -> Mirror {
    let mut mirror = Mirror::new(bought, NUMBER, quantity);
    mirror.item().exchange_sku = Some(sku.to_owned());
    mirror
}

fn exchange(bought: &Bought, transaction: u128, quantity: u32, sku: &str) -> ResolveReturn {
    let mut what = bought.refund(transaction, quantity, 1800 * i64::from(quantity));
    what.items[0].exchange_sku = Some(sku.to_owned());
    ResolveReturn { kind: Resolution::Exchange, ..what }
}

async fn resolved(shop: &Shop, mirror: &Mirror, what: &ResolveReturn) -> Resolved {
    let id = mirror.asked.external_id.as_deref().expect("the shop should have the return");
    shop.shopify().resolve_mirrored_return(what, id, mirror.now).await.unwrap()
}

async fn failed(shop: &Shop, mirror: &Mirror, what: &ResolveReturn) -> String {
    match resolved(shop, mirror, what).await {
        Resolved::Failed { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

/// What was sent for exchanges of an order: stock-keeping units, units and their price.
async fn sent(shop: &Shop, bought: &Bought) -> Vec<(String, u64, String)> {
    let order = shop.read(&format!("order?id={}", bought.order_id)).await;
    let lines = order["lines"].as_array().unwrap().iter().skip(1);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    lines.map(|line| (text(&line["sku"]), line["quantity"].as_u64().unwrap(), text(&line["total"]))).collect()
}

#[tokio::test]
async fn variants_at_the_same_price_are_offered() {
    let bought = shop().bought(shirts()).await;
    assert_eq!(bought.line(0).product.exchange_options, None, "only for accounts that exchange");
    for version in ShopifyVersion::ALL {
        let shopify = shop().client(version, shop().token()).offering_exchanges(true);
        let found = shopify.get_purchases(&asked(&bought.code, email()), now()).await;
        let Ok(LookUp::Found(found)) = found else { panic!("{found:?}") };
        let option = |sku: &str, name: &str| ExchangeOption { sku: sku.to_owned(), name: name.to_owned() };
        let offered = found.purchases[0].product.exchange_options.clone();
        assert_eq!(offered, Some(vec![option("S-M", "M"), option("S-L", "L")]), "{version:?}");
    }
}

#[tokio::test]
async fn the_same_price_is_that_of_the_shop_also_if_the_shopper_paid_in_another_currency() {
    let lines = json!([{"title": "Cap", "sku": "C-1", "quantity": 1, "price": "22.00"}]);
    let order = json!({"currency": "EUR", "presentmentCurrency": "USD", "rate": "1.10", "lines": lines});
    let bought = shop().bought(order).await;
    let shopify = shop().shopify().offering_exchanges(true);
    let offered = async || {
        let found = shopify.get_purchases(&asked(&bought.code, email()), now()).await;
        let Ok(LookUp::Found(found)) = found else { panic!("{found:?}") };
        found.purchases[0].product.exchange_options.clone()
    };
    let same = ExchangeOption { sku: "C-1".to_owned(), name: "Cap".to_owned() };
    assert_eq!(offered().await, Some(vec![same]), "a product without other variants: the same item again");
    shop().control("variant", json!({"order": bought.order_id, "sku": "C-1", "price": "33.00"})).await;
    assert_eq!(offered().await, None);
}

#[tokio::test]
async fn an_exchange_is_sent_once_and_costs_nothing_in_each_version() {
    for version in ShopifyVersion::ALL {
        let shop = Shop::start();
        let shopify = shop.client(version, shop.app());
        let bought = shop.bought(shirts()).await;
        let mut mirror = mirror(&bought, 2, "S-L");
        assert_eq!(mirror.settle(&shopify).await, Some(ReturnStatus::Open));
        assert!(sent(&shop, &bought).await.is_empty(), "before the resolution");
        let what = exchange(&bought, 8_001, 2, "S-L");
        let id = mirror.asked.external_id.clone().unwrap();
        for _ in 0..2 {
            let done = shopify.resolve_mirrored_return(&what, &id, now()).await;
            let Ok(Resolved::Completed { external_reference: Some(name) }) = done else {
                panic!("{version:?}: {done:?}")
            };
            assert!(name.ends_with("-R1"), "{name}");
        }
        assert_eq!(sent(&shop, &bought).await, [("S-L".to_owned(), 2, "36.00".to_owned())]);
        assert!(shop.ledger(&bought.order_id).await.is_empty());
        mirror.item().is_over = true;
        assert_eq!(mirror.settle(&shopify).await, Some(ReturnStatus::Closed));
    }
}

#[tokio::test]
async fn shipping_costs_of_an_exchange_are_refunded_less_fees() {
    let bought = shop().bought(shirts()).await;
    let mut mirror = mirror(&bought, 1, "S-L");
    mirror.settle(&shop().shopify()).await;
    let what = ResolveReturn { shipping_refund: eur(490), fees: eur(190), ..exchange(&bought, 8_011, 1, "S-L") };
    for _ in 0..2 {
        let done = resolved(shop(), &mirror, &what).await;
        let Resolved::Completed { external_reference: Some(reference) } = done else { panic!("{done:?}") };
        assert!(reference.contains("-R1, "), "{reference}");
    }
    assert_eq!(shop().paid_out(&bought.order_id).await, [("shopify_payments".to_owned(), "3.00".to_owned())]);
    assert_eq!(sent(shop(), &bought).await.len(), 1);
}

#[tokio::test]
async fn an_exchange_that_waits_for_approval_appears_with_it() {
    let bought = shop().bought(shirts()).await;
    let mut mirror = mirror(&bought, 1, "S-L");
    mirror.item().decision = MirroredDecision::Open;
    assert_eq!(mirror.settle(&shop().shopify()).await, None);
    mirror.item().decision = MirroredDecision::Approved;
    assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Open));
    assert!(matches!(resolved(shop(), &mirror, &exchange(&bought, 8_021, 1, "S-L")).await, Resolved::Completed { .. }));
    assert_eq!(sent(shop(), &bought).await.len(), 1);
}

#[tokio::test]
async fn what_cannot_be_exchanged_names_its_reason_and_a_person_can_try_again() {
    for (sku, change, expected) in [
        ("S-?", json!({"sku": "S-L"}), "the product has no such variant"),
        ("S-2", json!({"sku": "S-L"}), "the product has no such variant"),
        ("S-L", json!({"sku": "S-L", "forSale": false}), "S-L is sold out in Shopify"),
        ("S-L", json!({"sku": "S-L", "price": "30.00"}), "would have to pay 9.00 EUR in Shopify: the prices differ"),
        ("S-L", json!({"sku": "S-L", "price": "10.00"}), "would get back 9.00 EUR in Shopify: the prices differ"),
    ] {
        let bought = shop().bought(shirts()).await;
        let mut mirror = mirror(&bought, 1, sku);
        assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Open), "{sku}");
        let mut body = change.clone();
        body["order"] = json!(bought.order_id);
        shop().control("variant", body).await;
        let what = exchange(&bought, 8_031, 1, sku);
        let reason = failed(shop(), &mirror, &what).await;
        assert!(reason.contains(expected) && reason.ends_with("by hand."), "{sku}: {reason}");
        assert!(sent(shop(), &bought).await.is_empty(), "{sku}");
        assert!(shop().ledger(&bought.order_id).await.is_empty(), "{sku}");
        let repaired = json!({"order": bought.order_id, "sku": "S-L", "price": "20.00", "forSale": true});
        shop().control("variant", repaired).await;
        let again = resolved(shop(), &mirror, &what).await;
        let is_sent = matches!(again, Resolved::Completed { .. });
        assert_eq!(
            (is_sent, sent(shop(), &bought).await.len()),
            (sku == "S-L", usize::from(sku == "S-L")),
            "{again:?}"
        );
    }
}

#[tokio::test]
async fn an_exchange_that_was_agreed_later_is_for_a_person() {
    let bought = shop().bought(shirts()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    let reason = failed(shop(), &mirror, &exchange(&bought, 8_041, 1, "S-L")).await;
    assert!(reason.contains("agreed after the return was made there"), "{reason}");
    // The units can still be refunded, in place of the exchange.
    assert!(matches!(resolved(shop(), &mirror, &bought.refund(8_042, 1, 1800)).await, Resolved::Completed { .. }));
}

#[tokio::test]
async fn an_exchange_needs_a_return_in_the_shop() {
    let bought = shop().bought(shirts()).await;
    let what = exchange(&bought, 8_051, 1, "S-L");
    let without = shop().shopify().resolve_return(&what, now()).await;
    let Ok(Resolved::Failed { reason, .. }) = without else { panic!("{without:?}") };
    assert!(reason.contains(r#""returns": "mirror""#), "{reason}");
    let mut mirror = mirror(&bought, 1, "S-L");
    mirror.settle(&shop().shopify()).await;
    let gift = ResolveReturn { gift_recipient_email: Some("eve@example.com".to_owned()), ..what.clone() };
    assert!(failed(shop(), &mirror, &gift).await.contains("recipient of the gift"));
    shop().control("return/cancel", json!({"id": mirror.asked.external_id})).await;
    assert!(failed(shop(), &mirror, &what).await.starts_with("The return was cancelled or declined in Shopify"));
    assert!(sent(shop(), &bought).await.is_empty());
}

#[tokio::test]
async fn two_items_of_a_return_can_be_exchanged_for_the_same_variant() {
    let line = |title: &str| json!({"title": title, "sku": format!("{title}-M"), "quantity": 1, "price": "20.00", "variants": [{"sku": "L"}]});
    let bought = shop().bought(json!({"lines": [line("A"), line("B")]})).await;
    let mut mirror = mirror(&bought, 1, "L");
    let mut second = mirror.item().clone();
    second.purchase_id = bought.line(1).purchase_id.clone();
    mirror.asked.items.push(second);
    mirror.settle(&shop().shopify()).await;
    let first = exchange(&bought, 8_061, 1, "L");
    let mut second = exchange(&bought, 8_062, 1, "L");
    second.items[0].purchase_id = bought.line(1).purchase_id.clone();
    // Products A and B have a variant with the same stock-keeping unit.
    for (what, expected) in [(&second, [0, 1]), (&second, [0, 1]), (&first, [1, 1]), (&first, [1, 1])] {
        assert!(matches!(resolved(shop(), &mirror, what).await, Resolved::Completed { .. }));
        let order = shop().read(&format!("order?id={}", bought.order_id)).await;
        let processed = [0, 1].map(|at| order["returns"][0]["exchanges"][at]["processed"].as_u64().unwrap());
        assert_eq!(processed, expected);
        assert_eq!(
            order["lines"].as_array().unwrap().len(),
            2 + usize::try_from(processed.iter().sum::<u64>()).unwrap()
        );
    }
}

#[tokio::test]
async fn what_staff_processed_in_the_shop_is_not_sent_again() {
    for sends in [true, false] {
        let bought = shop().bought(shirts()).await;
        let mut mirror = mirror(&bought, 1, "S-L");
        mirror.settle(&shop().shopify()).await;
        let made = &shop().returns(&bought.order_id).await[0];
        let order = shop().read(&format!("order?id={}", bought.order_id)).await;
        let exchanged = json!([{"id": order["returns"][0]["exchanges"][0]["id"], "quantity": 1}]);
        let input = json!({
            "returnId": made["id"], "returnLineItems": [{"id": made["returnLineItems"]["nodes"][0]["id"], "quantity": 1}],
            "exchangeLineItems": if sends { exchanged } else { json!([]) },
        });
        let done = shop().staff(PROCESS, json!({"input": input})).await;
        assert_eq!(done["returnProcess"]["userErrors"], json!([]));
        for _ in 0..2 {
            match resolved(shop(), &mirror, &exchange(&bought, 8_071, 1, "S-L")).await {
                Resolved::Completed { .. } => assert!(sends),
                Resolved::Unclear { reason, .. } => assert!(!sends && reason.contains("were not sent"), "{reason}"),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(sent(shop(), &bought).await.len(), usize::from(sends));
    }
}

/// Staff send units of the return's exchange line, before the units that come back are processed.
async fn send_by_hand(shop: &Shop, bought: &Bought, quantity: u32) {
    let order = shop.read(&format!("order?id={}", bought.order_id)).await;
    let made = &order["returns"][0];
    let line = json!({"id": made["exchanges"][0]["id"], "quantity": quantity});
    let input = json!({"returnId": made["id"], "exchangeLineItems": [line]});
    let done = shop.staff(PROCESS, json!({"input": input})).await;
    assert_eq!(done["returnProcess"]["userErrors"], json!([]));
}

#[tokio::test]
async fn an_exchange_that_staff_sent_early_counts_as_sent_with_its_fulfilment() {
    let bought = shop().bought(shirts()).await;
    let mut mirror = mirror(&bought, 1, "S-L");
    mirror.settle(&shop().shopify()).await;
    send_by_hand(shop(), &bought, 1).await;
    let lines = json!([{"line": 1, "quantity": 1}]);
    shop().control("fulfill", json!({"order": bought.order_id, "lines": lines})).await;
    // The price has changed since, which no longer matters.
    shop()
        .control("variant", json!({"order": bought.order_id, "sku": "S-L", "price": "30.00", "forSale": false}))
        .await;
    for _ in 0..2 {
        let done = resolved(shop(), &mirror, &exchange(&bought, 8_081, 1, "S-L")).await;
        let expected = format!("{0}-R1, {0}-F2", bought.code);
        assert_eq!(done, Resolved::Completed { external_reference: Some(expected) });
    }
    assert_eq!(sent(shop(), &bought).await.len(), 1);
    let line = &shop().returns(&bought.order_id).await[0]["returnLineItems"]["nodes"][0];
    assert_eq!(line["processedQuantity"], 1);
    mirror.item().is_over = true;
    assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Closed));
}

#[tokio::test]
async fn an_exchange_of_which_staff_sent_a_part_waits_for_the_rest() {
    let bought = shop().bought(shirts()).await;
    let mut mirror = mirror(&bought, 2, "S-L");
    mirror.settle(&shop().shopify()).await;
    send_by_hand(shop(), &bought, 1).await;
    let what = exchange(&bought, 8_091, 2, "S-L");
    let reason = failed(shop(), &mirror, &what).await;
    assert!(reason.starts_with("1 of 2 × S-L were sent in Shopify already"), "{reason}");
    send_by_hand(shop(), &bought, 1).await;
    for _ in 0..2 {
        assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }));
    }
    assert_eq!(sent(shop(), &bought).await.iter().map(|(_, units, _)| units).sum::<u64>(), 2);
}

#[tokio::test]
async fn the_line_of_an_exchange_that_became_a_refund_leaves_the_return() {
    for is_refused in [false, true] {
        let shop = Shop::start();
        let bought = shop.bought(shirts()).await;
        let mut mirror = mirror(&bought, 1, "S-L");
        mirror.settle(&shop.shopify()).await;
        mirror.item().dropped_exchange_sku = mirror.item().exchange_sku.take();
        if is_refused {
            shop.fail("removeFromReturn", "user-error").await;
        }
        mirror.settle(&shop.shopify()).await;
        let order = shop.read(&format!("order?id={}", bought.order_id)).await;
        let left = order["returns"][0]["exchanges"].as_array().unwrap().len();
        assert_eq!((left, mirror.refusals.len()), (usize::from(is_refused), usize::from(is_refused)));
        assert!(mirror.refusals.iter().all(|text| text.starts_with("Shopify refused to remove an exchange line")));
        let refund = bought.refund(8_101, 1, 1800);
        assert!(matches!(resolved(&shop, &mirror, &refund).await, Resolved::Completed { .. }));
        mirror.item().is_over = true;
        assert_eq!(mirror.settle(&shop.shopify()).await, Some(ReturnStatus::Closed));
        assert!(sent(&shop, &bought).await.is_empty());
    }
}

#[tokio::test]
async fn only_the_lines_of_dropped_exchanges_leave_the_return() {
    let line = |title: &str| json!({"title": title, "sku": format!("{title}-M"), "quantity": 1, "price": "20.00", "variants": [{"sku": "L"}]});
    let bought = shop().bought(json!({"lines": [line("A"), line("B")]})).await;
    let mut mirror = mirror(&bought, 1, "L");
    let mut second = mirror.item().clone();
    second.purchase_id = bought.line(1).purchase_id.clone();
    mirror.asked.items.push(second);
    mirror.settle(&shop().shopify()).await;
    mirror.item().dropped_exchange_sku = mirror.item().exchange_sku.take();
    mirror.settle(&shop().shopify()).await;
    let order = shop().read(&format!("order?id={}", bought.order_id)).await;
    assert_eq!(order["returns"][0]["exchanges"].as_array().unwrap().len(), 1, "the other item is still exchanged");
}

#[tokio::test]
async fn a_refused_exchange_line_leaves_the_return_without_it() {
    let shop = Shop::start();
    let bought = shop.bought(shirts()).await;
    let mut mirror = mirror(&bought, 1, "S-L");
    shop.fail("returnCreate", "user-error").await;
    assert_eq!(mirror.settle(&shop.shopify()).await, Some(ReturnStatus::Open));
    let refusal = mirror.refusals.join(" ");
    assert!(refusal.starts_with("Shopify refused an exchange line of the return: "), "{refusal}");
    let reason = failed(&shop, &mirror, &exchange(&bought, 8_111, 1, "S-L")).await;
    assert!(reason.contains("does not send 1 × S-L"), "{reason}");
    assert!(matches!(resolved(&shop, &mirror, &bought.refund(8_112, 1, 1800)).await, Resolved::Completed { .. }));
    assert_eq!((shop.count("RefundOnce").await, shop.returns(&bought.order_id).await.len()), (0, 1));
}

#[tokio::test]
async fn units_that_were_sent_for_another_item_do_not_count() {
    let line = |title: &str| json!({"title": title, "sku": format!("{title}-M"), "quantity": 1, "price": "20.00", "variants": [{"sku": "L"}]});
    let bought = shop().bought(json!({"lines": [line("A"), line("B")]})).await;
    let mut mirror = mirror(&bought, 1, "L");
    let mut second = mirror.item().clone();
    second.purchase_id = bought.line(1).purchase_id.clone();
    second.exchange_sku = None; // its exchange is agreed later
    mirror.asked.items.push(second);
    mirror.settle(&shop().shopify()).await;
    let first = exchange(&bought, 8_121, 1, "L");
    assert!(matches!(resolved(shop(), &mirror, &first).await, Resolved::Completed { .. }));
    let mut second = exchange(&bought, 8_122, 1, "L");
    second.items[0].purchase_id = bought.line(1).purchase_id.clone();
    let reason = failed(shop(), &mirror, &second).await;
    assert!(reason.contains("has sent 1 × L already, perhaps for another item"), "{reason}");
    let order = shop().read(&format!("order?id={}", bought.order_id)).await;
    assert_eq!(order["lines"].as_array().unwrap().len(), 3, "sent once");
}
