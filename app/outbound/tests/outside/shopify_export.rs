//! Exports of all orders of a Shopify shop by a bulk operation.

use crate::support::{
    bought::asked,
    bridge::now,
    shopify::{Shop, email},
};
use domain::integration::{ShopifyDuties, ShopifyVersion};
use outbound::{
    bridge::{
        LookUp,
        contract::{Purchase, Purchases},
    },
    http::CallError,
    shops::shopify::{
        ExportError, ExportFile, ExportFilter, ExportLoss, ExportState, ExportedContent, ExportedOrder, ExportedOrders,
        Shopify,
    },
};
use serde_json::{Value, json};
use std::time::Duration;

/// Orders with everything that a shop can do to them; other tests import the same ones.
fn rich_orders() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../../end2end/peers/shopify/rich-orders.json")).unwrap()
}

async fn make_rich_orders(shop: &Shop) {
    for order in rich_orders() {
        shop.control("orders", order["order"].clone()).await;
        for then in order["then"].as_array().into_iter().flatten() {
            shop.control(then["call"].as_str().unwrap(), then["body"].clone()).await;
        }
    }
}

/// Starts an export, and waits until it ends.
async fn ended(shopify: &Shopify, filter: ExportFilter) -> Result<ExportState, ExportError> {
    let id = shopify.start_export(filter, now()).await?;
    loop {
        match shopify.export_state(&id, now()).await? {
            ExportState::Running { .. } => tokio::time::sleep(Duration::from_millis(10)).await,
            state => return Ok(state),
        }
    }
}

async fn file(shopify: &Shopify) -> ExportFile {
    let state = ended(shopify, ExportFilter::default()).await.unwrap();
    let ExportState::Done { file: Some(file), .. } = state else { panic!("expected a file, not {state:?}") };
    file
}

/// All orders until the end of the file, or until it fails.
async fn rest(orders: &mut ExportedOrders) -> (Vec<ExportedOrder>, Result<(), ExportError>) {
    let mut found = Vec::new();
    loop {
        match orders.next_order().await {
            Ok(Some(order)) => found.push(order),
            Ok(None) => return (found, Ok(())),
            Err(error) => return (found, Err(error)),
        }
    }
}

async fn all(shopify: &Shopify, file: &ExportFile) -> Vec<ExportedOrder> {
    let (found, ended) = rest(&mut shopify.open_export(file, 0).await.unwrap()).await;
    assert_eq!(ended, Ok(()));
    assert_eq!(found.last().map(|order| order.end), Some(file.bytes));
    found
}

fn unreadable(order: &ExportedOrder) -> Option<(&str, &str)> {
    match &order.content {
        ExportedContent::Unreadable { name, problem } => Some((name, problem)),
        _ => None,
    }
}

/// What each order of the export is in the end: orders that the file cannot describe are read.
async fn purchases_of(shopify: &Shopify, order: &ExportedOrder) -> Option<Purchases> {
    let mut content = order.content.clone();
    if let ExportedContent::Incomplete(incomplete) = &content {
        content = shopify.complete_orders(std::slice::from_ref(&**incomplete), now()).await.unwrap().remove(0);
    }
    match &content {
        ExportedContent::Order(found) => Some((**found).clone()),
        ExportedContent::ToBeRead { id, .. } => shopify.read_order(id, now()).await.unwrap(),
        ExportedContent::Incomplete(_) => panic!("still incomplete"),
        ExportedContent::NotShown => None,
        ExportedContent::Unreadable { name, problem } => panic!("{name}: {problem}"),
    }
}

#[tokio::test]
async fn an_export_has_what_look_ups_show() {
    let shop = Shop::start();
    make_rich_orders(&shop).await;
    let line = |number: usize| json!({"title": format!("Line {number}"), "price": format!("{}.00", number + 1)});
    shop.control("orders", json!({"name": "#R99", "lines": (0..230).map(line).collect::<Vec<_>>()})).await;
    for version in ShopifyVersion::ALL {
        let duties = if version == ShopifyVersion::LATEST { ShopifyDuties::Refund } else { ShopifyDuties::Keep };
        let shopify = shop.client(version, shop.app()).with_duties(duties);
        let exported = all(&shopify, &file(&shopify).await).await;
        assert_eq!(exported.len(), rich_orders().len() + 1);
        let in_file = |order: &&ExportedOrder| matches!(order.content, ExportedContent::Order(_));
        assert_eq!(exported.iter().filter(in_file).count(), 11, "most orders need no request of their own");
        let mut shown = Vec::new();
        for order in &exported {
            shown.extend(purchases_of(&shopify, order).await);
        }
        assert_eq!(shown.len(), exported.len() - 1, "all but the one that was cancelled");
        for found in shown {
            let code = found.purchases[0].order.number.clone();
            if code == "#R2" {
                assert_eq!(found.purchases[0].product.final_sale, Some(true), "by the product's metafield");
            }
            let proof = found.consumer.email.clone().map(outbound::bridge::contract::Proof::Email).unwrap();
            let looked_up = shopify.get_purchases(&asked(&code, proof), now()).await;
            assert_eq!(looked_up, Ok(LookUp::Found(found)), "{code} {}", version.name());
        }
    }
    let calls = shop.read("downloads").await;
    assert!(calls.as_array().unwrap().iter().all(|call| call["token"] == false), "the token stays here: {calls}");
}

#[tokio::test]
async fn fulfilments_of_many_orders_are_read_together_and_a_changed_order_by_itself() {
    let shop = Shop::start();
    let sent = |line: usize| json!({"lines": [{"line": line, "quantity": 1}]});
    let lines = json!([{"price": "5.00"}, {"price": "7.00"}]);
    for _ in 0..30 {
        shop.control("orders", json!({"lines": lines, "fulfillments": [sent(0), sent(1)]})).await;
    }
    let shopify = shop.shopify();
    let exported = all(&shopify, &file(&shopify).await).await;
    let incomplete: Vec<_> = exported.iter().map(|order| order.incomplete().unwrap().clone()).collect();
    shop.control("deliver", json!({"order": "#1002"})).await;
    shop.control("delete", json!({"order": "#1003"})).await;
    let first = shopify.complete_orders(&incomplete, now()).await.unwrap();
    assert_eq!((first.len(), shop.count("Fulfilled").await), (25, 1));
    for (at, content) in first.iter().enumerate() {
        match content {
            ExportedContent::Order(found) => {
                assert_eq!(found.purchases.iter().map(Purchase::fulfilled).collect::<Vec<_>>(), [1, 1]);
                let id = &found.purchases[0].order.id;
                assert_eq!(shopify.read_order(id, now()).await.unwrap().as_ref(), Some(&**found));
            }
            ExportedContent::ToBeRead { name, .. } => {
                assert!(at == 1 || at == 2, "{name}: only what has changed");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(first.iter().filter(|content| matches!(content, ExportedContent::ToBeRead { .. })).count(), 2);
    let rest = shopify.complete_orders(&incomplete[25..], now()).await.unwrap();
    assert_eq!(rest.len(), 5);
}

#[tokio::test]
async fn only_the_wanted_orders_are_exported() {
    let shop = Shop::start();
    let shopify = shop.shopify();
    let none = ended(&shopify, ExportFilter::default()).await;
    assert_eq!(none, Ok(ExportState::Done { orders: 0, file: None }));
    for (name, created) in
        [("#1", "2026-10-01T10:00:00Z"), ("#2", "2026-11-01T10:00:00Z"), ("#3", "2026-11-02T10:00:00Z")]
    {
        shop.control("orders", json!({"name": name, "createdAt": created, "lines": [{"price": "1.00"}]})).await;
    }
    let since = |text: &str| domain::Timestamp::parse(text);
    let count = async |created: Option<&str>, changed: Option<&str>| {
        let filter = ExportFilter { created_since: created.and_then(since), changed_since: changed.and_then(since) };
        match ended(&shopify, filter).await.unwrap() {
            ExportState::Done { orders, .. } => orders,
            state => panic!("{state:?}"),
        }
    };
    assert_eq!(count(None, None).await, 3);
    assert_eq!(count(Some("2026-11-01T10:00:00Z"), None).await, 2);
    shop.control("edit", json!({"order": "#1", "line": 0, "current": 0})).await;
    assert_eq!(count(None, Some("2026-11-02T11:00:00Z")).await, 1);
    assert_eq!(count(Some("2026-11-01T10:00:00Z"), Some("2026-11-02T11:00:00Z")).await, 0);
}

#[tokio::test]
async fn a_download_continues_after_any_order() {
    let shop = Shop::start();
    make_rich_orders(&shop).await;
    let shopify = shop.shopify();
    let file = file(&shopify).await;
    let whole = all(&shopify, &file).await;
    for (place, order) in whole.iter().enumerate().filter(|(_, order)| order.end < file.bytes) {
        let mut from_there = shopify.open_export(&file, order.end).await.unwrap();
        assert_eq!(rest(&mut from_there).await, (whole[place + 1..].to_vec(), Ok(())));
    }
    // A server that ignores the position sends the whole file again.
    shop.control("file", json!({"withoutRanges": true})).await;
    let stubborn = self::file(&shopify).await;
    let again = all(&shopify, &stubborn).await;
    let mut from_there = shopify.open_export(&stubborn, again[3].end).await.unwrap();
    assert_eq!(rest(&mut from_there).await, (again[4..].to_vec(), Ok(())));
}

#[tokio::test]
async fn of_a_broken_download_only_whole_orders_are_read() {
    let shop = Shop::start();
    make_rich_orders(&shop).await;
    let shopify = shop.shopify();
    let whole = all(&shopify, &file(&shopify).await).await;
    for break_at in [0, whole[0].end - 1, whole[2].end, whole[2].end + 500] {
        shop.control("file", json!({"breakAt": break_at})).await;
        let file = file(&shopify).await;
        let (mut found, ended) = rest(&mut shopify.open_export(&file, 0).await.unwrap()).await;
        assert_eq!(ended, Err(ExportError::Download(CallError::BrokenOff)), "{break_at}");
        let done = found.last().map_or(0, |order| order.end);
        assert!(done <= break_at + 1, "{done} {break_at}");
        found.extend(rest(&mut shopify.open_export(&file, done).await.unwrap()).await.0);
        assert_eq!(found, whole, "{break_at}");
    }
    // Ends within the last order, and within a line, and the server does not say the size.
    for cut in [1, 700, file(&shopify).await.bytes - 5] {
        shop.control("file", json!({"cut": cut, "withoutSize": true})).await;
        let (found, ended) = rest(&mut shopify.open_export(&file(&shopify).await, 0).await.unwrap()).await;
        assert_eq!(ended, Err(ExportError::OtherSize), "{cut}");
        assert_eq!(found, whole[..found.len()], "{cut}");
        assert!(found.len() < whole.len(), "the last order may lack lines");
    }
}

#[tokio::test]
async fn the_size_that_shopify_says_need_not_be_exact() {
    let shop = Shop::start();
    make_rich_orders(&shop).await;
    let shopify = shop.shopify();
    let whole = all(&shopify, &file(&shopify).await).await;
    for off in [-700, -1, 1, 700] {
        shop.control("file", json!({"sizeOff": off})).await;
        let file = file(&shopify).await;
        assert_eq!(rest(&mut shopify.open_export(&file, 0).await.unwrap()).await, (whole.clone(), Ok(())), "{off}");
        let mut from_there = shopify.open_export(&file, whole[1].end).await.unwrap();
        assert_eq!(rest(&mut from_there).await, (whole[2..].to_vec(), Ok(())), "{off}");
    }
}

#[tokio::test]
async fn parts_that_cannot_be_read_are_named_and_the_rest_is_read() {
    let shop = Shop::start();
    for _ in 0..2 {
        shop.control("orders", json!({"lines": [{"price": "1.00"}]})).await;
    }
    let shopify = shop.shopify();
    let order = |number: u32, currency: &str| {
        let money = |amount: &str| json!({"presentmentMoney": {"amount": amount, "currencyCode": currency}});
        json!({"id": format!("gid://shopify/Order/{number}"), "name": format!("#X{number}"), "processedAt": "2026-11-01T10:00:00Z",
            "tags": [], "taxesIncluded": true, "presentmentCurrencyCode": "EUR", "totalTipReceivedSet": money("0.0"),
            "totalReceivedSet": money("1.0"), "totalRefundedSet": money("0.0"), "fulfillments": []})
    };
    let line = |number: u32, parent: u32, price: &str| {
        let money = json!({"presentmentMoney": {"amount": price, "currencyCode": "EUR"}});
        json!({"id": format!("gid://shopify/LineItem/{number}"), "title": "Mug", "quantity": 1, "currentQuantity": 1,
            "unfulfilledQuantity": 1, "isGiftCard": false, "requiresShipping": true, "originalUnitPriceSet": money,
            "discountedUnitPriceAfterAllDiscountsSet": money, "discountAllocations": [], "taxLines": [],
            "__parentId": format!("gid://shopify/Order/{parent}")})
    };
    let after = json!([
        line(1, 777, "1.0").to_string(),
        line(2, 777, "1.0").to_string(), // no such order
        order(10, "EUR").to_string(),
        line(11, 10, "1.0").to_string(),
        order(20, "USD").to_string(),
        line(21, 20, "1.0").to_string(), // two currencies
        order(30, "EUR").to_string(),
        line(31, 30, "much").to_string(), // no amount
        order(40, "EUR").to_string(),
        line(41, 40, "1.0").to_string(),
        10_000_000, // a line that is too long
        order(50, "EUR").to_string(),
        "{\"id\":",
        line(51, 50, "1.0").to_string(),
        order(60, "EUR").to_string(), // no lines
        order(70, "EUR").to_string(),
        line(71, 70, "1.0").to_string(),
        "",
    ]);
    shop.control("file", json!({"after": after})).await;
    let found = all(&shopify, &file(&shopify).await).await;
    let wrong: Vec<(&str, &str)> = found.iter().filter_map(unreadable).collect();
    let names: Vec<&str> = wrong.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["gid://shopify/Order/777", "#X20", "#X30", "#X40", "#X50"], "{wrong:?}");
    assert!(wrong[1].1.contains("currency") && wrong[2].1.contains("amount"), "{wrong:?}");
    assert!(!format!("{wrong:?}").contains("much"), "no values: {wrong:?}");
    let read = found.iter().filter(|order| matches!(order.content, ExportedContent::Order(_))).count();
    assert_eq!(read, 4, "two of the shop, #X10 and #X70");
    assert_eq!(found.iter().filter(|order| order.content == ExportedContent::NotShown).count(), 1, "#X60");
}

#[tokio::test]
async fn an_order_with_too_many_lines_is_named() {
    let shop = Shop::start();
    let line = |number: usize| json!({"title": format!("Line {number}"), "price": "1.00"});
    shop.control("orders", json!({"name": "#BIG", "lines": (0..1_001).map(line).collect::<Vec<_>>()})).await;
    shop.control("orders", json!({"name": "#SMALL", "lines": [line(0)]})).await;
    let shopify = shop.shopify();
    let found = all(&shopify, &file(&shopify).await).await;
    assert_eq!(found.len(), 2);
    assert_eq!(unreadable(&found[0]).map(|(name, _)| name), Some("#BIG"));
}

#[tokio::test]
async fn a_file_with_other_content_is_refused() {
    let shop = Shop::start();
    shop.control("orders", json!({"lines": [{"price": "1.00"}]})).await;
    let shopify = shop.shopify();
    for raw in ["<html><body>Sign in</body></html>", "[]", "{\"id\":1}\n", "\u{0}\u{1}\n{}", "PK\u{3}\u{4}\n"] {
        shop.control("file", json!({"raw": raw})).await;
        let (found, ended) = rest(&mut shopify.open_export(&file(&shopify).await, 0).await.unwrap()).await;
        assert_eq!((found, ended), (Vec::new(), Err(ExportError::NotAnExport)), "{raw:?}");
    }
}

#[tokio::test]
async fn a_file_inside_the_operators_network_is_not_read() {
    let shop = Shop::start();
    shop.control("orders", json!({"lines": [{"price": "1.00"}]})).await;
    let shopify = shop.shopify();
    for url in ["http://10.0.0.1/secret", "https://169.254.169.254/latest"] {
        shop.control("file", json!({"url": url})).await;
        let opened = shopify.open_export(&file(&shopify).await, 0).await.map(drop);
        assert_eq!(opened, Err(ExportError::Download(CallError::AddressNotAllowed)), "{url}");
    }
    for url in ["ftp://example.com/x", "nothing"] {
        shop.control("file", json!({"url": url})).await;
        assert_eq!(ended(&shopify, ExportFilter::default()).await, Err(ExportError::BadUrl), "{url}");
    }
}

#[tokio::test]
async fn an_export_without_a_file_says_why() {
    let shop = Shop::start();
    shop.control("orders", json!({"lines": [{"price": "1.00"}]})).await;
    let shopify = shop.shopify();
    for (status, code, loss) in [
        ("FAILED", "TIMEOUT", ExportLoss::TimedOut),
        ("FAILED", "INTERNAL_SERVER_ERROR", ExportLoss::ShopFailed),
        ("FAILED", "ACCESS_DENIED", ExportLoss::AccessDenied),
        ("CANCELED", "TIMEOUT", ExportLoss::Cancelled),
        ("EXPIRED", "TIMEOUT", ExportLoss::Expired),
    ] {
        shop.control("bulk", json!({"status": status, "errorCode": code, "partial": true})).await;
        assert_eq!(ended(&shopify, ExportFilter::default()).await, Ok(ExportState::Lost(loss)), "{status} {code}");
    }
    assert_eq!(shop.read("downloads").await, json!([]), "a partial file is not read");
    let unknown = shopify.export_state("gid://shopify/BulkOperation/1", now()).await;
    assert_eq!(unknown, Ok(ExportState::Lost(ExportLoss::Unknown)));
    // The file is gone while it is wanted.
    let file = file(&shopify).await;
    shop.control("bulk", json!({"expire": true})).await;
    assert_eq!(shopify.open_export(&file, 0).await.map(drop), Err(ExportError::Gone));

    shop.control("scopes", json!({"without": ["read_orders", "write_orders"]})).await;
    let denied = ended(&shopify, ExportFilter::default()).await;
    assert_eq!(denied, Ok(ExportState::Lost(ExportLoss::AccessDenied)));
}

#[tokio::test]
async fn an_export_that_shopify_does_not_start_says_why() {
    let shop = Shop::start();
    let shopify = shop.shopify();
    shop.control("shop", json!({"bulkPolls": 1_000})).await;
    for _ in 0..5 {
        shopify.start_export(ExportFilter::default(), now()).await.unwrap();
    }
    assert_eq!(shopify.start_export(ExportFilter::default(), now()).await, Err(ExportError::Busy));
    shop.control("reset", json!({})).await;
    shop.fail("bulkOperationRunQuery", "after-close").await;
    assert_eq!(shopify.start_export(ExportFilter::default(), now()).await, Err(ExportError::Unclear));
    shop.control("tokens", json!({"forget": true, "custom": true})).await;
    let refused = shopify.start_export(ExportFilter::default(), now()).await.unwrap_err();
    assert!(refused.to_string().contains("does not accept the access token"), "{refused}");
    // Other callers use the same budget: a look-up in between still works.
    let other = Shop::start();
    other.control("orders", json!({"name": "#1", "lines": [{"price": "1.00"}]})).await;
    other.shopify().start_export(ExportFilter::default(), now()).await.unwrap();
    let found = other.shopify().get_purchases(&asked("#1", email()), now()).await;
    assert!(matches!(found, Ok(LookUp::Found(_))), "{found:?}");
}
