//! Upgrades while programs run: programs of the previous version continue beside those of the next, and a migration of
//! Postgres blocks nobody.

use crate::support::{EVERYBODY, NOW, two_accounts};
use sqlx::migrate::MigrateError;
use std::{collections::BTreeSet, fs, path::Path, time::Duration};
use store::{DatabaseKind, Store, StoreError, Tables, testing::Database};

/// The last migration that is older than these rules.
const BEFORE: &str = "0024";

/// What a migration must not do, because programs of the previous version would fail, and what to do instead. A
/// migration that removes something is called `NNNN_contract_….sql`, and comes in a later release than the one that
/// stops using it.
const REMOVES: [(&str, &str); 8] = [
    ("DROP TABLE", "keep it for one release"),
    ("DROP COLUMN", "keep it for one release"),
    ("RENAME", "add the new one, write both, read the new one, drop the old one in the next release"),
    ("ALTER COLUMN", "add another column"),
    ("ADD CONSTRAINT", "the previous version may write what it forbids"),
    ("CREATE UNIQUE INDEX", "the previous version may write what it forbids"),
    ("DROP TRIGGER", "keep it for one release"),
    ("DELETE FROM", "the previous version may read it"),
];

#[test]
fn migrations_only_add_unless_their_name_says_that_they_contract() {
    for kind in ["sqlite", "postgres"] {
        for (name, sql) in later_migrations(kind) {
            if name.get(5..).is_some_and(|name| name.starts_with("contract_")) {
                continue;
            }
            for statement in statements(&sql) {
                let of_new = of_table(&statement).is_some_and(|table| sql.contains(&format!("CREATE TABLE {table} ")));
                for (phrase, instead) in REMOVES {
                    let allowed = phrase == "CREATE UNIQUE INDEX" && of_new;
                    assert!(!statement.contains(phrase) || allowed, "{kind}/{name}: {phrase}: {instead}\n{statement}");
                }
                let adds = statement.contains("ADD COLUMN") && statement.contains("NOT NULL");
                assert!(
                    !adds || statement.contains("DEFAULT"),
                    "{kind}/{name}: the previous version does not write it"
                );
                // All writes would wait until the index exists.
                let makes_index = kind == "postgres" && statement.starts_with("CREATE INDEX") && !of_new;
                assert!(!makes_index || statement.contains("CONCURRENTLY"), "{kind}/{name}: {statement}");
                if statement.contains("CONCURRENTLY") {
                    assert!(
                        sql.starts_with("-- no-transaction\n"),
                        "{kind}/{name}: its first line must be -- no-transaction"
                    );
                    assert_eq!(
                        statements(&sql).len(),
                        1,
                        "{kind}/{name}: a concurrent index must be the only statement"
                    );
                }
            }
        }
    }
}

fn later_migrations(kind: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(kind);
    let names: BTreeSet<String> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().any(|name| name.starts_with(BEFORE)), "{kind}");
    let later = names.into_iter().filter(|name| &name[..4] > BEFORE);
    later.map(|name| (name.clone(), fs::read_to_string(folder.join(name)).unwrap())).collect()
}

/// Statements without their comments, on one line each.
fn statements(sql: &str) -> Vec<String> {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    let sql = lines.collect::<Vec<_>>().join(" ");
    let plain = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ");
    sql.split(';').map(plain).filter(|statement| !statement.is_empty()).collect()
}

/// The table of an index.
fn of_table(statement: &str) -> Option<&str> {
    statement.split_once(" ON ")?.1.split([' ', '(']).next()
}

/// Reverts a database to an earlier version.
async fn revert_last_migrations(database: &Database) {
    revert_after(database, 31).await;
    database.run("DROP TABLE pending_evidence").await;
    database.run("ALTER TABLE return_requests DROP COLUMN answers").await;
    for index in [
        "draft_return_orders_open_by_expiry",
        "draft_return_orders_unsent_by_expiry",
        "label_requests_due",
        "payment_tasks_due",
        "parcel_tasks_due",
        "mail_tasks_due",
    ] {
        database.run(&format!("DROP INDEX {index}")).await;
    }
    database.run("DELETE FROM worker_turns WHERE name = 'pruning'").await;
    database.run("DELETE FROM _sqlx_migrations WHERE version >= 23").await;
}

/// Reverts what the migrations after this one have added, the last first.
async fn revert_after(database: &Database, version: i64) {
    let kind = match database.store.kind() {
        DatabaseKind::Sqlite => "sqlite",
        DatabaseKind::Postgres => "postgres",
    };
    for (name, sql) in later_migrations(kind).into_iter().rev() {
        let number: i64 = name[..4].parse().unwrap();
        if number <= version {
            break;
        }
        for undone in statements(&sql).iter().rev().filter_map(|statement| undo(statement)) {
            database.run(&undone).await;
        }
        database.run(&format!("DELETE FROM _sqlx_migrations WHERE version = {number}")).await;
    }
}

/// The statement that reverts a statement of a migration; `None` if it only adds rows.
fn undo(statement: &str) -> Option<String> {
    let beside = ["UNIQUE", "CONCURRENTLY", "IF", "NOT", "EXISTS"];
    let mut words = statement.split([' ', '(']).filter(|word| !beside.contains(word));
    match (words.next()?, words.next()?, words.next()?) {
        ("ALTER", "TABLE", table) => {
            let (_, column) = statement.split_once(" ADD COLUMN ")?;
            Some(format!("ALTER TABLE {table} DROP COLUMN {}", column.split(' ').next()?))
        }
        ("CREATE", "TABLE", table) => Some(format!("DROP TABLE {table}")),
        ("CREATE", "INDEX", index) => Some(format!("DROP INDEX {index}")),
        _ => None,
    }
}

store::on_each_database! {
    async fn concurrent_migrations_all_succeed(database: Database) {
        revert_last_migrations(&database).await;
        assert_eq!(database.store.tables().await.unwrap(), Tables::Behind);
        let mut migrating = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let url = database.url.clone();
            migrating.spawn(async move {
                let other = Store::open(&url).await.unwrap();
                other.migrate().await.unwrap();
                other.tables().await.unwrap()
            });
        }
        assert_eq!(migrating.join_all().await, [Tables::Fit; 6]);
        assert_eq!(database.rows("pending_evidence").await, 0);
    }

    async fn a_shop_that_is_connected_before_the_upgrade_is_read_after_it(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        revert_after(&database, 60).await;
        let bridge = r#"{"kind":"shopify","url":"https://x.myshopify.com/","secret":"sealed","version":"2026-10","access":{"kind":"app","clientId":"abc"}}"#;
        database.run(&format!("UPDATE accounts SET bridge = '{bridge}' WHERE slug = 'ours'")).await;
        database.store.migrate().await.unwrap();
        let shares = [(ours, 1)];
        assert_eq!(look!(database, shop_reconciliations::waiting, NOW, EVERYBODY), [ours]);
        let due = keep!(database, shop_reconciliations::claim, NOW, NOW.plus_seconds(30), (&shares, 1));
        assert_eq!(due[0].shop, "shopify https://x.myshopify.com/");
        let before = "SELECT created_at - changes_read_through FROM shop_reconciliations";
        assert_eq!(database.number(before).await, 60 * 86_400 * 1_000_000);
    }

    async fn a_migration_that_changed_after_it_was_applied_is_reported(database: Database) {
        let checksum = match database.store.kind() {
            DatabaseKind::Sqlite => "x'00'",
            DatabaseKind::Postgres => "'\\x00'",
        };
        database.store.migrate().await.unwrap();
        database.run(&format!("UPDATE _sqlx_migrations SET checksum = {checksum} WHERE version = 20")).await;
        let error = database.store.migrate().await.unwrap_err();
        assert!(matches!(error, StoreError::Migrate(MigrateError::VersionMismatch(20))), "{error}");
    }

    async fn a_migration_whose_number_is_lower_than_the_last_is_applied(database: Database) {
        database.run("DROP INDEX payment_tasks_due").await;
        database.run("DELETE FROM _sqlx_migrations WHERE version = 29").await;
        database.store.migrate().await.unwrap();
        assert_eq!(database.number("SELECT COUNT(*) FROM _sqlx_migrations WHERE version = 29").await, 1);
        database.run("DROP INDEX payment_tasks_due").await; // it exists again
    }

    async fn tables_of_a_later_version_fit_until_it_removes_something(database: Database) {
        let applied = |version: i64, description: &str| {
            let (yes, bytes) = match database.store.kind() {
                DatabaseKind::Sqlite => ("1", "x'00'"),
                DatabaseKind::Postgres => ("TRUE", "'\\x00'"),
            };
            let columns = "version, description, success, checksum, execution_time";
            format!("INSERT INTO _sqlx_migrations ({columns}) VALUES ({version}, '{description}', {yes}, {bytes}, 0)")
        };
        database.run(&applied(9000, "colours")).await;
        database.store.migrate().await.unwrap();
        assert_eq!(database.store.tables().await.unwrap(), Tables::Fit);
        database.run(&applied(9001, "contract shop of labels")).await;
        assert_eq!(database.store.tables().await.unwrap(), Tables::Beyond);
        database.store.migrate().await.unwrap();
    }
}

/// Migration 25 drops an index that does not exist here, so it reads before it writes.
#[test]
fn a_migration_of_a_file_waits_for_a_writer() {
    store::testing::on_sqlite(|database| async move {
        revert_after(&database, 31).await;
        database.run("DELETE FROM worker_turns WHERE name = 'pruning'").await;
        database.run("DELETE FROM _sqlx_migrations WHERE version = 25").await;
        let other = Store::open(&database.url).await.unwrap();
        let writing = database.store.write().await.unwrap();
        let write_a_while = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            writing.commit().await.unwrap();
        };
        let (migrated, ()) = tokio::join!(other.migrate(), write_a_while);
        migrated.unwrap();
        assert_eq!(database.number("SELECT COUNT(*) FROM worker_turns WHERE name = 'pruning'").await, 1);
    });
}

/// A migration that is killed while it creates an index concurrently leaves an invalid index.
#[test]
fn an_invalid_index_is_created_again() {
    store::testing::on_postgres(|database| async move {
        revert_last_migrations(&database).await;
        database.run("CREATE INDEX mail_tasks_due ON mail_tasks (due_at) WHERE due_at IS NOT NULL").await;
        let invalid = "'mail_tasks_due'::regclass AND NOT indisvalid";
        let invalid_count = format!("SELECT COUNT(*) FROM pg_index WHERE indexrelid = {invalid}");
        database.run("UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'mail_tasks_due'::regclass").await;
        assert_eq!(database.number(&invalid_count).await, 1);
        database.store.migrate().await.unwrap();
        assert_eq!(database.number(&invalid_count).await, 0);
        assert_eq!(database.store.tables().await.unwrap(), Tables::Fit);
    });
}

#[test]
fn a_migration_does_not_block_others_while_it_waits_for_a_table() {
    store::testing::on_postgres(|database| async move {
        revert_last_migrations(&database).await;
        let mut long = database.store.write().await.unwrap();
        let store::Db::Postgres(connection) = long.db() else { panic!("Postgres") };
        sqlx::query("SELECT COUNT(*) FROM return_requests").execute(connection).await.unwrap();
        let migrating = {
            let store = database.store.clone();
            tokio::spawn(async move { store.migrate().await })
        };
        let waits = "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'return_requests'::regclass";
        while database.number(waits).await == 0 {
            tokio::task::yield_now().await;
        }
        // These queue behind the change of the table, which gives up and tries again.
        for _ in 0..3 {
            assert_eq!(database.rows("return_requests").await, 0);
        }
        assert!(!migrating.is_finished(), "the table is still in use");
        drop(long);
        migrating.await.unwrap().unwrap();
        assert_eq!(database.store.tables().await.unwrap(), Tables::Fit);
    });
}
