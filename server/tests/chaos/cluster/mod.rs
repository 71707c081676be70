//! Four instances on one Postgres and one Redis behind a load balancer, under a mixed load, while every part is killed, stopped, cut off,
//! slowed and filled up. Afterwards, a journal of acknowledged requests is compared with the database.
//!
//! `RETOUR_CHAOS_SEED` repeats the faults of a run, `RETOUR_CHAOS_SECONDS` sets its length, and `RETOUR_CHAOS_ONLY` selects faults by a part of
//! their names.

mod attempts;
mod burst;
mod fault_proxy;
mod faults;
mod instances;
mod load;
mod postgres;
mod process;
mod race;
mod upgrade;
mod verification;

use self::{
    attempts::Attempts,
    fault_proxy::FaultProxy,
    faults::FaultInjector,
    instances::Cluster,
    load::{Load, PAID},
    verification::Verification,
};
use crate::{
    crash::{self, Client, random},
    is_long,
    receiver::{FLAKY, Receiver},
    refunds::{self, LedgerShop, SECRET},
    support::process::run,
};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use store::{Store, testing::Database};

/// A number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    let wanted = std::env::var(name).ok();
    wanted.map_or(otherwise, |wanted| wanted.parse().unwrap_or_else(|_| panic!("{name}: expected a number")))
}

/// Runs the work on several threads, so that concurrent tasks really run in parallel.
fn on_threads<F: Future<Output = ()>>(work: F) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap().block_on(work);
}

/// A running scenario: the instances, two shops, their clients, and a receiver of webhooks.
struct Scenario {
    cluster: Cluster,
    clients: [Client; 2],
    receiver: Receiver,
    payer: LedgerShop,
    to_receiver: FaultProxy,
    tries: Attempts,
    load: Load,
}

impl Scenario {
    /// Starts the instances with these settings, and all clients.
    async fn begin(settings: &[(&'static str, String)]) -> Self {
        let without_limit = ("RETOUR_RATE_LIMIT", "1000000".to_owned());
        let cluster = Cluster::start_all(&[&[without_limit], settings].concat()).await;
        let folder = tempfile::tempdir().unwrap();
        let keys = [crash::make_shop(&cluster.database, folder.path()), make_paid_shop(&cluster.database)];
        let (receiver, payer) = (Receiver::listen().await, LedgerShop::listen().await);
        let to_receiver = FaultProxy::start(receiver.address).await;
        let clients = keys.each_ref().map(|key| client(&cluster.base, key));
        for (client, name) in clients.iter().zip([FLAKY, PAID]) {
            let url = format!("http://{}/hooks/{name}", to_receiver.address);
            let made = client.staff(Method::POST, "/webhook-subscriptions", None, &json!({"url": url})).await;
            let path = format!("/webhook-subscriptions/{}/secret", made["id"].as_str().unwrap());
            let kept = client.staff(Method::GET, &path, None, &Value::Null).await;
            receiver.trust(name, kept["secret"].as_str().unwrap());
        }
        let bridge = json!({"bridge": {"kind": "http", "url": payer.url, "secret": SECRET}});
        clients[1].staff(Method::PATCH, "/account", None, &bridge).await;
        let tries = Attempts::default();
        let load = Load::begin(&cluster.base, keys, &tries);
        Self { cluster, clients, receiver, payer, to_receiver, tries, load }
    }

    /// Stops all clients, and compares the journal with the database. Returns the number of returns, and the attempts.
    async fn end(self) -> (usize, Attempts) {
        let journal = self.load.end().await;
        let returns = journal.returns.len();
        println!("stopped: {} requests, {returns} returns", self.tries.count());
        let url = self.cluster.database.clone();
        let database = Database { store: Store::open(&url).await.unwrap(), url };
        let Self { clients, receiver, payer, .. } = self;
        let verification =
            Verification { database, clients, journal, receiver, payer, base: self.cluster.base.clone() };
        verification.wait_until_nothing_waits().await;
        verification.compare().await;
        assert_eq!(self.cluster.panics(), Vec::<String>::new());
        (returns, self.tries)
    }
}

#[test]
#[ignore = "minutes, haproxy, redis-server and strace: make chaos"]
fn faults_lose_duplicate_and_block_nothing() {
    on_threads(async {
        let seed = number("RETOUR_CHAOS_SEED", random(1_000_000));
        let seconds = number("RETOUR_CHAOS_SECONDS", if is_long() { 600 } else { 60 });
        let only = std::env::var("RETOUR_CHAOS_ONLY").unwrap_or_default();
        println!("RETOUR_CHAOS_SEED={seed}, {seconds} s");
        let mut scenario = Scenario::begin(&[]).await;
        let (began, mut injector) = (Instant::now(), FaultInjector::new(seed, &only, scenario.to_receiver.clone()));
        while began.elapsed() < Duration::from_secs(seconds) {
            injector.inject_next(&mut scenario.cluster).await;
        }
        println!("no more faults after {:.0?}", began.elapsed());
        let (returns, tries) = scenario.end().await;
        assert!(!injector.injected.is_empty(), "no fault was injected");
        assert!(returns > injector.injected.len(), "the load was too small");
        tries.print_availability();
        tries.print_recovery(&injector.injected);
        println!("\nRETOUR_CHAOS_SEED={seed}: nothing lost, duplicated or stuck");
    });
}

fn client(base: &str, key: &str) -> Client {
    Client { http: reqwest::Client::new(), base: base.to_owned(), key: key.to_owned() }
}

/// A shop whose own system pays what staff approve.
fn make_paid_shop(url: &str) -> String {
    refunds::make_account(url, PAID);
    run(url, &["service-user", "create", "--account", PAID, "--name", "all", "--scopes", "admin"])
}
