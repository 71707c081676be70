//! Claiming work that waits in the database (labels, which stand for the other queues), as every instance does: first
//! the accounts with due work, then some work of each, with a lease. It is compared with a batch claim that is written
//! by hand: one statement that takes the rows that have waited longest, of any account, and skips rows that others have
//! locked.

use domain::{AccountId, Timestamp};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions,
};
use std::{
    str::FromStr as _,
    time::{Duration, Instant},
};
use store::{DatabaseKind, label_requests, testing::Database};

/// Waiting rows, in this many accounts.
const WAITING: usize = 1_600;
const ACCOUNTS: usize = 20;
/// How many rows an instance claims at a time, and how many of one account.
const AT_ONCE: usize = 32;
const OF_ACCOUNT: usize = 8;
const ROUNDS: usize = 5;

/// Claimed rows per second.
pub struct Claims {
    pub ours: f64,
    pub bare: f64,
}

/// Measures on a migrated database.
pub async fn run(database: &Database) -> Claims {
    let mut hand = HandWritten::connect(database).await;
    hand.fill().await;
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for (turn, times) in times.iter_mut().enumerate() {
            // The leases of the previous turn have expired by now.
            let now = Timestamp::from_seconds(i64::try_from(1_000 * (2 * round + turn + 1)).unwrap());
            hand.run("UPDATE label_requests SET due_at = seq").await;
            crate::bridges::analyze(database).await;
            let mut took = Duration::ZERO;
            for _ in 0..WAITING / AT_ONCE {
                let began = Instant::now();
                let claimed = if turn == 0 { by_the_store(database, now).await } else { hand.claim(now).await };
                took += began.elapsed();
                assert_eq!(claimed, AT_ONCE);
                // As if the work were done.
                hand.run(&format!("UPDATE label_requests SET due_at = NULL WHERE held_until > {}", now.micros())).await;
            }
            times.push(took);
        }
    }
    let [ours, bare] = times.map(|mut times| {
        times.sort_unstable();
        super::per_second(WAITING, times[ROUNDS / 2])
    });
    Claims { ours, bare }
}

async fn by_the_store(database: &Database, now: Timestamp) -> usize {
    // Like a worker without work in progress.
    let is_enough =
        |due: &[(AccountId, usize)]| due.iter().map(|(_, due)| OF_ACCOUNT.min(*due)).sum::<usize>() >= AT_ONCE;
    let waiting = label_requests::waiting(database.store.read().await.unwrap().db(), now, &is_enough).await.unwrap();
    let shares: Vec<_> = waiting.into_iter().map(|account| (account, OF_ACCOUNT)).collect();
    let (mut writing, until) = (database.store.write_in_one().await.unwrap(), now.plus_seconds(30));
    let claimed = label_requests::claim(writing.db(), now, until, (&shares, AT_ONCE)).await.unwrap();
    writing.commit().await.unwrap();
    claimed.len()
}

/// A connection that inserts rows without the rows that they refer to.
enum HandWritten {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl HandWritten {
    async fn connect(database: &Database) -> Self {
        match database.store.kind() {
            DatabaseKind::Sqlite => {
                let options = SqliteConnectOptions::from_str(&database.url).unwrap().foreign_keys(false);
                let options = options.busy_timeout(Duration::from_secs(10));
                Self::Sqlite(options.connect().await.unwrap())
            }
            DatabaseKind::Postgres => {
                let mut connection = PgConnection::connect(&database.url).await.unwrap();
                sqlx::query("SET session_replication_role = replica").execute(&mut connection).await.unwrap();
                Self::Postgres(connection)
            }
        }
    }

    async fn run(&mut self, sql: &str) {
        match self {
            Self::Sqlite(connection) => drop(sqlx::query(AssertSqlSafe(sql)).execute(connection).await.unwrap()),
            Self::Postgres(connection) => drop(sqlx::query(AssertSqlSafe(sql)).execute(connection).await.unwrap()),
        }
    }

    async fn fill(&mut self) {
        let insert = "INSERT INTO label_requests (account_id, id, shipment_id, due_at, created_at) ";
        let rows = match self {
            Self::Sqlite(_) => format!(
                "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {WAITING}) \
                 {insert} SELECT unhex(printf('%032x', n % {ACCOUNTS} + 1)), randomblob(16), randomblob(16), n, 0 FROM numbers"
            ),
            Self::Postgres(_) => format!(
                "{insert} SELECT lpad(to_hex(n % {ACCOUNTS} + 1), 32, '0')::uuid, gen_random_uuid(), gen_random_uuid(), n, 0 \
                 FROM generate_series(1, {WAITING}) AS n"
            ),
        };
        self.run(&rows).await;
    }

    async fn claim(&mut self, now: Timestamp) -> usize {
        let sql = |skip: &str| {
            AssertSqlSafe(format!(
                "UPDATE label_requests SET held_until = $2 WHERE (account_id, id) IN (SELECT account_id, id \
                 FROM label_requests WHERE due_at <= $1 AND held_until <= $1 ORDER BY due_at LIMIT {AT_ONCE}{skip}) \
                 RETURNING account_id, id, shipment_id, tries, first_asked_at, asked_carrier"
            ))
        };
        let (now, until) = (now.micros(), now.plus_seconds(30).micros());
        match self {
            Self::Sqlite(connection) => {
                sqlx::query(sql("")).bind(now).bind(until).fetch_all(connection).await.unwrap().len()
            }
            Self::Postgres(connection) => {
                let query = sqlx::query(sql(" FOR UPDATE SKIP LOCKED")).bind(now).bind(until);
                query.fetch_all(connection).await.unwrap().len()
            }
        }
    }
}
