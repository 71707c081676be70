//! A carrier with a ledger creates labels, while the program is killed at random between the request to the carrier, its answer, the file and the
//! commit. In the end, every shipment has the one label that was created for it.

use crate::{
    crash::{Client, random, take_over},
    is_long,
    refunds::{SECRET, connect, get_purchases, verified},
    support::process::Server,
};
use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use store::testing::Database;
use tokio::{net::TcpListener, task::JoinSet, time::sleep};

store::on_each_database! {
    async fn every_shipment_has_one_label_after_every_kill(database: Database) {
        let returns = if is_long() { 200 } else { 30 };
        let carrier = Carrier::listen().await;
        let address = Server::free_address();
        let key = connect(&database.url);
        let mut server = Server::start_at(&database.url, address).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        let settings = json!({"bridge": {"kind": "http", "url": carrier.url, "secret": SECRET}, "carrier": {"kind": "bridge"}});
        client.staff(Method::PATCH, "/account", None, &settings).await;

        let mut submitting = JoinSet::new();
        for number in 0..returns {
            let client = client.clone();
            submitting.spawn(async move {
                sleep(Duration::from_millis(random(50 * returns as u64))).await;
                client.submit_one(number).await.0
            });
        }
        let (mut kills, mut orders) = (0, Vec::new());
        while orders.len() < returns {
            sleep(Duration::from_millis(random(1_200))).await;
            server.kill();
            kills += 1;
            // A look-up in the shop counts as a guess until it succeeds. A killed program leaves the count.
            database.run("DELETE FROM guesses").await;
            server = Server::start_at(&database.url, address).await;
            while let Some(submitted) = submitting.try_join_next() {
                orders.push(submitted.unwrap());
            }
        }
        server = take_over(server, &database, address, &["UPDATE label_requests SET held_until = 0"]).await;
        wait_until_made(&database).await;

        let book = carrier.book();
        for order in &orders {
            let path = format!("/shipments?filter=returnOrderId:{order}");
            let found = client.staff(Method::GET, &path, None, &Value::Null).await;
            let [parcel] = &found["data"].as_array().unwrap()[..] else { panic!("one parcel: {found}") };
            assert_eq!(parcel["status"], "LabelCreated");
            let made: Vec<&CreatedLabel> = book.values().filter(|made| made.order == *order).collect();
            let [made] = made[..] else { panic!("{} labels were created for {order}", made.len()) };
            assert_eq!((&parcel["trackingNumber"], &parcel["labelBarcode"]), (&json!(made.number), &json!(made.number)));
            let url = format!("{}{}", client.base, parcel["labelUrl"].as_str().unwrap());
            let file = client.http.get(url).bearer_auth(&client.key).send().await.unwrap().error_for_status().unwrap();
            assert_eq!(file.text().await.unwrap(), zpl(&made.number));
        }
        let told = database.rows("events WHERE type = 'shipment.label_created'").await;
        assert_eq!((book.len(), usize::try_from(told).unwrap()), (returns, returns));
        let asked: usize = book.values().map(|made| made.asked).sum();
        println!(
            "{:?}: killed {kills} times; {returns} labels, each made once; {} asked for again",
            database.store.kind(),
            asked - returns,
        );
        drop(server);
    }
}

/// Waits until every label is created. A request that failed is repeated after a while.
async fn wait_until_made(database: &Database) {
    for _ in 0..1_200 {
        if database.rows("label_requests").await == 0 {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("{} labels are still pending after two minutes", database.rows("label_requests").await);
}

/// A label that was created under a transaction id.
#[derive(Debug, Clone)]
struct CreatedLabel {
    order: String,
    number: String,
    asked: usize,
}

fn zpl(number: &str) -> String {
    format!("^XA^FO50,50^FD{number}^FS^XZ")
}

/// A merchant's bridge that creates a label, and answers later.
#[derive(Clone)]
struct Carrier {
    url: String,
    book: Arc<Mutex<HashMap<String, CreatedLabel>>>,
}

impl Carrier {
    async fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let carrier = Self { url: format!("http://{}/", listener.local_addr().unwrap()), book: Arc::default() };
        let routes = Router::new().route("/get-purchases", post(get_purchases)).route("/get-label", post(make));
        let app = routes.with_state(carrier.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        carrier
    }

    fn book(&self) -> HashMap<String, CreatedLabel> {
        self.book.lock().unwrap().clone()
    }
}

async fn make(State(carrier): State<Carrier>, headers: HeaderMap, body: Bytes) -> Result<Json<Value>, StatusCode> {
    let asked = verified(&headers, &body)?;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    sleep(Duration::from_millis(random(100))).await;
    let number = {
        let mut book = carrier.book.lock().unwrap();
        let number = format!("3S{}", book.len());
        let order = text(&asked["returnOrderId"]);
        let made = book.entry(text(&asked["transactionId"])).or_insert(CreatedLabel { order, number, asked: 0 });
        made.asked += 1;
        made.number.clone()
    };
    sleep(Duration::from_millis(random(200))).await; // the label is created, so this is the time to be killed
    let label = json!({"mediaType": "application/zpl", "data": STANDARD.encode(zpl(&number))});
    Ok(Json(json!({"status": "Created", "trackingNumber": number, "label": label})))
}
