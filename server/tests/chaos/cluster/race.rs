//! Clients race for the last unit across four instances, again and again. The winner's return is cancelled, which frees the unit, and the next
//! round begins.
//!
//! `RETOUR_RACE_ROUNDS` sets the number of rounds. With `RETOUR_RACE_LINES`, they race for that many units at a time, each client for some
//! units that overlap with those of others. This makes more races in the same time.

use super::{attempts::percentile, number};
use crate::{
    crash::Client,
    is_long,
    support::process::{Server, run},
};
use fastrand::Rng;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    net::{IpAddr, Ipv4Addr},
    path::Path,
    time::Instant,
};
use store::testing::Database;
use tokio::{sync::watch, task::JoinSet};

const RACERS: usize = 64;
const SHOP: &str = "race";

#[test]
fn the_last_unit_has_one_winner_across_four_instances() {
    let rounds = number("RETOUR_RACE_ROUNDS", if is_long() { 1_000 } else { 8 });
    let lines = usize::try_from(number("RETOUR_RACE_LINES", 1)).unwrap();
    store::testing::on_postgres(async |database| race(&database, rounds, lines).await);
}

/// A gift recipient of the order, so that each racer is another consumer, with their selection and their draft.
struct Racer {
    client: Client,
    consumer: String,
    token: String,
    purchases: Vec<Value>,
    lines: Vec<usize>,
    draft: String,
}

async fn race(database: &Database, rounds: u64, lines: usize) {
    let folder = tempfile::tempdir().unwrap();
    let key = make_shop(&database.url, folder.path(), lines);
    let mut servers = Vec::new();
    for _ in 0..4 {
        servers.push(Server::start(&database.url).await);
    }
    let seed = number("RETOUR_CHAOS_SEED", crate::crash::random(1_000_000));
    let mut random = Rng::with_seed(seed);
    let mut racers = Vec::new();
    for at in 0..RACERS {
        let mut all: Vec<usize> = (0..lines).collect();
        random.shuffle(&mut all);
        all.truncate(lines.div_ceil(5));
        let server = &servers[at % servers.len()];
        racers.push(Racer::register(&server.base, &key, at, all).await);
    }
    let (began, mut times, mut won, mut broken) = (Instant::now(), Vec::new(), 0, 0);
    for round in 0..rounds {
        let at = Instant::now();
        let ends = run_once(&racers).await;
        times.push(at.elapsed());
        let winners: Vec<usize> = (0..RACERS).filter(|racer| ends[*racer].0 == StatusCode::CREATED).collect();
        broken += ends.iter().filter(|end| end.0.is_server_error()).count();
        let mut taken: Vec<usize> = winners.iter().flat_map(|winner| racers[*winner].lines.iter().copied()).collect();
        let all = taken.len();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), all, "RETOUR_CHAOS_SEED={seed}, round {round}: a unit has two winners");
        assert!(
            !winners.is_empty() || ends.iter().any(|end| end.0.is_server_error()),
            "round {round}: nobody has won: {ends:?}"
        );
        won += winners.len();
        for winner in winners {
            racers[winner].cancel(&ends[winner].1).await;
            racers[winner].draft = racers[winner].draft().await;
        }
    }
    assert_eq!(database.rows("purchases WHERE taken <> 0").await, 0, "cancelled units are free again");
    assert_eq!(database.rows("return_orders").await, i64::try_from(won).unwrap());
    assert_eq!(broken, 0, "no other kind of error occurred");
    println!(
        "{rounds} rounds, {RACERS} clients on four programs, {lines} units at a time: {won} won, never two of one unit; \
         a round p50 {:.1?}, longest {:.1?}, in all {:.0?}",
        percentile(&mut times, 50),
        percentile(&mut times, 100),
        began.elapsed()
    );
}

/// A shop that accepts returns of gifts, with an order of this many lines of one unit each. Returns an admin's key.
fn make_shop(url: &str, folder: &Path, lines: usize) -> String {
    let (policy, orders) = (folder.join("policy.json"), folder.join("orders.csv"));
    let rules = json!({"returnWindowDays": null, "giftReturns": true, "lookUpBy": ["email"], "resolutions": ["Refund", "StoreCredit"]});
    std::fs::write(&policy, rules.to_string()).unwrap();
    let mut csv =
        "order_number,ordered_at,email,postal_code,currency,sku,product,quantity,fulfilled_at,total\n".to_owned();
    let day = "2026-01-02T00:00:00Z";
    for line in 0..lines {
        writeln!(csv, "1,{day},ada@example.com,EH6 7AB,GBP,MUG{line},Mug {line},1,{day},10.00").unwrap();
    }
    std::fs::write(&orders, csv).unwrap();
    let (policy, orders) = (policy.to_str().unwrap(), orders.to_str().unwrap());
    run(url, &["migrate"]);
    run(url, &["account", "create", "--slug", SHOP, "--name", "Race", "--currency", "GBP", "--policy", policy]);
    run(url, &["import", "orders", "--account", SHOP, "--format", "retour", orders]);
    run(url, &["service-user", "create", "--account", SHOP, "--name", "all", "--scopes", "admin"])
}

impl Racer {
    async fn register(base: &str, key: &str, at: usize, lines: Vec<usize>) -> Self {
        // Each racer has an address of their own, because a network can prove a gift only for a few people a day.
        let address = Ipv4Addr::from(u32::from(Ipv4Addr::LOCALHOST) + u32::try_from(at).unwrap());
        let http = reqwest::Client::builder().local_address(IpAddr::from(address)).build().unwrap();
        let client = Client { http, base: base.to_owned(), key: key.to_owned() };
        let given = format!("racer{at}@example.com");
        let body = json!({"account": SHOP, "orderNumber": "1", "postalCode": "EH6 7AB", "giftRecipientEmail": given});
        let identity = client.ask(Method::POST, "/auth/consumer", "", None, &body).await;
        let consumer = format!("/consumer/{}", identity["consumer"]["id"].as_str().unwrap());
        let token = identity["accessToken"].as_str().unwrap().to_owned();
        let path = format!("{consumer}/purchases?limit=100");
        let list = client.ask(Method::GET, &path, &token, None, &Value::Null).await;
        let purchases = list["data"].as_array().unwrap().clone();
        let mut racer = Self { client, consumer, token, purchases, lines, draft: String::new() };
        racer.draft = racer.draft().await;
        racer
    }

    async fn draft(&self) -> String {
        let first = &self.purchases[0];
        let reason = &first["returnReasons"][0]["id"];
        let select = |line: &usize| json!({"purchaseId": self.purchases[*line]["id"], "returnReasonId": reason, "requestedResolution": "StoreCredit"});
        let selected: Vec<Value> = self.lines.iter().map(select).collect();
        let body = json!({"selectedPurchases": selected, "shippingOptionId": first["shippingOptions"][0]["id"]});
        let path = format!("{}/draft-return-order", self.consumer);
        let draft = self.client.ask(Method::POST, &path, &self.token, None, &body).await;
        draft["id"].as_str().unwrap().to_owned()
    }

    async fn cancel(&self, return_order: &str) {
        let path = format!("/return-orders/{return_order}/cancel");
        let answer = self.client.staff(Method::POST, &path, None, &json!({})).await;
        assert_eq!(answer["status"], "Cancelled");
    }
}

/// Submits all drafts at once. Returns the status of each answer, with the id of the return order or the error.
async fn run_once(racers: &[Racer]) -> Vec<(StatusCode, String)> {
    let (start, _) = watch::channel(false);
    let mut running = JoinSet::new();
    for (at, racer) in racers.iter().enumerate() {
        let request = racer.client.http.post(format!("{}{}/return-order", racer.client.base, racer.consumer));
        let request = request.bearer_auth(&racer.token).json(&json!({"draftReturnOrderId": racer.draft}));
        let mut started = start.subscribe();
        running.spawn(async move {
            let _ = started.wait_for(|started| *started).await;
            let answer = request.send().await.unwrap();
            let status = answer.status();
            let body: Value = answer.json().await.unwrap();
            let is_known = status == StatusCode::CREATED || status == StatusCode::CONFLICT || status.is_server_error();
            assert!(is_known, "{status} {body}");
            let told = if status == StatusCode::CREATED { &body["id"] } else { &body["error"]["code"] };
            (at, (status, told.as_str().unwrap().to_owned()))
        });
    }
    start.send_replace(true);
    let mut ends = running.join_all().await;
    ends.sort_unstable_by_key(|(at, _)| *at);
    ends.into_iter().map(|(_, end)| end).collect()
}
