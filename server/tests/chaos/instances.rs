//! Two instances on one Postgres deliver a burst of events to twenty receivers. One receiver never answers, and one takes ten seconds for each
//! event. The others get their events as if those two were not there, each event once.

use crate::{
    is_long,
    receiver::{DEAD, Receiver, SLOW},
    support::process::{Server, run},
};
use domain::{AccountId, EventId, ReturnOrderId, Timestamp, stage::StageName, webhook::EventType};
use serde_json::json;
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};
use store::{events::Event, testing::Database};
use uuid::Uuid;

const RECEIVERS: usize = 20;

/// The result of a run.
struct RunResult {
    /// The time by which the healthy receivers had this percentage of their events.
    p50: Duration,
    p99: Duration,
    peak_kib: Vec<u64>,
}

#[test]
fn hanging_receivers_delay_no_others_and_two_instances_share_the_work() {
    let events = if is_long() { 100_000 } else { 4_000 };
    let mut runs = Vec::new();
    for hanging in [false, true] {
        store::testing::on_postgres(async |database| runs.push(deliver(&database, events, hanging).await));
    }
    let [alone, beside] = runs.as_slice() else { panic!("two runs") };
    let ratio = beside.p99.as_secs_f64() / alone.p99.as_secs_f64();
    println!(
        "{events} events, two programs: healthy receivers have half of theirs after {:.1?} and 99 % after {:.1?} alone, \
         {:.1?} and {:.1?} beside a dead and a slow one (p99 × {ratio:.2}); peak memory {:?} KiB",
        alone.p50, alone.p99, beside.p50, beside.p99, beside.peak_kib,
    );
}

async fn deliver(database: &Database, events: usize, hanging: bool) -> RunResult {
    run(&database.url, &["migrate"]);
    run(&database.url, &["account", "create", "--slug", "many", "--name", "Many", "--currency", "GBP"]);
    let key =
        run(&database.url, &["service-user", "create", "--account", "many", "--name", "all", "--scopes", "admin"]);
    let receiver = Receiver::listen().await;
    let account = subscribe(database, &receiver, &key, hanging).await;
    let servers = [Server::start(&database.url).await, Server::start(&database.url).await];
    know_each_other(database).await; // otherwise, the first one could finish before the second one starts
    let started = Instant::now();
    let healthy = write_events(database, account, events, hanging).await;
    let is_healthy = |to: &str| to != DEAD && to != SLOW;
    while receiver.came().iter().filter(|delivery| is_healthy(&delivery.to)).count() < healthy {
        assert!(started.elapsed() < Duration::from_mins(10), "{} of {healthy}", receiver.count());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let came = receiver.came();
    let came: Vec<_> = came.iter().filter(|delivery| is_healthy(&delivery.to)).collect();
    let different: HashSet<&str> = came.iter().map(|delivery| delivery.webhook_id.as_str()).collect();
    assert_eq!(different.len(), came.len(), "no instance is killed, so nothing is delivered twice");
    let client = reqwest::Client::new();
    for server in &servers {
        let metrics = client.get(format!("{}/metrics", server.base)).send().await.unwrap().text().await.unwrap();
        assert!(metrics.contains("outcome=\"Delivered\""), "both instances deliver: {metrics}");
    }
    let mut times: Vec<Duration> = came.iter().map(|delivery| delivery.at - started).collect();
    times.sort_unstable();
    let peak_kib = servers.iter().map(Server::peak_memory).collect();
    RunResult { p50: times[times.len() / 2], p99: times[times.len() * 99 / 100], peak_kib }
}

/// Waits until each instance has sent a heartbeat, and knows the other one.
async fn know_each_other(database: &Database) {
    let a_moment = || tokio::time::sleep(Duration::from_millis(50));
    while database.rows("webhook_senders").await < 2 {
        a_moment().await;
    }
    let both_there = database.number("SELECT MAX(seen_at) FROM webhook_senders").await;
    while database.number("SELECT MIN(seen_at) FROM webhook_senders").await <= both_there {
        a_moment().await;
    }
}

/// Twenty subscriptions, each to a stage of its own. If `hanging`, two of them have receivers that hang.
async fn subscribe(database: &Database, receiver: &Receiver, key: &str, hanging: bool) -> AccountId {
    let server = Server::start(&database.url).await;
    let client = reqwest::Client::new();
    let path = |path: &str| format!("{}/api/v0{path}", server.base);
    for (at, stage) in StageName::all().iter().take(RECEIVERS).enumerate() {
        let name = match (at, hanging) {
            (0, true) => DEAD.to_owned(),
            (1, true) => SLOW.to_owned(),
            (0 | 1, false) => continue,
            _ => format!("healthy-{at}"),
        };
        let body = json!({"url": format!("{}/{name}", receiver.base), "stages": [stage],
            "eventTypes": ["return_request.stage_changed"]});
        let answer = client.post(path("/webhook-subscriptions")).bearer_auth(key).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 201, "{}", answer.text().await.unwrap());
    }
    let account: serde_json::Value =
        client.get(path("/account")).bearer_auth(key).send().await.unwrap().json().await.unwrap();
    assert!(server.stop(), "the instance stops without an error, and claims nothing any more");
    account["id"].as_str().unwrap().parse().unwrap()
}

/// Writes events of as many stages as there are receivers. Returns how many go to healthy receivers.
async fn write_events(database: &Database, account: AccountId, events: usize, hanging: bool) -> usize {
    let now = Timestamp::from_seconds(1_700_000_000); // due since then
    let stages = &StageName::all()[..RECEIVERS];
    let data = json!({"product": {"name": "Mug ".repeat(100)}, "quantity": 1}).to_string();
    let numbers: Vec<usize> = (0..events).collect();
    for chunk in numbers.chunks(1_000) {
        let mut writing = database.store.write().await.unwrap();
        for number in chunk {
            let stage = stages[number % RECEIVERS];
            let id = |kind: u128| {
                Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + (kind << 60) + *number as u128)
            };
            writing.publish(Event {
                id: EventId(id(1)),
                account_id: account,
                kind: EventType::StageChanged,
                stage: Some(stage),
                return_order_id: ReturnOrderId(id(2)),
                data: data.clone(),
                created_at: now,
            });
        }
        writing.commit().await.unwrap();
    }
    let to_healthy = events - 2 * events / RECEIVERS;
    let waiting = usize::try_from(database.rows("webhook_deliveries").await).unwrap();
    assert_eq!(waiting, if hanging { events } else { to_healthy });
    to_healthy
}
