//! A karrio server buys labels, some slowly and some without an answer, and some returns are cancelled, while the program is killed at
//! random. In the end, karrio has one label for each active return, and none for the others.

use crate::{
    crash::{Client, random, take_over},
    is_long,
    peer::Peer,
    refunds::{SECRET, connect, get_purchases},
    support::process::Server,
};
use axum::{
    Json, Router,
    body::Bytes,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use store::testing::Database;
use tokio::{net::TcpListener, task::JoinSet, time::sleep};

store::on_each_database! {
    async fn karrio_has_one_label_for_each_active_return_after_every_kill(database: Database) {
        let returns = if is_long() { 100 } else { 24 };
        let karrio = Peer::start("karrio");
        let address = Server::free_address();
        let key = connect(&database.url);
        let mut server = Server::start_at(&database.url, address).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        let home = json!({"name": "Returns", "street": "1 Dock Road", "postalCode": "EH6 6LU", "city": "Leith", "country": "GB"});
        let settings = json!({
            "bridge": {"kind": "http", "url": shop().await, "secret": SECRET},
            "carrier": {"kind": "karrio", "url": karrio.url, "apiKey": "key_test"},
            "policy": {"returnAddress": home},
        });
        client.staff(Method::PATCH, "/account", None, &settings).await;
        for (call, does, seconds) in [("purchase", "late", 1), ("draft", "slow", 1), ("purchase", "lose", 0), ("cancel", "lose", 0)] {
            let fate = json!({"call": call, "does": does, "times": returns / 6, "seconds": seconds});
            client.http.post(format!("{}/control/next", karrio.url)).json(&fate).send().await.unwrap();
        }

        let mut submitting = JoinSet::new();
        for number in 0..returns {
            let client = client.clone();
            submitting.spawn(async move {
                sleep(Duration::from_millis(random(300 * returns as u64))).await;
                let order = client.submit_one(number).await.0;
                let is_cancelled = number % 3 == 0;
                if is_cancelled {
                    sleep(Duration::from_millis(random(2_000))).await;
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
            while let Some(submitted) = submitting.try_join_next() {
                done.push(submitted.unwrap());
            }
        }
        // A purchase without an answer, and the voiding of its label, stay leased for two and a half minutes.
        let mut rounds = 0;
        while !is_done(&database).await {
            assert!(rounds < 30, "labels are still pending, or wait to be voided");
            server = take_over(server, &database, address, &[
                "UPDATE label_requests SET held_until = 0",
                "UPDATE parcel_tasks SET held_until = 0, due_at = 0 WHERE work <> 'Follow'",
            ]).await;
            wait_a_while(&database).await;
            rounds += 1;
        }

        let answer = client.http.get(format!("{}/control/shipments", karrio.url)).send().await.unwrap();
        let bought: Vec<Value> = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
        assert!(bought.iter().all(|one| one["purchased"].as_u64() <= Some(1)), "bought twice: {bought:?}");
        let mut held: Vec<&Value> = bought.iter().filter(|one| one["status"] == "created").map(|one| &one["tracking_numbers"][0]).collect();
        for (order, is_cancelled) in &done {
            let path = format!("/shipments?filter=returnOrderId:{order}");
            let found = client.staff(Method::GET, &path, None, &Value::Null).await;
            let [parcel] = &found["data"].as_array().unwrap()[..] else { panic!("one parcel: {found}") };
            if *is_cancelled {
                assert_eq!((&parcel["status"], &parcel["errorCode"]), (&json!("Cancelled"), &Value::Null), "{parcel}");
                continue;
            }
            assert_eq!(parcel["status"], "LabelCreated", "{parcel}");
            let place = held.iter().position(|number| **number == parcel["trackingNumber"]);
            held.swap_remove(place.unwrap_or_else(|| panic!("karrio does not have {parcel}")));
        }
        assert!(held.is_empty(), "no return has {held:?}");
        let voided = bought.iter().filter(|one| one["status"] == "cancelled" && one["purchased"] == 1).count();
        println!("{:?}: killed {kills} times; {returns} returns, {voided} labels voided, no label twice", database.store.kind());
        drop(server);
    }
}

/// Whether no label is pending or waits to be voided.
async fn is_done(database: &Database) -> bool {
    database.rows("label_requests").await == 0 && database.rows("parcel_tasks WHERE work <> 'Follow'").await == 0
}

/// Waits until all is done, or until karrio's slow answers and a second attempt have had time.
async fn wait_a_while(database: &Database) {
    for _ in 0..200 {
        if is_done(database).await {
            return;
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// A merchant's bridge that has every order, with its address.
async fn shop() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let app = Router::new().route("/get-purchases", post(get_purchases_of_leeds));
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    url
}

async fn get_purchases_of_leeds(headers: HeaderMap, body: Bytes) -> Result<Json<Value>, StatusCode> {
    let Json(mut told) = get_purchases(headers, body).await?;
    told["consumer"]["addresses"] =
        json!([{"street": "1 Mill Lane", "postalCode": "LS1 1UR", "city": "Leeds", "country": "GB"}]);
    Ok(Json(told))
}
