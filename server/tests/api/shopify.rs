//! A Shopify shop, from the connection to the refund in the shop: against the stand-in of `end2end/peers/shopify`.

use crate::{
    bridge_check::{CheckResult, run},
    harness::{Service, choose, text},
    receiver::until,
    stand_in,
    webhook_examples::with_real_clock,
};
use serde_json::{Value, json};
use std::process::Command;

/// A shop of a test's own.
pub struct StandIn {
    pub url: String,
    secrets: Value,
}

impl StandIn {
    pub fn start() -> Self {
        let (url, secrets) = stand_in::open("shopify", "");
        Self { url, secrets: serde_json::from_str(&secrets).unwrap() }
    }

    pub fn secret(&self, name: &str) -> String {
        text(&self.secrets[name])
    }

    pub async fn control(&self, what: &str, body: Value) -> Value {
        self.answer(reqwest::Client::new().post(format!("{}/control/{what}", self.url)).body(body.to_string())).await
    }

    pub async fn read(&self, what: &str) -> Value {
        self.answer(reqwest::Client::new().get(format!("{}/control/{what}", self.url))).await
    }

    async fn answer(&self, request: reqwest::RequestBuilder) -> Value {
        let answer = request.send().await.unwrap().text().await.unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{answer}"))
    }

    /// Runs `retour bridge check --shopify` with the credentials of the app.
    pub async fn check(&self, more: &[&str]) -> CheckResult {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
        program.args(["bridge", "check", &self.url, "--shopify"]).args(more);
        program.env("RETOUR_BRIDGE_SECRET", self.secret("clientSecret")).env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8");
        run(program).await
    }
}

mod by_a_real_clock {
    use super::{
        Service, a_refund_has_the_duties_that_its_return_was_calculated_with,
        a_return_appears_in_shopify_and_is_refunded_there, a_return_that_staff_declined_in_shopify_is_noted,
        a_shopify_order_is_returned_and_refunded, an_exchange_is_sent_by_shopify,
        an_exchange_that_becomes_a_refund_leaves_shopify_s_return,
        units_in_another_return_of_the_shop_are_refunded_by_a_person, with_real_clock,
    };
    use store::testing::Database;

    async fn each(database: Database, run: impl AsyncFnOnce(Service)) {
        run(with_real_clock(database).await).await;
    }

    macro_rules! on_both {
        ($($name:ident)+) => {
            mod sqlite {
                $(#[test]
                fn $name() {
                    store::testing::on_sqlite(async |database| super::each(database, super::$name).await);
                })+
            }
            mod postgres {
                $(#[test]
                fn $name() {
                    store::testing::on_postgres(async |database| super::each(database, super::$name).await);
                })+
            }
        };
    }

    on_both! {
        a_shopify_order_is_returned_and_refunded
        a_refund_has_the_duties_that_its_return_was_calculated_with
        a_return_appears_in_shopify_and_is_refunded_there
        a_return_that_staff_declined_in_shopify_is_noted
        an_exchange_is_sent_by_shopify
        an_exchange_that_becomes_a_refund_leaves_shopify_s_return
        units_in_another_return_of_the_shop_are_refunded_by_a_person
    }
}

/// The demo shop has prices in another currency than the stand-in.
pub async fn price_labels_in_euros(service: &Service) {
    let options = format!("/api/v0/account/{}/shipping-options", service.demo.account.id);
    let all = service.read(&options).await["data"].as_array().unwrap().clone();
    let printed = all.iter().find(|option| option["method"] == "Label").unwrap();
    let option = format!("{options}/{}", text(&printed["id"]));
    let prices = json!({"prices": [{"value": "2.95", "currency": "EUR"}]});
    assert_eq!(service.patch(&option, &service.demo.key, prices).await.status, 200);
}

/// Connects the shop, with a free return label, and starts the workers of a shop.
async fn connected(service: &Service, returns: &str) -> StandIn {
    let shop = StandIn::start();
    let (client_id, secret) = (shop.secret("clientId"), shop.secret("clientSecret"));
    let change = json!({
        "bridge": {"kind": "shopify", "url": shop.url, "clientId": client_id, "secret": secret, "returns": returns},
        "policy": {"returnWindowDays": 3650},
    });
    let connected = service.patch("/api/v0/account", &service.demo.key, change).await;
    let shown = json!({
        "kind": "shopify", "url": format!("{}/", shop.url), "version": "2026-10", "clientId": client_id, "returns": returns, "duties": "keep",
        "noticesUrl": format!("/api/v0/shop-notices/shopify/{}", service.demo.account.id),
    });
    assert_eq!((connected.status, &connected.json()["bridge"]), (200, &shown));
    price_labels_in_euros(service).await;
    let retour = service.retour.clone();
    tokio::spawn(async move { workers::Workers::new(&retour).settle_returns(std::future::pending()).await });
    let retour = service.retour.clone();
    tokio::spawn(async move { workers::Workers::new(&retour).show_returns_in_shops(std::future::pending()).await });
    shop
}

/// Sells a mug and returns it. Returns the order in the shop, and the paths of the return order and of its request.
async fn returned(service: &Service, shop: &StandIn) -> (Value, String, String) {
    let lines = json!([{"title": "Mug", "sku": "MUG-BLUE", "quantity": 1, "price": "20.00", "taxRate": "0.19"}]);
    let sold = shop.control("orders", json!({"name": "#5001", "email": "ada@example.com", "lines": lines})).await;
    let ada = service.prove("5001", "Ada@Example.com").await;
    let bought = service.purchases(&ada).await;
    assert_eq!(bought[0]["totalPrice"], json!({"value": "20.00", "currency": "EUR"}));
    let order = service.create_return(&ada, &bought).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let requests = format!("/api/v0/account/{}/return-requests", service.demo.account.id);
    let request = format!("{requests}/{}", text(&service.read(&path).await["returnRequests"][0]["id"]));
    (sold, path, request)
}

/// Receives the mug, and waits for its refund. Returns the entry of the shop's ledger.
async fn refunded(service: &Service, shop: &StandIn, sold: &Value, path: &str, request: &str) -> Value {
    let receipt = service.post(&format!("{request}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(receipt.status, 200);
    until(async || service.read(request).await["stage"] == "Resolution: Completed").await;
    let ledger = shop.read(&format!("ledger?order={}", text(&sold["id"]))).await;
    let paid = ledger.as_array().unwrap();
    assert_eq!(paid.len(), 1, "{ledger}");
    assert_eq!(paid[0]["amount"], service.read(path).await["costBreakdown"]["estimatedRefund"]["value"]);
    let reference = text(&service.read(request).await["resolution"]["externalReference"]);
    assert!(text(&paid[0]["refund"]).ends_with(&format!("/{reference}")), "{ledger}");
    paid[0].clone()
}

async fn a_shopify_order_is_returned_and_refunded(service: Service) {
    let shop = connected(&service, "refunds").await;
    let (sold, path, request) = returned(&service, &shop).await;
    let paid = refunded(&service, &shop, &sold, &path, &request).await;
    assert!(paid["key"].is_string(), "{paid}");
    let order = shop.read(&format!("order?id={}", text(&sold["id"]))).await;
    assert_eq!(order["returns"], json!([]));
    let shown = service.read("/api/v0/account/integrations").await.to_string();
    assert!(shown.contains(r#""kind":"shopify""#), "{shown}");
}

async fn a_refund_has_the_duties_that_its_return_was_calculated_with(service: Service) {
    let shop = connected(&service, "refunds").await;
    let setting = async |duties: &str| {
        let bridge = json!({"bridge": {"kind": "shopify", "url": shop.url, "duties": duties}});
        assert_eq!(service.patch("/api/v0/account", &service.demo.key, bridge).await.status, 200);
    };
    let lines = json!([{"title": "Mug", "quantity": 3, "price": "20.00", "duty": "6.00"}]);
    let sold = shop.control("orders", json!({"name": "#5003", "email": "ada@example.com", "lines": lines})).await;
    let returned = async || {
        let ada = service.prove("5003", "ada@example.com").await;
        let order = service.create_return(&ada, &[service.purchases(&ada).await[0].clone()]).await;
        let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
        let id = text(&service.read(&path).await["returnRequests"][0]["id"]);
        format!("/api/v0/account/{}/return-requests/{id}", service.demo.account.id)
    };
    let received = async |request: &str, stage: &str| {
        let receipt = service.post(&format!("{request}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
        assert_eq!(receipt.status, 200);
        until(async || service.read(request).await["stage"] == *stage).await;
    };
    setting("refund").await;
    let first = returned().await;
    setting("keep").await;
    received(&first, "Resolution: Completed").await;
    let order = async || shop.read(&format!("order?id={}", text(&sold["id"]))).await;
    let note = text(&order().await["refunds"][0]["note"]);
    assert!(note.contains("; duties 2.00 EUR of line "), "{note}");
    // What a return was calculated from stays, so the next one has duties, too.
    let second = returned().await;
    let by_hand = json!({"order": sold["id"], "duties": [{"line": 0, "amount": "3.00"}]});
    shop.control("refund", by_hand).await;
    received(&second, "Resolution: Failed").await;
    let timeline = service.read(&format!("{second}/timeline")).await.to_string();
    assert!(timeline.contains("duties of 2.00 EUR, but only 1.00 EUR"), "{timeline}");
    assert_eq!(order().await["refunds"].as_array().unwrap().len(), 2, "the first return, and staff");
}

async fn a_return_appears_in_shopify_and_is_refunded_there(service: Service) {
    let shop = connected(&service, "mirror").await;
    let (sold, path, request) = returned(&service, &shop).await;
    let returns = async || shop.read(&format!("order?id={}", text(&sold["id"]))).await["returns"].clone();
    until(async || returns().await[0]["status"] == "OPEN").await;
    let paid = refunded(&service, &shop, &sold, &path, &request).await;
    assert!(paid["key"].is_null(), "the refund went through the return: {paid}");
    until(async || returns().await[0]["status"] == "CLOSED").await;
    assert_eq!(returns().await.as_array().unwrap().len(), 1);
    // Shopify closes it by itself, which is no end by staff.
    assert_eq!(service.read(&path).await["flags"], json!([]));
    let shown = service.read("/api/v0/account/integrations").await.to_string();
    assert!(shown.contains(r#""operation":"Return""#), "{shown}");
}

async fn a_return_that_staff_declined_in_shopify_is_noted(service: Service) {
    let shop = connected(&service, "mirror").await;
    let policy = json!({"policy": {"autoApprove": false}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, policy).await.status, 200);
    let (sold, path, request) = returned(&service, &shop).await;
    let returns = async || shop.read(&format!("order?id={}", text(&sold["id"]))).await["returns"].clone();
    until(async || returns().await[0]["status"] == "REQUESTED").await;
    shop.control("return/decline", json!({"id": returns().await[0]["id"]})).await;
    let approved = service.patch(&request, &service.demo.key, json!({"stage": "Requested: Approved"})).await;
    assert_eq!(approved.status, 200, "{}", approved.text());
    let timeline = format!("{request}/timeline");
    until(async || service.read(&timeline).await.to_string().contains("The return was declined in Shopify.")).await;
    assert_eq!(service.read(&path).await["flags"], json!(["Ended in Shopify"]));
    assert_eq!(returns().await.as_array().unwrap().len(), 1, "no other return is made");
}

/// Returns a shirt in size M for one in size L, and waits until Shopify shows the return. Returns the path of the request, and the id of
/// the order in the shop.
async fn exchanged(service: &Service, shop: &StandIn) -> (String, String) {
    let lines = json!([{"title": "Shirt", "sku": "S-M", "price": "20.00", "variants": [{"title": "L", "sku": "S-L"}]}]);
    let sold = shop.control("orders", json!({"name": "#5002", "email": "ada@example.com", "lines": lines})).await;
    let ada = service.prove("5002", "ada@example.com").await;
    let shirt = service.purchases(&ada).await[0].clone();
    let options = json!([{"sku": "S-M", "name": "Shirt"}, {"sku": "S-L", "name": "L"}]);
    assert_eq!(shirt["product"]["exchangeOptions"], options);
    let mut chosen = choose(&shirt, 1);
    chosen["requestedResolution"] = json!("Exchange");
    chosen["exchangeFor"] = json!({"sku": "S-L"});
    let wish = json!({"selectedPurchases": [chosen], "shippingOptionId": shirt["shippingOptions"][0]["id"]});
    let draft = service.post(&format!("/consumer/{}/draft-return-order", ada.id), &ada.token, wish).await.json();
    let submit = json!({"draftReturnOrderId": draft["id"]});
    let order = service.post(&format!("/consumer/{}/return-order", ada.id), &ada.token, submit).await;
    assert_eq!(order.status, 201, "{}", order.text());
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order.json()["id"]));
    let requests = format!("/api/v0/account/{}/return-requests", service.demo.account.id);
    let request = format!("{requests}/{}", text(&service.read(&path).await["returnRequests"][0]["id"]));
    let in_shop = async || shop.read(&format!("order?id={}", text(&sold["id"]))).await;
    until(async || in_shop().await["returns"][0]["status"] == "OPEN").await;
    assert_eq!(in_shop().await["returns"][0]["exchanges"][0]["sku"], "S-L");
    (request, text(&sold["id"]))
}

async fn an_exchange_is_sent_by_shopify(service: Service) {
    let shop = connected(&service, "mirror").await;
    let (request, sold) = exchanged(&service, &shop).await;
    let in_shop = async || shop.read(&format!("order?id={sold}")).await;
    let receipt = service.post(&format!("{request}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(receipt.status, 200);
    until(async || service.read(&request).await["stage"] == "Resolution: Completed").await;
    let name = in_shop().await["returns"][0]["name"].clone();
    assert_eq!(service.read(&request).await["resolution"]["externalReference"], name);
    until(async || in_shop().await["returns"][0]["status"] == "CLOSED").await;
    assert_eq!(in_shop().await["lines"][1]["sku"], "S-L");
    assert_eq!(shop.read("ledger").await, json!([]));
}

async fn an_exchange_that_becomes_a_refund_leaves_shopify_s_return(service: Service) {
    let shop = connected(&service, "mirror").await;
    let (request, sold) = exchanged(&service, &shop).await;
    shop.control("variant", json!({"order": sold, "sku": "S-L", "forSale": false})).await;
    let receipt = service.post(&format!("{request}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(receipt.status, 200);
    until(async || service.read(&request).await["stage"] == "Resolution: Failed").await;
    service.database.run(r#"UPDATE shop_returns SET refused = '["parcel T-1"]'"#).await;
    let refund = json!({"stage": "Resolution: Processing", "requestedResolution": "Refund"});
    let changed = service.patch(&request, &service.demo.key, refund).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    until(async || service.read(&request).await["stage"] == "Resolution: Completed").await;
    let in_shop = async || shop.read(&format!("order?id={sold}")).await["returns"].clone();
    until(async || in_shop().await[0]["status"] == "CLOSED").await;
    let returns = in_shop().await;
    assert_eq!((returns.as_array().unwrap().len(), &returns[0]["exchanges"]), (1, &json!([])));
    assert_eq!(shop.read("ledger").await.as_array().unwrap().len(), 1);
    let refused = service.database.texts("SELECT refused FROM shop_returns").await;
    assert_eq!(refused, ["[]"], "staff tried again");
}

async fn units_in_another_return_of_the_shop_are_refunded_by_a_person(service: Service) {
    let shop = connected(&service, "mirror").await;
    let lines = json!([{"title": "Mug", "sku": "MUG-BLUE", "quantity": 1, "price": "20.00"}]);
    let sold = shop.control("orders", json!({"name": "#5001", "email": "ada@example.com", "lines": lines})).await;
    let ada = service.prove("5001", "Ada@Example.com").await;
    let bought = service.purchases(&ada).await;
    let by_phone = json!({"order": sold["id"], "lines": [{"line": 0, "quantity": 1, "note": "by phone"}]});
    let theirs = shop.control("return", by_phone).await;
    let order = service.create_return(&ada, &bought).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let id = text(&service.read(&path).await["returnRequests"][0]["id"]);
    let request = format!("/api/v0/account/{}/return-requests/{id}", service.demo.account.id);
    let receipt = service.post(&format!("{request}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(receipt.status, 200);
    // Its pauses are minutes long.
    let at_once = async || {
        for table in ["shop_returns", "settlements"] {
            service.database.run(&format!("UPDATE {table} SET due_at = 0 WHERE due_at > 0")).await;
        }
    };
    until(async || {
        at_once().await;
        service.read(&request).await["stage"] == "Resolution: Failed"
    })
    .await;
    let timeline = service.read(&format!("{request}/timeline")).await.to_string();
    assert!(timeline.contains("they are part of another return there"), "{timeline}");
    assert_eq!(shop.read("ledger").await, json!([]));

    shop.control("return/cancel", json!({"id": theirs["id"]})).await;
    let returns = async || shop.read(&format!("order?id={}", text(&sold["id"]))).await["returns"].clone();
    until(async || {
        at_once().await;
        returns().await.as_array().unwrap().len() == 2
    })
    .await;
    let again = json!({"stage": "Resolution: Processing"});
    let again = service.patch(&request, &service.demo.key, again).await;
    assert_eq!(again.status, 200, "{}", again.text());
    until(async || service.read(&request).await["stage"] == "Resolution: Completed").await;
    assert_eq!(shop.read("ledger").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_check_names_what_is_missing_and_changes_nothing() {
    let shop = StandIn::start();
    shop.control("orders", json!({"lines": [{"price": "5.00"}]})).await;
    let client_id = shop.secret("clientId");
    let checked = shop.check(&["--client-id", &client_id]).await;
    assert_eq!(checked.code, Some(0), "{}{}", checked.stdout, checked.stderr);
    let passed = checked.with('✓').join("\n");
    assert!(passed.contains("2026-10, which Shopify supports until 2027-10-01 at least"), "{passed}");
    assert!(passed.contains("paid by shopify_payments"), "{passed}");

    shop.control("scopes", json!({"scopes": ["read_orders", "read_products"]})).await;
    shop.control("shop", json!({"protectedData": false})).await;
    let checked = shop.check(&["--client-id", &client_id, "--api-version", "2026-07"]).await;
    assert_eq!(checked.code, Some(1));
    let failed = checked.with('✗');
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert!(failed[0].starts_with("write_orders") && failed[1].starts_with("protected customer data"), "{failed:?}");
    let warned = checked.with('!').join("\n");
    assert!(warned.contains("webhooks: none to Retour"), "{warned}");
    for scope in ["read_all_orders", "read_locations", "write_returns"] {
        assert!(warned.contains(scope), "{warned}");
    }

    let mut program = Command::new(env!("CARGO_BIN_EXE_retour"));
    program.args(["bridge", "check", &shop.url, "--shopify", "--access-token", "shpat_wrong"]);
    let refused = {
        program.env("RETOUR_OUTBOUND_ALLOW", "127.0.0.0/8").env_remove("RETOUR_BRIDGE_SECRET");
        run(program).await
    };
    assert!(
        refused.stdout.contains("✗ the connection: Shopify does not accept the access token"),
        "{}",
        refused.stdout
    );
    let calls = shop.read("calls").await.to_string();
    assert!(!calls.contains("refundCreate") && !calls.contains("metafieldsSet"), "{calls}");
}
