//! The time of a page of a list while its table grows, and whether a walk finds every row while others write.
//! `-- --huge` continues to 10,000,000 rows.

use sqlx::AssertSqlSafe;
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};
use store::{
    DatabaseKind, Db,
    lists::{Direction, Listing, Sort},
    page::{MAX_LIMIT, MAX_PAGE_NUMBER, Page, Start},
    return_requests,
    testing::Database,
};

/// How often a page is read. The median counts.
const TIMES: usize = 101;
/// The rows of the table during the walk.
const WALKED: u64 = 100_000;
/// Rows written during the walk, per second.
const WRITTEN_A_SECOND: u64 = 1_000;

/// The queries, in the order of the table.
pub const QUESTIONS: [&str; 8] = [
    "newest first",
    "  deep in the list",
    LAST_PAGE,
    "  of a stage",
    "  of an order number",
    "  made in the last hour",
    "  oldest change first",
    "  a search",
];

/// The query with the most rows to skip: the last page that has a number, with the most rows.
pub const LAST_PAGE: &str = "  page number 10,000, or the last one, of 100";
/// The most milliseconds of that query at a million rows.
pub const LAST_PAGE_GOAL: f64 = 50.0;

/// Milliseconds of each query at each size.
pub struct Growth {
    pub sizes: Vec<u64>,
    pub millis: Vec<[f64; QUESTIONS.len()]>,
    /// The rows that the walk found, of those that existed at its start.
    pub walked: usize,
}

pub async fn run(database: &Database, huge: bool) -> Growth {
    let account = one_of_each(database).await;
    let mut growth = Growth { sizes: Vec::new(), millis: Vec::new(), walked: 0 };
    let mut rows = 0;
    for size in [10_000, WALKED, 1_000_000, 10_000_000] {
        if size > 1_000_000 && !huge {
            break;
        }
        fill(database, rows, size).await;
        rows = size;
        growth.millis.push(ask(database, account, size).await);
        growth.sizes.push(size);
        if size == WALKED {
            growth.walked = walk(database, account).await;
            rows = u64::try_from(database.rows("return_requests").await).unwrap();
        }
    }
    growth
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

fn id(kind: DatabaseKind, number: u128) -> String {
    match kind {
        DatabaseKind::Sqlite => format!("X'{number:032x}'"),
        DatabaseKind::Postgres => format!("'{}'::uuid", uuid::Uuid::from_u128(number)),
    }
}

/// The rows that every return request refers to.
pub async fn one_of_each(database: &Database) -> domain::AccountId {
    let kind = database.store.kind();
    let (account, order, consumer, purchase, returned, draft) =
        (id(kind, 1), id(kind, 2), id(kind, 3), id(kind, 4), id(kind, 5), id(kind, 6));
    let policy = serde_json::to_string(&domain::policy::Policy::default()).unwrap();
    let no = if kind == DatabaseKind::Sqlite { "0" } else { "FALSE" };
    for sql in [
        format!(
            "INSERT INTO accounts (id, slug, name, currency, policy, branding, next_parcel, created_at) VALUES ({account}, 'grown', 'Grown', 'EUR', '{policy}', '{{}}', 1, 0)"
        ),
        format!(
            "INSERT INTO orders (account_id, id, external_id, number, number_key, email_key, postal_code_key, email, address, currency, ordered_at, shipping_paid, tags) VALUES ({account}, {order}, '1', '1', '1', 'a@b.c', '', 'a@b.c', '{{}}', 'EUR', 0, 0, '[]')"
        ),
        format!(
            "INSERT INTO purchases (account_id, id, order_id, external_id, position, product, bought, fulfilled, shop_refunded, total, tax, discount, final_sale) VALUES ({account}, {purchase}, {order}, '1', 1, '{{}}', 1, 1, 0, 100, 0, 0, {no})"
        ),
        format!(
            "INSERT INTO consumers (account_id, id, order_number_key, proof_kind, proof_key, email, address, created_at, email_key, name_key, last_name_key) VALUES ({account}, {consumer}, '1', 'email', 'a@b.c', 'a@b.c', '{{}}', 0, 'a@b.c', 'grace hopper', 'hopper')"
        ),
        format!(
            "INSERT INTO return_orders (account_id, id, number, consumer_id, draft_return_order_id, status, payment_status, order_numbers, cost_breakdown, source, created_at, updated_at, version) VALUES ({account}, {returned}, 'R-1', {consumer}, {draft}, 'Open', 'NotRequired', '[]', '{{}}', 'Api', 0, 0, 1)"
        ),
    ] {
        execute(database, sql).await;
    }
    domain::AccountId(uuid::Uuid::from_u128(1))
}

/// Inserts return requests number `from` to `to`, one per second. Each thousandth one is in a rare stage, and a hundred
/// belong to the known consumer.
async fn fill(database: &Database, from: u64, to: u64) {
    let mut start = from;
    while start < to {
        let end = (start + 100_000).min(to);
        insert(database, start, end).await;
        start = end;
    }
    if database.store.kind() == DatabaseKind::Postgres {
        execute(database, format!("SELECT setval('changes', {to} + 1)")).await;
        let mut reading = database.store.read().await.unwrap();
        if let Db::Postgres(c) = reading.db() {
            sqlx::query("VACUUM ANALYZE return_requests").execute(c).await.unwrap();
        }
    }
}

pub async fn insert(database: &Database, start: u64, end: u64) {
    let kind = database.store.kind();
    let state = r#"{"stage":{"stage":"Requested: Review"},"quantity":1,"taken":{"units":1,"dear":0},"kept":false,"scanned":false,"received":0,"surplus":0,"inspection":null,"withoutReceipt":false,"approvedUnits":null}"#;
    let (numbers, random, no) = match kind {
        DatabaseKind::Sqlite => (
            format!(
                "WITH RECURSIVE numbers (n) AS (SELECT {start} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {end}) "
            ),
            "randomblob(16)".to_owned(),
            "0",
        ),
        DatabaseKind::Postgres => (
            format!("WITH numbers (n) AS (SELECT generate_series({start}::bigint, {end} - 1)) "),
            "gen_random_uuid()".to_owned(),
            "FALSE",
        ),
    };
    let (account, returned, purchase, consumer) = (id(kind, 1), id(kind, 5), id(kind, 4), id(kind, 3));
    let select = format!(
        "SELECT {account}, {random}, {returned}, CASE WHEN n < 10000 AND n % 100 = 7 THEN {consumer} ELSE {random} END, {purchase}, \
         '1', 'A-' || (n / 3), 'a-' || (n / 3), {random}, '', 'Refund', 1, 100, 'EUR', '{{}}', {no}, \
         CASE WHEN n % 1000 = 7 THEN 'Resolution: Failed' ELSE 'Requested: Review' END, '{state}', \
         n * 1000000, n * 1000000, 1, 100, n + 1 FROM numbers"
    );
    let columns = "account_id, id, return_order_id, consumer_id, purchase_id, purchase_external_id, purchase_order_number, \
         purchase_order_number_key, return_reason_id, return_reason_comment, requested_resolution, quantity, value, currency, \
         product, kept, stage, state, created_at, updated_at, version, resolution_value, changed";
    let sql = match kind {
        DatabaseKind::Sqlite => format!("{numbers} INSERT INTO return_requests ({columns}) {select}"),
        DatabaseKind::Postgres => format!("INSERT INTO return_requests ({columns}) {numbers} {select}"),
    };
    execute(database, sql).await;
}

fn last_numbered_page(rows: u64) -> Page {
    let number = MAX_PAGE_NUMBER.min(i64::try_from(rows).unwrap() / MAX_LIMIT);
    Page { start: Start::Number(number), ..Page::first(MAX_LIMIT) }
}

async fn ask(database: &Database, account: domain::AccountId, size: u64) -> [f64; QUESTIONS.len()] {
    let newest = |after: Option<i64>| Listing::newest(Page::at(after, 50));
    let with = |clause: String| {
        let conditions = vec![return_requests::LIST.condition(&clause).unwrap()];
        Listing { conditions, ..newest(None) }
    };
    let last = domain::Timestamp::from_seconds(i64::try_from(size).unwrap());
    let deep = i64::try_from(size / 2).unwrap();
    let questions = [
        newest(None),
        newest(Some(deep)),
        Listing::newest(last_numbered_page(size)),
        with("stage:Resolution: Failed".to_owned()),
        with(format!("purchaseOrderNumber:A-{}", size / 6)),
        with(format!("createdAt>={}", last.plus_seconds(-3_600))),
        Listing { sort: Sort::UpdatedAt, direction: Direction::Ascending, ..newest(Some(deep)) },
        Listing { search: Some("hop".to_owned()), ..newest(None) },
    ];
    let mut millis = [0.0; QUESTIONS.len()];
    for (cell, listing) in millis.iter_mut().zip(&questions) {
        let mut times = Vec::with_capacity(TIMES);
        for _ in 0..TIMES {
            let started = Instant::now();
            let mut reading = database.store.read().await.unwrap();
            let page = return_requests::list(reading.db(), account, listing).await.unwrap();
            times.push(started.elapsed());
            assert!(!page.rows.is_empty(), "{listing:?}");
        }
        times.sort_unstable();
        *cell = super::millis(times[TIMES / 2]);
    }
    millis
}

/// Walks through the list from its oldest row, page by page, while rows are written. Returns how many of the initial
/// rows it found, each once.
async fn walk(database: &Database, account: domain::AccountId) -> usize {
    let there = database.rows("return_requests").await;
    let (stop, database) = (std::sync::Arc::new(AtomicBool::new(false)), database.clone());
    let writer = tokio::spawn({
        let (stop, database) = (stop.clone(), database.clone());
        async move {
            let mut next = u64::try_from(there).unwrap();
            while !stop.load(Ordering::Relaxed) {
                let batch = WRITTEN_A_SECOND / 20;
                let started = Instant::now();
                insert(&database, next, next + batch).await;
                next += batch;
                tokio::time::sleep(Duration::from_millis(50).saturating_sub(started.elapsed())).await;
            }
        }
    });
    let (mut met, mut after) = (HashSet::new(), None);
    loop {
        let listing = Listing { direction: Direction::Ascending, ..Listing::newest(Page::at(after, 100)) };
        let mut reading = database.store.read().await.unwrap();
        let page = return_requests::list(reading.db(), account, &listing).await.unwrap();
        let old = page.rows.iter().filter(|row| row.created_at.seconds() < there);
        for row in old {
            assert!(met.insert(row.id), "a row came twice");
        }
        after = page.next;
        if after.is_none() || page.rows.last().is_some_and(|row| row.created_at.seconds() >= there) {
            break;
        }
    }
    stop.store(true, Ordering::Relaxed);
    writer.await.unwrap();
    assert_eq!(met.len(), usize::try_from(there).unwrap(), "the walk missed rows");
    met.len()
}
