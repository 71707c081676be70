//! A shop with the `http` bridge: the time of a look-up beyond the bridge's own time, and how many resolutions per
//! second the worker sends. The bridge answers at once, and a bare client calls it as well.

use axum::{Json, Router, body::Bytes, routing::post};
use domain::{
    AccountId, Currency,
    account::Account,
    branding::Branding,
    policy::{LookUpBy, Policy, Resolution, ResolveOn},
    returning,
};
use returns::{
    AccountChange, ClientAddress, Done, Http, NewAccount, Page, Proof, Retour, Scope, Selection, Shopper, Source,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use store::{DatabaseKind, testing::Database};
use tokio::{net::TcpListener, sync::oneshot, task::JoinSet};

const ORDERS: usize = 1_000;
/// Orders that exist before the measurement.
const BEFORE: usize = 2_000;
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/// Returns that are created concurrently.
const AT_ONCE: usize = 8;

/// The result.
pub struct Bridges {
    /// The median time of a look-up.
    pub look_up: Duration,
    /// The median time of a bare request to the bridge.
    pub bare: Duration,
    /// The median time of a transaction that writes one row, on the same database at the same time.
    pub row: Duration,
    pub settled_per_second: f64,
}

/// Measures on a migrated database.
pub async fn run(database: &Database) -> Bridges {
    let url = listen().await;
    let (retour, account) = Box::pin(shop(database, &url)).await;
    for number in 0..BEFORE {
        look_up(&retour, &account, ORDERS + number).await;
    }
    analyze(database).await;
    let mut look_ups = Vec::with_capacity(ORDERS);
    let mut shoppers = Vec::with_capacity(ORDERS);
    for number in 0..ORDERS {
        let began = Instant::now();
        shoppers.push(look_up(&retour, &account, number).await);
        look_ups.push(began.elapsed());
    }
    let (bare, row) = (bare(&url).await, row(database).await);

    let mut shoppers = shoppers.into_iter();
    let mut returning = JoinSet::new();
    loop {
        while returning.len() < AT_ONCE
            && let Some(shopper) = shoppers.next()
        {
            returning.spawn(create_return(retour.clone(), shopper));
        }
        let Some(returned) = returning.join_next().await else { break };
        returned.unwrap();
    }
    analyze(database).await;
    let began = Instant::now();
    let (stop, stopped) = oneshot::channel::<()>();
    let settling = retour.clone();
    let worker = tokio::spawn(async move {
        workers::Workers::new(&settling).settle_returns(async move { drop(stopped.await) }).await;
    });
    while retour.operator().backlog().await.unwrap().settlements.count > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let settled_per_second = super::per_second(ORDERS, began.elapsed());
    stop.send(()).unwrap();
    worker.await.unwrap();
    let completed = "SELECT COUNT(*) FROM return_requests WHERE stage = 'Resolution: Completed'";
    assert_eq!(database.number(completed).await, i64::try_from(ORDERS).unwrap());
    Bridges { look_up: median(look_ups), bare, row, settled_per_second }
}

/// Updates Postgres's statistics. Autovacuum runs once a minute, and has last seen empty tables.
pub async fn analyze(database: &Database) {
    if database.store.kind() == DatabaseKind::Postgres {
        database.run("ANALYZE").await;
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// An account whose returns are approved at submission.
async fn shop(database: &Database, url: &str) -> (Retour, Account) {
    let retour = Retour::new(database.store.clone(), Source::system())
        .configured(|config| config.secret_keys = "0123456789abcdef0123456789abcdef".parse().unwrap())
        .configured(|config| config.http = Some(Http::new("127.0.0.1".parse().unwrap()).unwrap()));
    let policy = Policy {
        return_window_days: None,
        resolve_on: ResolveOn::Submission,
        look_up_by: vec![LookUpBy::Email],
        ..Policy::default()
    };
    let new = NewAccount {
        slug: "bridges".to_owned(),
        name: "Bridges".to_owned(),
        currency: Currency::from_code("GBP").unwrap(),
        time_zone: domain::TimeZone::UTC,
        policy,
        branding: Branding::default(),
        api_origins: Vec::new(),
    };
    let id: AccountId = retour.operator().create_account(new).await.unwrap().id;
    let key = retour.operator().create_service_user(id, "all", &[Scope::Admin]).await.unwrap();
    let staff = retour.caller(&key).await.unwrap().as_staff(Scope::Admin).unwrap();
    let change = json!({"bridge": {"kind": "http", "url": url, "secret": SECRET}});
    let change: AccountChange = serde_json::from_value(change).unwrap();
    retour.merchant(&staff).change_account(change, None, None).await.unwrap();
    let account = retour.account("bridges").await.unwrap();
    (retour, account)
}

fn email(number: usize) -> String {
    format!("buyer{number}@example.com")
}

async fn look_up(retour: &Retour, account: &Account, number: usize) -> Shopper {
    let from = ClientAddress(std::net::IpAddr::from([127, 0, 0, 1]));
    retour.identify(account, &number.to_string(), Proof::Email(email(number)), from).await.unwrap().shopper
}

/// The time of the same requests from a bare client.
async fn bare(url: &str) -> Duration {
    let client = reqwest::Client::new();
    let mut times = Vec::with_capacity(ORDERS);
    for number in 0..ORDERS {
        let asked = json!({"credentials": {"orderNumber": number.to_string(), "email": email(number)}});
        let began = Instant::now();
        let answer = client.post(format!("{url}get-purchases")).json(&asked).send().await.unwrap();
        let _: Value = answer.json().await.unwrap();
        times.push(began.elapsed());
    }
    median(times)
}

async fn row(database: &Database) -> Duration {
    let mut times = Vec::with_capacity(ORDERS);
    for number in 0..ORDERS {
        let counter = store::guesses::Counter { subject: number.to_be_bytes().to_vec(), allowed: 1 };
        let began = Instant::now();
        let mut writing = database.store.write().await.unwrap();
        assert!(store::guesses::count(writing.db(), &[counter], domain::Timestamp::from_micros(0)).await.unwrap());
        writing.commit().await.unwrap();
        times.push(began.elapsed());
    }
    median(times)
}

async fn create_return(retour: Retour, shopper: Shopper) {
    let page = Page::first(1);
    let bought = retour.consumer(&shopper).purchases(page, None).await.unwrap().data;
    let selection = Selection {
        purchase_id: bought[0].id,
        quantity: 1,
        return_reason_id: Some(bought[0].return_reasons[0].id),
        comment: String::new(),
        answers: Vec::new(),
        resolution: Resolution::Refund,
        exchange_for: None,
    };
    let offered = Some(bought[0].shipping_options[0].id);
    let draft = retour.consumer(&shopper).draft(vec![selection], offered, None).await.unwrap();
    let Done::Fresh { value: draft, .. } = draft else { panic!("nobody sent a key") };
    retour.consumer(&shopper).submit(draft.id, returning::ReturnSource::Portal, None).await.unwrap();
}

async fn listen() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let paid = || async { Json(json!({"status": "Completed", "externalReference": "re_1"})) };
    let app = Router::new().route("/get-purchases", post(get_purchases)).route("/resolve-return", post(paid));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    url
}

/// Every order has one line.
pub async fn get_purchases(body: Bytes) -> Json<Value> {
    let asked: Value = serde_json::from_slice(&body).unwrap();
    let (number, email) = (&asked["credentials"]["orderNumber"], &asked["credentials"]["email"]);
    let money = |value: &str| json!({"value": value, "currency": "GBP"});
    Json(json!({
        "consumer": {"email": email},
        "purchases": [{
            "purchaseId": number, "product": {"name": "Mug"}, "quantity": 1, "paid": money("10.00"),
            "tax": money("0.00"), "taxIncluded": true, "refundedQuantity": 0, "fulfilledAt": "2026-01-02T00:00:00Z",
            "order": {"id": number, "number": number, "orderedAt": "2026-01-02T00:00:00Z", "currency": "GBP",
                "shippingPaid": money("0.00")},
        }],
    }))
}
