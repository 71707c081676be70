//! A burst of requests through the load balancer to four instances with rate limits: twenty times the usual rate. Most clients stay within
//! their limit, and some exceed it. No client gets an error except 429, and only clients over their limit get that.
//!
//! `RETOUR_BURST_REQUESTS` sets the number of requests, and `RETOUR_BURST_RATE` the number per second.

use super::{attempts::percentile, client, instances::Cluster, number, on_threads};
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

/// Connections that the clients share.
const CONNECTIONS: usize = 128;
/// Requests a minute for each client.
const LIMIT: u64 = 120;
/// Returns that the warehouse receives during the burst. Each one sends webhooks.
const RETURNS: usize = 400;

/// A client of the burst.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum BurstClient {
    /// A program of the merchant that exceeds its limit, by its key.
    Key(usize),
    /// A shopper at some address.
    Address(usize),
    /// The warehouse, by its key.
    Dock(usize),
}

/// The answer to a request.
struct BurstAnswer {
    who: BurstClient,
    status: Option<StatusCode>,
    /// The end of the window that the request was counted in, in seconds; 0 if the answer does not name it.
    window: i64,
    took: Duration,
}

/// What the clients need.
struct BurstSetup {
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
fn a_burst_causes_no_error_except_429() {
    on_threads(async {
        let all = number("RETOUR_BURST_REQUESTS", if is_long() { 200_000 } else { 10_000 });
        let rate = number("RETOUR_BURST_RATE", 1_000);
        let cluster = Cluster::start_all(&[("RETOUR_RATE_LIMIT", LIMIT.to_string())]).await;
        let receiver = Receiver::listen().await;
        let setup = Arc::new(prepare(&cluster, &receiver, usize::try_from(all).unwrap(), rate).await);
        let before = receiver.count();
        let began = Instant::now();
        let answered = run_all(&setup).await;
        let took = began.elapsed();
        let database = Database { store: Store::open(&cluster.database).await.unwrap(), url: cluster.database.clone() };
        let left = database.rows("webhook_deliveries WHERE status = 'Pending'").await;
        let after = Instant::now();
        while database.rows("webhook_deliveries WHERE status = 'Pending'").await > 0 {
            assert!(after.elapsed() < Duration::from_mins(5), "webhooks are stuck");
            sleep(Duration::from_millis(20)).await;
        }
        let (drained, delivered) = (after.elapsed(), receiver.count() - before);
        print_result(&setup, &answered, took);
        println!("webhooks: {delivered} delivered, {left} waited at the end, drained {drained:.1?} later");
        let memory: Vec<u64> = cluster.instances.iter().map(|one| one.peak_memory() / 1024).collect();
        println!("peak memory, MiB: {memory:?}");
        check(&answered);
        assert!(memory.iter().all(|peak| *peak < 512), "the memory is bounded");
        assert!(delivered > 0);
    });
}

/// Creates a shop with returns in transit and a subscription, through an instance without a limit.
async fn prepare(cluster: &Cluster, receiver: &Receiver, all: usize, rate: u64) -> BurstSetup {
    let folder = tempfile::tempdir().unwrap();
    let key = crash::make_shop(&cluster.database, folder.path());
    let beside = crate::support::process::Server::start(&cluster.database).await;
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
        run(&cluster.database, &["service-user", "create", "--account", SHOP, "--name", &name, "--scopes", scope])
    };
    let keys = (0..16).map(|at| made(format!("reader {at}"), "read")).collect();
    let docks = (0..8).map(|at| made(format!("dock {at}"), "write")).collect();
    let http = reqwest::Client::builder().pool_max_idle_per_host(CONNECTIONS).timeout(Duration::from_secs(30)).build();
    BurstSetup {
        base: cluster.base.clone(),
        keys,
        docks,
        requests,
        http: http.unwrap(),
        next: AtomicUsize::new(0),
        rate,
        all,
    }
}

async fn run_all(setup: &Arc<BurstSetup>) -> Vec<BurstAnswer> {
    let began = tokio::time::Instant::now();
    let mut calling = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let setup = setup.clone();
        calling.spawn(async move {
            let mut answered = Vec::new();
            loop {
                let at = setup.next.fetch_add(1, Ordering::Relaxed);
                if at >= setup.all {
                    return answered;
                }
                // Each request has its planned time. A client that waits for a connection waits for an answer.
                let due = began + Duration::from_micros(at as u64 * 1_000_000 / setup.rate);
                sleep_until(due).await;
                let mut one = setup.call(at).await;
                one.took = due.elapsed();
                answered.push(one);
            }
        });
    }
    calling.join_all().await.into_iter().flatten().collect()
}

impl BurstSetup {
    /// One of this many tens of requests comes from the warehouse.
    fn every(&self) -> usize {
        (self.all / 10 / self.requests.len()).max(1)
    }

    /// Of ten requests, six come from programs over their limit, three from shoppers, and one from the warehouse or a shopper.
    async fn call(&self, at: usize) -> BurstAnswer {
        let (who, request) = match at % 10 {
            0..6 => {
                let which = at / 10 % self.keys.len();
                let path = if at.is_multiple_of(2) { "/api/v0/return-requests?limit=5" } else { "/api/v0/account" };
                (BurstClient::Key(which), self.http.get(format!("{}{path}", self.base)).bearer_auth(&self.keys[which]))
            }
            9 if (at / 10).is_multiple_of(self.every()) && at / 10 / self.every() < self.requests.len() => {
                let (number, which) = (at / 10 / self.every(), at / 10 / self.every() % self.docks.len());
                let url = format!("{}/api/v0/return-requests/{}/receipts", self.base, self.requests[number]);
                (
                    BurstClient::Dock(which),
                    self.http.post(url).bearer_auth(&self.docks[which]).json(&json!({"quantity": 1})),
                )
            }
            _ => {
                let which = at / 7 % 20_000;
                let address = format!("198.{}.{}.{}", 18 + which / 65_536, which / 256 % 256, which % 256);
                (
                    BurstClient::Address(which),
                    self.http.get(format!("{}/{SHOP}", self.base)).header("x-forwarded-for", address),
                )
            }
        };
        let Ok(answer) = request.send().await else {
            return BurstAnswer { who, status: None, window: 0, took: Duration::ZERO };
        };
        let (status, headers) = (answer.status(), answer.headers().clone());
        let window = headers.get("ratelimit-reset").and_then(|at| at.to_str().ok()?.parse().ok()).unwrap_or(0);
        let whole = answer.bytes().await.is_ok();
        BurstAnswer { who, status: whole.then_some(status), window, took: Duration::ZERO }
    }
}

/// Every answer is a success or 429, and each client passes as often as its limit allows in each minute.
fn check(answered: &[BurstAnswer]) {
    let wrong = answered
        .iter()
        .filter(|one| one.status.is_none_or(|status| !status.is_success() && status != StatusCode::TOO_MANY_REQUESTS));
    let wrong: Vec<_> = wrong.map(|one| (&one.who, one.status)).take(20).collect();
    assert!(wrong.is_empty(), "errors: {wrong:?}");
    let mut minutes: HashMap<(&BurstClient, i64), (u64, u64)> = HashMap::new();
    for one in answered {
        let (passed, all) = minutes.entry((&one.who, one.window)).or_default();
        *passed += u64::from(one.status != Some(StatusCode::TOO_MANY_REQUESTS));
        *all += 1;
    }
    for ((who, window), (passed, all)) in minutes {
        assert_eq!(passed, all.min(LIMIT), "{who:?} in the minute until {window}, of {all} requests");
    }
}

fn print_result(setup: &BurstSetup, answered: &[BurstAnswer], took: Duration) {
    let refused = answered.iter().filter(|one| one.status == Some(StatusCode::TOO_MANY_REQUESTS)).count();
    println!(
        "{} requests in {took:.1?} ({} a second were wanted), {refused} of them refused by a limit (429)",
        answered.len(),
        setup.rate
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
