//! Receipts: the units of a return request that arrived, counted once for each delivery.

use crate::engine::{Db, Result, stored::count};
use domain::{AccountId, ReturnRequestId, Timestamp};
use uuid::Uuid;

statements! {
    in receipts;
    /// Guards against counting a delivery twice.
    INSERT = "INSERT INTO receipts (account_id, return_request_id, external_reference, units, at)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id, return_request_id, external_reference) DO NOTHING";
    FIND_UNITS = "SELECT units FROM receipts WHERE account_id = $1 AND return_request_id = $2 AND external_reference = $3";
    /// `+at` keeps SQLite, which has no statistics, from reading all receipts of the account in the order of their times.
    LIST = "SELECT external_reference, units, at FROM receipts WHERE account_id = $1 AND return_request_id = $2
        ORDER BY +at, external_reference";
    LIST_OF_REQUESTS = "SELECT return_request_id, external_reference, units, at FROM receipts
        WHERE account_id = $1 AND return_request_id IN ($2) ORDER BY +at, external_reference";
    DELETE = "DELETE FROM receipts WHERE account_id = $1 AND return_request_id = $2 AND external_reference = $3";
    /// The reference of a delivery may contain personal data.
    RENAME = "UPDATE receipts SET external_reference = $4
        WHERE account_id = $1 AND return_request_id = $2 AND external_reference = $3";
}

/// Units that arrived with one delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The reporter's name for the delivery.
    pub external_reference: String,
    pub units: u32,
    /// The time of the report.
    pub at: Timestamp,
}

/// Inserts a receipt; `false` if there is one of that reference already.
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

/// The units of the receipt with that reference.
pub async fn find_units(
    mut db: Db<'_>,
    account: AccountId,
    request: ReturnRequestId,
    external_reference: &str,
) -> Result<Option<u32>> {
    let units: Option<i64> = on!(&mut db, c => sqlx::query_scalar(FIND_UNITS)
        .bind(account.0)
        .bind(request.0)
        .bind(external_reference)
        .fetch_optional(&mut **c).await?);
    units.map(|units| count("receipts.units", units)).transpose()
}

/// The receipts of a request, oldest first.
pub async fn list_of_return_request(
    mut db: Db<'_>,
    account: AccountId,
    request: ReturnRequestId,
) -> Result<Vec<Receipt>> {
    let rows: Vec<(String, i64, i64)> =
        on!(&mut db, c => sqlx::query_as(LIST).bind(account.0).bind(request.0).fetch_all(&mut **c).await?);
    let receipt = |(external_reference, units, at)| {
        let units = count("receipts.units", units)?;
        Ok(Receipt { external_reference, units, at: Timestamp::from_micros(at) })
    };
    rows.into_iter().map(receipt).collect()
}

/// The receipts of requests.
pub async fn list_of_return_requests(
    mut db: Db<'_>,
    account: AccountId,
    requests: &[ReturnRequestId],
) -> Result<Vec<(ReturnRequestId, Receipt)>> {
    let rows: Vec<(Uuid, String, i64, i64)> = select_of!(&mut db, LIST_OF_REQUESTS, account, requests);
    let receipt = |(request, external_reference, units, at)| {
        let units = count("receipts.units", units)?;
        Ok((ReturnRequestId(request), Receipt { external_reference, units, at: Timestamp::from_micros(at) }))
    };
    rows.into_iter().map(receipt).collect()
}

/// Changes the reference of a receipt.
pub async fn rename(mut db: Db<'_>, account: AccountId, request: ReturnRequestId, from: &str, to: &str) -> Result<()> {
    execute!(db, sqlx::query(RENAME).bind(account.0).bind(request.0).bind(from).bind(to));
    Ok(())
}

/// Deletes a receipt that is taken back.
pub async fn delete(
    mut db: Db<'_>,
    account: AccountId,
    request: ReturnRequestId,
    external_reference: &str,
) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(account.0).bind(request.0).bind(external_reference));
    Ok(())
}
