//! A shop with a ledger pays approved refunds, while the program is killed at random between the request to the shop, its answer and the commit. In
//! the end, every return is paid once, and the ledger and the database have the same amounts.

use crate::{
    crash::{Client, SHOP, random, take_over},
    is_long,
    support::process::{Server, run},
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use store::testing::Database;
use tokio::{net::TcpListener, task::JoinSet, time::sleep};

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

store::on_each_database! {
    async fn every_approved_return_is_paid_once_after_every_kill(database: Database) {
        let returns = if is_long() { 200 } else { 30 };
        let shop = LedgerShop::listen().await;
        let address = Server::free_address();
        let key = connect(&database.url);
        let mut server = Server::start_at(&database.url, address).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        let bridge = json!({"bridge": {"kind": "http", "url": shop.url, "secret": SECRET}});
        client.staff(Method::PATCH, "/account", None, &bridge).await;
        let mut requests = Vec::new();
        for number in 0..returns {
            requests.push(client.return_one(number).await.1);
        }

        let mut approving = JoinSet::new();
        for (number, request) in requests.iter().cloned().enumerate() {
            let client = client.clone();
            approving.spawn(async move {
                sleep(Duration::from_millis(random(50 * returns as u64))).await;
                let approve = json!({"stage": "Resolution: Approved", "fromStage": "Resolution: Pending"});
                let (path, key) = (format!("/return-requests/{request}"), format!("approve {number}"));
                client.staff(Method::PATCH, &path, Some(&key), &approve).await;
            });
        }
        let mut kills = 0;
        while !approving.is_empty() {
            sleep(Duration::from_millis(random(1_200))).await;
            server.kill();
            kills += 1;
            // A look-up in the shop counts as a guess until it succeeds. A killed program leaves the count.
            database.run("DELETE FROM guesses").await;
            server = Server::start_at(&database.url, address).await;
            while approving.try_join_next().is_some_and(|approved| approved.is_ok()) {}
        }
        server = take_over(server, &database, address, &["UPDATE settlements SET held_until = 0"]).await;
        wait_until_settled(&database).await;

        let ledger = shop.ledger();
        check_ledger(&client, &ledger, &requests).await;
        let asked: usize = ledger.values().map(|paid| paid.asked).sum();
        println!(
            "{:?}: killed {kills} times; {returns} returns approved, each paid once; {} asked for again",
            database.store.kind(),
            asked - returns,
        );
        drop(server);
    }
}

/// An account in which staff approve returns, connected to a shop. Returns an admin's key.
pub fn connect(url: &str) -> String {
    run(url, &["migrate"]);
    make_account(url, SHOP);
    run(url, &["service-user", "create", "--account", SHOP, "--name", "all", "--scopes", "admin"])
}

/// An account in which staff approve returns.
pub fn make_account(url: &str, slug: &str) {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.json");
    std::fs::write(&policy, r#"{"returnWindowDays": null, "autoResolve": false}"#).unwrap();
    let policy = policy.to_str().unwrap();
    run(url, &["account", "create", "--slug", slug, "--name", "Chaos", "--currency", "GBP", "--policy", policy]);
}

/// Checks that each of these return requests was paid once, to the penny, and nothing else.
pub async fn check_ledger(client: &Client, ledger: &HashMap<String, LedgerEntry>, requests: &[String]) {
    let mut by_request: HashMap<&str, Vec<&LedgerEntry>> = HashMap::new();
    for paid in ledger.values() {
        by_request.entry(&paid.request).or_default().push(paid);
    }
    for request in requests {
        let path = format!("/return-requests/{request}");
        let found = client.staff(Method::GET, &path, None, &Value::Null).await;
        assert_eq!(found["stage"], "Resolution: Completed");
        let [paid] = by_request.get(request.as_str()).map(Vec::as_slice).unwrap_or_default() else {
            panic!("{request} was not paid once: {:?}", by_request.get(request.as_str()));
        };
        let owed = found["resolution"]["value"]["value"].as_str().unwrap().replace('.', "");
        assert_eq!(owed, paid.total.to_string(), "{found}");
        assert_eq!(found["resolution"]["externalReference"], json!(paid.reference));
    }
    assert_eq!(ledger.len(), requests.len());
}

/// Waits until every refund is paid. A request that failed is repeated after a while.
async fn wait_until_settled(database: &Database) {
    for _ in 0..1_200 {
        if database.rows("settlements").await == 0 {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("{} settlements still wait after two minutes", database.rows("settlements").await);
}

/// A refund that was paid under a transaction id.
#[derive(Debug, Clone)]
pub struct LedgerEntry {
    request: String,
    /// In pennies.
    total: i64,
    reference: String,
    asked: usize,
}

/// A merchant's bridge that pays, and answers later.
#[derive(Clone)]
pub struct LedgerShop {
    pub url: String,
    ledger: Arc<Mutex<HashMap<String, LedgerEntry>>>,
}

impl LedgerShop {
    pub async fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let shop = Self { url: format!("http://{}/", listener.local_addr().unwrap()), ledger: Arc::default() };
        let routes = Router::new().route("/get-purchases", post(get_purchases)).route("/resolve-return", post(resolve));
        let app = routes.with_state(shop.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        shop
    }

    pub fn ledger(&self) -> HashMap<String, LedgerEntry> {
        self.ledger.lock().unwrap().clone()
    }
}

pub fn verified(headers: &HeaderMap, body: &Bytes) -> Result<Value, StatusCode> {
    let webhook = standardwebhooks::Webhook::new(SECRET).unwrap();
    webhook.verify(body, headers).map_err(|_| StatusCode::UNAUTHORIZED)?;
    Ok(serde_json::from_slice(body).unwrap())
}

/// Every order has one line with one unit for 10.00.
pub async fn get_purchases(headers: HeaderMap, body: Bytes) -> Result<Json<Value>, StatusCode> {
    let asked = verified(&headers, &body)?;
    let (number, email) = (&asked["credentials"]["orderNumber"], &asked["credentials"]["email"]);
    let money = |value: &str| json!({"value": value, "currency": "GBP"});
    Ok(Json(json!({
        "consumer": {"email": email},
        "purchases": [{
            "purchaseId": number, "product": {"name": "Mug"}, "quantity": 1, "paid": money("10.00"), "tax": money("0.00"),
            "taxIncluded": true, "refundedQuantity": 0, "fulfilledAt": "2026-01-02T00:00:00Z",
            "order": {"id": number, "number": number, "orderedAt": "2026-01-02T00:00:00Z", "currency": "GBP",
                "shippingPaid": money("0.00")},
        }],
    })))
}

async fn resolve(State(shop): State<LedgerShop>, headers: HeaderMap, body: Bytes) -> Result<Json<Value>, StatusCode> {
    let asked = verified(&headers, &body)?;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let id = text(&asked["transactionId"]);
    sleep(Duration::from_millis(random(100))).await;
    let reference = {
        let mut ledger = shop.ledger.lock().unwrap();
        let next = ledger.len();
        let paid = ledger.entry(id).or_insert_with(|| {
            let item = &asked["items"][0];
            let cents = |amount: &Value| text(&amount["value"]).replace('.', "").parse::<i64>().unwrap();
            let total = cents(&item["amount"]) + cents(&asked["shippingRefund"]) - cents(&asked["fees"]);
            LedgerEntry {
                request: text(&item["returnRequestId"]),
                total,
                reference: format!("refund {next}"),
                asked: 0,
            }
        });
        paid.asked += 1;
        paid.reference.clone()
    };
    sleep(Duration::from_millis(random(200))).await; // the refund is paid, so this is the time to be killed
    Ok(Json(json!({"status": "Completed", "externalReference": reference})))
}
