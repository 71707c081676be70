//! The time of a submission while 16 shoppers submit at the same time: in an account whose carrier takes a second for
//! each label, and in one whose labels Retour draws. The requests go to the built program through HTTP.

use crate::{
    bridges::{analyze, get_purchases},
    support::process::{Server, run as command},
};
use axum::{Json, Router, routing::post};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use store::testing::Database;
use tokio::{net::TcpListener, task::JoinSet};

const CLIENTS: usize = 16;
/// Orders that are looked up concurrently.
const ASKING: usize = 8;
/// Returns of each client.
const EACH: usize = 125;
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// The 99th percentiles of a submission.
pub struct Submits {
    /// With labels of a carrier.
    pub by_carrier: Duration,
    /// With labels that Retour draws.
    pub own: Duration,
    /// The same for transactions that write one row, with the same concurrency.
    pub row: Duration,
}

/// Measures on a migrated database.
pub async fn run(database: &Database) -> Submits {
    let server = Server::start(&database.url).await;
    let bridge = json!({"kind": "http", "url": carrier().await, "secret": SECRET});
    let settings = |carrier: &str| json!({"bridge": bridge, "carrier": {"kind": carrier}});
    let own = p99(database, &server, "own", settings("own")).await;
    let by_carrier = p99(database, &server, "carrier", settings("bridge")).await;
    drop(server);
    Submits { by_carrier, own, row: row(database).await }
}

async fn row(database: &Database) -> Duration {
    let mut writing = JoinSet::new();
    for client in 0..CLIENTS {
        let store = database.store.clone();
        writing.spawn(async move {
            let mut times = Vec::new();
            for number in client * EACH..(client + 1) * EACH {
                let counter = store::guesses::Counter { subject: number.to_be_bytes().to_vec(), allowed: 1 };
                let began = Instant::now();
                let mut writing = store.write().await.unwrap();
                let now = domain::Timestamp::from_micros(0);
                assert!(store::guesses::count(writing.db(), &[counter], now).await.unwrap());
                writing.commit().await.unwrap();
                times.push(began.elapsed());
            }
            times
        });
    }
    p99_of(writing.join_all().await.concat())
}

fn p99_of(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

async fn p99(database: &Database, server: &Server, slug: &'static str, settings: Value) -> Duration {
    let key = shop(database, slug);
    let http = Client::new();
    ask(&http, Method::PATCH, &format!("{}/api/v0/account", server.base), &key, settings).await;
    // The service limits the concurrent look-ups of one network in a shop.
    let mut drafting = JoinSet::new();
    for part in 0..ASKING {
        let (http, base) = (http.clone(), server.base.clone());
        drafting.spawn(async move {
            let mut drafts = Vec::new();
            for number in (part..CLIENTS * EACH).step_by(ASKING) {
                drafts.push(draft(&http, &base, slug, number).await);
            }
            drafts
        });
    }
    let drafts = drafting.join_all().await.concat();
    analyze(database).await;
    let mut submitting = JoinSet::new();
    for drafts in drafts.chunks(EACH).map(<[_]>::to_vec) {
        let (http, base) = (Client::new(), server.base.clone());
        submitting.spawn(async move {
            let mut times = Vec::new();
            for (consumer, token, draft) in drafts {
                let began = Instant::now();
                let url = format!("{base}/consumer/{consumer}/return-order");
                ask(&http, Method::POST, &url, &token, json!({"draftReturnOrderId": draft})).await;
                times.push(began.elapsed());
            }
            times
        });
    }
    p99_of(submitting.join_all().await.concat())
}

/// A shop that accepts all returns. Returns an admin's key.
fn shop(database: &Database, slug: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.json");
    std::fs::write(&policy, r#"{"returnWindowDays": null}"#).unwrap();
    let (url, policy) = (&database.url, policy.to_str().unwrap());
    command(url, &["account", "create", "--slug", slug, "--name", slug, "--currency", "GBP", "--policy", policy]);
    command(url, &["service-user", "create", "--account", slug, "--name", "all", "--scopes", "admin"])
}

/// A return that is ready to be submitted: its consumer, their token, and its draft.
async fn draft(http: &Client, base: &str, slug: &str, number: usize) -> (String, String, Value) {
    let credentials =
        json!({"account": slug, "orderNumber": format!("S{number}"), "email": format!("s{number}@example.com")});
    let known = ask(http, Method::POST, &format!("{base}/auth/consumer"), "", credentials).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (consumer, token) = (text(&known["consumer"]["id"]), text(&known["accessToken"]));
    let list = ask(http, Method::GET, &format!("{base}/consumer/{consumer}/purchases"), &token, Value::Null).await;
    let purchase = &list["data"][0];
    let selected = json!({"purchaseId": purchase["id"], "returnReasonId": purchase["returnReasons"][0]["id"]});
    let body = json!({"selectedPurchases": [selected], "shippingOptionId": purchase["shippingOptions"][0]["id"]});
    let draft = ask(http, Method::POST, &format!("{base}/consumer/{consumer}/draft-return-order"), &token, body).await;
    (consumer, token, draft["id"].clone())
}

async fn ask(http: &Client, method: Method, url: &str, token: &str, body: Value) -> Value {
    let mut request = http.request(method, url).bearer_auth(token);
    if !body.is_null() {
        request = request.json(&body);
    }
    let answer = request.send().await.unwrap();
    let (status, bytes) = (answer.status(), answer.bytes().await.unwrap());
    assert!(status.is_success(), "{url}: {status} {}", String::from_utf8_lossy(&bytes));
    serde_json::from_slice(&bytes).unwrap()
}

/// A bridge that has every order, and takes a second for a label.
async fn carrier() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let make = || async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Json(json!({"status": "Created", "trackingNumber": "3S", "qrCode": "3S"}))
    };
    let app = Router::new().route("/get-purchases", post(get_purchases)).route("/get-label", post(make));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    url
}
