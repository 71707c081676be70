//! A copy is the same as its source, for any content, in either direction, and after any number of interruptions.

use crate::migrations::{self, Column};
use sqlx::AssertSqlSafe;
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};
use store::{
    Store,
    copy::{Compared, CopyError, Difference, LEFT_BEHIND, Pair, Progress, Side, TargetState},
    testing::{Database, on_both},
};
use tokio::sync::Notify;

const ROWS: usize = 40;
/// A table takes several transactions, and the last one is not full.
const AT_ONCE: usize = 7;

fn no_report(_: Progress<'_>) {}

/// The tables as Postgres describes them: it has types for ids and booleans, which SQLite lacks.
async fn columns(postgres: &Database) -> Vec<(String, Vec<(String, Column)>)> {
    let tables = migrations::tables(postgres, &migrations::POSTGRES).await;
    tables.into_iter().map(|(name, table)| (name, table.columns.into_iter().collect())).collect()
}

/// Row number `row` of every table has that number in each of its ids, so that all references are valid.
fn literal(name: &str, column: &Column, row: usize) -> String {
    if !column.not_null && row % 2 == 1 {
        return "NULL".to_owned();
    }
    let odd = ["é🙂 \u{202e}", "{\"a\" : 1.0,  \"b\":\"\\u00e9\"}", "'\"\\%_", "line\n\r\t", "Ärger ß İ"];
    match (column.kind.as_str(), name) {
        ("uuid", _) => format!("X'{row:032x}'"),
        ("bytea", _) => format!("X'{}'", format!("{:02x}", 255 - row).repeat(row)),
        ("bigint", "seq") => (3 * row + 1).to_string(),
        ("bigint", name) if name.ends_with("_at") => [i64::MAX, i64::MIN + 1, 0, -1][row % 4].to_string(),
        ("bigint", _) => "1".to_owned(),
        ("boolean", _) => (row % 2).to_string(),
        ("text", _) if row == 0 => "''".to_owned(),
        ("text", _) => format!("'{}{row}'", odd[row % 5].replace('\'', "''")),
        (kind, _) => panic!("the test cannot fill a column of type {kind}"),
    }
}

/// Inserts rows with unusual values into every table of a SQLite file.
async fn fill(sqlite: &Database, postgres: &Database, order: &[String]) {
    let described = columns(postgres).await;
    for table in order {
        let (_, columns) = described.iter().find(|(name, _)| name == table).unwrap();
        let names: Vec<String> = columns.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let row = |row| {
            let values: Vec<String> = columns.iter().map(|(name, column)| literal(name, column, row)).collect();
            format!("({})", values.join(", "))
        };
        let rows: Vec<String> = (0..ROWS).map(row).collect();
        sqlite.run(&format!("INSERT INTO {table} ({}) VALUES {}", names.join(", "), rows.join(", "))).await;
    }
    // As if the last rows had been deleted.
    sqlite.run("UPDATE sqlite_sequence SET seq = 1000 WHERE name IN ('events', 'purchases')").await;
}

async fn filled(sqlite: &Database, postgres: &Database) -> Pair {
    let pair = Pair::open(&sqlite.store, &postgres.store, AT_ONCE).await.unwrap();
    let order: Vec<String> = pair.tables().map(str::to_owned).collect();
    fill(sqlite, postgres, &order).await;
    pair
}

async fn copied(sqlite: &Database, postgres: &Database) -> Pair {
    let pair = filled(sqlite, postgres).await;
    assert_eq!(pair.begin().await.unwrap(), TargetState::Begun);
    pair.copy(&no_report).await.unwrap();
    pair
}

fn differences(compared: &[Compared]) -> Vec<(&str, &Difference)> {
    compared.iter().flat_map(|one| one.differences.iter().map(|difference| (one.table.as_str(), difference))).collect()
}

#[test]
fn every_table_is_copied_or_left_behind_for_a_reason() {
    on_both(|sqlite, postgres| async move {
        let pair = Pair::of_migrated(&sqlite.store, &postgres.store, 1).await.unwrap();
        let mut known: BTreeSet<String> = pair.tables().map(str::to_owned).collect();
        for (table, reason) in LEFT_BEHIND {
            assert!(known.insert(table.to_owned()), "{table} is copied");
            assert!(!reason.is_empty());
        }
        let all: BTreeSet<String> = migrations::tables(&postgres, &migrations::POSTGRES).await.into_keys().collect();
        assert_eq!(known, all);
        // Sequences that belong to no table are carried over by name.
        let free = "SELECT sequencename::text FROM pg_sequences WHERE sequencename::text NOT IN
            (SELECT pg_get_serial_sequence(table_name, column_name)::regclass::text
             FROM information_schema.columns WHERE is_identity = 'YES')";
        assert_eq!(postgres.texts(free).await, ["changes"]);
    });
}

#[test]
fn a_copy_and_a_copy_back_are_the_same() {
    on_both(|sqlite, postgres| async move {
        let pair = copied(&sqlite, &postgres).await;
        assert!(pair.is_begun().await.unwrap());
        let compared = pair.compare(&no_report).await.unwrap();
        assert!(compared.iter().all(Compared::is_same), "{:?}", differences(&compared));
        assert!(compared.len() > 30);
        assert!(compared.iter().all(|table| table.rows == ROWS as u64 && table.hash.len() == 64), "{compared:#?}");
        pair.finish().await.unwrap();
        assert!(!pair.is_begun().await.unwrap(), "the mark of the copy is gone");
        assert_eq!(pair.begin().await.unwrap(), TargetState::Full);

        let folder = tempfile::tempdir().unwrap();
        let back = Store::open(&format!("sqlite://{}", folder.path().join("back.db").display())).await.unwrap();
        let returning = Pair::open(&postgres.store, &back, AT_ONCE).await.unwrap();
        assert_eq!(returning.begin().await.unwrap(), TargetState::Begun);
        returning.copy(&no_report).await.unwrap();
        let again = Pair::of_migrated(&sqlite.store, &back, 1).await.unwrap().compare(&no_report).await.unwrap();
        assert!(again.iter().all(Compared::is_same), "{:?}", differences(&again));
        let hashes = |tables: &[Compared]| -> Vec<String> { tables.iter().map(|table| table.hash.clone()).collect() };
        assert_eq!(hashes(&again), hashes(&compared));
    });
}

#[test]
fn new_rows_get_numbers_after_those_of_the_source() {
    on_both(|sqlite, postgres| async move {
        let pair = copied(&sqlite, &postgres).await;
        let half = Pair::open(&postgres.store, &sqlite.store, AT_ONCE).await.unwrap_err();
        assert!(matches!(half, CopyError::HalfSource), "an unfinished copy is no source: {half}");
        pair.finish().await.unwrap();
        let next = |table: &str| format!("SELECT nextval(pg_get_serial_sequence('{table}', 'seq'))");
        assert_eq!(postgres.number(&next("events")).await, 1001, "also if the last rows were deleted");
        assert_eq!(postgres.number(&next("timeline_entries")).await, i64::try_from(3 * ROWS - 1).unwrap());
        let largest = postgres.number("SELECT MAX(changed) FROM return_requests").await;
        assert!(postgres.number("SELECT number FROM next_change").await > largest);

        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("back.db").display());
        let back = Database { store: Store::open(&url).await.unwrap(), url };
        let returning = Pair::open(&postgres.store, &back.store, AT_ONCE).await.unwrap();
        returning.begin().await.unwrap();
        returning.copy(&no_report).await.unwrap();
        assert_eq!(back.number("SELECT seq FROM sqlite_sequence WHERE name = 'events'").await, 1001);
        assert_eq!(back.number("SELECT seq FROM sqlite_sequence WHERE name = 'purchases'").await, 1000);
    });
}

#[test]
fn differences_name_the_table_and_the_id() {
    on_both(|sqlite, postgres| async move {
        let pair = copied(&sqlite, &postgres).await;
        postgres.run("UPDATE orders SET email = 'other' WHERE external_id LIKE '%13'").await;
        postgres.run("DELETE FROM user_emails WHERE email_key LIKE '%17'").await;
        sqlite.run("DELETE FROM guesses WHERE hex(subject_hash) = 'FE'").await;
        postgres.run("SELECT setval('events_seq_seq', 5)").await;
        let compared = pair.compare(&no_report).await.unwrap();
        let found: Vec<String> =
            differences(&compared).iter().map(|(table, difference)| format!("{table}: {difference}")).collect();
        let id = |row: u32| format!("00000000-0000-0000-0000-0000000000{row:02x}");
        let mut expected = vec![
            format!("orders: account_id {0}, id {0} differs in email", id(13)),
            format!("user_emails: account_id {0}, user_id {0} is at the source only", id(17)),
            "guesses: subject_hash fe is at the target only".to_owned(),
            "events: the source has numbered 1000 rows, the target 5".to_owned(),
        ];
        expected.sort_unstable();
        let mut found = found;
        found.sort_unstable();
        assert_eq!(found, expected);
        assert!(compared.iter().any(|table| !table.is_same()));
    });
}

#[test]
fn an_interrupted_copy_continues_without_duplicates() {
    on_both(|sqlite, postgres| async move {
        filled(&sqlite, &postgres).await;
        let mut cuts = 0;
        loop {
            // With connections of its own, as a new program would.
            let (from, to) = (Store::open(&sqlite.url).await.unwrap(), Store::open(&postgres.url).await.unwrap());
            let pair = Pair::open(&from, &to, AT_ONCE).await.unwrap();
            assert_eq!(pair.begin().await.unwrap(), TargetState::Begun);
            let (told, enough) = (AtomicUsize::new(0), Notify::new());
            let watcher = |_: Progress<'_>| {
                if told.fetch_add(1, Ordering::Relaxed) == 9 * (cuts + 1) {
                    enough.notify_one();
                }
            };
            let is_done = tokio::select! {
                biased;
                () = enough.notified() => false,
                copied = pair.copy(&watcher) => copied.map(|()| true).unwrap(),
            };
            if is_done {
                let compared = pair.compare(&no_report).await.unwrap();
                assert!(compared.iter().all(Compared::is_same), "{:?}", differences(&compared));
                break;
            }
            cuts += 1;
            to.close().await;
        }
        assert!(cuts > 5, "{cuts}");
    });
}

#[test]
fn a_target_with_other_data_is_refused() {
    on_both(|sqlite, postgres| async move {
        let pair = Pair::open(&sqlite.store, &postgres.store, AT_ONCE).await.unwrap();
        assert!(matches!(pair.begin().await, Err(CopyError::NoAccount)));
        filled(&sqlite, &postgres).await;
        // Another installation, with an account of its own.
        let account = "INSERT INTO accounts (id, slug, name, currency, policy, branding, next_parcel, created_at)
            VALUES ('01999999-0000-7000-8000-000000000000', 'x', 'X', 'EUR', '{}', '{}', 1, 1)";
        postgres.run(account).await;
        assert_eq!(pair.begin().await.unwrap(), TargetState::Full);
        assert!(!pair.has_the_same_accounts().await.unwrap());
        // The start of a copy of that installation.
        postgres.run("DELETE FROM accounts").await;
        postgres.run("CREATE TABLE copying (source TEXT NOT NULL)").await;
        postgres.run("INSERT INTO copying (source) VALUES ('01999999-0000-7000-8000-000000000000')").await;
        assert!(matches!(pair.begin().await, Err(CopyError::OtherCopy)));
    });
}

#[test]
fn a_source_of_another_version_is_refused() {
    on_both(|sqlite, postgres| async move {
        let later = "UPDATE _sqlx_migrations SET version = version + 1 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
        sqlite.run(later).await;
        let refused = Pair::open(&sqlite.store, &postgres.store, AT_ONCE).await.unwrap_err();
        assert!(matches!(refused, CopyError::OtherVersion(Side::Source)), "{refused}");
        // A database without migrations, which stays empty.
        let folder = tempfile::tempdir().unwrap();
        let empty = Store::open(&format!("sqlite://{}", folder.path().join("empty.db").display())).await.unwrap();
        let refused = Pair::open(&empty, &postgres.store, AT_ONCE).await.unwrap_err();
        assert!(matches!(refused, CopyError::OtherVersion(Side::Source)), "{refused}");
        let mut reading = empty.read().await.unwrap();
        let store::Db::Sqlite(connection) = reading.db() else { panic!("a file") };
        let tables: i64 = sqlx::query_scalar(AssertSqlSafe("SELECT COUNT(*) FROM sqlite_master".to_owned()))
            .fetch_one(connection)
            .await
            .unwrap();
        assert_eq!(tables, 0);
    });
}
