//! Order numbers as they are compared, where their stored key is another text: "A–1001" is compared as "a-1001".
//!
//! Most numbers have none. A spelling only narrows a search: a query that finds an order by it compares the order's number, so
//! spellings of numbers that changed do no harm and stay.
//!
//! Programs of the version before write orders without spellings. [`step`] adds those, a part at a time.

use crate::{engine::{Db, Result, macros::ROWS_AT_ONCE}, tables::sales::import::Incoming};
use domain::{AccountId, OrderId, order::EmailKey, proof::order_number::compared_if_other};
use sqlx::QueryBuilder;
use uuid::Uuid;

statements! {
    LIST_ORDERS_AFTER = "SELECT id, number, email, email_key FROM orders WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    UPDATE_EMAIL_KEY = "UPDATE orders SET email_key = $4 WHERE account_id = $1 AND id = $2 AND email = $3";
}

const INSERT: &str = "INSERT INTO order_spellings (account_id, spelling, order_id) ";
const UNLESS_KNOWN: &str = " ON CONFLICT DO NOTHING";

/// Orders of one step.
pub const ORDERS_AT_ONCE: i64 = 500;

/// Keeps the spellings of orders that were taken in.
pub(crate) async fn keep<'a>(
    db: Db<'_>,
    account: AccountId,
    orders: impl Iterator<Item = (Uuid, &'a Incoming)>,
) -> Result<()> {
    let spelled = orders.map(|(id, incoming)| (id, compared_if_other(&incoming.order.number)));
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

/// Looks at the next orders of an account, behind the one of that id, and adds what is missing of their spellings. Mends
/// e-mail keys that hold more than an address, such as a name before it. The last order that was looked at; `None` where
/// there are no more.
pub async fn step(mut db: Db<'_>, account: AccountId, after: OrderId, most: i64) -> Result<Option<OrderId>> {
    type Row = (Uuid, String, String, String);
    let rows: Vec<Row> = on!(&mut db, c => sqlx::query_as(LIST_ORDERS_AFTER)
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
