//! `make bench`: speed and size of the built program, on SQLite and on Postgres, with the real orders and returns if
//! they are available. Each figure has a yardstick from the same run. The output ends with one table. Before it, there
//! are the times of list pages by the number of rows. `-- --real`, `--durable`, `--claims`, `--webhooks`, `--bridges`,
//! `--submits`, `--pages`, `--slow`, `--growth` and `--desk` measure only some parts. `--quick` replays only a tenth of the
//! returns and fills the desk with 20,000 requests, and `--huge` continues to ten million rows.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what stops a measurement says so at once")]

mod bridges;
mod claims;
mod deliveries;
mod desk;
mod durable;
mod growth;
#[path = "../shared/load.rs"]
mod load;
mod pages;
mod reads;
mod slow;
mod submits;
#[allow(dead_code, reason = "the tests that kill it do more")]
#[path = "../../tests/support/mod.rs"]
mod support;
mod table;
mod weights;
mod yardstick;

use std::{
    path::Path,
    time::{Duration, Instant},
};
use store::{
    DatabaseKind,
    testing::{self, Database},
};
use support::{
    process::{self, Server, Shop},
    real_data::{self, Order},
    replay,
};
use table::{Figure, Table};

/// How often the program is started to measure its start.
const STARTS: usize = 7;
/// How many labels are drawn.
const LABELS: usize = 400;

/// The parts that can be measured alone.
const PARTS: [&str; 10] = [
    "--growth",
    "--desk",
    "--real",
    "--durable",
    "--claims",
    "--webhooks",
    "--bridges",
    "--submits",
    "--pages",
    "--slow",
];

fn is_asked(wanted: &str) -> bool {
    std::env::args().any(|argument| argument == wanted)
}

fn has_postgres() -> bool {
    std::env::var_os("RETOUR_TEST_POSTGRES").is_some()
}

/// Measures on an empty database of each kind.
macro_rules! on_each {
    ($table:expr, $measure:expr) => {{
        testing::on_sqlite(async |database| $measure(&mut $table, &database).await);
        if has_postgres() {
            testing::on_postgres(async |database| $measure(&mut $table, &database).await);
        }
    }};
}

fn main() {
    if reads::serve_if_bare() || pages::serve_if_asked() || durable::measure_if_asked() {
        return;
    }
    if !has_postgres() {
        println!("without Postgres: `make bench` brings one");
    }
    let is_whole = !PARTS.into_iter().any(is_asked);
    let mut table = Table::default();
    for part in PARTS.into_iter().filter(|part| is_whole || is_asked(part)) {
        eprintln!("{part}…");
        match part {
            "--growth" => measure_growth(),
            "--desk" => measure_desk(),
            "--real" => measure_real(&mut table),
            "--durable" => {
                on_each!(table, durable);
                slow_disk(&mut table);
            }
            "--claims" => on_each!(table, claims),
            "--webhooks" => on_each!(table, webhooks),
            "--bridges" => on_each!(table, shops),
            "--submits" => on_each!(table, submits),
            "--slow" => on_each!(table, slow),
            _ => on_each!(table, pages),
        }
    }
    table.print();
}

fn measure_growth() {
    let huge = is_asked("--huge");
    testing::on_sqlite(async |database| print_growth("SQLite", &growth::run(&database, huge).await));
    if has_postgres() {
        testing::on_postgres(async |database| print_growth("Postgres", &growth::run(&database, huge).await));
    }
}

fn measure_desk() {
    let quick = is_asked("--quick");
    testing::on_sqlite(async |database| print_desk("SQLite", &desk::run(&database, quick).await));
    if has_postgres() {
        testing::on_postgres(async |database| print_desk("Postgres", &desk::run(&database, quick).await));
    }
}

fn print_desk(kind: &str, desk: &desk::Desk) {
    println!("\n| the desk with {} requests, {kind} | p50, ms | p99, ms | goal |\n|---|---|---|---|", desk.requests);
    for desk::Times { name, p50, p99, goal } in &desk.times {
        println!("| {name} | {p50:.1} | {p99:.1}{} | ≤ {goal} |", if p99 <= goal { " ✓" } else { " ✗" });
    }
}

fn measure_real(table: &mut Table) {
    weights::of_scripts(table);
    let Some(data) = real_data::folder() else {
        println!("without the real orders and returns: shared data absent");
        return;
    };
    let mut orders = real_data::returns(&data);
    if is_asked("--quick") {
        orders.truncate(orders.len() / 10);
    }
    testing::on_sqlite(async |database| measure(table, &database, &data, &orders).await);
    if has_postgres() {
        testing::on_postgres(async |database| measure(table, &database, &data, &orders).await);
    }
}

async fn durable(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let durable = durable::run(database).await;
    table.add(kind, Figure::Durable, durable.ours);
    table.add(kind, Figure::BareDurable, durable.bare);
}

/// Only on SQLite, because Postgres flushes in its own processes.
fn slow_disk(table: &mut Table) {
    if let Some(durable) = durable::with_slow_disk() {
        table.add(DatabaseKind::Sqlite, Figure::SlowDurable, durable.ours);
        table.add(DatabaseKind::Sqlite, Figure::BareSlowDurable, durable.bare);
    }
}

async fn claims(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let claims = claims::run(database).await;
    table.add(kind, Figure::Claims, claims.ours);
    table.add(kind, Figure::BareClaims, claims.bare);
}

async fn webhooks(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let deliveries = deliveries::run(database).await;
    table.add(kind, Figure::Deliveries, deliveries.per_second);
    table.add(kind, Figure::BareDeliveries, deliveries.bare_per_second);
    table.add(kind, Figure::DeliveryP50, millis(deliveries.p50));
    table.add(kind, Figure::DeliveryP99, millis(deliveries.p99));
}

async fn shops(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let bridges = Box::pin(bridges::run(database)).await;
    table.add(kind, Figure::LookUp, millis(bridges.look_up));
    table.add(kind, Figure::BareLookUp, millis(bridges.bare));
    table.add(kind, Figure::LookUpCost, millis(bridges.look_up.saturating_sub(bridges.bare)));
    table.add(kind, Figure::BareRow, millis(bridges.row));
    table.add(kind, Figure::Settlements, bridges.settled_per_second);
}

async fn pages(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let pages = pages::run(database).await;
    table.add(kind, Figure::Pages, pages.rendered);
    table.add(kind, Figure::WrittenPages, pages.written);
    table.add(kind, Figure::PageSize, pages.kilobytes);
}

async fn submits(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let submits = submits::run(database).await;
    table.add(kind, Figure::CarrierSubmitP99, millis(submits.by_carrier));
    table.add(kind, Figure::OwnSubmitP99, millis(submits.own));
    table.add(kind, Figure::RowP99, millis(submits.row));
}

async fn slow(table: &mut Table, database: &Database) {
    let kind = database.store.kind();
    let slow = slow::run(database).await;
    table.add(kind, Figure::BesideSlowP99, millis(slow.beside));
    table.add(kind, Figure::WithoutSlowP99, millis(slow.alone));
    table.add(kind, Figure::SlowMemory, mib(slow.memory));
}

async fn measure(table: &mut Table, database: &Database, data: &Path, orders: &[Order]) {
    let kind = database.store.kind();
    let folder = tempfile::tempdir().unwrap();
    let shop = Shop::create(&database.url, folder.path(), None);
    import(table, database, data);

    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(Server::start(&database.url).await.ready_after);
    }
    starts.sort_unstable();
    table.add(kind, Figure::Start, millis(starts[STARTS / 2]));

    let server = Server::start(&database.url).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    table.add(kind, Figure::MemoryIdle, mib(server.memory()));
    if kind == DatabaseKind::Sqlite {
        weights::of_look_up_page(table, &server, shop.slug).await;
    }

    let replay = replay::run(&server, shop.slug, orders).await;
    table.add(kind, Figure::MemoryAfter, mib(server.memory()));
    table.add(kind, Figure::MemoryPeak, mib(server.peak_memory()));
    table.add(kind, Figure::Returns, replay.returns_per_second());
    table.add(kind, Figure::Requests, replay.requests_per_second());
    table.add(kind, Figure::P50, millis(replay.percentile(50, None)));
    table.add(kind, Figure::P99, millis(replay.percentile(99, None)));
    table.add(kind, Figure::SubmitP99, millis(replay.percentile(99, Some("submit"))));
    table.add(kind, Figure::Labels, labels(database, &server, &shop).await);
    let reads = reads::run(database, &server, &shop).await;
    table.add(kind, Figure::GetOne, reads.one);
    table.add(kind, Figure::BareGetOne, reads.bare_one);
    table.add(kind, Figure::ListFifty, reads.list);
    table.add(kind, Figure::BareListFifty, reads.bare_list);
    table.add(kind, Figure::Empty, reads.empty);
    drop(server);

    let bare = yardstick::run(database).await;
    table.add(kind, Figure::BareReturns, bare.returns_per_second);
    table.add(kind, Figure::BareP99, millis(bare.submit_p99));
}

/// Prints the milliseconds of a page by the number of rows, and the ratio of the largest table to the smallest.
fn print_growth(name: &str, growth: &growth::Growth) {
    let row = |title: &str, cells: Vec<String>, end: &str| println!("{title:<44}{}{end}", cells.concat());
    let sizes = growth.sizes.iter().map(|size| format!("{size:>12}")).collect();
    row(&format!("\n{name}: a page of 50, ms, by rows"), sizes, "");
    for (at, question) in growth::QUESTIONS.iter().enumerate() {
        let cells: Vec<f64> = growth.millis.iter().map(|row| row[at]).collect();
        let grown = format!("   × {:.2}", cells[cells.len() - 1] / cells[0]);
        row(question, cells.iter().map(|cell| format!("{cell:>12.2}")).collect(), &grown);
        let at_a_million = growth.sizes.iter().zip(&cells).find(|(size, _)| **size == 1_000_000);
        if let Some((_, took)) = at_a_million.filter(|_| *question == growth::LAST_PAGE) {
            let (goal, missed) =
                (growth::LAST_PAGE_GOAL, if *took <= growth::LAST_PAGE_GOAL { "" } else { ": missed" });
            println!("{:<44}≤ {goal} ms at 1,000,000{missed}", "");
        }
    }
    println!("a walk during 1,000 writes a second found each of {} rows once", growth.walked);
}

fn import(table: &mut Table, database: &Database, data: &Path) {
    let kind = database.store.kind();
    let file = data.join("orders.csv.gz");
    let (took, memory) = process::run_measured(&database.url, &Shop::import(&file));
    let runtime = tokio::runtime::Handle::current();
    let lines = tokio::task::block_in_place(|| runtime.block_on(database.rows("purchases")));
    table.add(kind, Figure::Import, per_second(usize::try_from(lines).unwrap(), took));
    table.add(kind, Figure::ImportMemory, mib(memory));
}

/// Labels drawn per second, by as many clients as replay the returns.
async fn labels(database: &Database, server: &Server, shop: &Shop) -> f64 {
    let paths = database.texts(match database.store.kind() {
        DatabaseKind::Sqlite => {
            "SELECT LOWER(HEX(consumer_id)) || '/return-order/' || LOWER(HEX(id)) FROM return_orders"
        }
        DatabaseKind::Postgres => "SELECT consumer_id || '/return-order/' || id FROM return_orders",
    });
    let mut paths: Vec<String> = paths.await;
    paths.truncate(LABELS);
    let started = Instant::now();
    let mut clients = tokio::task::JoinSet::new();
    for part in paths.chunks(paths.len().div_ceil(replay::CLIENTS)) {
        let (part, base, key) = (part.to_vec(), server.base.clone(), shop.key.clone());
        clients.spawn(async move {
            let client = reqwest::Client::new();
            for path in part {
                let answer =
                    client.get(format!("{base}/consumer/{path}/label")).bearer_auth(&key).send().await.unwrap();
                let label = answer.error_for_status().unwrap().bytes().await.unwrap();
                assert!(label.starts_with(b"%PDF"));
            }
        });
    }
    clients.join_all().await;
    per_second(paths.len(), started.elapsed())
}

#[expect(clippy::cast_precision_loss, reason = "figures of a table")]
fn per_second(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "figures of a table")]
fn mib(kib: u64) -> f64 {
    kib as f64 / 1_024.0
}
