//! The results of recent calls to the external systems of accounts.

use crate::engine::{
    Db, Result,
    stored::{count, named},
};
use domain::{
    AccountId, Timestamp,
    integration::{IntegrationHealth, IntegrationOperation},
};

statements! {
    in integrations;
    SUCCEEDED = "INSERT INTO integration_operations (account_id, operation, succeeded_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, operation) DO UPDATE SET succeeded_at = excluded.succeeded_at, failed_attempts = 0,
         next_attempt_at = NULL";
    FAILED = "INSERT INTO integration_operations (account_id, operation, error, failed_at, failed_attempts, next_attempt_at)
        VALUES ($1, $2, $3, $4, 1, $5)
        ON CONFLICT (account_id, operation) DO UPDATE SET error = excluded.error, failed_at = excluded.failed_at,
         failed_attempts = integration_operations.failed_attempts + 1, next_attempt_at = excluded.next_attempt_at";
    LIST = "SELECT operation, succeeded_at, error, failed_at, failed_attempts, next_attempt_at FROM integration_operations
        WHERE account_id = $1";
    FORGET = "DELETE FROM integration_operations WHERE account_id = $1 AND operation = $2";
}

#[derive(sqlx::FromRow)]
struct IntegrationRow {
    operation: String,
    succeeded_at: Option<i64>,
    error: String,
    failed_at: Option<i64>,
    failed_attempts: i64,
    next_attempt_at: Option<i64>,
}

impl IntegrationRow {
    fn health(self) -> Result<(IntegrationOperation, IntegrationHealth)> {
        let operation = IntegrationOperation::from_name(&self.operation);
        let health = IntegrationHealth {
            succeeded_at: self.succeeded_at.map(Timestamp::from_micros),
            error: self.error,
            failed_at: self.failed_at.map(Timestamp::from_micros),
            failed_attempts: count("integration_operations.failed_attempts", self.failed_attempts)?,
            next_attempt_at: self.next_attempt_at.map(Timestamp::from_micros),
        };
        Ok((named("integration_operations.operation", operation)?, health))
    }
}

/// Records a successful call of a system. The last error remains.
pub async fn succeeded(
    mut db: Db<'_>,
    account: AccountId,
    operation: IntegrationOperation,
    at: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(SUCCEEDED).bind(account.0).bind(operation.name()).bind(at.micros()));
    Ok(())
}

/// Records a failed call: its error, its time, and the time of the next attempt if it is known.
pub async fn failed(
    mut db: Db<'_>,
    account: AccountId,
    operation: IntegrationOperation,
    error: &str,
    at: Timestamp,
    next_attempt_at: Option<Timestamp>,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(FAILED)
            .bind(account.0)
            .bind(operation.name())
            .bind(error)
            .bind(at.micros())
            .bind(next_attempt_at.map(Timestamp::micros))
    );
    Ok(())
}

/// The results of an account's operations, in no particular order.
pub async fn list(mut db: Db<'_>, account: AccountId) -> Result<Vec<(IntegrationOperation, IntegrationHealth)>> {
    let rows: Vec<IntegrationRow> = on!(&mut db, c => sqlx::query_as(LIST).bind(account.0).fetch_all(&mut **c).await?);
    rows.into_iter().map(IntegrationRow::health).collect()
}

/// Deletes the results of operations, because the account is now connected to another system.
pub async fn forget(mut db: Db<'_>, account: AccountId, operations: &[IntegrationOperation]) -> Result<()> {
    for operation in operations {
        execute!(db, sqlx::query(FORGET).bind(account.0).bind(operation.name()));
    }
    Ok(())
}
