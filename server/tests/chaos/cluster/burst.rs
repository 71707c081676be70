//! A burst through the balancer on four programs with rate limits: twenty times the usual rate, from callers of whom most
//! stay within their limit and some go far beyond. Nobody gets an error but 429, and only those whom a limit says so.
//!
//! `RETOUR_BURST_REQUESTS` says how many, `RETOUR_BURST_RATE` how many a second.

use super::{client, number, on_threads, stage::Stage, tries::percentile};
use crate::{
    crash::{self, Client, SHOP},
    is_long,
    receiver::Receiver,
    support::process::run,
};
use reqwest::{Method, StatusCode};
use serde_json::json;
use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use store::{Store, testing::Database};
use tokio::{
    task::JoinSet,
    time::{sleep, sleep_until},
};

/// Connections that requests share.
const CONNECTIONS: usize = 128;
/// Requests a minute for each caller.
const LIMIT: u64 = 120;
/// Returns that the dock receives in it, each of which is told of by webhooks.
const RETURNS: usize = 400;

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    /// A program of the merchant, by its key: one of those that go beyond their limit.
    Key(usize),
    /// A shopper somewhere.
    Address(usize),
    /// The dock, by its key.
    Dock(usize),
}

/// What one was answered.
struct Answered {
    who: Who,
    status: Option<StatusCode>,
    /// When the window that it was counted in ends, seconds; 0 where nobody said.
    window: i64,
    took: Duration,
}

/// What everybody needs to call.
struct Scene {
    base: String,
    keys: Vec<String>,
    docks: Vec<String>,
    requests: Vec<String>,
    http: reqwest::Client,
    next: AtomicUsize,
    rate: u64,
    all: usize,
}

#[test]
#[ignore = "minutes, haproxy and redis-server: make chaos"]
fn a_burst_is_borne_with_no_error_but_429() {
    on_threads(async {
        let all = number("RETOUR_BURST_REQUESTS", if is_long() { 200_000 } else { 10_000 });
        let rate = number("RETOUR_BURST_RATE", 1_000);
        let stage = Stage::set(&[("RETOUR_RATE_LIMIT", LIMIT.to_string())]).await;
        let receiver = Receiver::listen().await;
        let scene = Arc::new(prepare(&stage, &receiver, usize::try_from(all).unwrap(), rate).await);
        let before = receiver.count();
        let began = Instant::now();
        let answered = run_all(&scene).await;
        let took = began.elapsed();
        let database = Database { store: Store::open(&stage.database).await.unwrap(), url: stage.database.clone() };
        let left = database.rows("webhook_deliveries WHERE status = 'Pending'").await;
        let after = Instant::now();
        while database.rows("webhook_deliveries WHERE status = 'Pending'").await > 0 {
            assert!(after.elapsed() < Duration::from_mins(5), "webhooks are stuck");
            sleep(Duration::from_millis(20)).await;
        }
        let (drained, delivered) = (after.elapsed(), receiver.count() - before);
        tell(&scene, &answered, took);
        println!("webhooks: {delivered} delivered, {left} waited at the end, drained {drained:.1?} later");
        let memory: Vec<u64> = stage.instances.iter().map(|one| one.peak_memory() / 1024).collect();
        println!("peak memory, MiB: {memory:?}");
        check(&answered);
        assert!(memory.iter().all(|peak| *peak < 512), "memory is bounded");
        assert!(delivered > 0);
    });
}

/// A shop with returns that are on their way and a subscriber, made beside the stage, where no limit holds.
async fn prepare(stage: &Stage, receiver: &Receiver, all: usize, rate: u64) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let key = crash::make_shop(&stage.database, folder.path());
    let beside = crate::support::process::Server::start(&stage.database).await;
    let office = client(&beside.base, &key);
    let mut requests = Vec::new();
    let mut making: JoinSet<Vec<String>> = JoinSet::new();
    for part in 0..8 {
        let office: Client = office.clone();
        making.spawn(async move {
            let mut requests = Vec::new();
            for number in (part..RETURNS).step_by(8) {
                requests.push(office.submit_one(number).await.1);
            }
            requests
        });
    }
    requests.extend(making.join_all().await.concat());
    let body = json!({"url": format!("{}/healthy", receiver.base)});
    office.staff(Method::POST, "/webhook-subscriptions", None, &body).await;
    let made = |name: String, scope: &str| {
        run(&stage.database, &["service-user", "create", "--account", SHOP, "--name", &name, "--scopes", scope])
    };
    let keys = (0..16).map(|at| made(format!("reader {at}"), "read")).collect();
    let docks = (0..8).map(|at| made(format!("dock {at}"), "write")).collect();
    let http = reqwest::Client::builder().pool_max_idle_per_host(CONNECTIONS).timeout(Duration::from_secs(30)).build();
    Scene { base: stage.base.clone(), keys, docks, requests, http: http.unwrap(), next: AtomicUsize::new(0), rate, all }
}

async fn run_all(scene: &Arc<Scene>) -> Vec<Answered> {
    let began = tokio::time::Instant::now();
    let mut calling = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let scene = scene.clone();
        calling.spawn(async move {
            let mut answered = Vec::new();
            loop {
                let at = scene.next.fetch_add(1, Ordering::Relaxed);
                if at >= scene.all {
                    return answered;
                }
                // Each has its moment, whatever became of those before: who waits for a connection waits for an answer.
                let due = began + Duration::from_micros(at as u64 * 1_000_000 / scene.rate);
                sleep_until(due).await;
                let mut one = scene.call(at).await;
                one.took = due.elapsed();
                answered.push(one);
            }
        });
    }
    calling.join_all().await.into_iter().flatten().collect()
}

impl Scene {
    /// One of so many tens of requests is the dock's.
    fn every(&self) -> usize {
        (self.all / 10 / self.requests.len()).max(1)
    }

    /// Of ten requests six are of programs that ask far too often, three of shoppers, one of the dock or a shopper.
    async fn call(&self, at: usize) -> Answered {
        let (who, request) = match at % 10 {
            0..6 => {
                let which = at / 10 % self.keys.len();
                let path = if at.is_multiple_of(2) { "/api/v0/return-requests?limit=5" } else { "/api/v0/account" };
                (Who::Key(which), self.http.get(format!("{}{path}", self.base)).bearer_auth(&self.keys[which]))
            }
            9 if (at / 10).is_multiple_of(self.every()) && at / 10 / self.every() < self.requests.len() => {
                let (number, which) = (at / 10 / self.every(), at / 10 / self.every() % self.docks.len());
                let url = format!("{}/api/v0/return-requests/{}/receipts", self.base, self.requests[number]);
                (Who::Dock(which), self.http.post(url).bearer_auth(&self.docks[which]).json(&json!({"quantity": 1})))
            }
            _ => {
                let which = at / 7 % 20_000;
                let address = format!("198.{}.{}.{}", 18 + which / 65_536, which / 256 % 256, which % 256);
                (Who::Address(which), self.http.get(format!("{}/{SHOP}", self.base)).header("x-forwarded-for", address))
            }
        };
        let Ok(answer) = request.send().await else {
            return Answered { who, status: None, window: 0, took: Duration::ZERO };
        };
        let (status, headers) = (answer.status(), answer.headers().clone());
        let window = headers.get("ratelimit-reset").and_then(|at| at.to_str().ok()?.parse().ok()).unwrap_or(0);
        let whole = answer.bytes().await.is_ok();
        Answered { who, status: whole.then_some(status), window, took: Duration::ZERO }
    }
}

/// Nobody was answered anything but a success or 429, and of each caller each minute let as many through as it should.
fn check(answered: &[Answered]) {
    let wrong = answered
        .iter()
        .filter(|one| one.status.is_none_or(|status| !status.is_success() && status != StatusCode::TOO_MANY_REQUESTS));
    let wrong: Vec<_> = wrong.map(|one| (&one.who, one.status)).take(20).collect();
    assert!(wrong.is_empty(), "errors: {wrong:?}");
    let mut minutes: HashMap<(&Who, i64), (u64, u64)> = HashMap::new();
    for one in answered {
        let (passed, all) = minutes.entry((&one.who, one.window)).or_default();
        *passed += u64::from(one.status != Some(StatusCode::TOO_MANY_REQUESTS));
        *all += 1;
    }
    for ((who, window), (passed, all)) in minutes {
        assert_eq!(passed, all.min(LIMIT), "{who:?} in the minute until {window}: of {all} requests");
    }
}

fn tell(scene: &Scene, answered: &[Answered], took: Duration) {
    let refused = answered.iter().filter(|one| one.status == Some(StatusCode::TOO_MANY_REQUESTS)).count();
    println!(
        "{} requests in {took:.1?} ({} a second were wanted), {refused} of them refused by a limit (429)",
        answered.len(),
        scene.rate
    );
    for (name, is_it) in [("answered", false), ("refused", true)] {
        let of = answered.iter().filter(|one| (one.status == Some(StatusCode::TOO_MANY_REQUESTS)) == is_it);
        let mut times: Vec<Duration> = of.map(|one| one.took).collect();
        println!(
            "{name}: p50 {:.1?}, p99 {:.1?}, longest {:.1?}",
            percentile(&mut times, 50),
            percentile(&mut times, 99),
            percentile(&mut times, 100)
        );
    }
}
