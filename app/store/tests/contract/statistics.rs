//! Postgres's statistics of tables that grow.

use crate::support::*;
use std::{ops::Range, time::Duration};
use store::testing::{Database, on_postgres};
use tokio::time::{sleep, timeout};

/// The rows of a table according to its statistics; -1 without any.
async fn known_rows(database: &Database, table: &str) -> i64 {
    database.number(&format!("SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE oid = '{table}'::regclass")).await
}

#[test]
fn statistics_follow_a_growing_table_before_autovacuum_collects_them() {
    on_postgres(|database| async move {
        database.run("ALTER TABLE consumers SET (autovacuum_enabled = off)").await;
        let (account, _) = two_accounts(&database).await;
        // Enough rows that reading the whole table takes longer than an index.
        for number in 0..300 {
            keep!(database, consumers::insert_or_find, account, &a_consumer(proof_of(&number.to_string())));
        }
        let statistics = "SELECT COUNT(*) FROM pg_stats WHERE tablename = 'consumers'";
        let collected = async {
            while database.number(statistics).await == 0 {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_mins(2), collected).await.unwrap();
        // The look-up by id that foreign keys need for each new row of a return.
        let look_up =
            format!("SELECT 1 FROM consumers WHERE account_id = '{}' AND id = '{}' FOR KEY SHARE", account.0, id());
        let plan = database.texts(&format!("EXPLAIN {look_up}")).await.join("\n");
        assert!(plan.contains("consumers_pkey"), "{plan}");
    });
}

#[test]
fn statistics_are_refreshed_when_a_table_is_twice_as_large() {
    on_postgres(|database| async move {
        database.run("ALTER TABLE orders SET (autovacuum_enabled = off)").await;
        let (account, _) = two_accounts(&database).await;
        let import_orders = async |numbers: Range<usize>| {
            let orders = numbers.map(|number| an_order(&number.to_string(), Vec::new())).collect();
            import(&database, account, orders).await;
            database.store.refresh_statistics().await;
            known_rows(&database, "orders").await
        };
        assert_eq!(known_rows(&database, "orders").await, -1);
        assert_eq!(import_orders(0..100).await, 100);
        assert_eq!(import_orders(100..101).await, 100, "not twice as large");
        assert_eq!(import_orders(101..400).await, 400);
    });
}
