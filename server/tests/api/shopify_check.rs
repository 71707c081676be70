//! `retour bridge check --shopify --write`: a return that the check opens in the shop and cancels.

use crate::{bridge_check::CheckResult, harness::text, shopify::StandIn};
use serde_json::{Value, json};

const OPENED: &str = "a return is opened";
const FOUND: &str = "the return is found by its note";
const CANCELLED: &str = "the return is cancelled";

async fn shop_with_an_order() -> StandIn {
    let shop = StandIn::start();
    shop.control("orders", json!({"name": "#1001", "lines": [{"price": "5.00", "quantity": 2}]})).await;
    shop
}

async fn check(shop: &StandIn, order: &str) -> CheckResult {
    let client_id = shop.secret("clientId");
    shop.check(&["--client-id", &client_id, "--write", "--order", order]).await
}

/// The status of each return of the order, oldest first.
async fn statuses(shop: &StandIn) -> Vec<String> {
    let order = shop.read("order?id=%231001").await;
    order["returns"].as_array().unwrap().iter().map(|one| text(&one["status"])).collect()
}

fn of<'a>(cases: &'a [String], name: &str) -> &'a str {
    cases.iter().find(|case| case.starts_with(name)).unwrap_or_else(|| panic!("{name}: {cases:?}"))
}

#[tokio::test]
async fn a_return_is_opened_found_and_cancelled() {
    let shop = shop_with_an_order().await;
    for time in 1..=2 {
        let checked = check(&shop, "1001").await;
        assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
        let passed = checked.with('✓');
        assert_eq!(of(&passed, "a unit to return"), "a unit to return: of order #1001");
        assert!(of(&passed, OPENED).contains("its note begins with retour-check-"), "{passed:?}");
        assert!(of(&passed, FOUND).ends_with("open") && !of(&passed, CANCELLED).is_empty());
        assert_eq!(statuses(&shop).await, vec!["CANCELED"; time]);
    }
    let calls = shop.read("calls").await;
    let made: Vec<&Value> = calls.as_array().unwrap().iter().filter(|call| call["name"] == "CreateReturn").collect();
    let line = &made[0]["variables"]["input"]["returnLineItems"][0];
    assert_eq!((made.len(), &line["quantity"]), (2, &json!(1)), "{line}");
    assert!(text(&line["returnReasonNote"]).contains("opened by retour bridge check"), "{line}");
    let changes = ["CreateReturn", "CancelReturn"];
    let is_other =
        |call: &&Value| !changes.contains(&call["name"].as_str().unwrap()) && !call["idempotencyKey"].is_null();
    assert!(!calls.as_array().unwrap().iter().any(|call| is_other(&call)), "no refund: {calls}");
    assert!(!calls.to_string().contains("notifyCustomer"), "Shopify's default is to send no mail");
    assert_eq!(shop.read("ledger").await, json!([]), "no money moved");
}

#[tokio::test]
async fn without_a_unit_or_the_scope_no_return_is_opened() {
    let shop = shop_with_an_order().await;
    shop.control("orders", json!({"name": "#1002", "lines": [{"price": "5.00", "fulfilled": 0}]})).await;
    for (order, words) in
        [("1002", "order #1002 has no unit that can be returned"), ("1003", "no order with this number")]
    {
        let checked = check(&shop, order).await;
        let failed = checked.with('✗');
        assert!(of(&failed, "a unit to return").contains(words) && failed.len() == 1, "{failed:?}");
        assert_eq!(checked.code, Some(1));
    }
    shop.control("fail", json!({"operation": "returnCreate", "how": "user-error", "message": "Not today"})).await;
    let checked = check(&shop, "1001").await;
    assert!(of(&checked.with('✗'), OPENED).contains("Shopify refused the return: Not today"), "{}", checked.stdout);
    shop.control("scopes", json!({"without": ["write_returns"]})).await;
    let failed = check(&shop, "1001").await.with('✗');
    assert!(of(&failed, "a return").contains("the scope write_returns is missing: add it"), "{failed:?}");
    assert!(statuses(&shop).await.is_empty());
}

#[tokio::test]
async fn a_return_that_may_stay_is_named_with_what_to_do_by_hand() {
    let shop = shop_with_an_order().await;
    shop.control("fail", json!({"operation": "returnCancel", "how": "user-error", "message": "Not today"})).await;
    let checked = check(&shop, "1001").await;
    let failed = checked.with('✗');
    let by_hand = of(&failed, CANCELLED);
    for words in ["Shopify refused the return: Not today", "open order #1001", "retour-check-", "Cancel return"] {
        assert!(by_hand.contains(words), "{by_hand}");
    }
    assert_eq!((checked.code, statuses(&shop).await), (Some(1), vec!["OPEN".to_owned()]));

    // The answer is lost. The return is found by its note, and nothing stays.
    for operation in ["returnCreate", "returnCancel"] {
        shop.control("fail", json!({"operation": operation, "how": "after-close"})).await;
        let checked = check(&shop, "1001").await;
        assert!(!of(&checked.with('✓'), CANCELLED).is_empty(), "{}", checked.stdout);
    }
    assert_eq!(statuses(&shop).await, ["OPEN", "CANCELED", "CANCELED"]);

    shop.control("fail", json!({"operation": "returnCreate", "how": "before-close"})).await;
    let failed = check(&shop, "1001").await.with('✗');
    assert!(of(&failed, CANCELLED).contains("Do it by hand"), "{failed:?}");
}

#[tokio::test]
async fn the_check_writes_only_with_an_order_of_a_shopify_shop() {
    let shop = shop_with_an_order().await;
    let client_id = shop.secret("clientId");
    let without_order = shop.check(&["--client-id", &client_id, "--write"]).await;
    assert!(without_order.stderr.contains("--order"), "{}", without_order.stderr);
    let without_write = shop.check(&["--client-id", &client_id, "--order", "1001"]).await;
    assert!(without_write.stderr.contains("--order: with --shopify, it needs --write"), "{}", without_write.stderr);
    let other = crate::bridge_check::check(&shop.url, &["--write"]).await;
    assert!(other.stderr.contains("--shopify"), "{}", other.stderr);
    for refused in [&without_order, &without_write, &other] {
        assert_ne!(refused.code, Some(0));
    }
    assert_eq!(shop.read("calls").await, json!([]), "nothing was asked");
}
