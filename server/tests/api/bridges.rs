//! A shop that is connected through a bridge, from the look-up to the refund in the shop.

use crate::{
    bridge_check::SECRET,
    bridge_examples::Example,
    browser::Browser,
    harness::{Answer, Consumer, Service, on_both_databases, text},
    receiver::{Receiver, until},
    webhook_examples::folder,
};
use returns::{Role, Scope};
use serde_json::{Value, json};

on_both_databases! {
    a_shop_that_does_not_answer_shows_in_errors_health_and_metrics
    only_staff_see_wrong_answers_of_the_shop
}

mod by_a_real_clock {
    use super::an_order_of_the_example_bridge_is_returned_and_refunded;
    use crate::webhook_examples::with_real_clock;

    #[test]
    fn sqlite() {
        store::testing::on_sqlite(async |database| {
            an_order_of_the_example_bridge_is_returned_and_refunded(with_real_clock(database).await).await;
        });
    }

    #[test]
    fn postgres() {
        store::testing::on_postgres(async |database| {
            an_order_of_the_example_bridge_is_returned_and_refunded(with_real_clock(database).await).await;
        });
    }
}

async fn connect(service: &Service, url: &str) -> Answer {
    let change =
        json!({"bridge": {"kind": "http", "url": url, "secret": SECRET}, "policy": {"returnWindowDays": 3650}});
    service.patch("/api/v0/account", &service.demo.key, change).await
}

async fn look_up(service: &Service) -> Answer {
    let body = json!({"account": service.demo.account.slug, "orderNumber": "1001", "email": "ada@example.com"});
    service.post("/auth/consumer", "", body).await
}

async fn an_order_of_the_example_bridge_is_returned_and_refunded(service: Service) {
    let folder = folder();
    let shop = Example::start("bridge.mjs", folder.path()).await;
    assert_eq!(connect(&service, &shop.url).await.status, 200);
    // The example sells in euros.
    let options = format!("/api/v0/account/{}/shipping-options", service.demo.account.id);
    let all = service.read(&options).await["data"].as_array().unwrap().clone();
    let printed = all.iter().find(|option| option["method"] == "Label").unwrap();
    let option = format!("{options}/{}", text(&printed["id"]));
    let prices = json!({"prices": [{"value": "2.95", "currency": "EUR"}]});
    assert_eq!(service.patch(&option, &service.demo.key, prices).await.status, 200);
    let retour = service.retour.clone();
    tokio::spawn(async move { workers::Workers::new(&retour).settle_returns(std::future::pending()).await });

    let ada = service.prove("1001", "Ada@Example.com").await;
    let bought = service.purchases(&ada).await;
    let mugs: Vec<Value> = bought.into_iter().filter(|line| line["product"]["sku"] == "MUG-BLUE").collect();
    assert_eq!(mugs[0]["totalPrice"], json!({"value": "79.95", "currency": "EUR"}));
    let order = service.create_return(&ada, &mugs).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests", text(&order["id"]));
    let requests = format!("/api/v0/account/{}/return-requests", service.demo.account.id);
    let id = text(&service.read(&path).await["returnRequests"][0]["id"]);
    let request = format!("{requests}/{id}");
    assert_eq!(
        service.post(&format!("{request}/receipts"), &service.demo.key, json!({"quantity": 1})).await.status,
        200
    );
    until(async || service.read(&request).await["stage"] == "Resolution: Completed").await;
    assert_eq!(service.read(&request).await["resolution"]["externalReference"], "refund-1");

    // A quarter of 79.95, rounded to cents, minus the shipping fee. The shop records the unit as refunded.
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("bridge.json")).unwrap()).unwrap();
    let refunds = kept["refunds"].as_array().unwrap();
    let cost = &service.read(&path).await["costBreakdown"];
    let cents = |amount: &Value| text(&amount["value"]).replace('.', "").parse::<i64>().unwrap();
    assert_eq!((refunds.len(), &refunds[0]["units"]), (1, &json!(1)));
    assert_eq!(refunds[0]["total"], json!(cents(&cost["estimatedRefund"])), "{cost}");
    let again = service.prove("1001", "ada@example.com").await;
    let left: Vec<Value> = service.purchases(&again).await;
    let left: Vec<Value> = left.into_iter().filter(|line| line["product"]["sku"] == "MUG-BLUE").collect();
    assert_eq!(left[0]["returnableQuantity"], 3, "{left:?}");
    downloads_the_label_of_the_example(&service, &again, &left).await;
}

/// Once the account is set so, the example creates the labels.
async fn downloads_the_label_of_the_example(service: &Service, ada: &Consumer, mugs: &[Value]) {
    let carrier = json!({"carrier": {"kind": "bridge"}});
    let changed = service.patch("/api/v0/account", &service.demo.key, carrier.clone()).await;
    assert_eq!((changed.status, &changed.json()["carrier"]["kind"]), (200, &json!("bridge")));
    let retour = service.retour.clone();
    tokio::spawn(async move { workers::Workers::new(&retour).make_labels(std::future::pending()).await });

    let order = service.create_return(ada, mugs).await;
    let path = format!("/api/v0/return-orders/{}?expand=returnRequests&expand=shipments", text(&order["id"]));
    let stage = async || text(&service.read(&path).await["returnRequests"][0]["stage"]);
    until(async || stage().await == "Submitted: Ready").await;
    let parcel = &service.read(&path).await["shipments"][0];
    let seen = ["carrier", "trackingNumber", "labelBarcode", "qrCode"].map(|field| text(&parcel[field]));
    assert_eq!(seen, ["Test", "TEST-1", "TEST-1", "TEST-1"]);
    let label = format!("/consumer/{}/return-order/{}/label", ada.id, text(&order["id"]));
    let label = service.get(&label, &ada.token).await;
    let zpl = format!("^XA^FO50,50^A0N,40^FD{} TEST-1^FS^XZ", text(&order["number"]));
    assert_eq!((label.header("content-type"), label.text()), (Some("application/zpl"), zpl));
    let metrics = service.get("/metrics", "").await.text();
    assert!(metrics.contains("retour_carrier_label_duration_seconds_count{outcome=\"Created\"} 1\n"), "{metrics}");
}

async fn a_shop_that_does_not_answer_shows_in_errors_health_and_metrics(service: Service) {
    let shop = Receiver::start().await;
    let connected = connect(&service, &shop.url).await;
    assert_eq!(connected.json()["bridge"], json!({"kind": "http", "url": shop.url}), "the secret is not shown");
    let health = async || service.get("/health/ready", "").await.json();
    assert_eq!(health().await, json!({"ready": true, "writable": true, "bridgesUnavailable": 0}));
    shop.answer(503);
    for _ in 0..5 {
        let refused = look_up(&service).await;
        crate::webhooks::refused(&refused, 502, "BridgeUnavailable");
    }
    assert_eq!(
        health().await,
        json!({"ready": true, "writable": true, "bridgesUnavailable": 1}),
        "the service itself is ready"
    );
    shop.answer(404);
    let left_alone = look_up(&service).await;
    assert_eq!(left_alone.status, 502, "the shop is not called");
    let wait: u64 = left_alone.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=30).contains(&wait), "{wait}");
    let asked = shop.received().iter().filter(|got| !got.header("webhook-id").is_empty()).count();
    assert_eq!(asked, 5);
    let metrics = service.get("/metrics", "").await.text();
    for line in [
        "retour_bridges_unavailable 1",
        "retour_bridge_look_up_duration_seconds_count{outcome=\"Unavailable\"} 5",
        "retour_bridge_look_up_duration_seconds_count{outcome=\"LeftAlone\"} 1",
        "retour_settlement_pending 0",
        "retour_label_pending 0",
        "retour_label_oldest_pending_seconds 0",
    ] {
        assert!(metrics.lines().any(|known| known == line), "{line}: {metrics}");
    }
}

async fn only_staff_see_wrong_answers_of_the_shop(service: Service) {
    let shop = Receiver::start().await; // its answers are not JSON
    let path = format!("/api/v0/account/{}/integrations", service.demo.account.id);
    let integrations = async || service.read(&path).await;
    let none = json!({"data": [], "limit": 0, "page": 1, "nextPage": null, "hasMore": false});
    assert_eq!(integrations().await, none, "the demo catalog is no integration");
    let desk = service.at_desk("grace@team.example", Role::Agent).await;
    assert!(desk.get("/desk/connections").await.text().contains("Nothing is connected"));
    assert_eq!(connect(&service, &shop.url).await.status, 200);
    let untouched = json!({"role": "Shop", "kind": "http", "lastSuccessAt": null, "lastErrorAt": null, "errorMessage": null,
        "failedAttempts": 0, "nextAttemptAt": null, "operations": []});
    assert_eq!(integrations().await["data"], json!([untouched]));
    let refused = look_up(&service).await;
    crate::webhooks::refused(&refused, 502, "BridgeUnavailable");
    until(async || integrations().await["data"][0]["failedAttempts"] == 1).await;
    let known = integrations().await["data"][0].clone();
    let message = text(&known["errorMessage"]);
    assert!(message.contains("expected JSON") && known["lastErrorAt"].is_string(), "{known}");
    let operation = &known["operations"][0];
    assert_eq!((&operation["operation"], &operation["errorMessage"]), (&json!("LookUp"), &known["errorMessage"]));
    let page = desk.get("/desk/connections").await.text();
    for part in ["Your own program", "Calls fail", "Find an order", "expected JSON", "When it is needed again"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let page = desk.get("/desk").await.text();
    assert!(page.contains("<a href=\"/desk/connections\">Problem with a connection: Shop</a>"), "{page}");
    // Neither the API nor the portal shows it to shoppers.
    let browser = Browser::new(&service);
    let form = [("orderNumber", "1001"), ("proof", "ada@example.com")];
    let sent = browser.send(reqwest::Method::POST, "/fjord-fern/call/look-up", &form).await;
    let page = browser.get("/fjord-fern").await;
    for shown in [refused.text(), sent.text(), page.text()] {
        assert!(!shown.contains("expected JSON"), "{shown}");
    }
    // A reader sees it, also without the account's id. Another account sees only its own integrations.
    let reader =
        service.retour.operator().create_service_user(service.demo.account.id, "reader", &[Scope::Read]).await.unwrap();
    assert_eq!(service.get("/api/v0/account/integrations", &reader).await.json()["data"].as_array().unwrap().len(), 1);
    assert_eq!(service.get("/api/v0/account/integrations", &service.other_key).await.json(), none);
    assert_eq!(service.get(&path, &service.other_key).await.status, 404);
    assert_eq!(service.get(&path, "").await.status, 401);
}
