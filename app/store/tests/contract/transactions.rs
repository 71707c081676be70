//! What a transaction and a connection for reading promise.

use crate::support::*;
use domain::{EventId, Timestamp, webhook::EventType};
use store::{
    Db, Kind, Looked, Store, StoreError, Tables,
    events::Event,
    testing::{Database, Line},
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};

store::on_each_database! {
    async fn what_is_not_committed_is_gone(database: Database) {
        let account = an_account("ours");
        let mut writing = database.store.write().await.unwrap();
        assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
        assert!(store::accounts::find(writing.db(), account.id).await.unwrap().is_some(), "it sees its own writes");
        assert!(look!(database, accounts::find, account.id).is_none(), "nobody else does");
        drop(writing);
        assert!(look!(database, accounts::find, account.id).is_none());
        assert!(keep!(database, accounts::insert, &account, NOW), "and the next writer has its turn");
    }

    async fn whatever_the_clocks_of_two_writers_say_a_return_s_events_are_in_order(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let tell = |at: Timestamp| {
            let (database, order) = (database.clone(), order.id);
            async move {
                let mut writing = database.store.write().await.unwrap();
                assert!(store::return_orders::lock(writing.db(), ours, order).await.unwrap());
                for at in [at, at.plus_seconds(-1)] {
                    writing.tell(Event {
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
            tokio::join!(tell(NOW.plus_seconds(round)), tell(NOW.plus_seconds(60 - round)));
        }
        let times: Vec<String> = database.texts("SELECT CAST(created_at AS TEXT) FROM events ORDER BY seq").await;
        let times: Vec<i64> = times.iter().map(|at| at.parse().unwrap()).collect();
        assert_eq!(times.len(), 400);
        assert!(times.is_sorted(), "{times:?}");
        assert_eq!((times[0] >= NOW.micros(), times[399]), (true, NOW.plus_seconds(99).micros()), "no later than it has to be");
    }

    async fn whether_something_can_be_written_is_known(database: Database) {
        assert!(database.store.can_write().await);
        if database.store.kind() == Kind::Postgres {
            // Whoever reads all tables, such as pg_dump, is not in the way.
            let mut reading = database.store.write().await.unwrap();
            let Db::Postgres(connection) = reading.db() else { panic!("Postgres") };
            sqlx::query("LOCK TABLE write_probes IN ACCESS SHARE MODE").execute(connection).await.unwrap();
            let beside = Store::open(&database.url).await.unwrap();
            assert!(beside.can_write().await);
            let written = database.texts("SELECT CAST(count(*) AS TEXT) FROM write_probes WHERE at > 0").await;
            assert_eq!(written, ["1"], "a row was written all the same");
            drop(reading);
            let name = database.url.rsplit_once('/').unwrap().1;
            // As providers do where the disk is nearly full.
            database.run(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
            assert!(!Store::open(&database.url).await.unwrap().can_write().await);
        }
    }

    async fn a_row_is_called_missing_only_where_its_table_is_sound(database: Database) {
        for looked in [Looked::ForAccount, Looked::ForProgram, Looked::ForConsumer, Looked::ForUser, Looked::ForOrder] {
            database.store.make_sure_it_is_missing(looked).await.unwrap();
        }
    }

    async fn a_statement_that_fails_leaves_the_connection_of_use_to_the_next(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let purchase = a_purchase(&database, ours, "1001", 1, 100).await;
        for _ in 0..30 {
            assert!(try_keep!(database, purchases::settle, ours, purchase.id, 1).is_err());
        }
        assert!(keep!(database, purchases::take, ours, purchase.id, units(1, 0), 0));
    }

    async fn writers_whose_turn_never_comes_leave_nothing_behind(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        // Dropped while they wait for the writer, begin or write: the next one must not find a transaction open.
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
        assert_eq!(keep!(database, accounts::next_parcels, ours, 1), 1..2);
        assert_eq!(keep!(database, accounts::next_parcels, ours, 1), 2..3);
    }

    async fn of_many_writers_at_once_what_was_committed_lasts_and_nothing_else(database: Database) {
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
                    assert_eq!(lasts, number % 3 == 0, "as soon as its writer was told, and for all to see");
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

    async fn migrating_again_changes_nothing_and_many_may_do_so_at_once(database: Database) {
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
fn a_new_file_is_not_migrated_until_it_is_and_readers_cannot_write_to_it() {
    store::testing::on_sqlite(|database| async move {
        let url = database.url.replace("retour.db", "other.db");
        let other = Store::open(&url).await.unwrap();
        assert_eq!(other.tables().await.unwrap(), Tables::Behind);
        other.migrate().await.unwrap();
        assert_eq!((other.tables().await.unwrap(), other.kind()), (Tables::Fit, Kind::Sqlite));
        let mut reading = other.read().await.unwrap();
        let Db::Sqlite(connection) = reading.db() else { panic!("not SQLite") };
        let vacuum: i64 = sqlx::query_scalar("PRAGMA auto_vacuum").fetch_one(connection).await.unwrap();
        assert_eq!(vacuum, 2, "incremental");
        assert!(store::accounts::insert(reading.db(), &an_account("ours"), NOW).await.is_err());
    });
}

#[test]
fn who_shared_a_transaction_that_was_lost_is_told_and_the_next_writes_again() {
    store::testing::on_sqlite(|database| async move {
        let (lost, kept) = (an_account("lost"), an_account("kept"));
        let mut writing = database.store.write().await.unwrap();
        store::accounts::insert(writing.db(), &lost, NOW).await.unwrap();
        let mut next = Box::pin(async {
            let mut writing = database.store.write().await.unwrap();
            let Db::Sqlite(connection) = writing.db() else { panic!("not SQLite") };
            // As SQLite itself does when the disk is full.
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
fn an_address_that_is_none_is_refused_with_what_is_expected() {
    store::testing::on_sqlite(|_| async {
        for url in ["", "retour.db", "mysql://localhost/retour", "postgres:// /"] {
            let error = Store::open(url).await.unwrap_err();
            assert!(matches!(error, StoreError::BadUrl), "{url}: {error}");
        }
    });
}

#[test]
fn on_a_full_disk_what_was_acknowledged_is_there_and_who_was_refused_has_left_nothing() {
    store::testing::on_sqlite(|database| async move {
        let mut writing = database.store.write().await.unwrap();
        let Db::Sqlite(connection) = writing.db() else { panic!("not SQLite") };
        let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *connection).await.unwrap();
        // Of this connection: the next one, after a failure, has room again.
        let limit = format!("PRAGMA max_page_count = {}", pages + 8);
        sqlx::query(sqlx::AssertSqlSafe(limit)).execute(connection).await.unwrap();
        drop(writing);
        let tasks: Vec<_> = (0..200)
            .map(|number| {
                let database = database.clone();
                tokio::spawn(async move {
                    let account = an_account(&format!("shop-{number}"));
                    let mut writing = database.store.write().await.unwrap();
                    let told = match store::accounts::insert(writing.db(), &account, NOW).await {
                        Ok(_) => writing.commit().await.is_ok(),
                        Err(_) => false,
                    };
                    (account.id, told)
                })
            })
            .collect();
        let mut refused = 0;
        for task in tasks {
            let (account, told) = task.await.unwrap();
            assert_eq!(look!(database, accounts::find, account).is_some(), told);
            refused += u32::from(!told);
        }
        assert!((1..200).contains(&refused), "{refused} of 200 found the disk full");
        assert!(keep!(database, accounts::insert, &an_account("afterwards"), NOW));
    });
}

/// A TCP proxy before Postgres. It can fall silent: its open connections carry nothing any more, and are not closed.
struct SilentProxy {
    url: String,
    silenced: watch::Sender<u32>,
    carrying: watch::Sender<usize>,
}

impl SilentProxy {
    async fn before(url: &str) -> Self {
        let (credentials, place) = url.rsplit_once('@').unwrap();
        let (server, name) = place.split_once('/').unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("{credentials}@{}/{name}", listener.local_addr().unwrap());
        let (silenced, carrying) = (watch::Sender::new(0), watch::Sender::new(0));
        let (server, silence, open) = (server.to_owned(), silenced.clone(), carrying.clone());
        tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let (server, mut silence, open) = (server.clone(), silence.subscribe(), open.clone());
                open.send_modify(|count| *count += 1);
                tokio::spawn(async move {
                    let mut far = TcpStream::connect(server).await.unwrap();
                    let is_silenced = tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => false,
                        _ = silence.changed() => true,
                    };
                    open.send_modify(|count| *count -= 1);
                    if is_silenced {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        Self { url, silenced, carrying }
    }

    /// Returns when no connection of before carries anything: one that still did would be taken for a living one.
    async fn fall_silent(&self) {
        self.silenced.send_modify(|times| *times += 1);
        self.carrying.subscribe().wait_for(|count| *count == 0).await.unwrap();
    }
}

#[test]
fn a_server_that_is_away_is_known_to_be_until_it_is_back() {
    store::testing::on_postgres(async |database: Database| {
        let mut line = Line::to(&database.url);
        let store = Store::open(&line.url).await.unwrap();
        let rested = store.read().await.unwrap();
        line.cut().await;
        drop(rested);
        // One that rested for less than a second is lent unasked.
        let error = loop {
            if let Err(error) = store.read().await {
                break error;
            }
        };
        assert!(matches!(error, StoreError::Away) && error.is_unavailable(), "{error}");
        let (reading, writing) = (store.read().await.unwrap_err(), store.write().await.unwrap_err());
        assert!(matches!((reading, writing), (StoreError::Away, StoreError::Away)));
        line.mend();
        while store.read().await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let account = an_account("ours");
        let mut writing = store.write().await.unwrap();
        assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
        writing.commit().await.unwrap();
    });
}

#[test]
fn connections_that_are_lost_without_a_word_are_replaced() {
    store::testing::on_postgres(async |database: Database| {
        let proxy = SilentProxy::before(&database.url).await;
        let store = Store::open(&proxy.url).await.unwrap();
        let account = an_account("ours");
        // All that there may be are under way, half of them in a transaction.
        let (mut readings, mut writings) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            readings.push(store.read().await.unwrap());
            writings.push(store.write().await.unwrap());
        }
        proxy.fall_silent().await;
        drop((readings, writings));
        let mut writing = store.write().await.expect("they are given up, and there is room for others");
        assert!(store::accounts::insert(writing.db(), &account, NOW).await.unwrap());
        writing.commit().await.unwrap();
        // This one rests in the pool when it is lost: it is back after 3 s at most, and asked after a rest of 1 s.
        tokio::time::sleep(std::time::Duration::from_millis(4_500)).await;
        proxy.fall_silent().await;
        let mut reading = store.read().await.expect("it is asked whether it lives");
        assert!(store::accounts::find(reading.db(), account.id).await.unwrap().is_some());
        assert_eq!(store.tables().await.unwrap(), Tables::Fit);
    });
}
