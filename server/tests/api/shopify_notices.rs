//! Notices of a Shopify shop: which are believed, and what the privacy topics lead to. No shop is called.

use crate::harness::{NOW, Service, on_both_databases, text};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::Duration;

on_both_databases! {
    only_a_genuine_notice_of_this_shop_is_believed
    a_notice_writes_one_row_for_a_stored_order_alone
    a_replaced_secret_is_valid_until_the_new_one_signs
    a_notice_of_a_return_makes_its_comparison_due
    a_customer_is_erased_when_the_shop_asks
    a_request_for_data_is_in_the_audit_log
    customers_of_a_shop_are_erased_after_the_app_is_gone
}

const DOMAIN: &str = "127.0.0.1:9";
const ORDER: &str = "gid://shopify/Order/7";
const ORDERS: &str = "orders/updated";

fn signed(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(body);
    BASE64_STANDARD.encode(mac.finalize().into_bytes())
}

fn path_of(service: &Service) -> String {
    format!("/api/v0/shop-notices/shopify/{}", service.demo.account.id)
}

/// Connects the account to a shop that does not answer, and makes order 1001 one of that shop's.
async fn connect(service: &Service, secret: &str) {
    let bridge = json!({"kind": "shopify", "url": "http://127.0.0.1:9", "clientId": "abc", "secret": secret});
    let connected = service.patch("/api/v0/account", &service.demo.key, json!({"bridge": bridge})).await;
    assert_eq!(connected.status, 200, "{}", connected.text());
    let account = "(SELECT id FROM accounts WHERE slug = 'fjord-fern')";
    let theirs = format!(
        "UPDATE orders SET shop = 'shopify http://{DOMAIN}/', external_id = '{ORDER}'
         WHERE number_key = '1001' AND account_id = {account}"
    );
    assert_eq!(service.demo.account.slug, "fjord-fern");
    service.database.run(&theirs).await;
}

struct Notice<'a> {
    path: String,
    secret: &'a str,
    topic: &'a str,
    domain: &'a str,
    body: String,
}

impl Notice<'_> {
    fn new(service: &Service, topic: &'static str, body: &Value) -> Self {
        Self { path: path_of(service), secret: "shpss_1", topic, domain: DOMAIN, body: body.to_string() }
    }

    async fn send(&self, service: &Service) -> (u16, String) {
        self.send_with(service, &signed(self.secret, self.body.as_bytes())).await
    }

    async fn send_with(&self, service: &Service, signature: &str) -> (u16, String) {
        let request = service.request(Method::POST, &self.path, "").header("x-shopify-topic", self.topic);
        let request = request.header("x-shopify-shop-domain", self.domain).header("content-type", "application/json");
        let request = request.header("x-shopify-hmac-sha256", signature).body(self.body.clone());
        let answer = crate::harness::send(request).await;
        (answer.status, answer.text())
    }
}

async fn refreshes(service: &Service) -> i64 {
    service.database.number("SELECT COUNT(*) FROM order_refreshes").await
}

fn changed() -> Value {
    json!({"id": 7, "admin_graphql_api_id": ORDER})
}

async fn only_a_genuine_notice_of_this_shop_is_believed(service: Service) {
    let unconnected = Notice::new(&service, ORDERS, &changed()).send(&service).await;
    connect(&service, "shpss_1").await;
    let unbelieved = (401, String::new());
    assert_eq!(unconnected, unbelieved, "an account without such a shop");
    let notice = || Notice::new(&service, ORDERS, &changed());
    assert_eq!(notice().send_with(&service, "").await, unbelieved);
    assert_eq!(notice().send_with(&service, "no base64!").await, unbelieved);
    let unsigned = service.request(Method::POST, &path_of(&service), "").body("{}");
    assert_eq!(crate::harness::send(unsigned).await.status, 401);
    assert_eq!(Notice { secret: "shpss_2", ..notice() }.send(&service).await, unbelieved);
    for account in [service.other_account.as_str(), "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3"] {
        let path = format!("/api/v0/shop-notices/shopify/{account}");
        assert_eq!(Notice { path, ..notice() }.send(&service).await, unbelieved, "{account}");
    }
    let signature = signed("shpss_1", notice().body.as_bytes());
    let other = Notice { body: notice().body.replace('7', "8"), ..notice() };
    assert_eq!(other.send_with(&service, &signature).await, unbelieved, "one byte differs");
    assert_eq!(refreshes(&service).await, 0);

    // Genuine notices that lead to nothing.
    assert_eq!(Notice { domain: "other.myshopify.com", ..notice() }.send(&service).await.0, 200);
    assert_eq!(Notice { topic: "products/update", ..notice() }.send(&service).await.0, 200);
    assert_eq!(Notice { topic: "", ..notice() }.send(&service).await.0, 200);
    assert_eq!(Notice { body: "{".to_owned(), ..notice() }.send(&service).await.0, 400);
    assert_eq!(Notice { body: " ".repeat(300 * 1024), ..notice() }.send(&service).await.0, 413);
    let most = format!("{}{}", notice().body, " ".repeat(256 * 1024 - notice().body.len()));
    assert_eq!(refreshes(&service).await, 0);
    assert_eq!(Notice { body: most, ..notice() }.send(&service).await.0, 200);
    assert_eq!(refreshes(&service).await, 1);
}

async fn a_notice_writes_one_row_for_a_stored_order_alone(service: Service) {
    connect(&service, "shpss_1").await;
    for topic in ["orders/updated", "orders/cancelled", "orders/updated"] {
        assert_eq!(Notice::new(&service, topic, &changed()).send(&service).await.0, 200);
    }
    for topic in ["refunds/create", "fulfillments/update"] {
        assert_eq!(Notice::new(&service, topic, &json!({"id": 1, "order_id": 7})).send(&service).await.0, 200);
    }
    assert_eq!(refreshes(&service).await, 1, "a burst leads to one reading");
    let due = service.database.number("SELECT due_at FROM order_refreshes").await;
    assert_eq!(due, NOW.plus_seconds(5).micros());
    for unknown in [8, 1001] {
        assert_eq!(Notice::new(&service, ORDERS, &json!({"id": unknown})).send(&service).await.0, 200);
    }
    assert_eq!(refreshes(&service).await, 1);
}

async fn a_replaced_secret_is_valid_until_the_new_one_signs(service: Service) {
    connect(&service, "shpss_1").await;
    let bridge = json!({"kind": "shopify", "url": "http://127.0.0.1:9", "clientId": "abc", "secret": "shpss_2"});
    service.patch("/api/v0/account", &service.demo.key, json!({"bridge": bridge})).await;
    let by = async |secret: &'static str| {
        Notice { secret, ..Notice::new(&service, ORDERS, &changed()) }.send(&service).await.0
    };
    let shown = async || service.read("/api/v0/account").await["bridge"]["previousSecretEndsAt"].clone();
    assert_eq!(shown().await, json!(NOW.plus_days(30)));
    service.clock.set(NOW.plus_days(29));
    assert_eq!((by("shpss_1").await, by("shpss_3").await), (200, 401));
    // A secret that was replaced before Shopify used it counts beside the one that it uses.
    let wrong = json!({"kind": "shopify", "url": "http://127.0.0.1:9", "clientId": "abc", "secret": "shpss_5"});
    for bridge in [&wrong, &bridge] {
        service.patch("/api/v0/account", &service.demo.key, json!({"bridge": bridge})).await;
    }
    assert_eq!((by("shpss_1").await, by("shpss_5").await), (200, 200));
    assert_eq!(shown().await, json!(NOW.plus_days(59)));
    assert_eq!((by("shpss_2").await, by("shpss_1").await, by("shpss_5").await), (200, 401, 401));
    assert_eq!(shown().await, json!(null));
    let told = service.read("/api/v0/audit-entries").await["data"].clone();
    let forgotten = json!({"bridge": {"previousSecretEndsAt": null}});
    assert_eq!(told.as_array().unwrap().iter().filter(|one| one["after"] == forgotten).count(), 1, "{told}");
    // Without such a webhook, it counts for 30 days.
    connect(&service, "shpss_6").await;
    assert_eq!((by("shpss_2").await, by("shpss_1").await), (200, 401));
    service.clock.set(NOW.plus_days(59));
    assert_eq!(by("shpss_2").await, 401);
    // It is no longer shown then, and a webhook removes it.
    let stored = async || service.database.texts("SELECT bridge FROM accounts").await.concat();
    assert_eq!((shown().await, stored().await.contains("previousSecret")), (json!(null), true));
    assert_eq!((by("shpss_6").await, by("shpss_6").await), (200, 200));
    assert!(!stored().await.contains("previousSecret"));
    let told = service.read("/api/v0/audit-entries").await["data"].clone();
    assert_eq!(told.as_array().unwrap().iter().filter(|one| one["after"] == forgotten).count(), 2, "{told}");
    service.patch("/api/v0/account", &service.demo.key, json!({"bridge": bridge})).await;
    // The secret of another app proves nothing about this one.
    let bridge = json!({"kind": "shopify", "url": "http://127.0.0.1:9", "clientId": "other", "secret": "shpss_4"});
    service.patch("/api/v0/account", &service.demo.key, json!({"bridge": bridge})).await;
    assert_eq!((by("shpss_2").await, by("shpss_4").await), (401, 200));
}

async fn a_notice_of_a_return_makes_its_comparison_due(service: Service) {
    let ada = service.ada().await;
    let bought = service.purchases(&ada).await;
    connect(&service, "shpss_1").await;
    let bridge = json!({"kind": "shopify", "url": "http://127.0.0.1:9", "returns": "mirror"});
    service.patch("/api/v0/account", &service.demo.key, json!({"bridge": bridge})).await;
    service.create_return(&ada, &bought).await;
    let due = async || service.database.number("SELECT due_at FROM shop_returns").await;
    service.database.run(&format!("UPDATE shop_returns SET due_at = {}", NOW.plus_hours(6).micros())).await;
    assert_eq!(Notice::new(&service, ORDERS, &changed()).send(&service).await.0, 200);
    assert_eq!(due().await, NOW.plus_hours(6).micros());
    let returned = json!({"id": 1, "status": "open", "order": {"id": 7}});
    assert_eq!(Notice::new(&service, "returns/update", &returned).send(&service).await.0, 200);
    assert_eq!(due().await, NOW.plus_seconds(5).micros());
}

/// Carries out requests about people until none is due.
async fn answer_requests(service: &Service) {
    let retour = service.retour.clone();
    let worker = tokio::spawn(async move {
        workers::Workers::new(&retour).answer_privacy_requests(std::future::pending()).await;
    });
    let due = format!("SELECT COUNT(*) FROM privacy_requests WHERE due_at <= {}", service.retour.now().micros());
    for _ in 0..500 {
        if service.database.number(&due).await == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    worker.abort();
    assert_eq!(service.database.number(&due).await, 0, "the requests were not carried out in time");
}

async fn emails(service: &Service) -> Vec<String> {
    service.database.texts("SELECT email FROM orders WHERE shop <> '' ORDER BY number").await
}

async fn log(service: &Service) -> Value {
    service.get("/api/v0/audit-entries", &service.demo.key).await.json()["data"].clone()
}

fn redact(customer: &Value, orders: &Value) -> Value {
    json!({"shop_id": 1, "shop_domain": DOMAIN, "customer": customer, "orders_to_redact": orders})
}

async fn a_customer_is_erased_when_the_shop_asks(service: Service) {
    connect(&service, "shpss_1").await;
    assert_eq!(emails(&service).await.len(), 1);
    let unknown = redact(&json!({"id": 1, "email": "nobody@example.com"}), &json!([99]));
    assert_eq!(Notice::new(&service, "customers/redact", &unknown).send(&service).await.0, 200);
    answer_requests(&service).await;
    assert_ne!(emails(&service).await, [""]);
    // The same body as another topic, and a body of another shop, erase nobody.
    let mut other = redact(&json!({"id": 1, "email": "ada@example.com"}), &json!([7]));
    assert_eq!(Notice::new(&service, "shop/redact", &other).send(&service).await.0, 200);
    other["shop_domain"] = "other.myshopify.com".into();
    assert_eq!(Notice::new(&service, "customers/redact", &other).send(&service).await.0, 200);
    assert_eq!(service.database.rows("privacy_requests").await, 0);
    // By the order alone: the customer has no e-mail address any more. Twice: repeating it is harmless.
    let ada = redact(&json!({"id": 1, "email": null}), &json!([7, 8]));
    for _ in 0..2 {
        assert_eq!(Notice::new(&service, "customers/redact", &ada).send(&service).await.0, 200);
    }
    assert_eq!(service.database.rows("privacy_requests").await, 1);
    answer_requests(&service).await;
    assert_eq!(emails(&service).await, [""]);
    assert_eq!(service.database.rows("privacy_requests").await, 0);
    assert_eq!(Notice::new(&service, "customers/redact", &ada).send(&service).await.0, 200);
    answer_requests(&service).await;
    let entry = &log(&service).await[0];
    assert_eq!((&entry["actor"], &entry["action"]), (&json!("Shop"), &json!("personal_data.erased")));
    assert!(!log(&service).await.to_string().contains("ada@"));
}

async fn a_request_for_data_is_in_the_audit_log(service: Service) {
    let consumer = service.ada().await.id;
    connect(&service, "shpss_1").await;
    let asked = json!({
        "shop_id": 1, "shop_domain": DOMAIN, "orders_requested": [7, 8], "data_request": {"id": 9999},
        "customer": {"id": 1, "email": "Ada@Example.com", "phone": "555-625-1199"},
    });
    for _ in 0..2 {
        assert_eq!(Notice::new(&service, "customers/data_request", &asked).send(&service).await.0, 200);
    }
    answer_requests(&service).await;
    let entries = log(&service).await;
    let entry = &entries[0];
    assert_eq!((&entry["actor"], &entry["action"]), (&json!("Shop"), &json!("personal_data.requested")));
    assert_eq!(entry["after"]["consumerIds"], json!([consumer]), "{entry}");
    assert_eq!(entry["after"]["reference"], "9999");
    assert!(!entries.to_string().contains("555-625"), "{entries}");
    let requested = entries.as_array().unwrap().iter().filter(|one| one["action"] == "personal_data.requested");
    assert_eq!(requested.count(), 1, "a repeated request is the same while it waits");
    let data = format!("/api/v0/consumers/{consumer}/data");
    assert_eq!(service.get(&data, &service.demo.key).await.status, 200);
    assert_eq!(service.database.rows("privacy_requests").await, 0, "nothing of the person remains in the queue");
    assert_eq!(text(&entry["subject"]), "Account");
}

async fn customers_of_a_shop_are_erased_after_the_app_is_gone(service: Service) {
    connect(&service, "shpss_1").await;
    let before = service.database.texts("SELECT email FROM orders ORDER BY number").await;
    let shop = json!({"shop_id": 1, "shop_domain": DOMAIN});
    assert_eq!(Notice::new(&service, "shop/redact", &shop).send(&service).await.0, 200);
    // The shop cannot be asked whether the app is gone: Retour waits, and then believes the notice.
    answer_requests(&service).await;
    assert_eq!(service.database.texts("SELECT email FROM orders ORDER BY number").await, before);
    service.clock.set(NOW.plus_days(3));
    answer_requests(&service).await;
    assert_eq!(emails(&service).await, [""]);
    let others = service.database.texts("SELECT email FROM orders WHERE shop = '' AND email <> ''").await;
    assert!(!others.is_empty(), "orders of other sources stay");
    assert_eq!(service.database.rows("privacy_requests").await, 0);
    let entry = &log(&service).await[0];
    assert_eq!((&entry["actor"], &entry["action"]), (&json!("Shop"), &json!("personal_data.erased")));
}
