//! Fresh databases for tests: SQLite files and Postgres databases, migrated, one for each test (feature `testing`,
//! which no release enables).
//!
//! ```ignore
//! store::on_each_database! {
//!     async fn a_slug_is_taken_once(database: Database) { … }
//! }
//! ```
//!
//! defines two tests, `a_slug_is_taken_once::sqlite` and `a_slug_is_taken_once::postgres`. `RETOUR_TEST_POSTGRES` is
//! the URL of a Postgres superuser; `.ci/with-postgres` starts a server. Without it the second test fails: a test that
//! is skipped silently proves nothing.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "an error stops the test at once"
)]

mod database_proxy;

pub use database_proxy::DatabaseProxy;

use crate::{
    engine::{DatabaseKind, Store, StoreError, dialect::for_each_id},
    tables::merchant::accounts,
};
use domain::AccountId;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{
    future::Future,
    hash::{DefaultHasher, Hash, Hasher},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::PathBuf,
    pin::Pin,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

/// Defines each test for both databases. See the module.
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

/// A statement for many ids (`… IN ($2)`) as a database gets it: for Postgres they are an array.
pub fn of_many_ids(kind: DatabaseKind, sql: &str, count: usize) -> String {
    if kind == DatabaseKind::Postgres {
        return for_each_id(sql, "uuid");
    }
    let list: Vec<String> = (2..count + 2).map(|number| format!("${number}")).collect();
    sql.replace("$2", &list.join(", "))
}

/// A migrated database for one test: empty, or with [`Prepared`] data.
#[derive(Debug, Clone)]
pub struct Database {
    /// The open database.
    pub store: Store,
    /// For tests that open it again.
    pub url: String,
}

impl Database {
    /// Runs a query that returns one number.
    pub async fn number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.to_owned());
        let mut reading = self.store.read().await.unwrap();
        on_long!(&mut reading.db(), c => sqlx::query_scalar(sql).fetch_one(&mut **c).await.unwrap())
    }

    /// Runs a query that returns texts.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        let mut reading = self.store.read().await.unwrap();
        on_long!(&mut reading.db(), c => sqlx::query_scalar(sql).fetch_all(&mut **c).await.unwrap())
    }

    /// Runs a statement in a transaction of its own.
    pub async fn run(&self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        let mut writing = self.store.write().await.unwrap();
        on_long!(&mut writing.db(), c => drop(sqlx::query(sql).execute(&mut **c).await.unwrap()));
        writing.commit().await.unwrap();
    }

    /// The number of deadlocks, which retries hide from callers. Closes the store.
    pub async fn deadlocks(self) -> i64 {
        if self.store.kind() == DatabaseKind::Sqlite {
            return 0;
        }
        // A connection reports its deadlocks when it is closed. A pool could open more connections, so this is a single
        // one.
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

    /// The number of rows in a table.
    pub async fn rows(&self, table: &str) -> i64 {
        self.number(&format!("SELECT COUNT(*) FROM {table}")).await
    }
}

/// A test, boxed so that what runs it is compiled once.
type BoxedTest<'a> = Box<dyn FnOnce(Database) -> Pin<Box<dyn Future<Output = ()> + 'a>> + 'a>;

/// Runs a test on a new SQLite file, which is deleted afterwards.
pub fn on_sqlite<'a, F: Future<Output = ()> + 'a>(test: impl FnOnce(Database) -> F + 'a) {
    run_on_sqlite(migrated_sqlite(), Box::new(|database| Box::pin(test(database))));
}

/// Runs a test on a new Postgres database, which is dropped afterwards, even if the test fails.
pub fn on_postgres<'a, F: Future<Output = ()> + 'a>(test: impl FnOnce(Database) -> F + 'a) {
    run_on_postgres(None, Box::new(|database| Box::pin(test(database))));
}

/// Runs a test on a SQLite and a Postgres database.
pub fn on_both<'a, F: Future<Output = ()> + 'a>(test: impl FnOnce(Database, Database) -> F + 'a) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(file_in(&folder), migrated_sqlite()).unwrap();
    let url = sqlite_in(&folder);
    on_postgres(|postgres| async { test(open(url).await, postgres).await });
}

/// Data that many tests begin with. The first test of a process creates the data. Every test gets a copy of that database, and
/// the value that `create` returned.
#[derive(Debug)]
pub struct Prepared<T> {
    create: fn(Database) -> Pin<Box<dyn Future<Output = T>>>,
    sqlite: OnceLock<(Vec<u8>, T)>,
    postgres: OnceLock<(String, T)>,
}

impl<T: Clone> Prepared<T> {
    /// The data that `create` creates in an empty database.
    pub const fn new(create: fn(Database) -> Pin<Box<dyn Future<Output = T>>>) -> Self {
        Self { create, sqlite: OnceLock::new(), postgres: OnceLock::new() }
    }

    /// Like [`on_sqlite`], but the database has this data.
    pub fn on_sqlite<'a, F: Future<Output = ()> + 'a>(&self, test: impl FnOnce(Database, T) -> F + 'a)
    where
        T: 'a,
    {
        let (file, created) =
            self.sqlite.get_or_init(|| new_sqlite(migrated_sqlite(), |database| self.created_in(database)));
        let created = created.clone();
        run_on_sqlite(file, Box::new(|database| Box::pin(test(database, created))));
    }

    /// Like [`on_postgres`], but the database has this data.
    pub fn on_postgres<'a, F: Future<Output = ()> + 'a>(&self, test: impl FnOnce(Database, T) -> F + 'a)
    where
        T: 'a,
    {
        let (name, created) = self.postgres.get_or_init(|| {
            let server = TestServer::find();
            let (_, name) = outer_runtime().block_on(server.create_database(None));
            let created = runtime().block_on(self.created_in(server.url_of(&name)));
            (name, created)
        });
        let created = created.clone();
        run_on_postgres(Some(name), Box::new(|database| Box::pin(test(database, created))));
    }

    async fn created_in(&self, url: String) -> T {
        let database = open(url).await;
        let created = (self.create)(database.clone()).await;
        database.store.close().await;
        created
    }
}

fn run_on_sqlite(file: &[u8], test: BoxedTest<'_>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(file_in(&folder), file).unwrap();
    runtime().block_on(async { test(open(sqlite_in(&folder)).await).await });
}

/// Runs a test on a copy of a database: of an empty one if it is `None`.
fn run_on_postgres(template: Option<&str>, test: BoxedTest<'_>) {
    let outer = outer_runtime();
    let server = TestServer::find();
    let (mut connection, name) = outer.block_on(server.create_database(template));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime().block_on(async { test(open(server.url_of(&name)).await).await });
    }));
    outer.block_on(run(&mut connection, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")));
    outcome.unwrap_or_else(|panic| resume_unwind(panic));
}

/// Several threads, as in a server, so that concurrent tasks really run in parallel.
fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap()
}

/// A runtime for the work around a test. The test has its own, so that its tasks end with it.
fn outer_runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// The content of an empty, migrated SQLite file. Copying it is several times faster than migrating a new one.
fn migrated_sqlite() -> &'static [u8] {
    static MIGRATED: OnceLock<Vec<u8>> = OnceLock::new();
    MIGRATED.get_or_init(|| new_sqlite(&[], migrate_new).0)
}

/// The content of a file after some work on it, and what the work returned.
fn new_sqlite<T, F: Future<Output = T>>(file: &[u8], work: impl FnOnce(String) -> F) -> (Vec<u8>, T) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(file_in(&folder), file).unwrap();
    let returned = runtime().block_on(work(sqlite_in(&folder)));
    assert!(!file_in(&folder).with_extension("db-wal").exists(), "the file has all that was written");
    (std::fs::read(file_in(&folder)).unwrap(), returned)
}

fn file_in(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("retour.db")
}

fn sqlite_in(folder: &tempfile::TempDir) -> String {
    format!("sqlite://{}", file_in(folder).display())
}

/// Opens a copy of a migrated database.
async fn open(url: String) -> Database {
    Database { store: Store::open(&url).await.unwrap(), url }
}

/// Migrates a new database.
async fn migrate_new(url: String) {
    let store = Store::open(&url).await.unwrap();
    store.migrate().await.unwrap();
    store.close().await;
}

/// Runs statements until the store knows that its server cannot be reached. A connection that was taken a moment ago is not
/// pinged, so its statement has to fail first.
pub async fn until_unreachable(store: &Store) -> StoreError {
    loop {
        match store.read().await {
            Err(error @ StoreError::Unreachable) => return error,
            Err(_) => {}
            Ok(mut reading) => drop(accounts::find(reading.db(), AccountId(Uuid::nil())).await),
        }
    }
}

/// The key of the advisory lock that guards the template.
const TEMPLATE_LOCK: i64 = 4_711;

/// A Postgres server in which tests create databases.
struct TestServer {
    url: String,
}

impl TestServer {
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

    /// Copies a database: an empty, migrated one if `template` is `None`. That is several times faster than migrating a new
    /// one. Returns a connection to the server, and the copy's name.
    async fn create_database(&self, template: Option<&str>) -> (PgConnection, String) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("retour_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut connection = PgConnection::connect(&self.url).await.unwrap();
        let template = match template {
            Some(template) => template.to_owned(),
            None => self.template(&mut connection).await,
        };
        // Copies files where Postgres would otherwise write each page into its log, which takes twice the processor time.
        let how = if connection.server_version_num().is_some_and(|version| version >= 150_000) {
            "STRATEGY FILE_COPY"
        } else {
            ""
        };
        run(&mut connection, format!("CREATE DATABASE {name} TEMPLATE {template} {how}")).await;
        (connection, name)
    }

    /// The migrated database that is copied; created by the first test that needs it.
    async fn template(&self, connection: &mut PgConnection) -> String {
        let name = template_name();
        // A lock of the session: other threads and programs wait until the template exists.
        run(connection, format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})")).await;
        let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
            .bind(&name)
            .fetch_one(&mut *connection)
            .await
            .unwrap();
        if !known {
            run(connection, format!("DROP DATABASE IF EXISTS {name}_unfinished WITH (FORCE)")).await;
            run(connection, format!("CREATE DATABASE {name}_unfinished")).await;
            migrate_new(self.url_of(&format!("{name}_unfinished"))).await;
            run(connection, format!("ALTER DATABASE {name}_unfinished RENAME TO {name}")).await;
        }
        run(connection, format!("SELECT pg_advisory_unlock({TEMPLATE_LOCK})")).await;
        name
    }
}

/// The name contains a hash of the migrations: the server may hold templates of earlier code.
fn template_name() -> String {
    let mut hasher = DefaultHasher::new();
    for migration in sqlx::migrate!("../../migrations/postgres").iter() {
        (migration.version, &migration.checksum).hash(&mut hasher);
    }
    format!("retour_template_{:016x}", hasher.finish())
}

async fn run(connection: &mut PgConnection, sql: String) {
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
}
