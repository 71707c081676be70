//! docs/webhooks.md: its example programs, run with the real clock.

use crate::{
    harness::{Service, text},
    receiver::until,
};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::patch,
};
use returns::{Scope, Source};
use serde_json::{Value, json};
use std::{
    fs::{self, File},
    io::Write as _,
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU16, AtomicU32, Ordering},
    },
};

/// The page's receiver in Rust. [`Example::start`] runs it as a program of its own.
mod receiver_rs {
    include!("../../../docs/examples/receiver.rs");

    #[test]
    #[ignore = "it serves until it is ended"]
    fn runs() {
        main();
    }
}

const KEY_NAME: &str = "worker";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub async fn with_real_clock(database: store::testing::Database) -> Service {
    let service = Service::start_at(database, Source::system()).await;
    service.deliver_webhooks();
    service
}

/// A folder like a reader's: the examples, and the packages that they need.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = folder.path().join("docs/examples");
    fs::create_dir_all(&examples).unwrap();
    for file in fs::read_dir(root().join("docs/examples")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), examples.join(file.file_name())).unwrap();
    }
    let installed = fs::canonicalize(root().join("end2end/node_modules")).expect("`.ci/tools test` installs it");
    std::os::unix::fs::symlink(installed, folder.path().join("node_modules")).unwrap();
    folder
}

/// A port that no other test gets, and that the system does not assign: it stays free until it is used.
pub fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(20_000);
    loop {
        let port = NEXT.fetch_add(1, Ordering::SeqCst);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

pub fn python() -> String {
    std::env::var("RETOUR_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// One of the page's programs, subscribed and listening. It ends when this is dropped.
struct Example {
    subscription: String,
    secret: String,
    url: String,
    folder: tempfile::TempDir,
    child: Child,
}

impl Example {
    async fn start(service: &Service, file: &str, about: &Value, key: &str) -> Self {
        Self::start_with(service, file, about, (&format!("{}/api/v0", service.base()), key)).await
    }

    /// The same for a program that calls another API than the service's.
    async fn start_with(service: &Service, file: &str, about: &Value, (api, key): (&str, &str)) -> Self {
        let port = free_port();
        let url = format!("http://127.0.0.1:{port}/");
        let mut new = about.clone();
        new["url"] = json!(url);
        let made = service.post("/api/v0/webhook-subscriptions", &service.demo.key, new).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let subscription = format!("/api/v0/webhook-subscriptions/{}", text(&made.json()["id"]));
        let secret = service.get(&format!("{subscription}/secret"), &service.demo.key).await.json();
        let secret = text(&secret["secret"]);
        let folder = folder();
        let path = folder.path().join("docs/examples").join(file);
        let mut program = match file.rsplit('.').next() {
            Some("mjs") => Command::new("node"),
            Some("py") => Command::new(python()),
            _ => Command::new(std::env::current_exe().unwrap()),
        };
        if file == "receiver.rs" {
            program.args(["--exact", "webhook_examples::receiver_rs::runs", "--ignored", "--nocapture"]);
        } else {
            program.arg(path);
        }
        let (said, complained) = (folder.path().join("said"), folder.path().join("complained"));
        program.current_dir(folder.path()).stdin(Stdio::null());
        program.stdout(File::create(said).unwrap()).stderr(File::create(complained).unwrap());
        program.envs([("SECRET", secret.as_str()), ("KEY", key), ("PORT", &port.to_string())]);
        program.env("API", api);
        let child = program.spawn().unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut example = Self { subscription, secret, url, folder, child };
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        for _ in 0..3_000 {
            if TcpStream::connect(address).is_ok() {
                return example;
            }
            assert!(example.child.try_wait().unwrap().is_none(), "{file}: {}", example.said());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{file} does not listen: {}", example.said());
    }

    /// Its output.
    fn said(&self) -> String {
        ["said", "complained"].map(|file| fs::read_to_string(self.folder.path().join(file)).unwrap()).concat()
    }

    fn lines(&self, with: &str) -> Vec<String> {
        self.said().lines().filter(|line| line.contains(with)).map(str::to_owned).collect()
    }

    /// Its answer to a message that was signed this many seconds ago. `sent`: the body that arrives.
    async fn send(&self, signed: &str, sent: &str, seconds_ago: i64, secret: &str) -> u16 {
        let id = "01999999-0000-7000-8000-000000000001";
        let at = Source::system().now().seconds() - seconds_ago;
        let signature = standardwebhooks::Webhook::new(secret).unwrap().sign(id, at, signed.as_bytes()).unwrap();
        let request = reqwest::Client::new().post(&self.url).header("webhook-id", id);
        let request = request.header("webhook-timestamp", at.to_string()).header("webhook-signature", signature);
        request.header("content-type", "application/json").body(sent.to_owned()).send().await.unwrap().status().as_u16()
    }

    /// Checks that it accepts our messages and no others.
    async fn refuses_forgeries(&self, file: &str) {
        const STRANGER: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaSLt5c3XkF3l8mYk=";
        const OURS: &str = r#"{"id": "1", "type": "test.ping", "data": {}}"#;
        assert_eq!(self.send(OURS, OURS, 0, &self.secret).await, 204, "{file}: {}", self.said());
        assert_eq!(self.send(OURS, &OURS.replace("ping", "pong"), 0, &self.secret).await, 400, "{file}: changed");
        assert_eq!(self.send(OURS, OURS, 0, STRANGER).await, 400, "{file}: signed with another secret");
        assert_eq!(self.send(OURS, OURS, 400, &self.secret).await, 400, "{file}: older than five minutes");
        let bare = reqwest::Client::new().post(&self.url).body("{}").send().await.unwrap();
        assert_eq!(bare.status(), 400, "{file}: without a signature");
        // A client that disconnects early does not stop it.
        let mut gone = TcpStream::connect(self.url.trim_start_matches("http://").trim_end_matches('/')).unwrap();
        gone.write_all(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{").unwrap();
        drop(gone);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        assert_eq!(self.send(OURS, OURS, 0, &self.secret).await, 204, "{file}: {}", self.said());
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ada returns some of her purchases.
async fn create_return(service: &Service, count: usize) -> Value {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let left: Vec<Value> =
        purchases.into_iter().filter(|purchase| purchase["returnableQuantity"] != json!(0)).collect();
    service.create_return(&ada, &left[..count]).await
}

/// The path of a return request that has arrived, and so is approved.
pub async fn approved(service: &Service) -> String {
    let order = create_return(service, 1).await;
    let requests = get(service, &format!("/api/v0/return-requests?filter=returnOrderId:{}", text(&order["id"]))).await;
    let path = format!("/api/v0/return-requests/{}", text(&requests["data"][0]["id"]));
    let arrived = service.post(&format!("{path}/receipts"), &service.demo.key, json!({"quantity": 1})).await;
    assert_eq!(arrived.json()["stage"], "Resolution: Approved", "{}", arrived.text());
    path
}

async fn get(service: &Service, path: &str) -> Value {
    let answer = service.get(path, &service.demo.key).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// How many deliveries of a subscription the receiver has accepted, and in how many attempts.
async fn taken(service: &Service, example: &Example) -> (usize, i64) {
    let list = get(service, &format!("{}/deliveries?filter=status:Delivered", example.subscription)).await;
    let list = list["data"].as_array().unwrap();
    (list.len(), list.iter().map(|delivery| delivery["attemptCount"].as_i64().unwrap()).sum())
}

fn receives(file: &'static str) {
    store::testing::on_sqlite(async |database| {
        let service = with_real_clock(database).await;
        let example = Example::start(&service, file, &json!({}), "").await;
        let tried = service.post(&format!("{}/test", example.subscription), &service.demo.key, json!({})).await.json();
        assert_eq!(tried["status"], "Delivered", "{file}: {tried} {}", example.said());
        until(async || example.said().contains(&format!("{} test.ping", text(&tried["eventId"])))).await;
        create_return(&service, 1).await;
        until(async || !example.lines("shipment.label_created").is_empty()).await;
        example.refuses_forgeries(file).await;
    });
}

#[test]
fn the_receiver_in_javascript_works() {
    receives("receiver.mjs");
}

#[test]
fn the_receiver_in_python_works() {
    receives("receiver.py");
}

#[test]
fn the_receiver_in_rust_works() {
    receives("receiver.rs");
}

#[test]
fn the_warehouse_records_each_parcel_once() {
    store::testing::on_sqlite(async |database| {
        let service = with_real_clock(database).await;
        let about = json!({"eventTypes": ["shipment.label_created"]});
        let example = Example::start(&service, "warehouse.py", &about, "").await;
        let order = create_return(&service, 2).await;
        until(async || example.lines("expect").len() == 2).await;
        let order = get(
            &service,
            &format!("/api/v0/return-orders/{}?expand=shipments&expand=returnRequests", text(&order["id"])),
        )
        .await;
        let barcode = text(&order["shipments"][0]["labelBarcode"]);
        for request in order["returnRequests"].as_array().unwrap() {
            let line = format!("expect {barcode} {} 1", text(&request["product"]["sku"]));
            assert_eq!(example.lines(&line).len(), 1, "{line}: {}", example.said());
        }
        // A repeated event is recorded once.
        until(async || taken(&service, &example).await == (1, 1)).await;
        let event = get(&service, "/api/v0/events?filter=type:shipment.label_created").await;
        let again = format!("/api/v0/events/{}/redeliver", text(&event["data"][0]["id"]));
        assert_eq!(service.post(&again, &service.demo.key, json!({})).await.status, 202);
        until(async || taken(&service, &example).await == (1, 2)).await;
        assert_eq!(example.lines("expect").len(), 2, "{}", example.said());
        example.refuses_forgeries("warehouse.py").await;
    });
}

#[test]
fn two_workers_pay_each_return_once() {
    store::testing::on_sqlite(async |database| {
        let service = with_real_clock(database).await;
        let key = service
            .retour
            .operator()
            .create_service_user(service.demo.account.id, KEY_NAME, &[Scope::Write])
            .await
            .unwrap();
        let about = json!({"eventTypes": ["return_request.stage_changed"], "stages": ["Resolution: Approved"]});
        let workers = [
            Example::start(&service, "resolve.mjs", &about, &key).await,
            Example::start(&service, "resolve.mjs", &about, &key).await,
        ];
        let said = |with: &str| workers.iter().flat_map(|worker| worker.lines(with)).collect::<Vec<_>>();
        let path = approved(&service).await;
        until(async || get(&service, &path).await["stage"] == "Resolution: Completed").await;
        let settled = get(&service, &path).await;
        let reference = format!("refund-{}", text(&settled["id"]));
        assert_eq!(settled["resolution"]["externalReference"], json!(reference));
        until(async || said("not mine").len() == 1).await;
        let value = &settled["resolution"]["value"];
        let paid = format!("pay {} {} for order #1001", text(&value["value"]), text(&value["currency"]));
        assert_eq!(said("pay"), [paid], "one of the workers pays");
        // A repeated event pays nothing.
        for worker in &workers {
            until(async || taken(&service, worker).await == (1, 1)).await;
        }
        let event = get(&service, "/api/v0/events?filter=stage:Resolution: Approved").await;
        let again = format!("/api/v0/events/{}/redeliver", text(&event["data"][0]["id"]));
        assert_eq!(service.post(&again, &service.demo.key, json!({})).await.status, 202);
        until(async || said("not mine").len() == 3).await;
        assert_eq!(said("pay").len(), 1);
        assert_eq!(get(&service, &path).await["version"], settled["version"]);
        workers[0].refuses_forgeries("resolve.mjs").await;
    });
}

/// An API that is busy at its first request. The state counts the requests.
async fn busy_api(State(asked): State<Arc<AtomicU32>>) -> Response {
    match asked.fetch_add(1, Ordering::SeqCst) {
        0 => (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")]).into_response(),
        _ => {
            let value = json!({"value": "1.00", "currency": "EUR"});
            Json(json!({"id": "1", "purchaseOrderNumber": "7", "resolution": {"value": value}})).into_response()
        }
    }
}

#[test]
fn a_worker_waits_for_retry_after_and_continues() {
    store::testing::on_sqlite(async |database| {
        let service = with_real_clock(database).await;
        let asked = Arc::new(AtomicU32::new(0));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let api = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/return-requests/1", patch(busy_api)).with_state(asked.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let worker = Example::start_with(&service, "resolve.mjs", &json!({}), (&api, "key")).await;
        let event = r#"{"id": "1", "type": "return_request.stage_changed", "data": {"id": "1"}}"#;
        assert_eq!(worker.send(event, event, 0, &worker.secret).await, 204, "{}", worker.said());
        assert_eq!((worker.said().as_str(), asked.load(Ordering::SeqCst)), ("pay 1.00 EUR for order 7\n", 3));
    });
}
