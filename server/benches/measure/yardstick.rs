//! The database with the same writes and nothing else. The rows of the replay are read back, deleted, and written again
//! by a bare loop with the service's own SQL, in three transactions for each return as in the service (look-up, draft,
//! submission), by as many tasks as there were clients. There is no HTTP, no JSON, no rules and no reads.

use crate::support::replay::CLIENTS;
use domain::{AccountId, PurchaseId, order::TakenUnits};
use sqlx::{Column, Row as _, TypeInfo};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use store::{
    Db,
    purchases::{self, Taking},
    testing::Database,
};
use uuid::Uuid;

/// The result.
pub struct BareWrites {
    pub returns_per_second: f64,
    pub submit_p99: Duration,
}

/// Evaluates an expression for either database.
macro_rules! on {
    ($db:expr, $connection:ident => $run:expr) => {
        match $db {
            Db::Sqlite($connection) => $run,
            Db::Postgres($connection) => $run,
        }
    };
}

/// A value, by the type of its column.
#[derive(Debug, Clone)]
enum Cell {
    Id(Option<Uuid>),
    Text(Option<String>),
    Number(Option<i64>),
    Flag(Option<bool>),
    Bytes(Option<Vec<u8>>),
}

impl Cell {
    fn id(&self) -> Uuid {
        Uuid::parse_str(&self.key()).unwrap()
    }

    /// A key to find rows by. SQLite stores ids as bytes.
    fn key(&self) -> String {
        match self {
            Self::Id(id) => id.unwrap_or_default().simple().to_string(),
            Self::Bytes(bytes) => {
                Uuid::from_slice(bytes.as_deref().unwrap_or_default()).unwrap_or_default().simple().to_string()
            }
            Self::Text(text) => text.clone().unwrap_or_default(),
            Self::Number(number) => number.unwrap_or_default().to_string(),
            Self::Flag(flag) => flag.unwrap_or_default().to_string(),
        }
    }
}

/// A row, with the names of its columns in order.
#[derive(Debug, Clone)]
struct Row(Vec<(String, Cell)>);

impl Row {
    fn get(&self, column: &str) -> &Cell {
        &self.0.iter().find(|(name, _)| name == column).unwrap().1
    }

    fn with(mut self, column: &str, cell: Cell) -> Self {
        self.0.iter_mut().find(|(name, _)| name == column).unwrap().1 = cell;
        self
    }

    fn cells(&self) -> Vec<Cell> {
        self.0.iter().map(|(_, cell)| cell.clone()).collect()
    }

    fn pick(&self, columns: &[&str]) -> Vec<Cell> {
        columns.iter().map(|column| self.get(column).clone()).collect()
    }
}

/// The service's statement with this name.
fn statement(name: &str) -> String {
    let found = store::all_statements().find(|(known, _)| known.strip_prefix("store::") == Some(name));
    found.unwrap_or_else(|| panic!("the store has no statement {name}")).1.to_owned()
}

/// One insert for several rows, as the service does it.
fn insert_together(insert: &str, rows: &[Row], step: usize) -> Write {
    let cells: Vec<Cell> = rows.iter().flat_map(Row::cells).collect();
    let width = cells.len() / rows.len();
    let row = |at: usize| {
        let mut values: Vec<String> = (1..=width).map(|column| format!("${}", at * width + column)).collect();
        if insert.contains("next_change") {
            values.push(format!("(SELECT number FROM next_change) + {}", at * step));
        }
        values.join(", ")
    };
    let values: Vec<String> = (0..rows.len()).map(|at| format!("({})", row(at))).collect();
    Write::Statement(format!("{}VALUES {}", insert.split("VALUES").next().unwrap(), values.join(", ")), cells)
}

/// The rows that this statement has inserted, with its columns, in order.
async fn inserted(database: &Database, name: &str, order: &str) -> Vec<Row> {
    let statement = statement(name);
    let (table, rest) = statement.split_once("INSERT INTO").unwrap().1.split_once('(').unwrap();
    // The database assigns the number of a change, so it is no value of the statement.
    let columns = rest.split_once(')').unwrap().0.replace(", changed", "");
    let sql = format!("SELECT {columns} FROM {table} ORDER BY {order}");
    let mut reading = database.store.read().await.unwrap();
    on!(reading.db(), connection => {
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&mut *connection).await.unwrap();
        rows.iter()
            .map(|row| {
                let columns = row.columns().iter().map(|column| {
                    let at = column.ordinal();
                    let cell = match column.type_info().name() {
                        "UUID" => Cell::Id(row.get(at)),
                        "TEXT" => Cell::Text(row.get(at)),
                        "INTEGER" | "INT8" | "BIGINT" => Cell::Number(row.get(at)),
                        "BOOL" | "BOOLEAN" => Cell::Flag(row.get(at)),
                        _ => Cell::Bytes(row.get(at)),
                    };
                    (column.name().to_owned(), cell)
                });
                Row(columns.collect())
            })
            .collect()
    })
}

/// A write of the service.
enum Write {
    /// A statement and its values.
    Statement(String, Vec<Cell>),
    /// The units of a return's lines, which the store takes.
    Take(AccountId, Vec<Taking>),
}

/// The writes of each of the three transactions of a return.
type Return = [Vec<Write>; 3];

async fn write(db: Db<'_>, one: &Write) {
    match one {
        Write::Statement(sql, cells) => run_statement(db, sql, cells).await,
        Write::Take(account, takings) => {
            let taken = purchases::take_several(db, *account, takings).await.unwrap();
            assert_eq!(taken.len(), takings.len());
        }
    }
}

async fn run_statement(db: Db<'_>, sql: &str, cells: &[Cell]) {
    on!(db, connection => {
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for cell in cells {
            query = match cell.clone() {
                Cell::Id(id) => query.bind(id),
                Cell::Text(text) => query.bind(text),
                Cell::Number(number) => query.bind(number),
                Cell::Flag(flag) => query.bind(flag),
                Cell::Bytes(bytes) => query.bind(bytes),
            };
        }
        query.execute(&mut *connection).await.unwrap();
    });
}

/// Writes the rows of the replay again.
pub async fn run(database: &Database) -> BareWrites {
    let returns = reconstruct_writes(database).await;
    delete_replayed(database).await;
    let count: usize = returns.iter().map(Vec::len).sum();
    let waiting = Arc::new(Mutex::new(returns.into_iter()));
    let started = Instant::now();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CLIENTS {
        let (waiting, store) = (waiting.clone(), database.store.clone());
        tasks.spawn(async move {
            let mut submits = Vec::new();
            loop {
                let next = waiting.lock().unwrap().next();
                let Some(of_one_consumer) = next else { return submits };
                for transactions in of_one_consumer {
                    let mut began = started;
                    for writes in transactions {
                        began = Instant::now();
                        let mut writing = store.write().await.unwrap();
                        for one in &writes {
                            write(writing.db(), one).await;
                        }
                        writing.commit().await.unwrap();
                    }
                    submits.push(began.elapsed()); // the last of the three transactions
                }
            }
        });
    }
    let mut submits = tasks.join_all().await.concat();
    let returns_per_second = super::per_second(count, started.elapsed());
    submits.sort_unstable();
    BareWrites { returns_per_second, submit_p99: submits[(submits.len() * 99).div_ceil(100) - 1] }
}

/// Every row of the replay, by the object that it belongs to.
struct Written {
    consumers: Vec<Row>,
    drafts: BTreeMap<String, Vec<Row>>,
    orders: BTreeMap<String, Vec<Row>>,
    requests: BTreeMap<String, Vec<Row>>,
    parts: Vec<(String, BTreeMap<String, Vec<Row>>)>,
    tokens: BTreeMap<String, Vec<Row>>,
    /// By the id in the answer.
    keys: BTreeMap<String, Row>,
    /// The step between the numbers of changes in a statement. Postgres assigns them itself.
    step: usize,
}

fn by(column: &str, rows: Vec<Row>) -> BTreeMap<String, Vec<Row>> {
    rows.into_iter().fold(BTreeMap::new(), |mut map, row| {
        map.entry(row.get(column).key()).or_default().push(row);
        map
    })
}

/// The returns in the database, as the writes that created them, by consumer and in order.
async fn reconstruct_writes(database: &Database) -> Vec<Vec<Return>> {
    let mut parts = Vec::new();
    for (name, order) in [("timeline::INSERT", "seq"), ("events::INSERT", "seq"), ("shipments::INSERT", "id")] {
        parts.push((statement(name), by("return_order_id", inserted(database, name, order).await)));
    }
    let answered = inserted(database, "idempotency::CLAIM", "key").await.into_iter().map(|row| {
        let answer: serde_json::Value = serde_json::from_str(&row.get("body").key()).unwrap();
        (answer["id"].as_str().unwrap().replace('-', ""), row)
    });
    let mut written = Written {
        consumers: inserted(database, "consumers::INSERT", "seq").await,
        drafts: by("id", inserted(database, "drafts::INSERT", "seq").await),
        orders: by("consumer_id", inserted(database, "return_orders::INSERT", "seq").await),
        requests: by("return_order_id", inserted(database, "return_requests::INSERT", "seq").await),
        parts,
        tokens: by("consumer_id", inserted(database, "consumers::INSERT_TOKEN", "token_hash").await),
        keys: answered.collect(),
        step: usize::from(database.store.kind() == store::DatabaseKind::Sqlite),
    };
    let consumers = std::mem::take(&mut written.consumers);
    consumers.iter().map(|consumer| returns_of(consumer, &mut written)).collect()
}

fn returns_of(consumer: &Row, written: &mut Written) -> Vec<Return> {
    let id = consumer.get("id").key();
    let orders = written.orders.remove(&id).unwrap_or_default();
    orders
        .iter()
        .map(|order| {
            let token = written.tokens.get_mut(&id).and_then(Vec::pop).unwrap();
            let look_up = vec![
                Write::Statement(statement("consumers::INSERT"), consumer.cells()),
                Write::Statement(statement("consumers::INSERT_TOKEN"), token.cells()),
            ];
            let draft = written.drafts[&order.get("draft_return_order_id").key()][0].clone();
            let open = draft.clone().with("status", Cell::Text(Some("Open".to_owned())));
            let drafting = answered(written, &draft, vec![Write::Statement(statement("drafts::INSERT"), open.cells())]);
            let submitting = answered(written, order, submit(written, &draft, order));
            [look_up, drafting, submitting]
        })
        .collect()
}

/// The writes between the claim of a key and its answer.
fn answered(written: &Written, of: &Row, mut writes: Vec<Write>) -> Vec<Write> {
    let key = &written.keys[&of.get("id").key()];
    let mut claim = key.pick(&["account_id", "credential", "key", "fingerprint", "expires_at"]);
    claim.push(Cell::Number(Some(0)));
    writes.insert(0, Write::Statement(statement("idempotency::CLAIM"), claim));
    let answer = key.pick(&["account_id", "credential", "key", "status", "body"]);
    writes.push(Write::Statement(statement("idempotency::ANSWER"), answer));
    writes
}

fn submit(written: &Written, draft: &Row, order: &Row) -> Vec<Write> {
    let accept = draft.pick(&["account_id", "consumer_id", "id", "updated_at"]);
    let mut writes = vec![Write::Statement(statement("drafts::ACCEPT"), accept)];
    let requests = &written.requests[&order.get("id").key()];
    let mut takings: Vec<Taking> = requests.iter().map(taking).collect();
    takings.sort_unstable_by_key(|taking| taking.purchase);
    writes.push(Write::Take(AccountId(order.get("account_id").id()), takings));
    writes.push(Write::Statement(statement("return_orders::INSERT"), order.cells()));
    let mut left = requests.as_slice();
    while let Some(size) = left.len().checked_ilog2() {
        let (part, rest) = left.split_at(1 << size.min(8));
        writes.push(insert_together(&statement("return_requests::INSERT"), part, written.step));
        left = rest;
    }
    for (insert, rows) in &written.parts {
        let rows = rows.get(&order.get("id").key()).map_or(&[][..], Vec::as_slice);
        writes.extend(rows.chunks(200).map(|rows| insert_together(insert, rows, written.step)));
    }
    writes
}

fn taking(request: &Row) -> Taking {
    let Cell::Number(Some(quantity)) = request.get("quantity") else { panic!("a request without a quantity") };
    // Every unit of a purchase has the same price here.
    let taken = TakenUnits { units: u32::try_from(*quantity).unwrap(), remainder_units: 0 };
    Taking { purchase: PurchaseId(request.get("purchase_id").id()), taken, dear_before: 0 }
}

/// Deletes the rows of the replay, so that the same rows can be written again.
async fn delete_replayed(database: &Database) {
    const FORGET: [&str; 10] = [
        "DELETE FROM events",
        "DELETE FROM timeline_entries",
        "DELETE FROM shipments",
        "DELETE FROM return_requests",
        "DELETE FROM return_orders",
        "DELETE FROM draft_return_orders",
        "DELETE FROM idempotency_keys",
        "DELETE FROM consumer_tokens",
        "DELETE FROM consumers",
        "UPDATE purchases SET taken = 0, taken_dear = 0, settled = 0 WHERE taken > 0",
    ];
    let mut writing = database.store.write().await.unwrap();
    for sql in FORGET {
        run_statement(writing.db(), sql, &[]).await;
    }
    writing.commit().await.unwrap();
    if database.store.kind() == store::DatabaseKind::Postgres {
        // Otherwise, dead rows would slow the writes.
        run_statement(database.store.read().await.unwrap().db(), "VACUUM", &[]).await;
    }
}
