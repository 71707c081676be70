//! Order numbers in the form in which they are compared, if that differs from their stored key: "A–1001" is compared as
//! "a-1001".
//!
//! Most numbers have no other spelling. A spelling only narrows a search: a query that finds an order by it compares
//! the order's number. So a spelling of a number that has changed does no harm, and stays.
//!
//! Programs of the previous version write orders without spellings. [`step`] adds those, a part at a time.

use crate::engine::{Db, Result, batches::ROWS_AT_ONCE};
use domain::{
    AccountId, OrderId,
    proof::{EmailKey, order_number::compared_if_other},
};
use sqlx::QueryBuilder;
use uuid::Uuid;

statements! {
    in order_spellings;
    LIST_ORDERS_AFTER = "SELECT id, number, email, email_key FROM orders WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    UPDATE_EMAIL_KEY = "UPDATE orders SET email_key = $4 WHERE account_id = $1 AND id = $2 AND email = $3";
}

const INSERT: &str = "INSERT INTO order_spellings (account_id, spelling, order_id) ";
const UNLESS_KNOWN: &str = " ON CONFLICT DO NOTHING";

/// The number of orders in one step.
pub const ORDERS_AT_ONCE: i64 = 500;

/// Stores the spellings of imported orders: their ids and numbers.
pub(crate) async fn keep<'a>(
    db: Db<'_>,
    account: AccountId,
    orders: impl Iterator<Item = (Uuid, &'a str)>,
) -> Result<()> {
    let spelled = orders.map(|(id, number)| (id, compared_if_other(number)));
    insert(db, account, &spelled.filter(|(_, spelling)| !spelling.is_empty()).collect::<Vec<_>>()).await
}

async fn insert(mut db: Db<'_>, account: AccountId, spelled: &[(Uuid, String)]) -> Result<()> {
    for chunk in spelled.chunks(ROWS_AT_ONCE) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(INSERT);
            query.push_values(chunk, |mut row, (id, spelling)| {
                row.push_bind(account.0).push_bind(spelling.clone()).push_bind(*id);
            });
            query.push(UNLESS_KNOWN);
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// Reads the next orders of an account after the one of that id, and adds their missing spellings. Repairs e-mail keys
/// that contain more than an address, such as a name before it. Returns the last order that was read; `None` if there
/// are no more.
pub async fn step(mut db: Db<'_>, account: AccountId, after: OrderId, most: i64) -> Result<Option<OrderId>> {
    let rows: Vec<(Uuid, String, String, String)> = on!(&mut db, c => sqlx::query_as(LIST_ORDERS_AFTER)
        .bind(account.0)
        .bind(after.0)
        .bind(most)
        .fetch_all(&mut **c).await?);
    let spelled = rows.iter().map(|(id, number, _, _)| (*id, compared_if_other(number)));
    let spelled: Vec<(Uuid, String)> = spelled.filter(|(_, spelling)| !spelling.is_empty()).collect();
    insert(db.reborrow(), account, &spelled).await?;
    for (id, _, email, key) in &rows {
        let stored = EmailKey::stored(email);
        if stored != *key {
            execute!(db, sqlx::query(UPDATE_EMAIL_KEY).bind(account.0).bind(*id).bind(email).bind(&stored));
        }
    }
    Ok(rows.last().map(|(id, ..)| OrderId(*id)))
}
