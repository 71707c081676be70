//! Fills a database with accounts of very different sizes and years of returns. The database creates them itself from
//! `fill.sql`.

use sqlx::AssertSqlSafe;
use std::collections::BTreeMap;
use store::{DatabaseKind, Db, testing::Database};

/// The number of accounts. The first has 30 % of all rows; the others follow Zipf's law.
pub const ACCOUNTS: u32 = 10_000;
/// The number of requests of a return order.
pub const REQUESTS: u64 = 10;
/// The number of return orders of the last thirty days, which have events, mail and stored responses.
const RECENT: u64 = 27_400;
/// The number of return orders in one transaction.
const AT_ONCE: u64 = 10_000;

/// Runs SQL that no function of the store runs.
pub async fn run(database: &Database, sql: String) {
    let mut writing = database.store.write().await.unwrap();
    run_in(writing.db(), sql).await;
    writing.commit().await.unwrap();
}

async fn run_in(db: Db<'_>, sql: String) {
    let sql = sqlx::raw_sql(AssertSqlSafe(sql));
    match db {
        Db::Sqlite(c) => drop(sql.execute(c).await.unwrap()),
        Db::Postgres(c) => drop(sql.execute(c).await.unwrap()),
    }
}

/// Inserts the accounts; every second one has a subscription to all events.
pub async fn accounts(database: &Database) {
    let kind = database.store.kind();
    let policy = serde_json::to_string(&domain::policy::Policy::default()).unwrap();
    let mut sql = words(
        kind,
        "CREATE TABLE shares (low BIGINT NOT NULL PRIMARY KEY, account_id UUID NOT NULL);
         CREATE TABLE items (i BIGINT NOT NULL);
         INSERT INTO items VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
         CREATE TABLE grown (g BIGINT PRIMARY KEY, account_id UUID, order_id UUID, consumer_id UUID, draft_id UUID,
          return_order_id UUID, shipment_id UUID, at BIGINT, name TEXT, email TEXT, h BIGINT);",
    );
    if kind == DatabaseKind::Sqlite {
        sql = sql.replace("UUID", "BLOB");
    }
    let all: f64 = (2..=ACCOUNTS).map(|number| 1.0 / f64::from(number)).sum();
    let mut low = 0.0_f64;
    for number in 1..=ACCOUNTS {
        let account = format!("ID(1, 1690000000000, {number})");
        let (of, share) = (low.round(), if number == 1 { 300_000.0 } else { 700_000.0 / f64::from(number) / all });
        low += share;
        sql.push_str(&words(
            kind,
            &format!(
                "INSERT INTO accounts (id, slug, name, currency, policy, branding, next_parcel, created_at)
              VALUES ({account}, 'shop-{number}', 'Shop {number}', 'EUR', '{policy}', '{{}}', 1, 0);
             INSERT INTO shares (low, account_id) VALUES ({of}, {account});"
            ),
        ));
        if number % 2 == 1 {
            sql.push_str(&words(kind, &format!(
                "INSERT INTO webhook_subscriptions (account_id, id, url, event_types, stages, description, enabled, secret,
                  catch_up_all, created_at, updated_at) VALUES ({account}, ID(16, 1690000000000, {number}),
                  'https://shop-{number}.example/hooks', '[]', '[]', '', TRUE, '', FALSE, 0, 0);"
            )));
        }
    }
    run(database, sql).await;
}

/// Adds the return requests number `from` to `to`: without indexes, which are created again at the end, and without
/// checking references.
pub async fn fill(database: &Database, from: u64, to: u64) {
    let (from, to) = (from / REQUESTS, to / REQUESTS);
    let indexes = take_indexes(database).await;
    let mut start = from;
    while start < to {
        let end = (start + AT_ONCE).min(to);
        insert(database, (start, end), to.saturating_sub(RECENT)).await;
        start = end;
    }
    for index in indexes {
        run(database, index).await;
    }
    finish(database, to * REQUESTS).await;
}

async fn insert(database: &Database, (from, to): (u64, u64), recent: u64) {
    let sql = part(database.store.kind(), (from, to), recent);
    match database.store.kind() {
        // Triggers check references, and a replica runs none.
        DatabaseKind::Postgres => run(database, format!("SET LOCAL session_replication_role = replica; {sql}")).await,
        // Checks references once, at the end.
        DatabaseKind::Sqlite => run(database, format!("PRAGMA defer_foreign_keys = ON; {sql}")).await,
    }
}

/// Inserts one more return order with its requests.
pub async fn insert_one(database: &Database, number: u64) {
    insert(database, (number, number + 1), number).await;
}

/// Drops all indexes except those of keys; returns the statements that create them.
async fn take_indexes(database: &Database) -> Vec<String> {
    let (names, made) = match database.store.kind() {
        DatabaseKind::Sqlite => (
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE INDEX%' ORDER BY name",
            "SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE INDEX%' ORDER BY name",
        ),
        DatabaseKind::Postgres => (
            "SELECT indexname::text FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE 'CREATE INDEX%' ORDER BY 1",
            "SELECT indexdef::text FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE 'CREATE INDEX%' ORDER BY indexname",
        ),
    };
    let (names, made) = (database.texts(names).await, database.texts(made).await);
    for name in names {
        run(database, format!("DROP INDEX {name}")).await;
    }
    made
}

async fn finish(database: &Database, rows: u64) {
    let mut reading = database.store.read().await.unwrap();
    if let Db::Postgres(connection) = reading.db() {
        let next = AssertSqlSafe(format!("SELECT setval('changes', {rows} + 1)"));
        sqlx::query(next).execute(&mut *connection).await.unwrap();
        sqlx::query("VACUUM ANALYZE").execute(connection).await.unwrap();
        return;
    }
    drop(reading);
    run(database, "ANALYZE".to_owned()).await;
}

/// The statements of a part in a database's dialect.
fn part(kind: DatabaseKind, (from, to): (u64, u64), recent: u64) -> String {
    let money = |value: &str| format!(r#"{{"value":"{value}","currency":"EUR"}}"#);
    let line = format!(
        r#"{{"kind":"ItemRefund","purchaseId":"018f0000-0000-7000-8000-000000000001","quantity":1,"amount":{}}}"#,
        money("24.90")
    );
    let (all, zero) = (money("24.90"), money("0.00"));
    let costs = format!(
        r#"{{"currency":"EUR","lines":[{line}],"refundTotal":{all},"feeTotal":{zero},"estimatedRefund":{all},"estimatedCredit":{zero},"payableNow":{zero}}}"#
    );
    let texts = BTreeMap::from([
        ("$COSTS", format!("'{costs}'")),
        ("$ITEMS", format!("'[]{}'", " ".repeat(298))),
        ("$DATA", format!(r#"'{{"resource":"{}"}}'"#, "x".repeat(900))),
        ("$SESSION", format!("'{}'", "x".repeat(300))),
        ("$FROM", from.to_string()),
        ("$TO", to.to_string()),
        ("$RECENT", recent.to_string()),
        ("$ENTRIES", "1".to_owned()),
    ]);
    let template =
        include_str!("fill.sql").lines().filter(|line| !line.starts_with("--")).collect::<Vec<_>>().join("\n");
    words(kind, &texts.iter().fold(template, |sql, (name, text)| sql.replace(name, text)))
}

/// Expands the macros of `fill.sql` to expressions of a database.
fn words(kind: DatabaseKind, sql: &str) -> String {
    let syllables = "'bafecigodukelimoputanerivoxuzasebihojawyqethorbrom'";
    let syllable = |of: &[&str]| format!("substr({syllables}, CAST(1 + 2 * (({}) % 22) AS INTEGER), 2)", of[0]);
    let sql = replace(sql, "SYLLABLE(", &syllable);
    let sql = replace(&sql, "NUMBERS(", &|of| match kind {
        DatabaseKind::Postgres => format!("SELECT generate_series({}::bigint, {} - 1) AS g", of[0], of[1]),
        DatabaseKind::Sqlite => format!(
            "WITH RECURSIVE n (g) AS (SELECT {} UNION ALL SELECT g + 1 FROM n WHERE g + 1 < {}) SELECT g FROM n",
            of[0], of[1]
        ),
    });
    let sql = replace(&sql, "BYTES(", &|of| match kind {
        DatabaseKind::Postgres => {
            format!("decode(lpad(to_hex(({0}) * 48271 % 2147483647), 16, '0') || md5(({0})::text), 'hex')", of[0])
        }
        DatabaseKind::Sqlite => format!("unhex(printf('%016x%048x', ({0}) * 48271 % 2147483647, {0}))", of[0]),
    });
    replace(&sql, "ID(", &|of| {
        let number: u32 = of[0].parse().unwrap();
        match kind {
            DatabaseKind::Postgres => format!(
                "CAST(lpad(to_hex({}), 12, '0') || '7{number:03x}8' || lpad(to_hex({}), 15, '0') AS UUID)",
                of[1], of[2]
            ),
            DatabaseKind::Sqlite => format!("unhex(printf('%012x7{number:03x}8%015x', {}, {}))", of[1], of[2]),
        }
    })
}

/// Replaces each `NAME(a, b)` by the result of `by`; the arguments contain neither brackets nor commas.
fn replace(sql: &str, name: &str, by: &dyn Fn(&[&str]) -> String) -> String {
    let mut parts = sql.split(name);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inside, rest) = part.split_once(')').unwrap();
        let arguments: Vec<&str> = inside.split(',').map(str::trim).collect();
        out.push_str(&by(&arguments));
        out.push_str(rest);
    }
    out
}
