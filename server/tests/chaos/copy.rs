//! `retour copy` is killed again and again, and continues each time. In the end, every row is there once. A later difference is found.

use crate::{
    is_long,
    support::process::{binary, run},
};
use std::{
    fmt::Write as _,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};
use store::testing::on_both;

const SHOP: &str = "moving";

/// A shop with this many orders of two lines.
fn create_orders(url: &str, orders: usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("orders.csv");
    let mut csv = "order_number,ordered_at,email,currency,sku,product,quantity,fulfilled_at,total\n".to_owned();
    for number in 0..orders {
        let day = "2026-01-02T00:00:00Z";
        for sku in ["MUG", "CUP"] {
            writeln!(csv, "M{number},{day},m{number}@example.com,GBP,{sku},Blåbær,1,{day},10.00").unwrap();
        }
    }
    std::fs::write(&file, csv).unwrap();
    run(url, &["account", "create", "--slug", SHOP, "--name", "Moving", "--currency", "GBP"]);
    run(url, &["import", "orders", "--account", SHOP, "--format", "retour", file.to_str().unwrap()]);
}

fn copy(from: &str, to: &str, more: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(["copy", "--from", from, "--to", to]).args(more).env("LOG", "warn");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_killed_copy_continues_and_duplicates_nothing() {
    on_both(|sqlite, postgres| async move {
        let (orders, kills) = if is_long() { (20_000, 100) } else { (2_000, 6) };
        create_orders(&sqlite.url, orders);
        let total = sqlite.rows("orders").await + sqlite.rows("purchases").await;
        for kill in 0..kills {
            let mut copying = copy(&sqlite.url, &postgres.url, &["--rows-at-once", "3"]).spawn().unwrap();
            // At another point each time.
            let enough = total * (kill + 1) / (kills + 6);
            let patience = Instant::now();
            while postgres.rows("orders").await + postgres.rows("purchases").await < enough {
                assert!(patience.elapsed() < Duration::from_mins(2), "the copy makes no progress");
                assert!(copying.try_wait().unwrap().is_none(), "the copy has exited");
            }
            copying.kill().unwrap();
            copying.wait().unwrap();
            assert_eq!(postgres.rows("copying").await, 1, "the copy is in progress");
        }
        let there = postgres.rows("purchases").await;
        assert!(there < sqlite.rows("purchases").await, "rows are left to copy");

        let serving = Command::new(binary()).arg("serve").env("DATABASE_URL", &postgres.url).output().unwrap();
        assert!(said(&serving).contains("contains an unfinished copy"), "{}", said(&serving));

        let done = copy(&sqlite.url, &postgres.url, &[]).output().unwrap();
        assert!(
            done.status.success() && said(&done).contains("rows are there, equal to the source"),
            "{}",
            said(&done)
        );
        for table in ["accounts", "orders", "purchases", "return_reasons"] {
            assert_eq!(postgres.rows(table).await, sqlite.rows(table).await, "{table}");
        }
        let again = copy(&sqlite.url, &postgres.url, &[]).output().unwrap();
        assert!(again.status.success() && said(&again).contains("rows are already there"), "{}", said(&again));

        postgres.run("UPDATE purchases SET total = total + 1 WHERE seq = 77").await;
        let id = postgres.texts("SELECT id::text FROM purchases WHERE seq = 77").await.remove(0);
        let found = copy(&sqlite.url, &postgres.url, &["--verify-only"]).output().unwrap();
        assert!(!found.status.success(), "{}", said(&found));
        assert!(said(&found).contains(&format!("id {id} differs in total")), "{}", said(&found));
        println!("killed {kills} times while {total} rows were copied, three at a time");
    });
}

#[test]
fn a_copy_that_is_impossible_is_refused_with_a_message() {
    on_both(|sqlite, postgres| async move {
        let refused = |from: &str, to: &str, (code, why): (i32, &str)| {
            let output = copy(from, to, &[]).output().unwrap();
            assert!(output.status.code() == Some(code) && said(&output).contains(why), "{why}: {}", said(&output));
        };
        refused("sqlite://nowhere/no.db", &postgres.url, (1, "--from: there is no file nowhere/no.db"));
        refused("mysql://x", &postgres.url, (2, "--from: expected sqlite://FILE or postgres://USER@HOST/NAME"));
        refused(&sqlite.url, &sqlite.url, (2, "--from and --to are the same database"));
        refused(&sqlite.url, &postgres.url, (1, "the source has no account: there is nothing to copy"));
        run(&sqlite.url, &["account", "create", "--slug", "a", "--name", "A", "--currency", "GBP"]);
        run(&postgres.url, &["account", "create", "--slug", "b", "--name", "B", "--currency", "GBP"]);
        refused(&sqlite.url, &postgres.url, (1, "copy into an empty database"));
        sqlite.store.close().await;
    });
}
