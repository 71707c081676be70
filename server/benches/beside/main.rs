//! `make bench BEFORE=COMMIT` compares this program with an earlier one, on SQLite and on Postgres, with the real
//! orders and returns. The two programs take turns in one run, so other load on the machine affects both. Each row is
//! the median of their rounds, and of the rounds' ratios, which vary less than the figures themselves.
//!
//! `RETOUR_BIN` is this program, and `RETOUR_BEFORE` the earlier one. `-- --quick` replays a tenth of the returns.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what stops a measurement says so at once")]

#[path = "../shared/load.rs"]
mod load;
mod programs;
#[allow(dead_code, reason = "tests and the other benchmark do more")]
#[path = "../../tests/support/mod.rs"]
mod support;

use load::requests_a_second;
use programs::{BenchDatabase, Program};
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};
use support::{
    process::Server,
    real_data::{self, Order},
    replay,
};

/// How often each import is repeated, and each endpoint is measured.
const ROUNDS: usize = 7;
/// The number of parts of the replay.
const PARTS: usize = 10;
/// The ratios that this program should reach.
const LEAST_IMPORT: f64 = 0.9;
const LEAST_REQUESTS: f64 = 0.95;

/// A figure of both programs, by rounds. More is better.
#[derive(Debug, Default)]
struct Rounds {
    before: Vec<f64>,
    this: Vec<f64>,
}

impl Rounds {
    fn add(&mut self, is_this: bool, figure: f64) {
        if is_this { self.this.push(figure) } else { self.before.push(figure) }
    }

    /// The median ratio of the rounds.
    fn ratio(&self) -> f64 {
        median(self.this.iter().zip(&self.before).map(|(this, before)| this / before).collect())
    }

    fn print(&self, what: &str, least: f64) {
        let (before, this, ratio) = (median(self.before.clone()), median(self.this.clone()), self.ratio());
        let mark = if ratio >= least { '✓' } else { '✗' };
        println!("{what:<44}{before:>12.1}{this:>12.1}{ratio:>8.2} {mark} ≥ {least}");
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Both programs in turn; the first one alternates between rounds. `true` is this program.
fn in_turn(round: usize) -> [bool; 2] {
    if round.is_multiple_of(2) { [false, true] } else { [true, false] }
}

fn main() {
    let Some(earlier) = std::env::var_os("RETOUR_BEFORE") else {
        return println!("Which program is this one compared with? make bench BEFORE=COMMIT");
    };
    let Some(data) = real_data::folder() else {
        return println!("without the real orders and returns: shared data absent");
    };
    let programs = [Program::new(earlier.into()), Program::new(support::process::binary())];
    let mut orders = real_data::returns(&data);
    if std::env::args().any(|argument| argument == "--quick") {
        orders.truncate(orders.len() / 10);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        compare("SQLite", &programs, &data, &orders).await;
        match std::env::var("RETOUR_TEST_POSTGRES") {
            Ok(_) => compare("Postgres", &programs, &data, &orders).await,
            Err(_) => println!("without Postgres: `make bench` brings one"),
        }
    });
}

async fn compare(kind: &'static str, programs: &[Program; 2], data: &Path, orders: &[Order]) {
    println!("\n{:<44}{:>12}{:>12}{:>8}", kind, "before", "this", "ratio");
    let (imports, places) = import(kind, programs, &data.join("orders.csv.gz")).await;
    imports.print("import, lines/s", LEAST_IMPORT);
    let mut servers = Vec::new();
    for (program, place) in programs.iter().zip(&places) {
        servers.push(Server::start_of(program.binary(), &place.url).await);
    }
    replay_in_parts(&servers, orders).await;
    read(&servers, &places, &orders[0]).await;
    drop(servers);
    for place in places {
        place.remove().await;
    }
}

/// Each program has a new database in each round. Those of the last round are used for the requests.
async fn import(kind: &str, programs: &[Program; 2], orders: &Path) -> (Rounds, Vec<BenchDatabase>) {
    let mut rounds = Rounds::default();
    let mut last: BTreeMap<bool, BenchDatabase> = BTreeMap::new();
    for round in 0..ROUNDS {
        for is_this in in_turn(round) {
            let mut place = BenchDatabase::new(kind).await;
            let program = &programs[usize::from(is_this)];
            program.make_shop(&mut place);
            rounds.add(is_this, program.import(&place, orders));
            if let Some(before) = last.insert(is_this, place) {
                before.remove().await;
            }
        }
    }
    (rounds, last.into_values().collect())
}

async fn replay_in_parts(servers: &[Server], orders: &[Order]) {
    let mut all = Rounds::default();
    let mut by_kind: BTreeMap<&str, Rounds> = BTreeMap::new();
    for (round, part) in orders.chunks(orders.len().div_ceil(PARTS)).enumerate() {
        for is_this in in_turn(round) {
            let replay = replay::run(&servers[usize::from(is_this)], programs::SLUG, part).await;
            all.add(is_this, replay.requests_per_second());
            for (kind, times) in &replay.times {
                let spent: f64 = times.iter().map(std::time::Duration::as_secs_f64).sum();
                let count = u32::try_from(times.len()).unwrap();
                // What eight clients would get if they did nothing else.
                let rate = f64::from(count) / spent * f64::from(u32::try_from(replay::CLIENTS).unwrap());
                by_kind.entry(kind).or_default().add(is_this, rate);
            }
        }
    }
    all.print("replay with 8 clients, requests/s", LEAST_REQUESTS);
    for (kind, rounds) in by_kind {
        rounds.print(&format!("  {kind}"), LEAST_REQUESTS);
    }
}

async fn read(servers: &[Server], places: &[BenchDatabase], order: &Order) {
    let mut asked = Vec::new();
    for (server, place) in servers.iter().zip(places) {
        asked.push(questions(server, place, order).await);
    }
    let mut rounds: Vec<Rounds> = asked[0].iter().map(|_| Rounds::default()).collect();
    for round in 0..ROUNDS {
        for (index, rounds) in rounds.iter_mut().enumerate() {
            for is_this in in_turn(round) {
                let (server, Question { path, header, .. }) =
                    (&servers[usize::from(is_this)], &asked[usize::from(is_this)][index]);
                let address = server.base.trim_start_matches("http://");
                rounds.add(is_this, requests_a_second(address, path, header).await);
            }
        }
    }
    for (question, rounds) in asked[0].iter().zip(rounds) {
        rounds.print(question.what, LEAST_REQUESTS);
    }
}

/// A request that is repeated.
struct Question {
    what: &'static str,
    path: String,
    /// The header that says who asks.
    header: String,
}

async fn questions(server: &Server, place: &BenchDatabase, order: &Order) -> Vec<Question> {
    let client = reqwest::Client::new();
    let requests = format!("{}/api/v0/return-requests?limit=1", server.base);
    let requests: Value = json(client.get(requests).bearer_auth(&place.key)).await;
    let proof = serde_json::json!({"account": programs::SLUG, "orderNumber": order.number, "email": order.email});
    let identity: Value = json(client.post(format!("{}/auth/consumer", server.base)).json(&proof)).await;
    let bearer = |token: &str| format!("authorization: Bearer {token}");
    let of_shop = |what, path: String| Question { what, path, header: bearer(&place.key) };
    let request = requests["data"][0]["id"].as_str().unwrap();
    let consumer = identity["consumer"]["id"].as_str().unwrap();
    vec![
        of_shop("GET a return request, requests/s", format!("/api/v0/return-requests/{request}")),
        of_shop("GET 50 with consumers", "/api/v0/return-requests?limit=50&expand=consumer".to_owned()),
        of_shop("GET 50 purchases", "/api/v0/purchases?limit=50".to_owned()),
        Question {
            what: "GET a consumer's purchases",
            path: format!("/consumer/{consumer}/purchases?limit=100"),
            header: bearer(identity["accessToken"].as_str().unwrap()),
        },
        Question {
            what: "GET the look-up page",
            path: format!("/{}", programs::SLUG),
            header: "accept: text/html".to_owned(),
        },
        Question {
            what: "GET the page of an order",
            path: format!("/{}/purchases", programs::SLUG),
            header: format!("cookie: {}", find_order(server, order).await),
        },
    ]
}

/// Looks an order up in the portal. Returns the cookie of the session.
async fn find_order(server: &Server, order: &Order) -> String {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let form = [("orderNumber", &order.number), ("email", &order.email)];
    let mut path = format!("/{}", programs::SLUG);
    loop {
        let answer = client.post(format!("{}{path}", server.base)).form(&form).send().await.unwrap();
        let location = answer.headers()["location"].to_str().unwrap().to_owned();
        if answer.status() != 308 {
            let cookie = answer.headers()["set-cookie"].to_str().unwrap();
            return cookie.split(';').next().unwrap().to_owned();
        }
        path = location; // a newer program redirects the form to its function
    }
}

async fn json(request: reqwest::RequestBuilder) -> Value {
    let text = request.send().await.unwrap().error_for_status().unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap()
}
