//! Hard knocks: four programs on one Postgres and one Redis behind a load balancer, with a mixed load, while every part is
//! killed, stopped, cut off, slowed and filled up. A journal of what was acknowledged is compared afterwards.
//!
//! `RETOUR_CHAOS_SEED` repeats the knocks of a run, `RETOUR_CHAOS_SECONDS` says how long, `RETOUR_CHAOS_ONLY` which kinds,
//! by a part of their names.

mod burst;
mod knocks;
mod load;
mod postgres;
mod process;
mod race;
mod reckoning;
mod stage;
mod tries;
mod upgrade;
mod wire;

use self::{
    knocks::Knocking,
    load::{Load, PAID},
    reckoning::Reckoning,
    stage::Stage,
    tries::Tries,
    wire::Wire,
};
use crate::{
    crash::{self, Client, random},
    is_long,
    receiver::{MOODY, Receiver},
    settling::{self, SECRET, Shop},
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

/// As servers have it: several threads, so that what runs at once really does.
fn on_threads<F: Future<Output = ()>>(work: F) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap().block_on(work);
}

/// Everybody at work: a stage, two shops, those who send things back there, and those who are told.
struct Play {
    stage: Stage,
    clients: [Client; 2],
    receiver: Receiver,
    payer: Shop,
    to_receiver: Wire,
    tries: Tries,
    load: Load,
}

impl Play {
    /// Sets the stage, with these settings of the programs, and everybody to work.
    async fn begin(settings: &[(&'static str, String)]) -> Self {
        let without_limit = ("RETOUR_RATE_LIMIT", "1000000".to_owned());
        let stage = Stage::set(&[&[without_limit], settings].concat()).await;
        let folder = tempfile::tempdir().unwrap();
        let keys = [crash::make_shop(&stage.database, folder.path()), make_paid_shop(&stage.database)];
        let (receiver, payer) = (Receiver::listen().await, Shop::listen().await);
        let to_receiver = Wire::lay(receiver.address).await;
        let clients = keys.each_ref().map(|key| client(&stage.base, key));
        for (client, name) in clients.iter().zip([MOODY, PAID]) {
            let url = format!("http://{}/hooks/{name}", to_receiver.address);
            let made = client.staff(Method::POST, "/webhook-subscriptions", None, &json!({"url": url})).await;
            let path = format!("/webhook-subscriptions/{}/secret", made["id"].as_str().unwrap());
            let kept = client.staff(Method::GET, &path, None, &Value::Null).await;
            receiver.trust(name, kept["secret"].as_str().unwrap());
        }
        let bridge = json!({"bridge": {"kind": "http", "url": payer.url, "secret": SECRET}});
        clients[1].staff(Method::PATCH, "/account", None, &bridge).await;
        let tries = Tries::default();
        let load = Load::begin(&stage.base, keys, &tries);
        Self { stage, clients, receiver, payer, to_receiver, tries, load }
    }

    /// Lets everybody finish, and compares what they were told with what there is; how many returns there were, and what was
    /// tried.
    async fn end(self) -> (usize, Tries) {
        let journal = self.load.end().await;
        let returns = journal.told.len();
        println!("peace: {} requests, {returns} returns", self.tries.count());
        let url = self.stage.database.clone();
        let database = Database { store: Store::open(&url).await.unwrap(), url };
        let Self { clients, receiver, payer, .. } = self;
        let reckoning = Reckoning { database, clients, journal, receiver, payer, base: self.stage.base.clone() };
        reckoning.wait_until_nothing_waits().await;
        reckoning.reckon().await;
        assert_eq!(self.stage.panics(), Vec::<String>::new());
        (returns, self.tries)
    }
}

#[test]
#[ignore = "minutes, haproxy, redis-server and strace: make chaos"]
fn nothing_is_lost_doubled_or_stuck_whatever_is_knocked_over() {
    on_threads(async {
        let seed = number("RETOUR_CHAOS_SEED", random(1_000_000));
        let seconds = number("RETOUR_CHAOS_SECONDS", if is_long() { 600 } else { 60 });
        let only = std::env::var("RETOUR_CHAOS_ONLY").unwrap_or_default();
        println!("RETOUR_CHAOS_SEED={seed}, {seconds} s");
        let mut play = Play::begin(&[]).await;
        let (began, mut knocking) = (Instant::now(), Knocking::new(seed, &only, play.to_receiver.clone()));
        while began.elapsed() < Duration::from_secs(seconds) {
            knocking.strike(&mut play.stage).await;
        }
        println!("no more knocks after {:.0?}", began.elapsed());
        let (returns, tries) = play.end().await;
        assert!(!knocking.struck.is_empty(), "nothing was knocked over");
        assert!(returns > knocking.struck.len(), "hardly any load");
        tries.print_availability();
        tries.print_recovery(&knocking.struck);
        println!("\nRETOUR_CHAOS_SEED={seed}: nothing lost, doubled or stuck");
    });
}

fn client(base: &str, key: &str) -> Client {
    Client { http: reqwest::Client::new(), base: base.to_owned(), key: key.to_owned() }
}

/// A shop whose own system pays what somebody approves.
fn make_paid_shop(url: &str) -> String {
    settling::make_account(url, PAID);
    run(url, &["service-user", "create", "--account", PAID, "--name", "all", "--scopes", "admin"])
}
