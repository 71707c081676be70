//! Fresh databases for tests: SQLite files and Postgres databases, migrated, one for each test (feature `testing`,
//! in no release).
//!
//! ```ignore
//! store::on_each_database! {
//!     async fn a_slug_is_taken_once(database: Database) { … }
//! }
//! ```
//!
//! makes two tests of it, `a_slug_is_taken_once::sqlite` and `a_slug_is_taken_once::postgres`. Postgres is found
//! in `RETOUR_TEST_POSTGRES`, the URL of a superuser; `.ci/with-postgres` starts one. Without it that half fails:
//! a test that is left out silently proves nothing.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "what goes wrong stops the test at once"
)]

mod line;

pub use line::Line;

use crate::engine::{Kind, Store};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{
    future::Future,
    hash::{DefaultHasher, Hash, Hasher},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};

/// Writes each test down once and runs it on both databases. See the module.
#[macro_export]
macro_rules! on_each_database {
    ($($(#[$attribute:meta])* async fn $name:ident($database:ident: $type:ty) $body:block)+) => {$(
        async fn $name($database: $type) $body

        mod $name {
            $(#[$attribute])*
            #[test]
            fn sqlite() {
                $crate::testing::on_sqlite(super::$name);
            }

            $(#[$attribute])*
            #[test]
            fn postgres() {
                $crate::testing::on_postgres(super::$name);
            }
        }
    )+};
}

/// A statement for many ids (`… IN ($2)`) as a database is asked it: Postgres has them as an array.
pub fn of_many_ids(kind: Kind, sql: &str, count: usize) -> String {
    if kind == Kind::Postgres {
        return crate::engine::macros::for_each_id(sql);
    }
    let list: Vec<String> = (2..count + 2).map(|number| format!("${number}")).collect();
    sql.replace("$2", &list.join(", "))
}

/// A migrated database with nothing in it, for one test.
#[derive(Debug, Clone)]
pub struct Database {
    /// Open.
    pub store: Store,
    /// For those who open it once more.
    pub url: String,
}

impl Database {
    /// The one number that a query answers with, beside what the store's functions show.
    pub async fn number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.to_owned());
        let mut reading = self.store.read().await.unwrap();
        on_long!(&mut reading.db(), c => sqlx::query_scalar(sql).fetch_one(&mut **c).await.unwrap())
    }

    /// The texts that a query answers with.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        let mut reading = self.store.read().await.unwrap();
        on_long!(&mut reading.db(), c => sqlx::query_scalar(sql).fetch_all(&mut **c).await.unwrap())
    }

    /// Does what no function of the store does.
    pub async fn run(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        let mut writing = self.store.write().await.unwrap();
        on_long!(&mut writing.db(), c => drop(sqlx::query(sql).execute(&mut **c).await.unwrap()));
        writing.commit().await.unwrap();
    }

    /// How often the database ended one transaction in favour of another: retries hide it from those who ask. Nothing can be
    /// asked of the store afterwards.
    pub async fn deadlocks(self) -> i64 {
        if self.store.kind() == Kind::Sqlite {
            return 0;
        }
        // A connection counts its own until it is closed. One connection asks, and no pool, which may open more.
        self.store.close().await;
        let mut asking = PgConnection::connect(&self.url).await.unwrap();
        let others = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
            AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        while sqlx::query_scalar::<_, i64>(others).fetch_one(&mut asking).await.unwrap() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        sqlx::query_scalar(deadlocks).fetch_one(&mut asking).await.unwrap()
    }

    /// How many rows a table has.
    pub async fn rows(&self, table: &str) -> i64 {
        self.number(&format!("SELECT COUNT(*) FROM {table}")).await
    }
}

/// Runs a test on a new SQLite file, which goes again afterwards.
pub fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Database) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite_in(&folder);
    runtime().block_on(async { test(open(url).await).await });
}

/// Runs a test on a new Postgres database, which goes again afterwards, however the test ends.
pub fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(Database) -> F) {
    let server = Server::find();
    let name = runtime().block_on(server.create_database());
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime().block_on(async { test(open(server.url_of(&name)).await).await });
    }));
    runtime().block_on(server.drop_database(&name));
    outcome.unwrap_or_else(|panic| resume_unwind(panic));
}

/// Runs a test that compares the two: SQLite first, then Postgres.
pub fn on_both<F: Future<Output = ()>>(test: impl FnOnce(Database, Database) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite_in(&folder);
    on_postgres(|postgres| async { test(open(url).await, postgres).await });
}

/// As servers have it: several threads, so that what runs at once really does.
fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap()
}

fn sqlite_in(folder: &tempfile::TempDir) -> String {
    format!("sqlite://{}", folder.path().join("retour.db").display())
}

async fn open(url: String) -> Database {
    let store = Store::open(&url).await.unwrap();
    store.migrate().await.unwrap();
    Database { store, url }
}

/// A Postgres in which tests make their own databases.
struct Server {
    url: String,
}

impl Server {
    fn find() -> Self {
        let url = std::env::var("RETOUR_TEST_POSTGRES").unwrap_or_else(|_| {
            panic!("This test needs Postgres: run it through `make test` or `.ci/with-postgres cargo test …`.")
        });
        Self { url }
    }

    fn url_of(&self, database: &str) -> String {
        let (server, _) = self.url.rsplit_once('/').expect("RETOUR_TEST_POSTGRES: expected postgres://…/NAME");
        format!("{server}/{database}")
    }

    async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.unwrap()
    }

    /// A copy of a migrated database: several times faster than migrating each.
    async fn create_database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("retour_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut connection = self.connect().await;
        let template = self.template(&mut connection).await;
        run(&mut connection, format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        name
    }

    /// The migrated database that the others are copied from; made by the first test that needs it.
    async fn template(&self, connection: &mut PgConnection) -> String {
        let name = template_name();
        // A lock of the session: other threads and programs wait until the template is there.
        run(connection, "SELECT pg_advisory_lock(4711)".to_owned()).await;
        let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
            .bind(&name)
            .fetch_one(&mut *connection)
            .await
            .unwrap();
        if !known {
            run(connection, format!("DROP DATABASE IF EXISTS {name}_unfinished WITH (FORCE)")).await;
            run(connection, format!("CREATE DATABASE {name}_unfinished")).await;
            open(self.url_of(&format!("{name}_unfinished"))).await.store.close().await;
            run(connection, format!("ALTER DATABASE {name}_unfinished RENAME TO {name}")).await;
        }
        run(connection, "SELECT pg_advisory_unlock(4711)".to_owned()).await;
        name
    }

    async fn drop_database(&self, name: &str) {
        run(&mut self.connect().await, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }
}

/// Other migrations, another template: the server may be older than the code.
fn template_name() -> String {
    let mut hasher = DefaultHasher::new();
    for migration in sqlx::migrate!("../../migrations/postgres").iter() {
        migration.checksum.hash(&mut hasher);
    }
    format!("retour_template_{:016x}", hasher.finish())
}

async fn run(connection: &mut PgConnection, sql: String) {
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
}
