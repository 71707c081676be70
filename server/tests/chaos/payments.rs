//! Shoppers pay at a provider's pages, and some cancel their return, while the program is killed at random between the request for a page, its
//! answer, the payment, the refund and the commits. In the end, the provider has one fee for each active return, and nothing for the
//! others.

use crate::{
    crash::{Client, random, take_over},
    is_long,
    peer::Peer,
    refunds::{SECRET, connect, get_purchases},
    support::process::Server,
};
use axum::{Router, routing::post};
use reqwest::{Method, StatusCode, redirect::Policy};
use serde_json::{Value, json};
use std::time::Duration;
use store::testing::Database;
use tokio::{net::TcpListener, task::JoinSet, time::sleep};

const FEE: i64 = 495;

store::on_each_database! {
    async fn each_fee_is_paid_once_or_refunded_after_every_kill(database: Database) {
        let returns = if is_long() { 200 } else { 24 };
        let company = Peer::start("payments");
        let address = Server::free_address();
        let key = connect(&database.url);
        let mut server = Server::start_at(&database.url, address).await;
        let http = reqwest::Client::builder().redirect(Policy::none()).build().unwrap();
        let client = Client { http, base: server.base.clone(), key };
        let bridge = json!({"kind": "http", "url": shop().await, "secret": SECRET});
        let payment = json!({"kind": "stripe", "apiKey": "sk_test_retour", "url": company.url});
        let policy = json!({"feeCollection": "prepay", "requestFee": [{"value": "4.95", "currency": "GBP"}]});
        let settings = json!({"bridge": bridge, "payment": payment, "policy": policy});
        client.staff(Method::PATCH, "/account", None, &settings).await;

        let mut paying = JoinSet::new();
        for number in 0..returns {
            let client = client.clone();
            paying.spawn(async move {
                sleep(Duration::from_millis(random(300 * returns as u64))).await;
                let order = client.submit_one(number).await.0;
                client.pay(&order).await;
                let is_cancelled = number % 3 == 0;
                if is_cancelled {
                    let path = format!("/return-orders/{order}/cancel");
                    client.staff(Method::POST, &path, Some(&format!("cancel {number}")), &json!({})).await;
                }
                (order, is_cancelled)
            });
        }
        let (mut kills, mut done) = (0, Vec::new());
        while done.len() < returns {
            sleep(Duration::from_millis(random(1_500))).await;
            server.kill();
            kills += 1;
            // A look-up in the shop counts as a guess until it succeeds. A killed program leaves the count.
            database.run("DELETE FROM guesses").await;
            server = Server::start_at(&database.url, address).await;
            while let Some(paid) = paying.try_join_next() {
                done.push(paid.unwrap());
            }
        }
        server = take_over(server, &database, address, &["UPDATE payment_tasks SET held_until = 0, due_at = 0"]).await;
        wait_until_followed(&database).await;

        for (order, is_cancelled) in &done {
            let shown = client.staff(Method::GET, &format!("/return-orders/{order}?expand=shipments"), None, &Value::Null).await;
            let (refunded, status) = if *is_cancelled { (FEE, "Refunded") } else { (0, "Paid") };
            assert_eq!(shown["paymentStatus"], status, "{shown}");
            let money = money_of(&company, &client, order).await;
            assert_eq!(money.iter().map(|(paid, back)| paid - back).sum::<i64>(), FEE - refunded, "{money:?} {shown}");
            assert_eq!(shown["payment"]["checkouts"].as_array().unwrap().iter().filter(|one| one["settled"] == true).count(), 1);
            // Cancelled before the payment was known, so there was no shipment yet.
            let parcel = shown["shipments"][0]["status"].as_str();
            let expected: &[_] = if *is_cancelled { &[None, Some("Cancelled")] } else { &[Some("LabelCreated")] };
            assert!(expected.contains(&parcel), "{shown}");
        }
        println!("{:?}: killed {kills} times; {returns} fees, each kept once or given back", database.store.kind());
        drop(server);
    }
}

impl Client {
    /// Follows the redirect to the provider's page, pays, and comes back. Repeats this until it succeeds.
    async fn pay(&self, order: &str) {
        let way = format!("{}/chaos/pay/{order}", self.base);
        loop {
            let Ok(answer) = self.http.get(&way).send().await else { continue };
            let to = answer.headers().get("location").map(|to| to.to_str().unwrap().to_owned()).unwrap_or_default();
            if to.starts_with("http") {
                self.http.post(to.split('#').next().unwrap()).send().await.unwrap();
                let _ = self.http.get(format!("{way}/done")).send().await; // if the program is killed now, it asks later
                return;
            }
            // 502: the program was killed during its request to the provider, and repeats it.
            assert!(to.is_empty() || answer.status() == StatusCode::SEE_OTHER, "{to}");
            sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Waits until no payment is open. A request that failed is repeated after a while.
async fn wait_until_followed(database: &Database) {
    for _ in 0..1_800 {
        if database.rows("payment_tasks").await == 0 {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
    panic!("{} payments are still open after three minutes", database.rows("payment_tasks").await);
}

/// A merchant's bridge that has every order.
async fn shop() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let app = Router::new().route("/get-purchases", post(get_purchases));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    url
}

/// The payments for a return, and how much of each was refunded.
async fn money_of(company: &Peer, client: &Client, order: &str) -> Vec<(i64, i64)> {
    let answer = client.http.get(format!("{}/control/money/{order}", company.url)).send().await.unwrap();
    let money: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    let of = |one: &Value| (one["amount"].as_i64().unwrap(), one["refunded"].as_i64().unwrap());
    money.as_array().unwrap().iter().map(of).collect()
}
