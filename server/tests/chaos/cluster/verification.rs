//! Compares the journal of acknowledged requests with the database.

use super::load::{AcknowledgedReturn, Journal, KeyedRequest, PAID};
use crate::{
    crash::{Client, SHOP, check_deliveries},
    receiver::{Delivery, FLAKY, Receiver},
    refunds::{LedgerShop, check_ledger},
};
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use store::testing::Database;
use tokio::time::sleep;

/// The sources to compare.
pub struct Verification {
    pub database: Database,
    pub clients: [Client; 2],
    pub journal: Journal,
    pub receiver: Receiver,
    pub payer: LedgerShop,
    pub base: String,
}

/// Rows of waiting work.
const WAITING: [&str; 5] = [
    "webhook_deliveries WHERE status = 'Pending'",
    "settlements",
    "label_requests",
    "parcel_tasks WHERE work <> 'Follow'",
    "payment_tasks",
];

impl Verification {
    /// Without further faults and requests, all waiting work gets done.
    pub async fn wait_until_nothing_waits(&self) {
        let began = Instant::now();
        for rows in WAITING {
            loop {
                let left = self.database.rows(rows).await;
                if left == 0 {
                    break;
                }
                assert!(began.elapsed() < Duration::from_mins(10), "stuck: {left} {rows}");
                sleep(Duration::from_millis(100)).await;
            }
        }
        println!("nothing waits any more {:.1?} after the last fault and answer", began.elapsed());
    }

    pub async fn compare(&self) {
        self.check_returns().await;
        self.check_sums().await;
        self.check_keys().await;
        self.check_events().await;
        let paid: Vec<String> = self.returns_of(PAID).map(|one| one.request.clone()).collect();
        check_ledger(&self.clients[1], &self.payer.ledger(), &paid).await;
    }

    fn returns_of(&self, shop: &'static str) -> impl Iterator<Item = &AcknowledgedReturn> {
        self.journal.returns.iter().filter(move |one| one.shop == shop)
    }

    /// Every acknowledged return is in the database as it was acknowledged, and there is no other.
    async fn check_returns(&self) {
        for one in &self.journal.returns {
            let client = &self.clients[usize::from(one.shop == PAID)];
            let path = format!("/return-orders/{}?expand=returnRequests", one.return_order);
            let order = client.staff(Method::GET, &path, None, &Value::Null).await;
            let [request] = &order["returnRequests"].as_array().unwrap()[..] else { panic!("one request: {order}") };
            if !one.request.is_empty() {
                assert_eq!(request["id"], json!(one.request));
                // An approved return has been paid since.
                assert_eq!(request["stage"], "Resolution: Completed", "acknowledged: {}", one.stage);
            }
        }
        let different: HashSet<&str> = self.journal.returns.iter().map(|one| one.return_order.as_str()).collect();
        assert_eq!(different.len(), self.journal.returns.len(), "each return was acknowledged once");
        assert_eq!(self.count("return_orders").await, self.journal.returns.len(), "return orders");
    }

    async fn count(&self, rows: &str) -> usize {
        usize::try_from(self.database.rows(rows).await).unwrap()
    }

    /// The numbers of units, receipts, labels and stages are right.
    async fn check_sums(&self) {
        let all = self.journal.returns.len();
        let received = self.journal.returns.iter().filter(|one| !one.request.is_empty()).count();
        let sum = async |what: &str| {
            self.database.number(&format!("SELECT CAST(SUM({what}) AS BIGINT) FROM purchases")).await
        };
        assert_eq!(usize::try_from(sum("taken").await).unwrap(), all, "units taken");
        assert_eq!(usize::try_from(sum("settled").await).unwrap(), received, "units settled");
        assert_eq!(self.count("purchases WHERE taken > bought").await, 0, "more than was bought");
        assert_eq!(self.count("return_requests").await, all, "return requests");
        assert_eq!(self.count("receipts").await, received, "receipts");
        assert_eq!(self.count("shipments").await, all, "parcels");
        for kind in ["return_order.created", "return_order.confirmed", "shipment.label_created"] {
            assert_eq!(self.count(&format!("events WHERE type = '{kind}'")).await, all, "{kind}");
        }
        assert_eq!(self.count("events WHERE type = 'return_order.completed'").await, received, "completed");
        let stages = self.count("events WHERE type = 'return_request.stage_changed'").await;
        assert_eq!(self.count("timeline_entries").await, stages, "each stage has one entry and one event");
    }

    /// A repeated request with its key gets the same answer, from any instance.
    async fn check_keys(&self) {
        for KeyedRequest { path, credential, key, body, answer } in &self.journal.keyed {
            let request = self.clients[0].http.post(format!("{}{path}", self.base)).bearer_auth(credential);
            let again = request.header("idempotency-key", key).json(body).send().await.unwrap();
            assert_eq!(
                again.headers().get("idempotent-replayed").map(reqwest::header::HeaderValue::as_bytes),
                Some(&b"true"[..]),
                "{key}"
            );
            assert_eq!(again.bytes().await.unwrap(), answer, "{key}");
        }
        let keys: HashSet<(&str, &str)> =
            self.journal.keyed.iter().map(|one| (one.path.as_str(), one.key.as_str())).collect();
        assert_eq!(keys.len(), self.journal.keyed.len());
    }

    /// Every event was delivered, and those of one return are in order.
    async fn check_events(&self) {
        let came = self.receiver.came();
        assert_eq!(self.receiver.unsigned(), 0, "all deliveries are signed");
        assert_eq!(self.count("webhook_deliveries WHERE status <> 'Delivered'").await, 0, "all events are delivered");
        let mut told = 0;
        for (client, name) in self.clients.iter().zip([FLAKY, PAID]) {
            let came: Vec<Delivery> = came.iter().filter(|delivery| delivery.to == name).cloned().collect();
            told += check_deliveries(&client.events().await, &came);
        }
        println!(
            "{} returns ({} by forms, {} paid by the shop), {} answers with keys, {told} events, {} deliveries: all there, once",
            self.journal.returns.len(),
            self.returns_of(SHOP).filter(|one| one.request.is_empty()).count(),
            self.returns_of(PAID).count(),
            self.journal.keyed.len(),
            came.len(),
        );
    }
}
