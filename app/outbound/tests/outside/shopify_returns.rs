//! Returns that Shopify's admin shows, and refunds through them.

use crate::support::{
    bought::{Bought, asked, eur},
    bridge::now,
    mirror::Mirror,
    shopify::{Shop, email, shared as shop},
};
use domain::{integration::ShopifyVersion, policy};
use outbound::{
    bridge::{LookUp, Resolved, contract::ResolveReturn},
    shops::shopify::{MirroredDecision, MirroredItem, MirroredUnits, NextStep, ReturnStatus},
};
use serde_json::{Value, json};

const NUMBER: &str = "R-7K3M9Q2A";
const PROCESS: &str =
    "mutation ($input: ReturnProcessInput!) { returnProcess(input: $input) { userErrors { message } } }";

/// Four mugs at 20.00, and 4.90 for shipping.
fn mugs() -> Value {
    json!({"lines": [{"title": "Mug", "quantity": 4, "price": "20.00"}], "shipping": {"price": "4.90"}})
}

async fn resolved(shop: &Shop, mirror: &Mirror, what: &ResolveReturn) -> Resolved {
    let id = mirror.asked.external_id.as_deref().expect("the shop should have the return");
    shop.shopify().resolve_mirrored_return(what, id, mirror.now).await.unwrap()
}

/// Staff process units of the return, with a refund of this amount, or without one.
async fn process_by_hand(shop: &Shop, bought: &Bought, quantity: u32, amount: Option<&str>) {
    let made = &shop.returns(&bought.order_id).await[0];
    let order = shop.read(&format!("order?id={}", bought.order_id)).await;
    let line = json!({"id": made["returnLineItems"]["nodes"][0]["id"], "quantity": quantity});
    let transfer = amount.map(|amount| {
        let money = json!({"amount": amount, "currencyCode": "EUR"});
        json!({"issueRefund": {"orderTransactions": [{"parentId": order["transactions"][0]["id"], "transactionAmount": money}]}})
    });
    let input = json!({"returnId": made["id"], "returnLineItems": [line], "financialTransfer": transfer});
    let done = shop.staff(PROCESS, json!({"input": input})).await;
    assert_eq!(done["returnProcess"]["userErrors"], json!([]));
}

#[tokio::test]
async fn a_return_appears_with_its_parcel_its_units_and_its_refund_in_each_version() {
    for version in ShopifyVersion::ALL {
        let shop = Shop::start();
        let shopify = shop.client(version, shop.app());
        let bought = shop.bought(mugs()).await;
        let mut mirror = Mirror::new(&bought, NUMBER, 3);
        assert_eq!(mirror.settle(&shopify).await, Some(ReturnStatus::Open));
        mirror.send("T-1");
        mirror.settle(&shopify).await;
        mirror.item().units = MirroredUnits { restocked: 1, not_restocked: 1, missing: 0 };
        mirror.settle(&shopify).await;
        let what = ResolveReturn { shipping_refund: eur(490), ..bought.refund(5_001, 2, 4000) };
        let id = mirror.asked.external_id.clone().unwrap();
        for _ in 0..2 {
            let done = shopify.resolve_mirrored_return(&what, &id, now()).await;
            assert!(matches!(done, Ok(Resolved::Completed { external_reference: Some(_) })), "{version:?}: {done:?}");
        }
        mirror.item().units.missing = 1;
        mirror.item().is_over = true;
        assert_eq!(mirror.settle(&shopify).await, Some(ReturnStatus::Closed));

        let returns = shop.returns(&bought.order_id).await;
        assert_eq!((returns.len(), &returns[0]["status"]), (1, &json!("CLOSED")), "{version:?}");
        let line = &returns[0]["returnLineItems"]["nodes"][0];
        assert_eq!((&line["quantity"], &line["processedQuantity"]), (&json!(2), &json!(2)), "the missing unit left it");
        assert_eq!(line["returnReasonNote"], "R-7K3M9Q2A: Too small");
        let reverse = &returns[0]["reverseFulfillmentOrders"]["nodes"][0];
        let units = json!([{"type": "RESTOCKED", "quantity": 1}, {"type": "NOT_RESTOCKED", "quantity": 1}]);
        assert_eq!(reverse["lineItems"]["nodes"][0]["dispositions"], units);
        let parcels = json!([{"deliverable": {"tracking": {"number": "T-1", "url": "https://track.example/T-1"}}}]);
        assert_eq!(reverse["reverseDeliveries"]["nodes"], parcels);
        assert_eq!(shop.paid_out(&bought.order_id).await, [("shopify_payments".to_owned(), "44.90".to_owned())]);
        assert_eq!(shop.count("RefundOnce").await, 0);
    }
}

#[tokio::test]
async fn a_request_waits_for_approval() {
    for (decision, status) in
        [(MirroredDecision::Approved, ReturnStatus::Open), (MirroredDecision::Refused, ReturnStatus::Declined)]
    {
        let bought = shop().bought(mugs()).await;
        let mut mirror = Mirror::new(&bought, NUMBER, 1);
        mirror.item().decision = MirroredDecision::Open;
        assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Requested));
        let made = &shop().returns(&bought.order_id).await[0];
        assert_eq!(made["returnLineItems"]["nodes"][0]["customerNote"], "R-7K3M9Q2A: Too small");
        mirror.item().decision = decision;
        assert_eq!(mirror.settle(&shop().shopify()).await, Some(status));
    }
}

#[tokio::test]
async fn a_return_that_is_cancelled_before_anything_arrives_is_cancelled_in_the_shop() {
    let bought = shop().bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    mirror.item().decision = MirroredDecision::Refused;
    mirror.item().is_over = true;
    assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Cancelled));
    let mut never_made = Mirror::new(&bought, "R-7K3M9Q2B", 1);
    never_made.item().decision = MirroredDecision::Refused;
    assert_eq!(never_made.settle(&shop().shopify()).await, None);
    assert_eq!(shop().returns(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn a_return_whose_answer_was_lost_is_found_again_and_not_made_twice() {
    for how in ["after", "after-close", "before"] {
        let bought = shop().bought(mugs()).await;
        let mut mirror = Mirror::new(&bought, NUMBER, 1);
        shop().control("fail", json!({"operation": "returnCreate", "how": how, "order": bought.order_id})).await;
        assert_eq!(mirror.turn(&shop().shopify()).await, Ok(false), "{how}");
        for _ in 0..3 {
            mirror.turn(&shop().shopify()).await.unwrap();
        }
        let is_made = usize::from(how != "before");
        assert_eq!(shop().returns(&bought.order_id).await.len(), is_made, "{how}: it may still be running");
        mirror.wait();
        assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Open), "{how}");
        assert_eq!(shop().returns(&bought.order_id).await.len(), 1, "{how}");
    }
}

#[tokio::test]
async fn units_that_are_part_of_another_return_there_make_ours_impossible() {
    let bought = shop().bought(mugs()).await;
    let staff = json!({"order": bought.order_id, "lines": [{"line": 0, "quantity": 3, "reason": "UNWANTED", "note": "by phone"}]});
    shop().control("return", staff).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 2);
    assert_eq!(mirror.settle(&shop().shopify()).await, None);
    let reason = mirror.impossible.take().unwrap();
    assert!(reason.contains("1 of the 2 units cannot be returned: they are part of another return there"), "{reason}");
    let returns = shop().returns(&bought.order_id).await;
    assert_eq!(returns.len(), 1);
    shop().control("return/cancel", json!({"id": returns[0]["id"]})).await;
    assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Open));

    let unsent = json!({"lines": [{"title": "Mug", "quantity": 2, "price": "20.00", "fulfilled": 1}]});
    let bought = shop().bought(unsent).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 2);
    assert!(matches!(mirror.compared(shop()).await.next, NextStep::Impossible(reason) if reason.contains("not sent")));
    mirror.item().quantity = 1;
    assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Open));
}

/// Two mugs that were sent by themselves, and a gift wrap that is no product.
async fn sent_apart() -> (Bought, Mirror) {
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 2, "price": "20.00"}, {"title": "Gift wrap", "price": "2.00", "product": false}],
        "fulfillments": [
            {"lines": [{"line": 0, "quantity": 1}, {"line": 1, "quantity": 1}]},
            {"lines": [{"line": 0, "quantity": 1}], "location": 1},
        ],
    });
    let bought = shop().bought(order).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 2);
    let wrap = bought.line(1).purchase_id.clone();
    mirror.asked.items.push(MirroredItem { purchase_id: wrap, quantity: 1, ..mirror.asked.items[0].clone() });
    (bought, mirror)
}

#[tokio::test]
async fn units_of_several_fulfilments_are_disposed_of_one_fulfilment_at_a_time() {
    let (bought, mut mirror) = sent_apart().await;
    mirror.settle(&shop().shopify()).await;
    mirror.asked.items[0].units.restocked = 2;
    mirror.asked.items[1].units.restocked = 1;
    mirror.settle(&shop().shopify()).await;
    assert!(mirror.refusals.is_empty(), "{:?}", mirror.refusals);
    let disposed = disposed(&shop().returns(&bought.order_id).await[0]);
    assert_eq!(disposed, ["RESTOCKED 1", "NOT_RESTOCKED 1", "RESTOCKED 1"], "what is no product has no stock");
}

/// The dispositions of a return, such as `RESTOCKED 1`.
fn disposed(made: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let lines = list(&made["reverseFulfillmentOrders"]["nodes"])
        .into_iter()
        .flat_map(|order| list(&order["lineItems"]["nodes"]));
    let all = lines.flat_map(|line| list(&line["dispositions"]));
    all.map(|one| format!("{} {}", one["type"].as_str().unwrap(), one["quantity"])).collect()
}

#[tokio::test]
async fn what_the_shop_refuses_does_not_keep_the_return_from_its_end() {
    let shop = Shop::start();
    let bought = shop.bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 3);
    mirror.settle(&shop.shopify()).await;
    mirror.send("T-1");
    shop.fail("reverseDeliveryCreateWithShipping", "user-error").await;
    mirror.settle(&shop.shopify()).await;
    // Not into stock, but recorded.
    mirror.item().units = MirroredUnits { restocked: 1, not_restocked: 0, missing: 0 };
    shop.fail("reverseFulfillmentOrderDispose", "user-error").await;
    mirror.settle(&shop.shopify()).await;
    assert_eq!(disposed(&shop.returns(&bought.order_id).await[0]), ["NOT_RESTOCKED 1"]);
    // Units that cannot be removed are missing.
    mirror.item().units.missing = 2;
    mirror.item().is_over = true;
    shop.fail("removeFromReturn", "user-error").await;
    assert_eq!(mirror.settle(&shop.shopify()).await, Some(ReturnStatus::Closed));
    let made = shop.returns(&bought.order_id).await;
    assert_eq!(disposed(&made[0]), ["NOT_RESTOCKED 1", "MISSING 2"]);
    assert_eq!(made[0]["reverseFulfillmentOrders"]["nodes"][0]["reverseDeliveries"]["nodes"], json!([]));
    let words = ["the return's parcel", "the dispositions of the return's units", "to remove units from the return"];
    for (refusal, words) in mirror.refusals.iter().zip(words) {
        assert!(refusal.starts_with(&format!("Shopify refused {words}: ")), "{refusal}");
    }
    assert_eq!(mirror.refusals.len(), words.len(), "{:?}", mirror.refusals);
}

#[tokio::test]
async fn of_several_parts_only_the_one_that_the_shop_refuses_is_left_out() {
    let shop = Shop::start();
    let line = |title: &str| json!({"title": title, "quantity": 1, "price": "20.00"});
    let bought = shop.bought(json!({"lines": [line("A"), line("B"), line("C")]})).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    for at in [1, 2] {
        let purchase_id = bought.line(at).purchase_id.clone();
        let item = MirroredItem { purchase_id, ..mirror.item().clone() };
        mirror.asked.items.push(item);
    }
    mirror.settle(&shop.shopify()).await;
    for item in &mut mirror.asked.items {
        item.units.restocked = 1;
    }
    // The errors name no part: of all at first, then of the first one.
    let fail = json!({"operation": "reverseFulfillmentOrderDispose", "how": "user-error", "times": 2});
    shop.control("fail", fail).await;
    mirror.settle(&shop.shopify()).await;
    let made = shop.returns(&bought.order_id).await;
    assert_eq!(disposed(&made[0]), ["NOT_RESTOCKED 1", "RESTOCKED 1", "RESTOCKED 1"]);
    assert_eq!(mirror.refusals.len(), 1, "{:?}", mirror.refusals);
}

#[tokio::test]
async fn units_that_do_not_come_back_can_be_returned_again() {
    let bought = shop().bought(mugs()).await;
    let mut first = Mirror::new(&bought, NUMBER, 3);
    first.settle(&shop().shopify()).await;
    assert!(matches!(resolved(shop(), &first, &bought.refund(5_071, 1, 2000)).await, Resolved::Completed { .. }));
    first.item().units = MirroredUnits { restocked: 0, not_restocked: 1, missing: 2 };
    first.item().is_over = true;
    assert_eq!(first.settle(&shop().shopify()).await, Some(ReturnStatus::Closed));
    let mut second = Mirror::new(&bought, "R-7K3M9Q2C", 3);
    assert_eq!(second.settle(&shop().shopify()).await, Some(ReturnStatus::Open));
    // Nothing of it comes back.
    second.item().units.missing = 3;
    second.item().is_over = true;
    assert_eq!(second.settle(&shop().shopify()).await, Some(ReturnStatus::Cancelled));
}

#[tokio::test]
async fn a_return_that_the_shop_closes_because_all_is_done_is_not_ended_by_staff() {
    for is_refunded_first in [true, false] {
        let bought = shop().bought(mugs()).await;
        let mut mirror = Mirror::new(&bought, NUMBER, 1);
        mirror.settle(&shop().shopify()).await;
        let what = bought.refund(5_081, 1, 2000);
        if is_refunded_first {
            assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }));
            assert_eq!(mirror.compared(shop()).await.status, Some(ReturnStatus::Open));
        }
        mirror.item().units.not_restocked = 1;
        mirror.settle(&shop().shopify()).await;
        for _ in 0..2 {
            assert!(
                matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }),
                "{is_refunded_first}"
            );
        }
        let compared = mirror.compared(shop()).await;
        assert_eq!((compared.status, compared.is_processed), (Some(ReturnStatus::Closed), true), "{is_refunded_first}");
        assert_eq!(shop().ledger(&bought.order_id).await.len(), 1);
    }
}

#[tokio::test]
async fn a_return_that_would_be_too_large_to_read_is_not_made() {
    let lines: Vec<Value> = (0..101).map(|_| json!({"price": "1.00"})).collect();
    // Shopify shows the first 100 of a fulfilment.
    let parts: Vec<Value> = (0..101).map(|line| json!({"line": line, "quantity": 1})).collect();
    let order = json!({"lines": lines, "fulfillments": [{"lines": parts[..51]}, {"lines": parts[51..]}]});
    let bought = shop().bought(order).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    let item = mirror.asked.items[0].clone();
    let purchases = bought.found.purchases.iter().map(|line| line.purchase_id.clone());
    mirror.asked.items = purchases.map(|purchase_id| MirroredItem { purchase_id, ..item.clone() }).collect();
    assert_eq!(mirror.settle(&shop().shopify()).await, None);
    assert!(mirror.impossible.take().unwrap().contains("more than 100 lines"));
    mirror.asked.items.pop();
    assert_eq!(mirror.settle(&shop().shopify()).await, Some(ReturnStatus::Open));
}

#[tokio::test]
async fn what_staff_processed_in_the_shop_is_not_refunded_again() {
    for (amount, is_completed) in [(Some("20.00"), true), (Some("15.00"), false), (None, false)] {
        let bought = shop().bought(mugs()).await;
        let mut mirror = Mirror::new(&bought, NUMBER, 1);
        mirror.settle(&shop().shopify()).await;
        process_by_hand(shop(), &bought, 1, amount).await;
        let what = bought.refund(5_011, 1, 2000);
        for _ in 0..2 {
            match resolved(shop(), &mirror, &what).await {
                Resolved::Completed { .. } => assert!(is_completed, "{amount:?}"),
                Resolved::Unclear { reason, .. } => {
                    assert!(!is_completed && reason.contains("were processed"), "{amount:?}: {reason}");
                }
                other => panic!("{amount:?}: {other:?}"),
            }
        }
        assert_eq!(shop().ledger(&bought.order_id).await.len(), usize::from(amount.is_some()), "{amount:?}");
    }
}

#[tokio::test]
async fn a_return_that_staff_ended_is_not_processed() {
    let bought = shop().bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    let what = bought.refund(5_021, 1, 2000);
    shop().control("return/close", json!({"id": mirror.asked.external_id})).await;
    let failed = resolved(shop(), &mirror, &what).await;
    let Resolved::Failed { reason, .. } = failed else { panic!("{failed:?}") };
    assert!(reason.starts_with("The return was closed in Shopify."), "{reason}");
    assert!(shop().ledger(&bought.order_id).await.is_empty());

    // A cancelled return can no longer be processed, so the refund needs none.
    let bought = shop().bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    shop().control("return/cancel", json!({"id": mirror.asked.external_id})).await;
    let what = bought.refund(5_022, 1, 2000);
    for _ in 0..2 {
        assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }));
        assert_eq!(shop().ledger(&bought.order_id).await.len(), 1);
    }
}

#[tokio::test]
async fn a_refund_by_hand_leaves_too_few_units() {
    let bought = shop().bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 2);
    mirror.settle(&shop().shopify()).await;
    let by_hand = json!({"order": bought.order_id, "amount": "60.00", "lines": [{"line": 0, "quantity": 3}]});
    shop().control("refund", by_hand).await;
    let failed = resolved(shop(), &mirror, &bought.refund(5_031, 2, 4000)).await;
    let Resolved::Failed { reason, .. } = failed else { panic!("{failed:?}") };
    assert!(reason.starts_with("In Shopify, 1 of the 2 units can still be refunded"), "{reason}");
    assert_eq!(shop().ledger(&bought.order_id).await.len(), 1, "only what staff refunded");
}

#[tokio::test]
async fn a_refused_refund_fails_and_a_person_can_try_again() {
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 1, "price": "20.00"}],
        "payments": [{"gateway": "paypal", "refund": "failure"}],
    });
    let bought = shop().bought(order).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    let what = bought.refund(5_041, 1, 2000);
    let failed = resolved(shop(), &mirror, &what).await;
    let Resolved::Failed { reason, .. } = failed else { panic!("{failed:?}") };
    assert!(reason.starts_with("Shopify refused the refund: "), "{reason}");
    shop().control("gateway", json!({"order": bought.order_id, "refund": "success"})).await;
    assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }));
    assert_eq!(shop().paid_out(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn store_credit_takes_the_place_of_the_money() {
    let bought = shop().bought(mugs()).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    let what = ResolveReturn { kind: policy::Resolution::StoreCredit, ..bought.refund(5_051, 1, 1800) };
    for _ in 0..2 {
        assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }));
    }
    assert_eq!(shop().paid_out(&bought.order_id).await, [("shopify_store_credit".to_owned(), "18.00".to_owned())]);
}

#[tokio::test]
async fn a_refund_that_a_provider_works_on_is_pending() {
    let order = json!({
        "lines": [{"title": "Mug", "quantity": 1, "price": "20.00"}],
        "payments": [{"gateway": "paypal", "refund": "pending"}],
    });
    let bought = shop().bought(order).await;
    let mut mirror = Mirror::new(&bought, NUMBER, 1);
    mirror.settle(&shop().shopify()).await;
    let what = bought.refund(5_061, 1, 2000);
    for _ in 0..2 {
        assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Pending { .. }));
    }
    shop().control("settle", json!({"order": bought.order_id, "status": "SUCCESS"})).await;
    assert!(matches!(resolved(shop(), &mirror, &what).await, Resolved::Completed { .. }));
    assert_eq!(shop().ledger(&bought.order_id).await.len(), 1);
}

#[tokio::test]
async fn a_missing_scope_is_named() {
    let shop = Shop::start();
    let bought = shop.bought(mugs()).await;
    shop.control("scopes", json!({"without": ["read_returns", "write_returns"]})).await;
    let error = Mirror::new(&bought, NUMBER, 1).turn(&shop.shopify()).await.unwrap_err();
    assert!(error.to_string().contains("read_returns") || format!("{error:?}").contains("returns"), "{error}");
}

#[tokio::test]
async fn units_that_staff_take_back_in_the_shop_cannot_be_returned_here_too() {
    let bought = shop().bought(mugs()).await;
    let staff = json!({"order": bought.order_id, "lines": [{"line": 0, "quantity": 1, "reason": "UNWANTED", "note": "by phone"}]});
    let made = shop().control("return", staff).await;
    let mut ours = Mirror::new(&bought, NUMBER, 2);
    ours.settle(&shop().shopify()).await;
    let returned = async |reads_returns: bool| {
        let shopify = shop().shopify().reading_returns(reads_returns);
        let found = shopify.get_purchases(&asked(&bought.code, email()), now()).await;
        let Ok(LookUp::Found(found)) = found else { panic!("{found:?}") };
        found.purchases[0].refunded_quantity
    };
    assert_eq!((returned(false).await, returned(true).await), (0, 1), "ours are counted here already");
    // A refund without processing the return counts once.
    let line = json!([{"line": 0, "quantity": 1}]);
    let by_hand = json!({"order": bought.order_id, "amount": "20.00", "lines": line, "return": made["id"]});
    shop().control("refund", by_hand).await;
    assert_eq!((returned(false).await, returned(true).await), (1, 1));
}
