//! What has changed in a shop by Shopify's schema: one order, the list of all, and the webhooks that report changes.

use crate::support::{
    bridge::now,
    shopify::{Shop, shared},
};
use domain::integration::ShopifyVersion;
use outbound::{
    bridge::BridgeError,
    shops::shopify::{OrderNow, Shopify},
};
use serde_json::{Value, json};

const URI: &str = "http://127.0.0.1:9/api/v0/shop-notices/shopify/1";

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn read(shopify: &Shopify, id: &str) -> OrderNow {
    shopify.get_order(id, now()).await.unwrap()
}

async fn found(shopify: &Shopify, id: &str) -> outbound::bridge::contract::Purchases {
    let OrderNow::Found(order) = read(shopify, id).await else { panic!("expected the order {id}") };
    *order
}

#[tokio::test]
async fn an_order_is_read_by_its_id_with_all_of_its_lines() {
    let shop = shared();
    let many: Vec<Value> = (0..95).map(|_| json!({"price": "1.00"})).collect();
    let bought = shop.bought(json!({"lines": many})).await;
    for version in ShopifyVersion::ALL {
        let shopify = shop.client(version, shop.token());
        assert_eq!(found(&shopify, &bought.order_id).await, bought.found, "the same as by a look-up");
    }
    shop.control("refund", json!({"order": bought.order_id, "amount": "5.00"})).await;
    let order = found(&shop.shopify(), &bought.order_id).await.purchases.remove(0).order;
    assert_eq!(order.total_refunded.unwrap().decimal(), "5.00");
}

#[tokio::test]
async fn an_order_that_was_cancelled_before_it_was_sent_is_read_as_well() {
    let shop = shared();
    let made = shop.control("orders", json!({"lines": [{"price": "5.00", "fulfilled": 0}]})).await;
    shop.control("cancel", json!({"order": made["id"]})).await;
    let order = found(&shop.shopify(), &text(&made["id"])).await;
    assert_eq!((order.purchases[0].fulfilled(), order.purchases[0].quantity), (0, 1));
}

#[tokio::test]
async fn an_order_that_is_gone_is_told_from_one_that_is_too_old_to_be_shown() {
    let shop = Shop::start();
    let old = shop.control("orders", json!({"createdAt": "2020-01-01T10:00:00Z", "lines": [{"price": "5.00"}]})).await;
    let made = shop.control("orders", json!({"lines": [{"price": "5.00"}]})).await;
    shop.control("delete", json!({"order": made["id"]})).await;
    assert_eq!(read(&shop.shopify(), &text(&made["id"])).await, OrderNow::NotShown { sees_all: true });
    found(&shop.shopify(), &text(&old["id"])).await;
    shop.control("scopes", json!({"without": ["read_all_orders"]})).await;
    assert_eq!(read(&shop.shopify(), &text(&old["id"])).await, OrderNow::NotShown { sees_all: false });
    shop.shopify().is_installed(now()).await.unwrap();
    shop.control("uninstall", json!({})).await;
    let app = shop.client(ShopifyVersion::LATEST, shop.app());
    for shopify in [shop.shopify(), app] {
        assert!(matches!(shopify.is_installed(now()).await, Err(BridgeError::KeyRefused(_))));
    }
}

#[tokio::test]
async fn all_changes_are_listed_page_by_page_from_the_oldest() {
    let shop = Shop::start();
    shop.control("many", json!({"count": 520, "lines": [{"price": "1.00"}]})).await;
    let shopify = shop.shopify();
    assert!(shopify.list_changed(now().plus_days(4_000), None, now()).await.unwrap().orders.is_empty());
    let (mut ids, mut pages, mut after) = (Vec::new(), 0, None);
    loop {
        let page = shopify.list_changed(now().plus_seconds(-1_000_000_000), after.as_deref(), now()).await;
        let page = page.unwrap();
        assert!(page.orders.len() <= 250 && page.orders.is_sorted_by_key(|order| order.updated_at));
        ids.extend(page.orders.into_iter().map(|order| order.id));
        pages += 1;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!((ids.len(), pages), (520, 3));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 520);
    let shown = shop.control("clock", json!({"advance": 3600})).await;
    let later = domain::Timestamp::parse(&text(&shown["now"])).unwrap();
    shop.control("refund", json!({"order": "#1300", "amount": "1.00"})).await;
    let changed = shopify.list_changed(later.plus_seconds(-60), None, now()).await.unwrap().orders;
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(shopify.list_changed(later, Some("no cursor"), now()).await.is_err());
}

#[tokio::test]
async fn the_webhooks_that_are_missing_are_created_and_others_removed() {
    let shop = Shop::start();
    for version in ShopifyVersion::ALL {
        let shopify = shop.client(version, shop.token());
        let first = shopify.subscribe(URI, now()).await.unwrap();
        let again = shopify.subscribe(URI, now()).await.unwrap();
        assert_eq!(first, again);
        assert_eq!((first.present.len(), first.refused.len()), (14, 0), "{first:?}");
        let withheld =
            ["FULFILLMENTS_CREATE", "FULFILLMENTS_UPDATE"].map(|name| (name.to_owned(), "read_fulfillments"));
        assert_eq!(first.withheld, withheld);
    }
    let created = shop.count("Subscribe").await;
    assert_eq!(created, 14);
    let hooks = shop.read("subscriptions").await;
    let updated = hooks.as_array().unwrap().iter().find(|one| one["topic"] == "ORDERS_UPDATED").unwrap();
    assert_eq!(updated["includeFields"], json!(["id", "admin_graphql_api_id", "updated_at"]));
    // A scope is gone and another one is new. The webhooks to other addresses stay.
    shop.shopify().subscribe("http://127.0.0.1:9/other", now()).await.unwrap();
    let scopes = json!(["read_orders", "write_orders", "read_products", "read_fulfillments"]);
    shop.control("scopes", json!({"scopes": scopes})).await;
    let changed = shop.shopify().subscribe(URI, now()).await.unwrap();
    assert_eq!(changed.present.len(), 11, "{changed:?}");
    assert_eq!(changed.withheld.len(), 5, "{changed:?}");
    assert_eq!(shop.count("Unsubscribe").await, 5);
    let hooks = shop.read("subscriptions").await;
    assert_eq!(hooks.as_array().unwrap().len(), 25);
    let refused = shop.shopify().subscribe("http://returns.example/x", now()).await.unwrap();
    assert_eq!((refused.present.len(), refused.refused.len()), (0, 11), "Shopify demands https");
}
