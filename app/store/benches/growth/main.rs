//! How costs grow with the data: 10,000 accounts of very different sizes, all tables filled step by step, and at each
//! step the same questions, claims and prunings by the functions that the service uses.
//!
//! `cargo bench -p store --bench growth` fills up to 100,000 return requests, `-- --rows N` more, and `-- --filled
//! URL,URL` measures databases that were filled before; `-- --keep URL` fills that one and keeps it. On Postgres the
//! table also shows the pages that a question read, which unlike its time are the same on every machine.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "an error stops the measurement at once")]

mod fill;
mod questions;
mod walk;

use questions::Answers;
use store::{
    DatabaseKind, Store,
    testing::{self, Database},
};

const STEPS: [u64; 4] = [10_000, 100_000, 1_000_000, 10_000_000];

fn main() {
    let after = |wanted: &str| std::env::args().skip_while(|argument| argument != wanted).nth(1);
    if let Some(urls) = after("--filled") {
        return run(filled(&urls));
    }
    let rows = after("--rows").map_or(100_000, |rows| rows.parse().unwrap());
    if let Some(url) = after("--keep") {
        return run(async { print(&grow(&open(&url).await, rows).await) });
    }
    testing::on_sqlite(async |database| {
        print(&grow(&database, rows).await);
        walk::run(&database).await;
    });
    if std::env::var_os("RETOUR_TEST_POSTGRES").is_none() {
        return println!("skipped Postgres: `make bench` starts one");
    }
    testing::on_postgres(async |database| {
        print(&grow(&database, rows).await);
        walk::run(&database).await;
    });
}

fn run(work: impl Future<Output = ()>) {
    tokio::runtime::Runtime::new().unwrap().block_on(work);
}

async fn open(url: &str) -> Database {
    let store = Store::open(url).await.unwrap();
    store.migrate().await.unwrap();
    Database { store, url: url.to_owned() }
}

async fn filled(urls: &str) {
    let mut answers = Vec::new();
    for url in urls.split(',') {
        let database = open(url).await;
        let rows = database.number("SELECT CAST(MAX(changed) AS BIGINT) FROM return_requests").await;
        answers.push(questions::ask(&database, u64::try_from(rows).unwrap()).await);
    }
    print(&answers);
}

async fn grow(database: &Database, rows: u64) -> Vec<Answers> {
    fill::accounts(database).await;
    let (mut from, mut answers) = (0, Vec::new());
    for to in STEPS.into_iter().filter(|step| *step <= rows) {
        fill::fill(database, from, to).await;
        answers.push(questions::ask(database, to).await);
        from = to;
    }
    answers
}

/// One line for each question: milliseconds and pages at each size, and the ratio of the last size to the first.
fn print(answers: &[Answers]) {
    let (Some(first), Some(last)) = (answers.first(), answers.last()) else { return };
    let name = if first.kind == DatabaseKind::Sqlite { "SQLite" } else { "Postgres" };
    let sizes: Vec<String> = answers.iter().map(|answer| format!(" {} |", answer.rows)).collect();
    println!(
        "\n| {name}, ms{} |{} |",
        if first.kind == DatabaseKind::Postgres { " (pages)" } else { "" },
        sizes.concat()
    );
    println!("|---|{}---|", "---|".repeat(answers.len()));
    for (at, (question, cost)) in last.costs.iter().enumerate() {
        let cells: Vec<String> = answers.iter().map(|answer| format!(" {} |", answer.costs[at].1)).collect();
        println!("| {question} |{} × {:.2} |", cells.concat(), cost.of(first.costs[at].1));
    }
    println!("\n{name}: bytes for each request at {} rows, including its order, draft and shipment", last.rows);
    for (table, rows, indexes) in &last.sizes {
        println!("| {table} | {} | {} |", rows / last.rows, indexes / last.rows);
    }
}
