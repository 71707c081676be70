//! Transactions and connections for reading.

use crate::support::*;
use domain::{EventId, Timestamp, webhook::EventType};
use std::time::Duration;
use store::{
    DatabaseKind, Db, Lookup, Store, StoreError, Tables,
    events::Event,
    testing::{Database, DatabaseProxy},
};
use tokio::time::timeout;

store::on_each_database! {
    async fn a_dropped_transaction_is_rolled_back(database: Database) {
        let account = an_account("ours");
        let mut writing = database.store.write().await.unwrap();
        assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
        assert!(store::accounts::find(writing.db(), account.id).await.unwrap().is_some(), "a transaction sees its own writes");
        assert!(look!(database, accounts::find, account.id).is_none(), "others do not");
        drop(writing);
        assert!(look!(database, accounts::find, account.id).is_none());
        assert!(keep!(database, accounts::insert, &account, NOW), "the next writer gets its turn");
    }

    async fn events_of_a_return_are_in_order_even_if_clocks_differ(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let publish_two = |at: Timestamp| {
            let (database, order) = (database.clone(), order.id);
            async move {
                let mut writing = database.store.write().await.unwrap();
                assert!(store::return_orders::lock(writing.db(), ours, order).await.unwrap().is_some());
                for at in [at, at.plus_seconds(-1)] {
                    writing.publish(Event {
                        id: EventId(id()),
                        account_id: ours,
                        kind: EventType::TrackingUpdated,
                        stage: None,
                        return_order_id: order,
                        data: "{}".to_owned(),
                        created_at: at,
                    });
                }
                writing.commit().await.unwrap();
            }
        };
        for round in 0..100 {
            tokio::join!(publish_two(NOW.plus_seconds(round)), publish_two(NOW.plus_seconds(60 - round)));
        }
        let times: Vec<String> = database.texts("SELECT CAST(created_at AS TEXT) FROM events ORDER BY seq").await;
        let times: Vec<i64> = times.iter().map(|at| at.parse().unwrap()).collect();
        assert_eq!(times.len(), 400);
        assert!(times.is_sorted(), "{times:?}");
        assert_eq!((times[0] >= NOW.micros(), times[399]), (true, NOW.plus_seconds(99).micros()), "moved no further than necessary");
    }

    async fn the_write_probe_reports_whether_the_database_can_be_written_to(database: Database) {
        assert!(database.store.can_write().await);
        if database.store.kind() == DatabaseKind::Postgres {
            // A session that reads all tables, such as pg_dump, is not in the way.
            let mut reading = database.store.write().await.unwrap();
            let Db::Postgres(connection) = reading.db() else { panic!("Postgres") };
            sqlx::query("LOCK TABLE write_probes IN ACCESS SHARE MODE").execute(connection).await.unwrap();
            let other = Store::open(&database.url).await.unwrap();
            assert!(other.can_write().await);
            let written = database.texts("SELECT CAST(count(*) AS TEXT) FROM write_probes WHERE at > 0").await;
            assert_eq!(written, ["1"], "a row was written nevertheless");
            drop(reading);
            let name = database.url.rsplit_once('/').unwrap().1;
            // As providers do when the disk is nearly full.
            database.run(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
            assert!(!Store::open(&database.url).await.unwrap().can_write().await);
        }
    }

    async fn missing_rows_are_confirmed_while_the_tables_are_sound(database: Database) {
        for lookup in [Lookup::ForAccount, Lookup::ForServiceUser, Lookup::ForConsumer, Lookup::ForUser, Lookup::ForOrder] {
            database.store.confirm_missing(lookup).await.unwrap();
        }
    }

    async fn a_failed_statement_leaves_the_connection_usable(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 1, 100).await;
        for _ in 0..30 {
            assert!(try_keep!(database, purchases::settle, ours, purchase.id, 1).is_err());
        }
        assert!(keep!(database, purchases::take, ours, purchase.id, units(1, 0), 0));
    }

    async fn dropped_writers_leave_no_open_transaction(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        // Dropped while they wait for the writer, begin or write: the next writer must not find an open transaction.
        for polls in 0..200_u32 {
            let mut writer = Box::pin(async {
                let mut writing = database.store.write().await.unwrap();
                store::accounts::next_parcels(writing.db(), ours, 1).await.unwrap();
                std::future::pending::<()>().await;
            });
            for _ in 0..polls % 20 {
                tokio::select! {
                    biased;
                    () = &mut writer => {}
                    () = tokio::task::yield_now() => {}
                }
            }
        }
        if database.store.kind() == DatabaseKind::Postgres {
            // Nor does a connection that returned to the pool: it would swallow the commit of a single statement.
            let open = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'";
            let all_ended = async { while database.number(open).await > 0 {} };
            timeout(Duration::from_secs(10), all_ended).await.unwrap(); // Postgres ends one itself after 15 s
        }
        assert_eq!(keep!(database, accounts::next_parcels, ours, 1), 1..2);
        assert_eq!(keep!(database, accounts::next_parcels, ours, 1), 2..3);
    }

    async fn of_many_concurrent_writers_exactly_the_commits_are_stored(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 1, 100).await;
        let tasks: Vec<_> = (0..60)
            .map(|number| {
                let (database, purchase) = (database.clone(), purchase.id);
                tokio::spawn(async move {
                    let account = an_account(&format!("shop-{number}"));
                    let mut writing = database.store.write().await.unwrap();
                    assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
                    match number % 3 {
                        0 => writing.commit().await.unwrap(),
                        1 => drop(writing),
                        _ => {
                            assert!(store::purchases::settle(writing.db(), ours, purchase, 1).await.is_err());
                            drop(writing);
                        }
                    }
                    let lasts = look!(database, accounts::find, account.id).is_some();
                    assert_eq!(lasts, number % 3 == 0, "as soon as the commit returns, and visible to all");
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(database.rows("accounts").await, 2 + 20);
        let other = Store::open(&database.url).await.unwrap();
        let mut writing = other.write().await.unwrap();
        assert!(store::accounts::insert(writing.db(), &an_account("another-program"), NOW).await.unwrap());
        writing.commit().await.unwrap();
    }

    async fn concurrent_repeated_migrations_change_nothing(database: Database) {
        assert_eq!(database.store.tables().await.unwrap(), Tables::Fit);
        let (ours, _) = two_accounts(&database).await;
        let tasks: Vec<_> = (0..4)
            .map(|_| {
                let url = database.url.clone();
                tokio::spawn(async move { Store::open(&url).await.unwrap().migrate().await.unwrap() })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert!(look!(database, accounts::find, ours).is_some());
    }
}

#[test]
fn a_new_file_is_behind_until_it_is_migrated_and_readers_cannot_write() {
    store::testing::on_sqlite(|database| async move {
        let url = database.url.replace("retour.db", "other.db");
        let other = Store::open(&url).await.unwrap();
        assert_eq!(other.tables().await.unwrap(), Tables::Behind);
        other.migrate().await.unwrap();
        assert_eq!((other.tables().await.unwrap(), other.kind()), (Tables::Fit, DatabaseKind::Sqlite));
        let mut reading = other.read().await.unwrap();
        let Db::Sqlite(connection) = reading.db() else { panic!("not SQLite") };
        let vacuum: i64 = sqlx::query_scalar("PRAGMA auto_vacuum").fetch_one(connection).await.unwrap();
        assert_eq!(vacuum, 2, "incremental");
        assert!(store::accounts::insert(reading.db(), &an_account("ours"), NOW).await.is_err());
    });
}

#[test]
fn a_lost_shared_transaction_fails_its_commits_and_the_next_writer_continues() {
    store::testing::on_sqlite(|database| async move {
        let (lost, kept) = (an_account("lost"), an_account("kept"));
        let mut writing = database.store.write().await.unwrap();
        store::accounts::insert(writing.db(), &lost, NOW).await.unwrap();
        let mut next = Box::pin(async {
            let mut writing = database.store.write().await.unwrap();
            let Db::Sqlite(connection) = writing.db() else { panic!("not SQLite") };
            // As SQLite does when the disk is full.
            sqlx::query("ROLLBACK").execute(connection).await.unwrap();
        });
        tokio::select! {
            biased;
            () = &mut next => unreachable!("it waits for its turn"),
            () = std::future::ready(()) => {}
        }
        let (outcome, ()) = tokio::join!(writing.commit(), next);
        assert!(outcome.is_err());
        assert!(look!(database, accounts::find, lost.id).is_none());
        assert!(keep!(database, accounts::insert, &kept, NOW));
        assert!(look!(database, accounts::find, kept.id).is_some());
    });
}

#[test]
fn an_invalid_url_is_refused() {
    store::testing::on_sqlite(|_| async {
        for url in ["", "retour.db", "mysql://localhost/retour", "postgres:// /"] {
            let error = Store::open(url).await.unwrap_err();
            assert!(matches!(error, StoreError::BadUrl(_)), "{url}: {error}");
        }
    });
}

#[test]
fn on_a_full_disk_exactly_the_acknowledged_commits_are_stored() {
    store::testing::on_sqlite(|database| async move {
        let mut writing = database.store.write().await.unwrap();
        let Db::Sqlite(connection) = writing.db() else { panic!("not SQLite") };
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await.unwrap();
        // The limit belongs to this connection: the one that replaces it after a failure has space again.
        let limit = format!("PRAGMA max_page_count = {}", pages + 8);
        sqlx::query(sqlx::AssertSqlSafe(limit)).execute(connection).await.unwrap();
        drop(writing);
        let tasks: Vec<_> = (0..200)
            .map(|number| {
                let database = database.clone();
                tokio::spawn(async move {
                    let account = an_account(&format!("shop-{number}"));
                    let mut writing = database.store.write().await.unwrap();
                    let is_committed = match store::accounts::insert(writing.db(), &account, NOW).await {
                        Ok(_) => writing.commit().await.is_ok(),
                        Err(_) => false,
                    };
                    (account.id, is_committed)
                })
            })
            .collect();
        let mut refused = 0;
        for task in tasks {
            let (account, is_committed) = task.await.unwrap();
            assert_eq!(look!(database, accounts::find, account).is_some(), is_committed);
            refused += u32::from(!is_committed);
        }
        assert!((1..200).contains(&refused), "{refused} of 200 transactions found the disk full");
        assert!(keep!(database, accounts::insert, &an_account("afterwards"), NOW));
    });
}

#[test]
fn an_unreachable_server_fails_requests_at_once_until_it_returns() {
    store::testing::on_postgres(async |database: Database| {
        let mut proxy = DatabaseProxy::to(&database.url);
        let store = Store::open(&proxy.url).await.unwrap();
        let idle = store.read().await.unwrap();
        proxy.cut().await;
        drop(idle);
        let error = store::testing::until_unreachable(&store).await;
        assert!(error.is_unavailable(), "{error}");
        let (reading, writing) = (store.read().await.unwrap_err(), store.write().await.unwrap_err());
        assert!(matches!((reading, writing), (StoreError::Unreachable, StoreError::Unreachable)));
        proxy.restore();
        while store.read().await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let account = an_account("ours");
        let mut writing = store.write().await.unwrap();
        assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
        writing.commit().await.unwrap();
    });
}

#[test]
fn silently_lost_connections_are_replaced() {
    store::testing::on_postgres(async |database: Database| {
        let proxy = DatabaseProxy::to(&database.url);
        let store = Store::open(&proxy.url).await.unwrap();
        let account = an_account("ours");
        // All connections of the pool are in use, half of them in a transaction.
        let (mut readings, mut writings) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            readings.push(store.read().await.unwrap());
            writings.push(store.write().await.unwrap());
        }
        proxy.fall_silent().await;
        tokio::time::sleep(Duration::from_millis(1_100)).await; // one that was used less than a second ago is not pinged
        drop((readings, writings));
        let mut writing = store.write().await.expect("they are closed, and others take their places");
        assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
        writing.commit().await.unwrap();
        // This connection is idle when it is lost: it is pinged after a second without use.
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        proxy.fall_silent().await;
        let mut reading = store.read().await.expect("a ping finds that it is lost");
        assert!(store::accounts::find(reading.db(), account.id).await.unwrap().is_some());
        assert_eq!(store.tables().await.unwrap(), Tables::Fit);
    });
}
