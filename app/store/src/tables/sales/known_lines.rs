//! Lines of sales orders by the ids that shops give them: what is known of them when a shop tells of an order again.

use crate::engine::{Db, Result, macros::{ROWS_AT_ONCE, around_parameters, count, from_json}};
use domain::{AccountId, Timestamp, eligibility::IneligibleCode, order::NewOrder, policy::Address};
use sqlx::{PgConnection, SqliteConnection};
use std::collections::{HashMap, hash_map::Entry};
use uuid::Uuid;

statements! {
    /// With CROSS JOIN, SQLite reads the tables in this order. With JOIN, it reads all lines of the account.
    ORDER_LINES = "SELECT o.external_id AS order_id, o.email, o.address, o.billing_postal_code, o.ordered_at, p.external_id, p.position, p.product,
        p.bought, p.total, p.tax, p.discount, p.taken FROM orders o CROSS JOIN purchases p
        WHERE o.account_id = $1 AND o.external_id IN ($2) AND p.account_id = o.account_id AND p.order_id = o.id";
    OF_ORDER = "SELECT p.id, p.external_id, p.taken FROM purchases p JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id
        WHERE o.account_id = $1 AND o.external_id = $2";
    FIND = "SELECT p.external_id, o.external_id AS order_external_id, o.shop FROM purchases p
        JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id WHERE p.account_id = $1 AND p.external_id IN ($2)";
    /// Its units are not waited for any more: they are no part of the order.
    WITHDRAW = "UPDATE purchases SET obstacle = $3, removed = CASE WHEN taken < bought THEN bought - taken ELSE 0 END WHERE account_id = $1 AND id = $2";
}

/// A line that is known, and of which order.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KnownLine {
    /// The shop's own id of the line.
    pub external_id: String,
    /// The shop's own id of the order.
    pub order_external_id: String,
    /// Which shop told of the order; empty: it was taken in here.
    pub shop: String,
}

// The next three statements are only for Postgres. Each looks into an index once for each id. If Postgres planned them for all ids
// together, they could read all lines of the account (`macros::for_each_id`).
const LIST_IDS: &str = "SELECT found.id FROM UNNEST($2::text[]) AS wanted (id) CROSS JOIN LATERAL \
    (SELECT p.id FROM purchases p WHERE p.account_id = $1 AND p.external_id = wanted.id OFFSET 0) AS found";
const LIST_IDS_OF_ORDERS: &str = "SELECT found.id FROM UNNEST($2::text[]) AS wanted (id) CROSS JOIN LATERAL \
    (SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.external_id = wanted.id OFFSET 0) AS known CROSS JOIN LATERAL \
    (SELECT p.id FROM purchases p WHERE p.account_id = $1 AND p.order_id = known.id OFFSET 0) AS found";
// A submit locks lines in the order of their ids, and before their orders. An import locks them in the same order, so that the two
// cannot deadlock.
const HOLD: &str = "SELECT held.id FROM UNNEST($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL \
    (SELECT p.id FROM purchases p WHERE p.account_id = $1 AND p.id = wanted.id FOR NO KEY UPDATE OFFSET 0) AS held";

/// Locks lines in the order of their ids until the transaction ends. Returns how many there are.
async fn hold_ids(connection: &mut PgConnection, account: AccountId, mut ids: Vec<Uuid>) -> Result<usize> {
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() {
        let held = async { Ok(sqlx::query(HOLD).bind(account.0).bind(&ids).execute(connection).await?) };
        crate::engine::pool::in_time(held).await?;
    }
    Ok(ids.len())
}

/// Holds the lines that are known of these orders until the transaction ends: to be done before they are upserted. `false`
/// where it is certain that none is.
pub async fn hold<'a>(db: Db<'_>, account: AccountId, orders: impl Iterator<Item = &'a NewOrder>) -> Result<bool> {
    let Db::Postgres(connection) = db else { return Ok(true) };
    let lines: Vec<&str> = orders.flat_map(|order| &order.lines).map(|line| line.external_id.as_str()).collect();
    let ids = async { Ok(sqlx::query_scalar(LIST_IDS).bind(account.0).bind(lines).fetch_all(&mut *connection).await?) };
    let ids: Vec<Uuid> = crate::engine::pool::in_time(ids).await?;
    Ok(hold_ids(connection, account, ids).await? > 0)
}

/// An order that is known, with its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownOrder {
    /// Who ordered.
    pub email: String,
    /// Where it was delivered to.
    pub address: Address,
    /// The postal code of the bill.
    pub billing_postal_code: String,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// Its lines, by position.
    pub lines: Vec<LineOfOrder>,
}

/// A line of a known order: what tells it from the order's other lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOfOrder {
    /// The shop's own id of the line.
    pub external_id: String,
    /// Position in the order.
    pub position: u32,
    /// What it is, as JSON of [`domain::order::Product`].
    pub product: String,
    /// Units bought.
    pub bought: i64,
    /// What was paid for them, minor units.
    pub total: i64,
    /// The tax within the total, minor units.
    pub tax: i64,
    /// What was taken off before the total, minor units.
    pub discount: i64,
    /// Units in returns.
    pub taken: i64,
}

#[derive(sqlx::FromRow)]
struct OrderLineRow {
    order_id: String,
    email: String,
    address: String,
    billing_postal_code: String,
    ordered_at: i64,
    external_id: String,
    position: i64,
    product: String,
    bought: i64,
    total: i64,
    tax: i64,
    discount: i64,
    taken: i64,
}

/// The orders that are known by these ids, with their lines, which are held until the transaction ends: to be done before they
/// are upserted.
pub async fn hold_orders(mut db: Db<'_>, account: AccountId, ids: &[&str]) -> Result<HashMap<String, KnownOrder>> {
    let mut known: HashMap<String, KnownOrder> = HashMap::new();
    if ids.is_empty() {
        return Ok(known);
    }
    let rows = match &mut db {
        Db::Sqlite(connection) => lines_in_sqlite(connection, account, ids).await?,
        Db::Postgres(connection) => {
            let lines = async {
                Ok(sqlx::query_scalar(LIST_IDS_OF_ORDERS)
                    .bind(account.0)
                    .bind(ids)
                    .fetch_all(&mut **connection)
                    .await?)
            };
            let lines: Vec<Uuid> = crate::engine::pool::in_time(lines).await?;
            if hold_ids(connection, account, lines).await? == 0 {
                return Ok(known);
            }
            // Reads them only after the lock: another transaction may have changed them before.
            let sql = sqlx::AssertSqlSafe(format!(
                "SELECT found.* FROM UNNEST($2::text[]) AS wanted (id) CROSS JOIN LATERAL ({} OFFSET 0) AS found",
                ORDER_LINES.replace("IN ($2)", "= wanted.id")
            ));
            let rows = async { Ok(sqlx::query_as(sql).bind(account.0).bind(ids).fetch_all(&mut **connection).await?) };
            crate::engine::pool::in_time(rows).await?
        }
    };
    for row in rows {
        let line = LineOfOrder {
            external_id: row.external_id,
            position: count("position", row.position)?,
            product: row.product,
            bought: row.bought,
            total: row.total,
            tax: row.tax,
            discount: row.discount,
            taken: row.taken,
        };
        match known.entry(row.order_id) {
            Entry::Occupied(mut order) => order.get_mut().lines.push(line),
            Entry::Vacant(order) => {
                order.insert(KnownOrder {
                    email: row.email,
                    address: from_json("address", &row.address)?,
                    billing_postal_code: row.billing_postal_code,
                    ordered_at: Timestamp::from_micros(row.ordered_at),
                    lines: vec![line],
                });
            }
        }
    }
    for order in known.values_mut() {
        order.lines.sort_by_key(|line| line.position);
    }
    Ok(known)
}

/// In no order. With `ORDER BY`, SQLite would read all lines of the account.
async fn lines_in_sqlite(
    connection: &mut SqliteConnection,
    account: AccountId,
    ids: &[&str],
) -> Result<Vec<OrderLineRow>> {
    let (start, middle, end) = around_parameters(ORDER_LINES);
    let mut rows = Vec::new();
    for ids in ids.chunks(ROWS_AT_ONCE) {
        let mut query = sqlx::QueryBuilder::new(start);
        query.push_bind(account.0).push(middle);
        let mut list = query.separated(", ");
        for id in ids {
            list.push_bind((*id).to_owned());
        }
        query.push(end);
        rows.append(&mut query.build_query_as().fetch_all(&mut *connection).await?);
    }
    Ok(rows)
}

/// What is known of the lines of an order by their ids.
pub async fn find(mut db: Db<'_>, account: AccountId, order: &NewOrder) -> Result<Vec<KnownLine>> {
    if order.lines.is_empty() {
        return Ok(Vec::new());
    }
    let (start, middle, end) = around_parameters(FIND);
    Ok(on!(&mut db, c => {
        let mut query = sqlx::QueryBuilder::new(start);
        query.push_bind(account.0).push(middle);
        let mut list = query.separated(", ");
        for line in &order.lines {
            list.push_bind(line.external_id.clone());
        }
        query.push(end);
        query.build_query_as().fetch_all(&mut **c).await?
    }))
}

/// Whether something is on its way back of lines of an order that its shop does not tell of.
pub async fn is_other_taken(mut db: Db<'_>, account: AccountId, order: &str, told: &[&str]) -> Result<bool> {
    let known = lines_of(db.reborrow(), account, order).await?;
    Ok(known.iter().any(|(_, line, taken)| *taken > 0 && !told.contains(&line.as_str())))
}

async fn lines_of(mut db: Db<'_>, account: AccountId, order: &str) -> Result<Vec<(Uuid, String, i64)>> {
    Ok(on!(&mut db, c => sqlx::query_as(OF_ORDER).bind(account.0).bind(order).fetch_all(&mut **c).await?))
}

/// Lines that are known of an order whose shop tells of these only: what it has no more cannot go back.
pub async fn withdraw_others(mut db: Db<'_>, account: AccountId, order: &str, told: &[&str]) -> Result<()> {
    let known = lines_of(db.reborrow(), account, order).await?;
    for (id, ..) in known.iter().filter(|(_, line, _)| !told.contains(&line.as_str())) {
        execute!(db, sqlx::query(WITHDRAW).bind(account.0).bind(id).bind(IneligibleCode::NotInOrder.name()));
    }
    Ok(())
}
