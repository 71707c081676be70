//! Clients create returns, and a warehouse and an external system process them, while the program is killed at random and started again. Each
//! request has an `Idempotency-Key` and is repeated until it is answered. In the end, everything that was acknowledged is there, every event has
//! reached the receiver in order, and nothing has happened twice.

use crate::{
    is_long,
    receiver::{Delivery, FLAKY, Receiver},
    support::process::{Server, run},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use store::{DatabaseKind, testing::Database};
use tokio::{task::JoinSet, time::sleep};

const CLIENTS: usize = 8;
pub const SHOP: &str = "chaos";

store::on_each_database! {
    async fn kills_lose_and_duplicate_nothing(database: Database) {
        let kills = match (is_long(), database.store.kind()) {
            (true, DatabaseKind::Sqlite) => 1_000,
            (true, DatabaseKind::Postgres) => 50,
            (false, DatabaseKind::Sqlite) => 12,
            (false, DatabaseKind::Postgres) => 6,
        };
        // Connections to Postgres need some time to warm up.
        let longest = if database.store.kind() == DatabaseKind::Sqlite { 400 } else { 1_000 };
        let folder = tempfile::tempdir().unwrap();
        let key = make_shop(&database.url, folder.path());
        let receiver = Receiver::listen().await;
        let address = Server::free_address();
        let mut server = Server::start_at(&database.url, address).await;
        let client = Client { http: reqwest::Client::new(), base: server.base.clone(), key };
        client.subscribe(&receiver).await;

        let (next, enough) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let mut working = JoinSet::new();
        for _ in 0..CLIENTS {
            let (client, next, enough) = (client.clone(), next.clone(), enough.clone());
            working.spawn(async move {
                let mut done = Vec::new();
                while !enough.load(Ordering::Relaxed) {
                    done.push(client.complete_return(next.fetch_add(1, Ordering::Relaxed)).await);
                }
                done
            });
        }
        for kill in 0..kills {
            // Kills at once, and after a long time: at every point of the program's work.
            sleep(Duration::from_millis(random(if kill % 4 == 0 { 40 } else { longest }))).await;
            server.kill();
            // The next program takes over at once, instead of after the time in which a dead program could still be alive.
            database.run("UPDATE webhook_senders SET seen_at = 0").await;
            server = Server::start_at(&database.url, address).await;
        }
        enough.store(true, Ordering::Relaxed);
        let done: Vec<FinishedReturn> = working.join_all().await.concat();
        assert!(done.len() > kills / 2, "{} returns in {kills} lives are too small a load", done.len());

        client.wait_until_all_is_delivered().await;
        let standing = client.check_what_was_acknowledged(&done).await;
        let events = client.events().await;
        let came = receiver.came();
        let told = check_deliveries(&events, &came);
        check_once(&database, &done).await;
        println!(
            "{:?}: killed {kills} times; {} returns acknowledged, {} stages, all there; {} events committed, all \
             received; {} deliveries, {} of them repeated, under the same id",
            database.store.kind(),
            done.len(),
            standing,
            events.len(),
            came.len(),
            came.len() - told,
        );
        drop(server);
    }
}

/// Kills the program, and lets the next one continue at once what the dead one had begun. Such work is leased for longer than any answer takes,
/// so that nobody is asked twice at the same time. Here, every answer has arrived or is lost after two seconds, and these statements end the
/// leases and back-offs.
pub async fn take_over(server: Server, database: &Database, address: SocketAddr, let_go: &[&str]) -> Server {
    server.kill();
    sleep(Duration::from_secs(2)).await;
    for statement in let_go {
        database.run(statement).await;
    }
    Server::start_at(&database.url, address).await
}

/// A random number of milliseconds up to this one.
pub fn random(most: u64) -> u64 {
    let bytes = std::fs::File::open("/dev/urandom").and_then(|mut file| {
        let mut bytes = [0; 8];
        std::io::Read::read_exact(&mut file, &mut bytes).map(|()| bytes)
    });
    u64::from_le_bytes(bytes.unwrap()) % most
}

/// A shop whose orders have one line of one unit each. Returns an admin's key.
pub fn make_shop(url: &str, folder: &Path) -> String {
    let (policy, orders) = (folder.join("policy.json"), folder.join("orders.csv"));
    std::fs::write(&policy, r#"{"returnWindowDays": null, "resolver": "external"}"#).unwrap();
    let mut csv = "order_number,ordered_at,email,currency,sku,product,quantity,fulfilled_at,total\n".to_owned();
    for number in 0..20_000 {
        let day = "2026-01-02T00:00:00Z";
        writeln!(csv, "C{number},{day},c{number}@example.com,GBP,MUG,Mug,1,{day},10.00").unwrap();
    }
    std::fs::write(&orders, csv).unwrap();
    let (policy, orders) = (policy.to_str().unwrap(), orders.to_str().unwrap());
    run(url, &["migrate"]);
    run(url, &["account", "create", "--slug", SHOP, "--name", "Chaos", "--currency", "GBP", "--policy", policy]);
    run(url, &["import", "orders", "--account", SHOP, "--format", "retour", orders]);
    run(url, &["service-user", "create", "--account", SHOP, "--name", "all", "--scopes", "admin"])
}

/// What was acknowledged of a return.
#[derive(Debug, Clone)]
pub struct FinishedReturn {
    pub return_order: String,
    pub request: String,
    stage: String,
}

#[derive(Debug, Clone)]
pub struct Client {
    pub http: reqwest::Client,
    pub base: String,
    pub key: String,
}

impl Client {
    /// Repeats a request until it is answered, as the documentation recommends.
    pub async fn ask(&self, method: Method, path: &str, token: &str, key: Option<&str>, body: &Value) -> Value {
        let mut waits = 0;
        loop {
            let mut request = self.http.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(token);
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            if !body.is_null() {
                request = request.json(body);
            }
            let Ok(answer) = request.send().await else {
                sleep(Duration::from_millis(5)).await;
                continue;
            };
            let status = answer.status();
            let Ok(bytes) = answer.bytes().await else { continue };
            // The program was killed while Postgres still executes its statement, or the disk fails. If the shop's own system is asked, look-ups
            // count as guesses until it answers, and many at once from one network are too many. A busy machine may drop a connection to it.
            let passing = [
                StatusCode::INTERNAL_SERVER_ERROR,
                StatusCode::BAD_GATEWAY,
                StatusCode::SERVICE_UNAVAILABLE,
                StatusCode::TOO_MANY_REQUESTS,
            ];
            if passing.contains(&status) {
                waits += 1;
                assert!(waits < 6_000, "{method} {path}: {status} for minutes");
                sleep(Duration::from_millis(20)).await;
                continue;
            }
            assert!(status.is_success(), "{method} {path}: {status} {}", String::from_utf8_lossy(&bytes));
            return serde_json::from_slice(&bytes).unwrap();
        }
    }

    pub async fn staff(&self, method: Method, path: &str, key: Option<&str>, body: &Value) -> Value {
        self.ask(method, &format!("/api/v0{path}"), &self.key, key, body).await
    }

    async fn subscribe(&self, receiver: &Receiver) {
        let body = json!({"url": format!("{}/{FLAKY}", receiver.base)});
        self.staff(Method::POST, "/webhook-subscriptions", None, &body).await;
    }

    /// One return from the look-up to its arrival. Returns its id and the id of its request.
    pub async fn return_one(&self, number: usize) -> (String, String) {
        let (return_order, request) = self.submit_one(number).await;
        let path = format!("/return-requests/{request}/receipts");
        let body = json!({"quantity": 1, "externalReference": format!("dock {number}")});
        self.staff(Method::POST, &path, Some(&format!("receive {number}")), &body).await;
        (return_order, request)
    }

    /// A return in transit. Returns its return order and its request.
    pub async fn submit_one(&self, number: usize) -> (String, String) {
        let key = |what: &str| format!("{what} {number}");
        let credentials =
            json!({"account": SHOP, "orderNumber": format!("C{number}"), "email": format!("c{number}@example.com")});
        let identity = self.ask(Method::POST, "/auth/consumer", "", None, &credentials).await;
        let consumer = format!("/consumer/{}", identity["consumer"]["id"].as_str().unwrap());
        let token = identity["accessToken"].as_str().unwrap();
        let purchases = self.ask(Method::GET, &format!("{consumer}/purchases"), token, None, &Value::Null).await;
        let purchase = &purchases["data"][0];
        let selected = json!({"purchaseId": purchase["id"], "returnReasonId": purchase["returnReasons"][0]["id"]});
        let body = json!({"selectedPurchases": [selected], "shippingOptionId": purchase["shippingOptions"][0]["id"]});
        let path = format!("{consumer}/draft-return-order");
        let draft = self.ask(Method::POST, &path, token, Some(&key("draft")), &body).await;
        let body = json!({"draftReturnOrderId": draft["id"]});
        let path = format!("{consumer}/return-order");
        let order = self.ask(Method::POST, &path, token, Some(&key("submit")), &body).await;
        let return_order = order["id"].as_str().unwrap().to_owned();

        let path = format!("/return-requests?filter=returnOrderId:{return_order}");
        let found = self.staff(Method::GET, &path, None, &Value::Null).await;
        let request = found["data"][0]["id"].as_str().unwrap().to_owned();
        (return_order, request)
    }

    /// The same, with its refund by another system.
    pub async fn complete_return(&self, number: usize) -> FinishedReturn {
        let (return_order, request) = self.return_one(number).await;
        let path = format!("/return-requests/{request}");
        let body = json!({"stage": "Resolution: Completed", "fromStage": "Resolution: Approved", "externalReference": format!("refund {number}")});
        let settled = self.staff(Method::PATCH, &path, Some(&format!("settle {number}")), &body).await;
        FinishedReturn { return_order, request, stage: settled["stage"].as_str().unwrap().to_owned() }
    }

    async fn wait_until_all_is_delivered(&self) {
        for _ in 0..6_000 {
            let metrics = self.http.get(format!("{}/metrics", self.base)).send().await.unwrap().text().await.unwrap();
            if metrics.lines().any(|line| line == "retour_webhook_pending 0") {
                return;
            }
            sleep(Duration::from_millis(20)).await;
        }
        panic!("deliveries still wait after two minutes");
    }

    /// Checks everything that was acknowledged. Returns the number of stages.
    pub async fn check_what_was_acknowledged(&self, done: &[FinishedReturn]) -> usize {
        let mut stages = 0;
        for one in done {
            assert_eq!(one.stage, "Resolution: Completed");
            let path = format!("/return-requests/{}", one.request);
            let request = self.staff(Method::GET, &path, None, &Value::Null).await;
            assert_eq!(request["stage"], "Resolution: Completed");
            assert_eq!(request["returnOrderId"], json!(one.return_order));
            let timeline = self.staff(Method::GET, &format!("{path}/timeline"), None, &Value::Null).await;
            stages += timeline["data"].as_array().unwrap().len();
        }
        stages
    }

    /// Every committed event, oldest first.
    pub async fn events(&self) -> Vec<Value> {
        let (mut events, mut page) = (Vec::new(), 1);
        loop {
            let path = format!("/events?orderBy=asc&limit=100&page={page}");
            let mut list = self.staff(Method::GET, &path, None, &Value::Null).await;
            events.append(list["data"].as_array_mut().unwrap());
            match list["nextPage"].as_i64() {
                Some(next) => page = next,
                None => return events,
            }
        }
    }
}

/// The return that an event is about. Events of one return are delivered in order.
fn return_of(event: &Value) -> &str {
    let data = &event["data"];
    let ids = [&data["returnOrderId"], &data["returnOrder"]["id"], &data["id"]];
    ids.into_iter().find_map(Value::as_str).unwrap()
}

/// Checks that every event arrived unchanged, and that those of one return are in order. Returns the number of different events.
pub fn check_deliveries(events: &[Value], came: &[Delivery]) -> usize {
    let mut first: HashMap<&str, &Delivery> = HashMap::new();
    let mut order: HashMap<&str, Vec<&str>> = HashMap::new();
    for delivery in came {
        assert_eq!(delivery.body["id"], json!(delivery.webhook_id));
        let before = first.entry(&delivery.webhook_id).or_insert_with(|| {
            order.entry(return_of(&delivery.body)).or_default().push(&delivery.webhook_id);
            delivery
        });
        assert_eq!(before.body, delivery.body, "the same id is the same event");
    }
    let mut committed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for event in events {
        let id = event["id"].as_str().unwrap();
        let received = first.get(id).unwrap_or_else(|| panic!("event {id} was never received"));
        assert_eq!(received.body, *event, "a poller reads what a subscriber receives");
        committed.entry(return_of(event)).or_default().push(id);
    }
    assert_eq!(first.len(), events.len(), "only committed events were sent");
    for (one, ids) in committed {
        assert_eq!(order[one], ids, "the events of return {one} are in order");
    }
    first.len()
}

/// Checks that no unit was returned twice, and that no event was written twice.
pub async fn check_once(database: &Database, done: &[FinishedReturn]) {
    let returned = i64::try_from(done.len()).unwrap();
    assert_eq!(database.number("SELECT COUNT(*) FROM return_orders").await, returned);
    assert_eq!(database.number("SELECT CAST(SUM(taken) AS BIGINT) FROM purchases").await, returned);
    assert_eq!(database.number("SELECT CAST(SUM(settled) AS BIGINT) FROM purchases").await, returned);
    for kind in ["return_order.created", "return_order.confirmed", "return_order.completed", "shipment.label_created"] {
        let told = database.number(&format!("SELECT COUNT(*) FROM events WHERE type = '{kind}'")).await;
        assert_eq!(told, returned, "{kind}");
    }
    let entries = database.rows("timeline_entries").await;
    let told = database.number("SELECT COUNT(*) FROM events WHERE type = 'return_request.stage_changed'").await;
    assert_eq!(told, entries, "each stage has one entry and one event");
}
