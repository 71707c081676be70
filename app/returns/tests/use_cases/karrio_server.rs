//! A stand-in for karrio, from `end2end/peers/karrio`.

use crate::{
    bridges::change_account,
    shop::{Customer, Shop},
    stand_in,
    webhooks::{Hooked, http, until},
};
use domain::{ReturnOrderId, address::Address};
use outbound::http::{Bytes, Call, Endpoint, Method};
use returns::{Retour, view};
use serde_json::{Value, json};
use std::future::Future;
use store::testing::Database;
use tokio::{sync::oneshot, task::JoinHandle};

/// A karrio server with one carrier.
pub struct Server {
    pub url: String,
}

impl Server {
    pub fn start() -> Self {
        Self { url: stand_in::open("karrio", "").0 }
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Value {
        let to = Endpoint::parse(&format!("{}/control/{path}", self.url)).unwrap();
        let body = if method == Method::GET { Bytes::new() } else { Bytes::from(body.to_string()) };
        let call = Call { to: &to, method, headers: &[], body, max_response_bytes: 1 << 20, is_repeatable: true };
        let answer = http().call(call).await.unwrap();
        assert_eq!(answer.status, 200, "{path}");
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// Makes the next calls of a kind `lose`, `fail` or `refuse`.
    pub async fn next(&self, call: &str, does: &str, times: u32) {
        self.call(Method::POST, "next", json!({"call": call, "does": does, "times": times})).await;
    }

    pub async fn clear_failures(&self) {
        self.call(Method::POST, "forgive", json!({})).await;
    }

    /// Moves a parcel: its status, and what the carrier scanned, newest first.
    pub async fn moves(&self, number: &str, status: &str, events: Value) -> Value {
        self.call(Method::POST, &format!("track/{number}"), json!({"status": status, "events": events})).await
    }

    /// The calls of one kind that the server received.
    pub async fn calls(&self, call: &str) -> Vec<Value> {
        let calls = self.call(Method::GET, "calls", json!({})).await;
        calls.as_array().unwrap().iter().filter(|one| one["call"] == call).cloned().collect()
    }

    /// The server's shipments: the status of each, and how often its label was bought.
    pub async fn shipments(&self) -> Vec<(String, u64)> {
        let shipments = self.call(Method::GET, "shipments", json!({})).await;
        let status_and_purchases =
            |one: &Value| (one["status"].as_str().unwrap().to_owned(), one["purchased"].as_u64().unwrap());
        shipments.as_array().unwrap().iter().map(status_and_purchases).collect()
    }

    /// The services that were bought, the latest first.
    pub async fn services(&self) -> Vec<String> {
        let shipments = self.call(Method::GET, "shipments", json!({})).await;
        let bought = shipments.as_array().unwrap().iter().filter_map(|one| one["service"].as_str());
        bought.map(str::to_owned).collect()
    }

    pub fn setting(&self) -> Value {
        json!({"kind": "karrio", "url": self.url, "apiKey": "key_test"})
    }

    /// A shop in Great Britain that gets its labels from this server.
    pub async fn shop(&self, database: &Database) -> Shop {
        let mut shop = Hooked::open(database).await.shop;
        let home = json!({"name": "Fjord & Fern Returns", "street": "1 Dock Road", "postalCode": "EH6 6LU", "city": "Leith", "country": "GB"});
        change_account(&shop, json!({"carrier": self.setting(), "policy": {"returnAddress": home}})).await.unwrap();
        shop.account = shop.retour.account(&shop.account.slug).await.unwrap();
        shop
    }
}

/// Where the returned orders were delivered.
pub fn berlin() -> Address {
    Address {
        name: "Ada Lovelace".to_owned(),
        street: "Hauptstraße 1".to_owned(),
        postal_code: "10115".to_owned(),
        city: "Berlin".to_owned(),
        country: "DE".to_owned(),
        ..Address::default()
    }
}

pub fn leeds() -> Address {
    Address { city: "Leeds".to_owned(), postal_code: "LS1 1UR".to_owned(), country: "GB".to_owned(), ..berlin() }
}

/// Returns an order of two units that was delivered to Leeds.
pub async fn sent_back(shop: &Shop, number: &str) -> (Customer, ReturnOrderId) {
    let mut order = shop.order(number, &[(2, 5_000)]);
    order.address = leeds();
    shop.import(vec![order]).await;
    let customer = shop.customer(number).await;
    let order = customer.send_back(&[(0, 2)]).await.id;
    (customer, order)
}

pub async fn parcel(shop: &Shop, order: ReturnOrderId) -> view::ShipmentView {
    let [parcel] = <[_; 1]>::try_from(shop.whole(order).await.shipments.unwrap()).unwrap();
    parcel
}

/// Runs the workers until nothing is due.
pub async fn work(shop: &Shop, database: &Database) {
    let labels =
        Worker::start(
            &shop.retour,
            |retour, stop| async move { workers::Workers::new(&retour).make_labels(stop).await },
        );
    let parcels =
        Worker::start(
            &shop.retour,
            |retour, stop| async move { workers::Workers::new(&retour).follow_parcels(stop).await },
        );
    let now = shop.source.now().micros();
    let due = |table: &str| {
        format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table} WHERE due_at <= {now} AND held_until <= {now}")
    };
    let (labels_due, parcels_due) = (due("label_requests"), due("parcel_tasks"));
    let busy = "SELECT CAST(COUNT(*) AS TEXT) FROM parcel_tasks WHERE held_until > 0";
    until("nothing is due", async || {
        let none = async |sql: &str| database.texts(sql).await == ["0"];
        none(&labels_due).await && none(&parcels_due).await && none(busy).await
    })
    .await;
    labels.stop().await;
    parcels.stop().await;
}

/// Moves the clock forward, then runs the workers until nothing is due.
pub async fn later(shop: &Shop, database: &Database, seconds: i64) {
    shop.source.set(shop.source.now().plus_seconds(seconds));
    work(shop, database).await;
}

struct Worker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

type Stop = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

impl Worker {
    fn start<F: Future<Output = ()> + Send + 'static>(retour: &Retour, work: impl FnOnce(Retour, Stop) -> F) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        Self { stop, task: tokio::spawn(work(retour.clone(), Box::pin(stopped))) }
    }

    async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}
