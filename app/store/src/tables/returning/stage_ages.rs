//! Return requests that a program of the previous version wrote, without the SKU and the age of their stage. [`step`]
//! adds both, a part at a time.

use crate::engine::{Db, Result, stored::from_json};
use domain::{AccountId, order::Product};
use uuid::Uuid;

statements! {
    in stage_ages;
    WORKER_ACCOUNTS = "SELECT a.id FROM accounts a WHERE EXISTS
        (SELECT 1 FROM return_requests r WHERE r.account_id = a.id AND r.sku IS NULL)";
    LIST_INCOMPLETE = "SELECT id, product FROM return_requests WHERE account_id = $1 AND sku IS NULL ORDER BY seq LIMIT $2";
    /// When it entered its stage is not stored: its last change was not before.
    COMPLETE = "UPDATE return_requests SET sku = $3, stage_since = COALESCE(stage_since, updated_at),
        staged = COALESCE(staged, changed) WHERE account_id = $1 AND id = $2";
}

/// The number of requests in one step.
pub const REQUESTS_AT_ONCE: i64 = 200;

/// The accounts with incomplete requests.
pub async fn accounts(mut db: Db<'_>) -> Result<Vec<AccountId>> {
    let ids: Vec<Uuid> = on!(&mut db, c => sqlx::query_scalar(WORKER_ACCOUNTS).fetch_all(&mut **c).await?);
    Ok(ids.into_iter().map(AccountId).collect())
}

/// Completes the next requests of an account, oldest first; returns how many.
pub async fn step(mut db: Db<'_>, account: AccountId, most: i64) -> Result<usize> {
    let rows: Vec<(Uuid, String)> =
        on!(&mut db, c => sqlx::query_as(LIST_INCOMPLETE).bind(account.0).bind(most).fetch_all(&mut **c).await?);
    for (id, product) in &rows {
        let product: Product = from_json("return_requests.product", product)?;
        execute!(db, sqlx::query(COMPLETE).bind(account.0).bind(*id).bind(&product.sku));
    }
    Ok(rows.len())
}
