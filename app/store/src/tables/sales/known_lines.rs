//! Stored lines of sales orders by the ids of the shop, for when a shop reports an order again.

use crate::{
    engine::{
        Db, Result,
        dialect::select_of_texts,
        stored::{count, from_json},
        template::{SqlTemplate, push_list},
        time_limit::in_time,
    },
    tables::sales::purchase_units::lock_in_order,
};
use domain::{
    AccountId, Timestamp,
    address::Address,
    order::{IneligibleCode, NewOrder},
};
use sqlx::PgConnection;
use std::collections::{HashMap, hash_map::Entry};
use uuid::Uuid;

statements! {
    in known_lines;
    /// With CROSS JOIN, SQLite reads the tables in this order. With JOIN, it reads all lines of the account.
    ORDER_LINES = "SELECT o.external_id AS order_id, o.email, o.address, o.billing_postal_code, o.ordered_at, p.external_id, p.position, p.product,
        p.bought, p.total, p.tax, p.discount, p.taken FROM orders o CROSS JOIN purchases p
        WHERE o.account_id = $1 AND o.external_id IN ($2) AND p.account_id = o.account_id AND p.order_id = o.id";
    OF_ORDER = "SELECT p.id, p.external_id, p.taken FROM purchases p JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id
        WHERE o.account_id = $1 AND o.external_id = $2";
    FIND = "SELECT p.external_id, o.external_id AS order_external_id, o.shop FROM purchases p
        JOIN orders o ON o.account_id = p.account_id AND o.id = p.order_id WHERE p.account_id = $1 AND p.external_id IN ($2)";
    /// Its units are no longer part of the order, so the order's completeness does not depend on them.
    WITHDRAW = "UPDATE purchases SET obstacle = $3, removed = CASE WHEN taken < bought THEN bought - taken ELSE 0 END WHERE account_id = $1 AND id = $2";
}

/// A stored line and its order.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KnownLine {
    /// The shop's id of the line.
    pub external_id: String,
    /// The shop's id of the order.
    pub order_external_id: String,
    /// The shop that reported the order; empty for an import.
    pub shop: String,
}

// Postgres only. Each statement looks into an index once for each id: planned for all ids together, it could read all
// lines of the account ([`for_each_id`]).
const LIST_IDS: &str = "SELECT found.id FROM UNNEST($2::text[]) AS wanted (id) CROSS JOIN LATERAL \
    (SELECT p.id FROM purchases p WHERE p.account_id = $1 AND p.external_id = wanted.id OFFSET 0) AS found";
const LIST_IDS_OF_ORDERS: &str = "SELECT found.id FROM UNNEST($2::text[]) AS wanted (id) CROSS JOIN LATERAL \
    (SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.external_id = wanted.id OFFSET 0) AS known CROSS JOIN LATERAL \
    (SELECT p.id FROM purchases p WHERE p.account_id = $1 AND p.order_id = known.id OFFSET 0) AS found";

/// Finds lines by these external ids and locks them until the transaction ends. Returns how many there are.
async fn find_and_hold(
    connection: &mut PgConnection,
    account: AccountId,
    sql: &'static str,
    external_ids: &[&str],
) -> Result<usize> {
    let found = sqlx::query_scalar(sql).bind(account.0).bind(external_ids);
    let ids: Vec<Uuid> = in_time(async { Ok(found.fetch_all(&mut *connection).await?) }).await?;
    lock_in_order(connection, account, ids).await
}

/// Locks the known lines of these orders until the transaction ends; an import does so before it upserts them. `false`
/// if there are certainly none.
pub async fn hold<'a>(mut db: Db<'_>, account: AccountId, orders: impl Iterator<Item = &'a NewOrder>) -> Result<bool> {
    let Some(connection) = db.row_locks() else { return Ok(true) };
    let lines: Vec<&str> = orders.flat_map(|order| &order.lines).map(|line| line.external_id.as_str()).collect();
    Ok(find_and_hold(connection, account, LIST_IDS, &lines).await? > 0)
}

/// A stored order with its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownOrder {
    pub email: String,
    /// The delivery address.
    pub address: Address,
    pub billing_postal_code: String,
    pub ordered_at: Timestamp,
    /// Ordered by position.
    pub lines: Vec<LineOfOrder>,
}

/// A line of a stored order, with what distinguishes it from the order's other lines. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOfOrder {
    /// The shop's id of the line.
    pub external_id: String,
    pub position: u32,
    /// JSON of [`domain::order::Product`].
    pub product: String,
    /// Units bought.
    pub bought: i64,
    pub total: i64,
    /// The tax within the total.
    pub tax: i64,
    /// The discount before the total.
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

/// The known orders with these ids and their lines. Locks the lines until the transaction ends; an import does so
/// before it upserts them.
pub async fn hold_orders(mut db: Db<'_>, account: AccountId, ids: &[&str]) -> Result<HashMap<String, KnownOrder>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    if let Some(connection) = db.row_locks()
        && find_and_hold(connection, account, LIST_IDS_OF_ORDERS, ids).await? == 0
    {
        return Ok(HashMap::new());
    }
    // Reads the lines only after the lock: another transaction may have changed them before.
    // In no order: with `ORDER BY`, SQLite would read all lines of the account.
    group_by_order(select_of_texts(db, ORDER_LINES, account, ids).await?)
}

fn group_by_order(rows: Vec<OrderLineRow>) -> Result<HashMap<String, KnownOrder>> {
    let mut known: HashMap<String, KnownOrder> = HashMap::new();
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

/// The stored lines with the ids of an order's lines.
pub async fn find(mut db: Db<'_>, account: AccountId, order: &NewOrder) -> Result<Vec<KnownLine>> {
    if order.lines.is_empty() {
        return Ok(Vec::new());
    }
    let template = const { SqlTemplate::parse(FIND) };
    Ok(on!(&mut db, c => {
           let mut query = template.query(|query, number| {
    match number {
    1 => query.push_bind(account.0),
    _ => push_list(query, order.lines.iter().map(|line| line.external_id.clone())),
    };
    });
           query.build_query_as().fetch_all(&mut **c).await?
       }))
}

/// Whether units are in returns of lines that the shop no longer reports for an order.
pub async fn is_other_taken(mut db: Db<'_>, account: AccountId, order: &str, reported: &[&str]) -> Result<bool> {
    let known = lines_of(db.reborrow(), account, order).await?;
    Ok(known.iter().any(|(_, line, taken)| *taken > 0 && !reported.contains(&line.as_str())))
}

async fn lines_of(mut db: Db<'_>, account: AccountId, order: &str) -> Result<Vec<(Uuid, String, i64)>> {
    Ok(on!(&mut db, c => sqlx::query_as(OF_ORDER).bind(account.0).bind(order).fetch_all(&mut **c).await?))
}

/// Withdraws the stored lines of an order that its shop no longer reports: they cannot be returned.
pub async fn withdraw_others(mut db: Db<'_>, account: AccountId, order: &str, reported: &[&str]) -> Result<()> {
    let known = lines_of(db.reborrow(), account, order).await?;
    for (id, ..) in known.iter().filter(|(_, line, _)| !reported.contains(&line.as_str())) {
        execute!(db, sqlx::query(WITHDRAW).bind(account.0).bind(id).bind(IneligibleCode::NotInOrder.name()));
    }
    Ok(())
}
