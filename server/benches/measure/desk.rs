//! The desk at a million return requests: the demo's returns, copied until there are as many, then pages and questions of the
//! built program over HTTP. One client asks one question at a time, each time about another copy.

use crate::support::process::{self, Server};
use reqwest::{Client, RequestBuilder, redirect};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Row as _};
use std::time::{Duration, Instant};
use store::{DatabaseKind, Db, testing::Database};

/// The return requests of the whole measurement, and of `--quick`.
const REQUESTS: i64 = 1_000_000;
const QUICK: i64 = 20_000;
/// The copies of a row that one statement inserts.
const COPIES_AT_ONCE: i64 = 1_000;
/// How often each question is asked, after a fifth as many that do not count.
const TIMES: i64 = 200;
/// How often a question is asked about which nothing is kept.
const TIMES_ANEW: i64 = 20;
/// The counts of the queues are kept for a second.
const KEPT: Duration = Duration::from_millis(1_100);
/// Each copy is so many microseconds older than the one before.
const APART: i64 = 3_600_000_000;

/// A table that is copied.
struct Copied {
    name: &'static str,
    /// The rows to copy.
    which: &'static str,
    /// The columns with ids that become new ones.
    ids: &'static [&'static str],
    /// The texts that get the number of the copy, so that they stay unique.
    texts: &'static [&'static str],
}

/// The largest order of the demo has 300 lines that nobody returns: only what was returned is copied.
const TABLES: [Copied; 9] = [
    Copied {
        name: "orders",
        which: "id IN (SELECT order_id FROM purchases WHERE id IN (SELECT purchase_id FROM return_requests))",
        ids: &["id"],
        texts: &["external_id", "number", "number_key"],
    },
    Copied {
        name: "purchases",
        which: "id IN (SELECT purchase_id FROM return_requests)",
        ids: &["id", "order_id"],
        texts: &["external_id"],
    },
    Copied {
        name: "consumers",
        which: "id IN (SELECT consumer_id FROM return_requests)",
        ids: &["id"],
        texts: &["order_number_key", "email", "email_key", "proof_key"],
    },
    Copied { name: "draft_return_orders", which: "1 = 1", ids: &["id", "consumer_id"], texts: &[] },
    Copied {
        name: "return_orders",
        which: "1 = 1",
        ids: &["id", "consumer_id", "draft_return_order_id"],
        texts: &["number", "order_number_key"],
    },
    Copied {
        name: "shipments",
        which: "1 = 1",
        ids: &["id", "return_order_id"],
        texts: &["sscc", "tracking_number", "label_barcode"],
    },
    Copied { name: "return_order_flags", which: "1 = 1", ids: &["return_order_id"], texts: &[] },
    Copied {
        name: "return_requests",
        which: "1 = 1",
        ids: &["id", "return_order_id", "consumer_id", "purchase_id"],
        texts: &["purchase_external_id", "purchase_order_number", "purchase_order_number_key", "return_number"],
    },
    Copied { name: "timeline_entries", which: "1 = 1", ids: &["return_order_id", "return_request_id"], texts: &[] },
];

/// The times of one question, in milliseconds.
pub struct Times {
    pub name: &'static str,
    pub p50: f64,
    pub p99: f64,
    /// The most that the 99th percentile may be.
    pub goal: f64,
}

/// The rows of the table, and the times.
pub struct Desk {
    pub requests: i64,
    pub times: Vec<Times>,
}

/// Measures on an empty database.
pub async fn run(database: &Database, quick: bool) -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let key_file = folder.path().join("demo.key");
    process::run(&database.url, &["migrate"]);
    let demo = process::run(&database.url, &["--json", "demo", "--key-file", key_file.to_str().unwrap()]);
    let demo: Value = serde_json::from_str(&demo).unwrap();
    copy(database, if quick { QUICK } else { REQUESTS }).await;
    let server = Server::start(&database.url).await;
    let asker = Asker::new(&server, &demo).await;
    let numbers = texts(database, "SELECT number FROM return_orders WHERE number LIKE '%-7'").await;
    let numbers = numbers.iter().filter_map(|number| number.strip_suffix("-7")).map(str::to_owned).collect::<Vec<_>>();
    let copies = database.rows("return_orders").await / i64::try_from(numbers.len()).unwrap();
    let returns = Returns { numbers, copies };
    let mut times = Vec::new();
    for (name, goal, question) in QUESTIONS {
        let mut millis = Vec::new();
        for time in -TIMES / 5..TIMES {
            let took = asker.ask(&question(&returns, time.abs() + 1)).await;
            if time >= 0 {
                millis.push(took);
            }
        }
        times.push(Times::new(name, goal, millis));
    }
    let mut millis = Vec::new();
    for _ in 0..TIMES_ANEW {
        tokio::time::sleep(KEPT).await;
        millis.push(asker.ask(&api("/queues")).await);
    }
    times.push(Times::new("queues, counted anew", 5.0, millis));
    drop(server); // a SQLite file has one server
    for (name, goal, question) in COUNTED_ANEW {
        let mut millis = Vec::new();
        for time in 0..TIMES_ANEW {
            let server = Server::start(&database.url).await;
            let asker = Asker::new(&server, &demo).await;
            asker.ask(&page(&format!("/desk/returns/{}", returns.number(time + 1)))).await;
            millis.push(asker.ask(&question(&returns, time)).await);
        }
        times.push(Times::new(name, goal, millis));
    }
    Desk { requests: database.rows("return_requests").await, times }
}

impl Times {
    fn new(name: &'static str, goal: f64, mut millis: Vec<f64>) -> Self {
        millis.sort_by(f64::total_cmp);
        Self { name, p50: millis[millis.len() / 2], p99: millis[millis.len() * 99 / 100], goal }
    }
}

/// The copied returns.
struct Returns {
    /// The numbers of the first ones.
    numbers: Vec<String>,
    copies: i64,
}

impl Returns {
    fn number(&self, time: i64) -> String {
        let first = &self.numbers[usize::try_from(time).unwrap() % self.numbers.len()];
        format!("{first}-{}", time * 41 % self.copies)
    }
}

/// The name of a question, the most milliseconds of its 99th percentile, and the question at a time.
type Asked = (&'static str, f64, fn(&Returns, i64) -> Question);

const QUESTIONS: [Asked; 15] = [
    ("queues, of the API", 5.0, |_, _| api("/queues")),
    ("Today", 25.0, |_, _| page("/desk")),
    ("Returns, newest first", 25.0, |_, _| page("/desk/returns")),
    ("  of a queue", 25.0, |_, _| page(&requests("stage%3ARequested%3A%20Review&sortBy=stageSince&orderBy=ASC"))),
    ("  of two stages", 25.0, |_, _| page(&requests("stage%3AShipment%3A%20Exception%7CResolution%3A%20Failed"))),
    ("  of an order", 25.0, |_, time| {
        page(&format!("/desk/returns?filter=purchaseOrderNumber%3A{}-{time}", 2_001 + time % 60))
    }),
    ("  of a product", 25.0, |_, _| page(&requests("sku%3ACM-031"))),
    ("  with a flag", 25.0, |_, _| page("/desk/returns?filter=flag%3Acarrier")),
    ("  of a stage, changed last", 25.0, |_, _| page(&requests("stage%3AResolution%3A%20Approved&sortBy=updatedAt"))),
    ("a return", 25.0, |returns, time| page(&format!("/desk/returns/{}", returns.number(time)))),
    ("a search, by return number", 25.0, |returns, time| api(&format!("/find?q={}", returns.number(time)))),
    ("  by e-mail address", 25.0, |_, time| api(&format!("/find?q=oliver.bamford%40example.com-{time}"))),
    ("  by name", 25.0, |_, _| api("/find?q=bamford")),
    ("a scanned code", 10.0, |_, time| api(&format!("/scan?code=RP000000001GB-{time}"))),
    ("the scan page, with a parcel", 25.0, |returns, time| page(&format!("/desk/scan?open={}", returns.number(time)))),
];

/// Questions to a program that has just started and has counted nothing yet: the counts and sums are kept for a while.
const COUNTED_ANEW: [Asked; 2] = [
    ("  after the start of the program", 5.0, |_, _| api("/queues")),
    ("Today, after the start of the program", 25.0, |_, _| page("/desk")),
];

fn page(address: &str) -> Question {
    Question::Page(address.to_owned())
}

fn api(address: &str) -> Question {
    Question::Api(address.to_owned())
}

/// The address of the list of requests with a filter.
fn requests(filter: &str) -> String {
    format!("/desk/returns?rows=requests&filter={filter}")
}

enum Question {
    /// A page of the desk.
    Page(String),
    /// An address below that of the account.
    Api(String),
}

/// One of the demo's people, signed in.
struct Asker<'a> {
    client: Client,
    base: &'a str,
    cookie: String,
    key: String,
}

impl<'a> Asker<'a> {
    async fn new(server: &'a Server, demo: &Value) -> Self {
        let client = Client::builder().redirect(redirect::Policy::none()).build().unwrap();
        let admin = demo["people"].as_array().unwrap().iter().find(|person| person["role"] == "admin").unwrap();
        let form = [("email", admin["email"].as_str().unwrap()), ("password", admin["password"].as_str().unwrap())];
        let sent = client.post(format!("{}/desk/call/sign-in", server.base)).header("sec-fetch-site", "same-origin");
        let answer = sent.form(&form).send().await.unwrap();
        let cookies = answer.headers().get_all("set-cookie").iter();
        let cookie =
            cookies.filter_map(|cookie| cookie.to_str().ok()?.split(';').next().map(str::to_owned)).collect::<Vec<_>>();
        Self { client, base: &server.base, cookie: cookie.join("; "), key: demo["apiKey"].as_str().unwrap().to_owned() }
    }

    /// The milliseconds of an answer with its body.
    async fn ask(&self, question: &Question) -> f64 {
        let (request, address): (RequestBuilder, _) = match question {
            Question::Page(address) => {
                (self.client.get(format!("{}{address}", self.base)).header("cookie", &self.cookie), address)
            }
            Question::Api(address) => {
                (self.client.get(format!("{}/api/v0{address}", self.base)).bearer_auth(&self.key), address)
            }
        };
        let started = Instant::now();
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let body = answer.bytes().await.unwrap();
        let took = started.elapsed();
        assert!(status.is_success(), "{address}: {status} {}", String::from_utf8_lossy(&body));
        super::millis(took)
    }
}

/// Copies each row of the demo until there are at least so many return requests.
async fn copy(database: &Database, requests: i64) {
    let copies = requests / database.rows("return_requests").await + 1;
    for table in &TABLES {
        let template = format!("copied_{}", table.name);
        execute(database, format!("CREATE TABLE {template} AS SELECT * FROM {} WHERE {}", table.name, table.which))
            .await;
        let columns = columns(database, &template).await;
        let values: Vec<String> = columns.iter().map(|column| value(database.store.kind(), table, column)).collect();
        let mut from = 1;
        while from <= copies {
            let to = (from + COPIES_AT_ONCE - 1).min(copies);
            let numbers = match database.store.kind() {
                DatabaseKind::Sqlite => format!(
                    "(WITH RECURSIVE numbers (n) AS (SELECT {from} UNION ALL SELECT n + 1 FROM numbers WHERE n < {to}) SELECT n FROM numbers)"
                ),
                DatabaseKind::Postgres => format!("(SELECT generate_series({from}::bigint, {to}) AS n)"),
            };
            execute(
                database,
                format!(
                    "INSERT INTO {} ({}) SELECT {} FROM {template}, {numbers} AS numbers",
                    table.name,
                    columns.join(", "),
                    values.join(", ")
                ),
            )
            .await;
            from = to + 1;
        }
    }
    for table in &TABLES {
        execute(database, format!("DROP TABLE copied_{}", table.name)).await;
    }
    match database.store.kind() {
        DatabaseKind::Sqlite => execute(database, "PRAGMA optimize=0x10002".to_owned()).await,
        DatabaseKind::Postgres => vacuum(database).await,
    }
}

/// A column of copy `n`.
fn value(kind: DatabaseKind, table: &Copied, column: &str) -> String {
    if table.ids.contains(&column) {
        return match kind {
            DatabaseKind::Sqlite => format!("unhex(substr(hex({column}), 1, 24) || printf('%08x', n))"),
            DatabaseKind::Postgres => {
                format!("(substr(replace({column}::text, '-', ''), 1, 24) || lpad(to_hex(n), 8, '0'))::uuid")
            }
        };
    }
    if table.texts.contains(&column) {
        return format!("CASE WHEN {column} = '' THEN {column} ELSE {column} || '-' || n END");
    }
    // Nothing becomes due: the workers would be busy with hundreds of thousands of deadlines that all have passed.
    if column == "due_at" {
        return "NULL".to_owned();
    }
    if column.ends_with("_at") && column != "next_attempt_at" || column == "stage_since" || column == "at" {
        return format!("{column} - n * {APART}");
    }
    column.to_owned()
}

/// The columns of a table but for the sequence, which the database gives.
async fn columns(database: &Database, table: &str) -> Vec<String> {
    let sql = AssertSqlSafe(format!("SELECT * FROM {table} LIMIT 1"));
    let mut reading = database.store.read().await.unwrap();
    let names: Vec<String> = match reading.db() {
        Db::Sqlite(c) => names(sqlx::query(sql).fetch_one(c).await.unwrap().columns()),
        Db::Postgres(c) => names(sqlx::query(sql).fetch_one(c).await.unwrap().columns()),
    };
    names.into_iter().filter(|name| name != "seq").collect()
}

fn names<C: sqlx::Column>(columns: &[C]) -> Vec<String> {
    columns.iter().map(|column| column.name().to_owned()).collect()
}

async fn texts(database: &Database, sql: &'static str) -> Vec<String> {
    let mut reading = database.store.read().await.unwrap();
    match reading.db() {
        Db::Sqlite(c) => sqlx::query_scalar(sql).fetch_all(c).await.unwrap(),
        Db::Postgres(c) => sqlx::query_scalar(sql).fetch_all(c).await.unwrap(),
    }
}

async fn execute(database: &Database, sql: String) {
    let mut writing = database.store.write().await.unwrap();
    let sql = AssertSqlSafe(sql);
    match writing.db() {
        Db::Sqlite(c) => drop(sqlx::query(sql).execute(c).await.unwrap()),
        Db::Postgres(c) => drop(sqlx::query(sql).execute(c).await.unwrap()),
    }
    writing.commit().await.unwrap();
}

/// Outside a transaction, as `VACUUM` needs.
async fn vacuum(database: &Database) {
    let mut reading = database.store.read().await.unwrap();
    if let Db::Postgres(c) = reading.db() {
        sqlx::query("VACUUM ANALYZE").execute(c).await.unwrap();
    }
}
