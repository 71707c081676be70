//! What operators rely on: the log, traces, readiness, and how the program stops.

use crate::{
    program::{Program, command, demo},
    receiver::Receiver,
};
use serde_json::{Value, json};
use sqlx::{Connection as _, SqliteConnection};
use std::{
    io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::tcp::{OwnedReadHalf, OwnedWriteHalf},
    sync::watch,
};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

/// A collector of traces whose parser is independent of ours (opentelemetry-proto).
struct Collector {
    url: String,
    file: tempfile::NamedTempFile,
    process: Child,
}

impl Drop for Collector {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Collector {
    fn start() -> Self {
        let file = tempfile::NamedTempFile::new().unwrap();
        let python = std::env::var("RETOUR_PYTHON").unwrap_or("python3".to_owned());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../end2end/otlp_receiver.py");
        let mut command = Command::new(python);
        command.arg(script).arg(file.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut port = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut port).unwrap();
        let port: u16 = port.trim().parse().expect("opentelemetry-proto is needed: `.ci/tools test` installs it");
        Self { url: format!("http://127.0.0.1:{port}"), file, process }
    }

    /// The spans that the collector received.
    fn spans(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.file.path()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[tokio::test]
async fn a_trace_has_the_steps_of_a_request_and_no_personal_data() {
    let folder = tempfile::tempdir().unwrap();
    let (database, key) = demo(folder.path());
    let (collector, receiver) = (Collector::start(), Receiver::start().await);
    let program = Program::start(&database, folder.path(), &[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)]).await;
    let (client, base) = (reqwest::Client::new(), &program.base);
    let proof = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"});
    let request = client.post(format!("{base}/auth/consumer")).header("x-request-id", "proof-1").json(&proof);
    let request = request.header("traceparent", format!("00-{TRACE}-{CALLER}-01"));
    assert_eq!(request.send().await.unwrap().status(), 201);
    let page = client.get(format!("{base}/fjord-fern?email=ada@example.com")).send().await.unwrap();
    assert_eq!(page.status(), 200);
    let subscription = json!({"url": receiver.url, "eventTypes": ["test.ping"]});
    let subscribe = client.post(format!("{base}/api/v0/webhook-subscriptions")).bearer_auth(&key);
    let subscription: Value = subscribe.json(&subscription).send().await.unwrap().json().await.unwrap();
    let ping = format!("{base}/api/v0/webhook-subscriptions/{}/test", subscription["id"].as_str().unwrap());
    let ping = client.post(ping).bearer_auth(&key).send().await.unwrap();
    assert_eq!(ping.status(), 200, "{}", ping.text().await.unwrap());
    let (ended_well, log) = program.stop().await;
    assert!(ended_well, "{log}");

    let spans = collector.spans();
    let named =
        |name: &str| spans.iter().find(|span| span["name"] == name).unwrap_or_else(|| panic!("{name}: {spans:#?}"));
    let proving = named("POST /auth/consumer");
    assert_eq!((&proving["trace"], &proving["parent"], &proving["kind"]), (&json!(TRACE), &json!(CALLER), &json!(2)));
    assert_eq!(proving["resource"]["service.name"], "retour");
    let attributes = &proving["attributes"];
    assert_eq!(
        (&attributes["http.route"], &attributes["http.request.method"]),
        (&json!("/auth/consumer"), &json!("POST"))
    );
    assert_eq!((&attributes["http.response.status_code"], &attributes["request.id"]), (&json!(201), &json!("proof-1")));
    let statements = proving["events"].as_array().unwrap();
    assert!(statements.iter().any(|event| event.to_string().contains("SELECT")), "{statements:?}");
    assert!(
        statements.iter().any(|event| event.to_string().contains("INSERT")),
        "writes have spans, too: {statements:?}"
    );
    named("GET /{slug}");
    let call = spans.iter().find(|span| span["kind"] == 3).expect("the call that we made");
    let pinging = named("POST /api/v0/webhook-subscriptions/{id}/test");
    assert_eq!((&call["trace"], &call["parent"]), (&pinging["trace"], &pinging["span"]));
    let passed_on = format!("00-{}-{}-01", call["trace"].as_str().unwrap(), call["span"].as_str().unwrap());
    assert_eq!(receiver.received()[0].header("traceparent"), passed_on);
    let all = format!("{spans:?}");
    for secret in ["ada@", "example.com", &key, "127.0.0.1", subscription["id"].as_str().unwrap()] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
}

#[tokio::test]
async fn an_unreachable_collector_causes_no_errors() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _) = demo(folder.path());
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let collector = format!("http://{nobody}");
    let settings = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.as_str()), ("OTEL_BSP_SCHEDULE_DELAY", "20")];
    let program = Program::start(&database, folder.path(), &settings).await;
    for _ in 0..50 {
        assert_eq!(program.get("/fjord-fern").await.unwrap().0, 200);
    }
    let (ended_well, log) = program.stop().await;
    assert!(ended_well, "{log}");
    assert_eq!(log.matches("does not accept traces").count(), 1, "the warning is logged once: {log}");
}

#[tokio::test]
async fn log_lines_are_json_with_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let (database, key) = demo(folder.path());
    let program = Program::start(&database, folder.path(), &[("LOG", "debug"), ("LOG_FORMAT", "json")]).await;
    let request = reqwest::Client::new().get(format!("{}/api/v0/return-orders?search=ada@example.com", program.base));
    let answer = request.bearer_auth(&key).header("x-request-id", "log-1").send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let (_, log) = program.stop().await;
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().all(|line| line["timestamp"].is_string() && line["level"].is_string()), "{log}");
    let line = lines.iter().find(|line| line["message"] == "request" && line["id"] == "log-1").expect("the request");
    assert_eq!((&line["path"], &line["status"]), (&json!("/api/v0/return-orders"), &json!(200)));
    let within = lines.iter().find(|line| line["span"]["id"] == "log-1");
    assert!(within.is_some(), "log lines of a request have its id: {log}");
    assert!(!log.contains("ada@") && !log.contains(&key), "{log}");

    let program = Program::start(&database, folder.path(), &[("LOG", " info , sqlx=warn")]).await;
    let (_, log) = program.stop().await;
    assert!(log.contains("serving http://") && !log.contains('\u{1b}'), "plain text, without colours: {log}");
}

#[tokio::test]
async fn it_becomes_unready_before_it_stops() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _) = demo(folder.path());
    let program = Program::start(&database, folder.path(), &[("RETOUR_DRAIN_SECONDS", "300")]).await;
    program.signal();
    while program.get("/health/ready").await.unwrap().0 == 200 {}
    assert_eq!(program.get("/health/live").await.unwrap().0, 200, "the program is still live");
    let page = reqwest::get(format!("{}/fjord-fern", program.base)).await.unwrap();
    assert_eq!((page.status().as_u16(), &page.headers()["connection"]), (200, &"close".parse().unwrap()));
    assert!(program.get("/metrics").await.unwrap().1.lines().any(|line| line == "retour_stopping 1"));
    let (ended_well, log) = program.stop().await; // the second signal ends the drain
    assert!(ended_well && log.contains("stopped"), "{log}");
}

#[test]
fn a_hanging_database_makes_it_unready_but_live() {
    store::testing::on_postgres(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let (way, behind) = (HangingProxy::to(&database.url).await, &database.url);
        let url = format!("{}@{}/{}", before(behind, '@'), way.address, after(behind, '/'));
        let program = Program::start(&url, folder.path(), &[]).await;
        way.hang(true);
        assert_eq!(program.get("/health/ready").await.unwrap().0, 503);
        assert_eq!(program.get("/health/live").await.unwrap().0, 200);
        let (status, figures) = program.get("/metrics").await.unwrap();
        assert_eq!(status, 200, "metrics answer while the database hangs");
        assert!(figures.lines().any(|line| line == "retour_database_up 0"), "{figures}");
        way.hang(false);
        while program.get("/health/ready").await.unwrap().0 != 200 {}
    });
}

/// The pages of a table and its indexes in a SQLite file.
async fn pages_of(url: &str, names: &[&str]) -> (u64, Vec<(String, u64)>) {
    let mut file = SqliteConnection::connect(url).await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut file).await.unwrap();
    let size: i64 = sqlx::query_scalar("PRAGMA page_size").fetch_one(&mut file).await.unwrap();
    let roots = "SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0 AND tbl_name = $1";
    let mut pages = Vec::new();
    for name in names {
        let of_table: Vec<(String, i64)> = sqlx::query_as(roots).bind(name).fetch_all(&mut file).await.unwrap();
        pages.extend(of_table.into_iter().map(|(name, page)| (name, u64::try_from(page).unwrap())));
    }
    file.close().await.unwrap();
    (u64::try_from(size).unwrap(), pages)
}

/// How a page is damaged.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// All of it is overwritten, which SQLite detects.
    Whole,
    /// Only the half with the cells is overwritten. SQLite finds no rows, and detects nothing.
    Cells,
}

/// Damages one page of a copy of the file, and sends requests that need this page to a program that serves the copy.
async fn answers_with(
    damaged: &Path,
    page: u64,
    (size, damage): (u64, Damage),
    requests: &Requests,
) -> Vec<(u16, String)> {
    let folder = damaged.parent().unwrap();
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", damaged.display()));
    }
    let mut file = std::fs::OpenOptions::new().write(true).open(damaged).unwrap();
    let skipped = match damage {
        Damage::Whole => 0,
        Damage::Cells => size / 2,
    };
    file.seek(SeekFrom::Start((page - 1) * size + skipped)).unwrap();
    file.write_all(&vec![0; usize::try_from(size - skipped).unwrap()]).unwrap();
    drop(file);
    let (url, folder) = (format!("sqlite://{}", damaged.display()), folder.to_owned());
    // A program that cannot read the accounts does not start, so it cannot call a credential wrong.
    let Ok(program) = tokio::spawn(async move { Program::start(&url, &folder, &[]).await }).await else {
        return vec![(503, "it does not start".to_owned())];
    };
    let mut answers = Vec::new();
    for request in requests(&program.base) {
        let answer = checked_answer(request).await;
        answers.push((answer.status().as_u16(), answer.text().await.unwrap()));
    }
    if answers.iter().any(|(status, _)| *status == 503) {
        let metrics = program.get("/metrics").await.unwrap().1;
        assert!(!metrics.lines().any(|line| line == "retour_database_damage_total 0"), "{metrics}");
    }
    answers
}

/// The answer after the tables were checked. A look-up waits a second for the check, which may be too short while this machine is
/// busy. A later look-up has the result.
async fn checked_answer(request: reqwest::RequestBuilder) -> reqwest::Response {
    for _ in 0..10 {
        let sent_at = Instant::now();
        let answer = request.try_clone().unwrap().send().await.unwrap();
        if answer.status() != 401 || sent_at.elapsed() < Duration::from_secs(1) {
            return answer;
        }
    }
    panic!("the tables are not checked in ten seconds");
}

type Requests = dyn Fn(&str) -> Vec<reqwest::RequestBuilder>;

#[tokio::test]
async fn a_damaged_page_is_never_reported_as_a_wrong_credential() {
    let folder = tempfile::tempdir().unwrap();
    let (url, key) = demo(folder.path());
    let proof = json!({"account": "fjord-fern", "orderNumber": "1001", "email": "ada@example.com"});
    let program = Program::start(&url, folder.path(), &[]).await;
    let ada = reqwest::Client::new().post(format!("{}/auth/consumer", program.base)).json(&proof);
    let ada: Value = ada.send().await.unwrap().json().await.unwrap();
    program.stop().await;
    let requests = move |base: &str| {
        let client = reqwest::Client::new();
        let purchases = format!("{base}/consumer/{}/purchases", ada["consumer"]["id"].as_str().unwrap());
        vec![
            client.get(format!("{base}/api/v0/account")).bearer_auth(&key),
            client.get(purchases).bearer_auth(ada["accessToken"].as_str().unwrap()),
            client.post(format!("{base}/auth/consumer")).json(&proof),
            client.get(format!("{base}/fjord-fern")),
        ]
    };
    let tables = ["accounts", "service_users", "consumer_tokens", "orders"];
    let (size, pages) = pages_of(&url, &tables).await;
    let (whole, damaged) = (folder.path().join("retour.db"), folder.path().join("damaged.db"));
    let mut failed = 0;
    for (name, page) in &pages {
        for damage in [Damage::Whole, Damage::Cells] {
            std::fs::copy(&whole, &damaged).unwrap();
            for (status, answer) in answers_with(&damaged, *page, (size, damage), &requests).await {
                // An account that a damaged index hides is not found, but no credential is called wrong. If SQLite does not detect the damage, the
                // rows that are read may not fit together.
                let is_known =
                    [200, 201, 404, 503].contains(&status) || matches!((status, damage), (500, Damage::Cells));
                assert!(is_known, "{name}, {damage:?}: {status} {answer}");
                failed += usize::from(status == 503);
            }
        }
    }
    assert!(failed > pages.len(), "{failed} answers of 503, {} pages", pages.len());
}

#[tokio::test]
async fn one_program_serves_a_file_and_other_commands_can_use_it() {
    let folder = tempfile::tempdir().unwrap();
    let (url, _) = demo(folder.path());
    let program = Program::start(&url, folder.path(), &[]).await;
    let file = folder.path().join("retour.db");
    let link = folder.path().join("link.db");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    std::fs::create_dir(folder.path().join("inside")).unwrap();
    let ways = [
        url.clone(),
        format!("sqlite://{}", link.display()),
        format!("sqlite://{}/inside/../retour.db", folder.path().display()),
        "sqlite://retour.db".to_owned(),
        "sqlite:retour.db".to_owned(),
    ];
    for way in ways {
        let mut second = command(&way, folder.path(), "serve");
        let second = second.current_dir(folder.path()).env("LEPTOS_SITE_ADDR", "127.0.0.1:0").output().unwrap();
        let stderr = String::from_utf8(second.stderr).unwrap();
        assert!(!second.status.success() && stderr.contains("another `retour serve` serves"), "{way}: {stderr}");
    }
    assert!(command(&url, folder.path(), "migrate").output().unwrap().status.success(), "other commands still work");
    assert_eq!(program.get("/health/ready").await.unwrap().0, 200);
    drop(program); // killed: nothing of it is left
    let again = Program::start(&url, folder.path(), &[]).await;
    assert_eq!(again.get("/health/ready").await.unwrap().0, 200);
}

#[test]
fn a_database_that_does_not_exist_is_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("mistyped/retour.db").display());
    let mut update = command(&database, folder.path(), "account");
    update.args(["update", "--slug", "my-shop"]);
    for mut program in [command(&database, folder.path(), "serve"), update] {
        let output = program.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && stderr.contains("there is no database at"), "{stderr}");
        assert!(!folder.path().join("mistyped").exists());
    }
    assert!(command(&database, folder.path(), "migrate").output().unwrap().status.success());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = command("", folder.path(), "openapi");
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.success(), String::from_utf8(output.stderr).unwrap().as_str()), (true, ""));
}

#[test]
fn the_command_line_refuses_a_policy_with_the_messages_of_the_api() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("retour.db").display());
    assert!(command(&database, folder.path(), "migrate").output().unwrap().status.success());
    let file = folder.path().join("policy.json");
    for (policy, expected) in [
        (r#"{"returnWindowDays": -3}"#, "returnWindowDays: expected a whole number, 0 or more"),
        (r#"{"windowDays": 3}"#, "windowDays: unknown field; expected one of `returnWindowDays`"),
        ("{", "Invalid JSON at line 1, column 1."),
    ] {
        std::fs::write(&file, policy).unwrap();
        let mut create = command(&database, folder.path(), "account");
        create.args(["create", "--slug", "my-shop", "--name", "My Shop", "--currency", "EUR", "--policy"]).arg(&file);
        let stderr = String::from_utf8(create.output().unwrap().stderr).unwrap();
        assert!(stderr.contains(&format!("policy.json: {expected}")), "{stderr}");
    }
}

fn before(text: &str, mark: char) -> &str {
    text.rsplit_once(mark).unwrap().0
}

fn after(text: &str, mark: char) -> &str {
    text.rsplit_once(mark).unwrap().1
}

/// A proxy in front of the database that can hang: connections stay open, and no bytes pass.
struct HangingProxy {
    address: std::net::SocketAddr,
    hangs: watch::Sender<bool>,
}

impl HangingProxy {
    async fn to(url: &str) -> Self {
        let target = before(after(url, '@'), '/').to_owned();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (hangs, seen) = watch::channel(false);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = tokio::net::TcpStream::connect(&target).await.unwrap();
                let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
                tokio::spawn(carry(near_read, far_write, seen.clone()));
                tokio::spawn(carry(far_read, near_write, seen.clone()));
            }
        });
        Self { address, hangs }
    }

    fn hang(&self, hangs: bool) {
        self.hangs.send(hangs).unwrap();
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut hangs: watch::Receiver<bool>) {
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        if hangs.wait_for(|hangs| !hangs).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
