//! The central write (a row, its timeline entry and its event) with 64 concurrent clients, each of which waits until
//! the write is on disk. The store is compared with a group commit that is written by hand, with the same statements
//! and values. On SQLite, this is one task that commits all waiting writes together. Postgres groups commits itself, so
//! there it is as many connections as the service has, with one transaction for each write. The two take turns.

use crate::growth;
use domain::{
    AccountId, EventId, ReturnRequestId,
    party::Actor,
    returning::{ReturnRequest, TimelineEntry},
    webhook::EventType,
};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};
use std::{
    process::{Command, Stdio},
    str::FromStr as _,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    DatabaseKind, Store,
    events::Event,
    lists::Listing,
    page::Page,
    return_requests,
    testing::{self, Database},
    timeline::NewEntry,
};
use tokio::{
    sync::{Mutex, mpsc, oneshot},
    task::JoinSet,
};
use uuid::Uuid;

const CLIENTS: usize = 64;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(1);
/// As many connections as the service has to Postgres.
const CONNECTIONS: usize = 20;
/// The variable that makes this program measure only SQLite, and print two figures.
const ALONE: &str = "RETOUR_BENCH_DURABLE";

/// Writes per second, each on disk.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub struct Durable {
    pub ours: f64,
    pub bare: f64,
}

/// Measures on a migrated database.
pub async fn run(database: &Database) -> Durable {
    let account = growth::one_of_each(database).await;
    growth::insert(database, 0, CLIENTS as u64).await;
    let listing = Listing::newest(Page::first(100));
    let page = return_requests::list(database.store.read().await.unwrap().db(), account, &listing).await.unwrap();
    assert_eq!(page.rows.len(), CLIENTS);
    let mut requests = page.rows;

    let jobs = by_hand(database).await;
    let mut figures = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (figures, writer) in
            figures.iter_mut().zip([Writer::Store(database.store.clone()), Writer::Hand(jobs.clone())])
        {
            figures.push(round(account, &mut requests, &writer).await);
        }
    }
    let written: i64 = requests.iter().map(|request| request.version - 1).sum();
    assert_eq!([database.rows("events").await, database.rows("timeline_entries").await], [written, written]);
    let [ours, bare] = figures.map(|mut figures| {
        figures.sort_by(f64::total_cmp);
        figures[ROUNDS / 2]
    });
    Durable { ours, bare }
}

/// Measures SQLite again with flushes that take 4 ms longer: starts this program under `strace`.
pub fn with_slow_disk() -> Option<Durable> {
    let output = Command::new("strace")
        .args(["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync"])
        .args(["-e", "inject=fdatasync:delay_exit=4000"])
        .arg(std::env::current_exe().unwrap())
        .env(ALONE, "1")
        .stderr(Stdio::inherit())
        .output();
    let Ok(output) = output else {
        println!("without a slow disk: strace is missing");
        return None;
    };
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Measures and prints, if the variable is set.
pub fn measure_if_asked() -> bool {
    if std::env::var_os(ALONE).is_none() {
        return false;
    }
    testing::on_sqlite(async |database| println!("{}", serde_json::to_string(&run(&database).await).unwrap()));
    true
}

/// The writer to measure.
#[derive(Clone)]
enum Writer {
    Store(Store),
    Hand(mpsc::Sender<Job>),
}

/// Every client writes its request until the round is over. Returns writes per second.
async fn round(account: AccountId, requests: &mut Vec<ReturnRequest>, writer: &Writer) -> f64 {
    let began = Instant::now();
    let mut clients = JoinSet::new();
    let before: i64 = requests.iter().map(|request| request.version).sum();
    for mut request in requests.drain(..) {
        let writer = writer.clone();
        clients.spawn(async move {
            while began.elapsed() < ROUND {
                match &writer {
                    Writer::Store(store) => by_the_store(store, account, &request).await,
                    Writer::Hand(jobs) => {
                        let (done, lasts) = oneshot::channel();
                        jobs.send(Job { write: Write::new(account, &request), done }).await.unwrap();
                        lasts.await.unwrap();
                    }
                }
                request.version += 1;
            }
            request
        });
    }
    requests.extend(clients.join_all().await);
    let after: i64 = requests.iter().map(|request| request.version).sum();
    super::per_second(usize::try_from(after - before).unwrap(), began.elapsed())
}

/// Data of a realistic size.
fn data() -> String {
    "a mug that holds the tea of a day ".repeat(30)
}

/// An id like the service's: ordered by time, so that new ids are neighbours in an index.
#[expect(clippy::disallowed_methods, reason = "a measurement has no source of its own")]
fn new_id() -> Uuid {
    Uuid::now_v7()
}

async fn by_the_store(store: &Store, account: AccountId, request: &ReturnRequest) {
    let mut writing = store.write().await.unwrap();
    assert!(return_requests::update(writing.db(), account, request).await.unwrap());
    let stage = request.state.stage.name();
    let entry = TimelineEntry {
        return_request_id: request.id,
        at: request.updated_at,
        actor: Actor::Merchant,
        actor_id: None,
        from: Some(stage),
        to: stage,
        comment: String::new(),
    };
    writing.add_timeline_entry(NewEntry { account_id: account, return_order_id: request.return_order_id, entry });
    writing.publish(Event {
        id: EventId(new_id()),
        account_id: account,
        kind: EventType::StageChanged,
        stage: Some(stage),
        return_order_id: request.return_order_id,
        data: data(),
        created_at: request.updated_at,
    });
    writing.commit().await.unwrap();
}

/// A write, and the channel that reports its commit.
struct Job {
    write: Write,
    done: oneshot::Sender<()>,
}

/// The values of a write.
struct Write {
    account: AccountId,
    request: ReturnRequestId,
    order: Uuid,
    event: Uuid,
    stage: &'static str,
    state: String,
    at: i64,
    version: i64,
    value: i64,
    resolution: &'static str,
    data: String,
}

impl Write {
    fn new(account: AccountId, request: &ReturnRequest) -> Self {
        Self {
            account,
            request: request.id,
            order: request.return_order_id.0,
            event: new_id(),
            stage: request.state.stage.name().as_str(),
            state: serde_json::to_string(&request.state).unwrap(),
            at: request.updated_at.micros(),
            version: request.version,
            value: request.resolution_value,
            resolution: request.requested_resolution.name(),
            data: data(),
        }
    }
}

/// The service's own statements.
struct Statements {
    update: &'static str,
    entry: &'static str,
    event: &'static str,
}

impl Statements {
    fn find() -> Self {
        let find = |name: &str| store::all_statements().find(|(known, _)| *known == name).unwrap().1;
        Self {
            update: find("store::return_requests::UPDATE"),
            entry: find("store::timeline::INSERT"),
            event: find("store::events::INSERT"),
        }
    }
}

/// Executes the three statements on a connection of either kind.
macro_rules! run {
    ($connection:expr, $statements:expr, $write:expr) => {{
        let (connection, write) = ($connection, $write);
        let update = sqlx::query(AssertSqlSafe($statements.update))
            .bind(write.account.0)
            .bind(write.request.0)
            .bind(write.stage)
            .bind(write.state)
            .bind(write.at)
            .bind(write.version)
            .bind(write.value)
            .bind(write.resolution)
            .bind(None::<String>)
            .bind(None::<i64>);
        assert_eq!(update.execute(&mut *connection).await.unwrap().rows_affected(), 1);
        let entry = sqlx::query(AssertSqlSafe($statements.entry))
            .bind(write.account.0)
            .bind(write.order)
            .bind(write.request.0)
            .bind(write.at)
            .bind(Actor::Merchant.name())
            .bind(Some(write.stage))
            .bind(write.stage)
            .bind("")
            .bind(None::<Uuid>);
        entry.execute(&mut *connection).await.unwrap();
        let event = sqlx::query(AssertSqlSafe($statements.event))
            .bind(write.account.0)
            .bind(write.event)
            .bind(EventType::StageChanged.name())
            .bind(write.stage)
            .bind(write.order)
            .bind(write.data)
            .bind(write.at);
        event.execute(&mut *connection).await.unwrap();
    }};
}

/// Starts the hand-written group commit.
async fn by_hand(database: &Database) -> mpsc::Sender<Job> {
    let (sender, jobs) = mpsc::channel(CLIENTS);
    match database.store.kind() {
        DatabaseKind::Sqlite => drop(tokio::spawn(on_sqlite(sqlite(&database.url).await, jobs))),
        DatabaseKind::Postgres => {
            let jobs = Arc::new(Mutex::new(jobs));
            for _ in 0..CONNECTIONS {
                let connection = PgConnection::connect(&database.url).await.unwrap();
                tokio::spawn(on_postgres(connection, jobs.clone()));
            }
        }
    }
    sender
}

/// A connection with the service's slow settings: flushes and secure deletion.
async fn sqlite(url: &str) -> SqliteConnection {
    let options = SqliteConnectOptions::from_str(url).unwrap().synchronous(SqliteSynchronous::Full);
    let options = options.busy_timeout(Duration::from_secs(10)).pragma("cache_size", "-8000");
    options.pragma("secure_delete", "on").connect().await.unwrap()
}

async fn on_sqlite(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let statements = Statements::find();
    let mut waiting = Vec::new();
    while jobs.recv_many(&mut waiting, CLIENTS).await > 0 {
        sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
        let mut done = Vec::new();
        for job in waiting.drain(..) {
            run!(&mut connection, statements, job.write);
            done.push(job.done);
        }
        sqlx::query("COMMIT").execute(&mut connection).await.unwrap();
        for done in done {
            done.send(()).unwrap();
        }
    }
}

async fn on_postgres(mut connection: PgConnection, jobs: Arc<Mutex<mpsc::Receiver<Job>>>) {
    let statements = Statements::find();
    loop {
        let next = jobs.lock().await.recv().await;
        let Some(job) = next else { return };
        let mut transaction = connection.begin().await.unwrap();
        run!(&mut *transaction, statements, job.write);
        transaction.commit().await.unwrap();
        job.done.send(()).unwrap();
    }
}
