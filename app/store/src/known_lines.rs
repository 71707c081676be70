//! Lines of sales orders by the ids that shops give them: what is known of them when a shop tells of an order again.

use crate::{Db, Result, macros::around_parameters};
use domain::{AccountId, eligibility::IneligibleCode, order::NewOrder};
use uuid::Uuid;

statements! {
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

// Only for Postgres, as SQLite has one writer. Lines are held in the order in which a submit takes units, and before their
// orders, as a submit does: in the order in which they are told, the two would wait for each other.
const HOLD: &str =
    "SELECT id FROM purchases WHERE account_id = $1 AND external_id = ANY($2) ORDER BY id FOR NO KEY UPDATE";

/// Holds the lines that are known of these orders until the transaction ends: to be done before they are upserted. `false`
/// where it is certain that none is.
pub async fn hold<'a>(db: Db<'_>, account: AccountId, orders: impl Iterator<Item = &'a NewOrder>) -> Result<bool> {
    let Db::Postgres(connection) = db else { return Ok(true) };
    let lines: Vec<&str> = orders.flat_map(|order| &order.lines).map(|line| line.external_id.as_str()).collect();
    let held = sqlx::query(HOLD).bind(account.0).bind(lines).execute(connection).await?;
    Ok(held.rows_affected() > 0)
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
