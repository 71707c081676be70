//! Changes in a Shopify shop arrive in stored orders, also if notices are lost, repeated and reordered, and if the program
//! stops at any time: against the stand-in of `end2end/peers/shopify`.

use crate::{
    harness::{Consumer, Service, text},
    receiver::until,
    seed::Seed,
    shopify::{StandIn, price_labels_in_euros},
    webhook_examples::with_real_clock,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// Makes a test of each function on each database, with the real clock.
macro_rules! by_a_real_clock {
    ($($name:ident)+) => {
        mod sqlite {
            $(#[test]
            fn $name() {
                store::testing::on_sqlite(async |database| super::$name(super::with_real_clock(database).await).await);
            })+
        }
        mod postgres {
            $(#[test]
            fn $name() {
                store::testing::on_postgres(async |database| super::$name(super::with_real_clock(database).await).await);
            })+
        }
    };
}

by_a_real_clock! {
    a_refund_by_hand_lowers_what_can_be_approved
    lost_notices_are_made_up_for_at_night
    a_replaced_secret_is_removed_in_the_night_after_its_end
    a_list_that_the_shop_ends_is_read_on_from_its_last_change
    stored_orders_equal_the_shop_s_after_a_rough_journey
    an_uninstalled_app_is_shown_until_a_call_succeeds
    what_was_begun_is_done_after_a_stop
}

/// The workers of an instance. Dropping them stops them at once, whatever they are doing.
struct Running(Vec<JoinHandle<()>>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

/// Starts the workers for changes in shops. The shop reaches the service at its own address.
fn start(service: &Service) -> Running {
    let base = service.base().to_owned();
    let retour = service.retour.clone().configured(|config| config.public_url = base);
    let (refreshing, reconciling, answering) = [(); 3].map(|()| workers::Workers::new(&retour)).into();
    Running(vec![
        tokio::spawn(async move { refreshing.refresh_orders(std::future::pending()).await }),
        tokio::spawn(async move { reconciling.reconcile_shops(std::future::pending()).await }),
        tokio::spawn(async move { answering.answer_privacy_requests(std::future::pending()).await }),
    ])
}

async fn connect(service: &Service, shop: &StandIn) {
    let (client_id, secret) = (shop.secret("clientId"), shop.secret("clientSecret"));
    let change = json!({
        "bridge": {"kind": "shopify", "url": shop.url, "clientId": client_id, "secret": secret},
        "policy": {"returnWindowDays": 3650},
    });
    let connected = service.patch("/api/v0/account", &service.demo.key, change).await;
    assert_eq!(connected.status, 200, "{}", connected.text());
}

/// Waits until the shop reports its changes to Retour.
async fn until_reported(service: &Service, shop: &StandIn) {
    until(async || shop.read("subscriptions").await.as_array().unwrap().len() >= 10).await;
    until_read(service).await;
}

/// Waits until the reading of changes has ended.
async fn until_read(service: &Service) {
    until(async || {
        let reading = "SELECT COUNT(*) FROM shop_reconciliations WHERE held_until <> 0 OR begun_at <> 0 OR due_at = 0";
        service.database.number(reading).await == 0
    })
    .await;
}

/// Reads all changes at once, as at night.
async fn read_changes(service: &Service) {
    service.database.run("UPDATE shop_reconciliations SET due_at = 0").await;
    until_read(service).await;
}

async fn until_refreshed(service: &Service) {
    until(async || service.database.rows("order_refreshes").await == 0).await;
}

async fn sold(shop: &StandIn, name: &str, quantity: u32) -> Value {
    let lines = json!([{"title": "Mug", "quantity": quantity, "price": "20.00", "fulfilled": quantity}]);
    shop.control("orders", json!({"name": name, "email": "ada@example.com", "lines": lines})).await
}

/// The stored sums and units of all orders of the shop, by number.
async fn stored(service: &Service) -> Vec<String> {
    let sql = "SELECT o.number || ' ' || o.refunded || ' ' || p.shop_refunded || ' ' || p.fulfilled || ' ' || CASE WHEN p.delivered_at IS NULL
         THEN 'sent' ELSE 'delivered' END FROM orders o JOIN purchases p ON p.account_id = o.account_id AND p.order_id = o.id
        WHERE o.shop <> '' ORDER BY o.number";
    service.database.texts(sql).await
}

async fn refunded(service: &Service) -> i64 {
    service.database.number("SELECT MAX(refunded) FROM orders WHERE shop <> ''").await
}

async fn prove(service: &Service, number: &str) -> Consumer {
    service.prove(number, "ada@example.com").await
}

async fn a_refund_by_hand_lowers_what_can_be_approved(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let _workers = start(&service);
    until_reported(&service, &shop).await;
    let reported = shop.read("subscriptions").await;
    assert!(reported.to_string().contains(&service.demo.account.id.to_string()), "{reported}");
    let all_limited =
        reported.as_array().unwrap().iter().all(|one| !one["includeFields"].as_array().unwrap().is_empty());
    assert!(all_limited, "{reported}");

    price_labels_in_euros(&service).await;
    sold(&shop, "#6001", 1).await;
    let ada = prove(&service, "6001").await;
    let order = service.create_return(&ada, &service.purchases(&ada).await).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let request = text(&service.read(&path).await["returnRequests"][0]["id"]);
    shop.control("refund", json!({"order": "#6001", "amount": "15.00"})).await;
    until(async || refunded(&service).await == 1_500).await;
    until_refreshed(&service).await;
    let requests = format!("/api/v0/account/{}/return-requests/{request}", service.demo.account.id);
    let receipt = service.post(&format!("{requests}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(receipt.status, 200, "{}", receipt.text());
    let known = service.read(&requests).await;
    // 17.05 was promised, and a person decides because the shop has refunded a part since.
    assert_eq!((&known["stage"], &known["reviewReason"]), (&json!("Resolution: Pending"), &json!("RefundedByShop")));
    let approve = json!({"stage": "Resolution: Approved", "fromStage": "Resolution: Pending"});
    let approved = service.patch(&requests, &service.demo.key, approve).await;
    assert_eq!(approved.status, 200, "{}", approved.text());
    let resolution = &approved.json()["resolution"];
    assert_eq!(resolution["fullValue"]["value"], "17.05");
    assert_eq!(resolution["value"]["value"], "2.05", "5.00 of 20.00 are left, less the label");
    let notices = shop.read("notices").await.to_string();
    assert!(notices.contains("REFUNDS_CREATE") && !notices.contains("ada@"), "{notices}");
}

async fn lost_notices_are_made_up_for_at_night(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let _workers = start(&service);
    until_reported(&service, &shop).await;
    sold(&shop, "#6001", 2).await;
    let untouched = sold(&shop, "#6002", 1).await;
    prove(&service, "6001").await;
    shop.control("travel", json!({"lose": 1})).await;
    shop.control("refund", json!({"order": "#6001", "amount": "7.00"})).await;
    shop.control("refund", json!({"order": "#6002", "amount": "7.00"})).await;
    assert_eq!(refunded(&service).await, 0);
    read_changes(&service).await;
    until_refreshed(&service).await;
    assert_eq!(refunded(&service).await, 700);
    assert_eq!(stored(&service).await.len(), 1, "an order that nobody looked up is not stored: {untouched}");
    // An order that the shop has deleted cannot be returned any more.
    shop.control("travel", json!({"lose": 0})).await;
    shop.control("delete", json!({"order": "#6001"})).await;
    let withdrawn =
        "SELECT COUNT(*) FROM purchases p JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id
        WHERE o.shop <> '' AND p.obstacle = 'NotInOrder'";
    until(async || service.database.number(withdrawn).await == 1).await;
}

async fn a_replaced_secret_is_removed_in_the_night_after_its_end(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let _workers = start(&service);
    until_reported(&service, &shop).await;
    let another = json!({"bridge": {"kind": "shopify", "url": shop.url, "clientId": shop.secret("clientId"), "secret": "shpss_2"}});
    let end =
        service.patch("/api/v0/account", &service.demo.key, another).await.json()["bridge"]["previousSecretEndsAt"]
            .clone();
    let stored = async || service.database.texts("SELECT bridge FROM accounts").await.concat();
    let entries = async || service.read("/api/v0/audit-entries").await["data"].as_array().unwrap().len();
    let before = entries().await;
    // The night before the end, and the night after it. The shop refuses the app: that does not matter.
    let nightly = async || {
        service.database.run("UPDATE shop_reconciliations SET due_at = 0").await;
        let waiting = "SELECT COUNT(*) FROM shop_reconciliations WHERE held_until <> 0 OR due_at = 0";
        until(async || service.database.number(waiting).await == 0).await;
    };
    nightly().await;
    assert_eq!((stored().await.contains("previousSecret"), entries().await), (true, before));
    let over = format!("UPDATE accounts SET bridge = REPLACE(bridge, '{}', '2026-01-01T00:00:00Z')", text(&end));
    service.database.run(&over).await;
    assert_eq!(service.read("/api/v0/account").await["bridge"]["previousSecretEndsAt"], json!(null));
    assert!(stored().await.contains("previousSecret"));
    for _ in 0..2 {
        nightly().await;
        assert_eq!((stored().await.contains("previousSecret"), entries().await), (false, before + 1), "once");
    }
}

async fn a_list_that_the_shop_ends_is_read_on_from_its_last_change(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let _workers = start(&service);
    until_reported(&service, &shop).await;
    shop.control("travel", json!({"lose": 1})).await;
    for _ in 0..11 {
        shop.control("many", json!({"count": 250, "lines": [{"price": "1.00"}]})).await;
        shop.control("clock", json!({"advance": 2})).await;
    }
    sold(&shop, "#6001", 1).await;
    prove(&service, "6001").await;
    shop.control("refund", json!({"order": "#6001", "amount": "7.00"})).await; // the last of 2,751 changes
    shop.control("shop", json!({"longestList": 2_600})).await;
    read_changes(&service).await;
    until_refreshed(&service).await;
    assert_eq!(refunded(&service).await, 700);
}

async fn stored_orders_equal_the_shop_s_after_a_rough_journey(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let mut workers = start(&service);
    until_reported(&service, &shop).await;
    let names = ["#6001", "#6002", "#6003", "#6004"];
    for name in names {
        let lines = json!([{"title": "Mug", "quantity": 4, "price": "20.00", "fulfilled": 1}]);
        shop.control("orders", json!({"name": name, "email": "ada@example.com", "lines": lines})).await;
        prove(&service, name).await;
    }
    let mut random = Seed::of_this_run().rng(0);
    let seed = random.u32(..);
    shop.control("travel", json!({"lose": 0.3, "repeat": 0.3, "delay": 300, "seed": seed})).await;
    let mut sent = [1, 1, 1, 1];
    for step in 0..24 {
        let at = random.usize(0..names.len());
        match random.usize(0..4) {
            0 if sent[at] < 4 => {
                sent[at] += 1;
                let lines = json!([{"line": 0, "quantity": 1}]);
                shop.control("fulfill", json!({"order": names[at], "lines": lines})).await;
            }
            1 => drop(shop.control("deliver", json!({"order": names[at]})).await),
            _ => drop(shop.control("refund", json!({"order": names[at], "amount": "0.50"})).await),
        }
        if step % 8 == 7 {
            drop(workers); // in the middle of whatever they do
            service.database.run("UPDATE order_refreshes SET held_until = 0").await;
            service.database.run("UPDATE shop_reconciliations SET held_until = 0").await;
            workers = start(&service);
        }
    }
    tokio::time::sleep(std::time::Duration::from_millis(400)).await; // the last notices arrive
    read_changes(&service).await;
    until_refreshed(&service).await;
    let mut expected = Vec::new();
    for (name, sent) in names.iter().zip(sent) {
        let order = shop.read(&format!("order?id={}", name.replace('#', "%23"))).await;
        let refunded = text(&order["refunded"]).replace('.', "").parse::<i64>().unwrap();
        expected.push(format!("{name} {refunded} 0 {sent}"));
    }
    let stored = stored(&service).await;
    let sums: Vec<&str> = stored.iter().map(|line| line.rsplit_once(' ').unwrap().0).collect();
    assert_eq!(sums, expected, "seed {seed}");
    drop(workers);
}

async fn an_uninstalled_app_is_shown_until_a_call_succeeds(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let _workers = start(&service);
    until_reported(&service, &shop).await;
    sold(&shop, "#6001", 1).await;
    prove(&service, "6001").await;
    let health = async || {
        let all = service.read("/api/v0/account/integrations").await["data"].clone();
        all.as_array().unwrap().iter().find(|one| one["kind"] == "shopify").unwrap().clone()
    };
    shop.control("uninstall", json!({})).await;
    until(async || health().await["failedAttempts"] != 0).await;
    let message = text(&health().await["errorMessage"]);
    assert!(message.contains("the app was uninstalled") && message.contains("Install it again"), "{message}");
    // It is probed soon, and found to be so.
    service.database.run("UPDATE shop_reconciliations SET due_at = 0").await;
    until(async || service.database.number("SELECT MAX(tries) FROM shop_reconciliations").await > 0).await;
    assert_ne!(health().await["failedAttempts"], 0);
    // A call that succeeds shows that the app is back, and creates the webhooks again.
    shop.control("install", json!({})).await;
    service.database.run("UPDATE shop_reconciliations SET due_at = 0").await;
    until_reported(&service, &shop).await;
    until(async || health().await["failedAttempts"] == 0).await;

    // An old notice that is sent again breaks nothing for longer than until the next call.
    let url = format!("{}/api/v0/shop-notices/shopify/{}", service.base(), service.demo.account.id);
    let domain = shop.url.trim_start_matches("http://");
    let replayed = json!({"url": url, "topic": "app/uninstalled", "payload": {"id": 1}, "domain": domain});
    assert_eq!(shop.control("webhook", replayed).await["status"], 200);
    assert_ne!(health().await["failedAttempts"], 0);
    service.database.run("UPDATE shop_reconciliations SET due_at = 0").await;
    until(async || health().await["failedAttempts"] == 0).await;
    // A request to erase all customers is not believed while the app is installed.
    let redact = json!({"url": url, "topic": "shop/redact", "payload": {"shop_domain": domain}, "domain": domain});
    assert_eq!(shop.control("webhook", redact).await["status"], 200);
    until(async || service.database.rows("privacy_requests").await == 0).await;
    assert_eq!(service.database.texts("SELECT email FROM orders WHERE shop <> ''").await, ["ada@example.com"]);
}

async fn what_was_begun_is_done_after_a_stop(service: Service) {
    let shop = StandIn::start();
    connect(&service, &shop).await;
    let running = start(&service);
    until_reported(&service, &shop).await;
    for number in 0..25 {
        let (name, email) = (format!("#{}", 6_100 + number), format!("person{number}@example.com"));
        let lines = json!([{"title": "Mug", "quantity": 1, "price": "20.00"}]);
        shop.control("orders", json!({"name": name, "email": email, "lines": lines})).await;
        service.prove(&name, &email).await;
    }
    // The worker stops while the shop works on its call.
    shop.control("fail", json!({"operation": "ById", "how": "slow-after", "ms": 8_000})).await;
    shop.control("refund", json!({"order": "#6100", "amount": "3.00"})).await;
    until(async || service.database.number("SELECT COUNT(*) FROM order_refreshes WHERE held_until <> 0").await == 1)
        .await;
    drop(running);
    shop.control("refund", json!({"order": "#6100", "amount": "1.00"})).await;
    service.database.run("UPDATE order_refreshes SET held_until = 0").await;
    let running = start(&service);
    until(async || refunded(&service).await == 400).await;
    until_refreshed(&service).await;

    // It stops between two steps of an erasure.
    let url = format!("{}/api/v0/shop-notices/shopify/{}", service.base(), service.demo.account.id);
    let domain = shop.url.trim_start_matches("http://").to_owned();
    shop.control("uninstall", json!({})).await;
    let redact = json!({"url": url, "topic": "shop/redact", "payload": {"shop_domain": domain}, "domain": domain});
    assert_eq!(shop.control("webhook", redact).await["status"], 200);
    let left = "SELECT COUNT(*) FROM orders WHERE shop <> '' AND email <> ''";
    until(async || service.database.number(left).await < 25).await;
    drop(running);
    service.database.run("UPDATE privacy_requests SET held_until = 0").await;
    let _running = start(&service);
    until(async || service.database.rows("privacy_requests").await == 0).await;
    assert_eq!(service.database.number(left).await, 0);
    let others = "SELECT COUNT(*) FROM orders WHERE shop = '' AND email <> ''";
    assert!(service.database.number(others).await > 0, "orders of other sources stay");
}
