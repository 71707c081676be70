//! What arrived of a return request, each delivery once.

use crate::{Db, Result};
use domain::{AccountId, ReturnRequestId, Timestamp};

statements! {
    /// The guard against counting a delivery twice.
    INSERT = "INSERT INTO receipts (account_id, return_request_id, external_reference, units, at)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id, return_request_id, external_reference) DO NOTHING";
}

/// Keeps a receipt; `false` when the one of that reference is known.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    request: ReturnRequestId,
    external_reference: &str,
    units: u32,
    now: Timestamp,
) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(request.0)
            .bind(external_reference)
            .bind(i64::from(units))
            .bind(now.micros())
    );
    Ok(rows == 1)
}
