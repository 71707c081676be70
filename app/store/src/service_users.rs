//! Programs that use the API with a key.

use crate::{Db, Result};
use domain::{AccountId, ServiceUserId, Timestamp};
use uuid::Uuid;

statements! {
    INSERT = "INSERT INTO service_users (account_id, id, name, scopes, key_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    FIND_BY_KEY = "SELECT id, scopes, last_used_at FROM service_users
        WHERE account_id = $1 AND key_hash = $2 AND revoked_at IS NULL";
    TOUCH = "UPDATE service_users SET last_used_at = $3 WHERE account_id = $1 AND id = $2";
}

/// A program with a valid key.
#[derive(Debug, Clone)]
pub struct ServiceUser {
    /// Identifier.
    pub id: ServiceUserId,
    /// Names of what it may do, comma-separated.
    pub scopes: String,
    /// When its key was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    scopes: String,
    last_used_at: Option<i64>,
}

/// Adds a program; only the hash of its key is kept.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    id: ServiceUserId,
    name: &str,
    scopes: &str,
    key_hash: &[u8],
    now: Timestamp,
) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT).bind(account.0).bind(id.0).bind(name).bind(scopes).bind(key_hash).bind(now.micros())
    );
    Ok(())
}

/// The program that holds the key of this hash, unless it was revoked.
pub async fn find_by_key(mut db: Db<'_>, account: AccountId, key_hash: &[u8]) -> Result<Option<ServiceUser>> {
    let row: Option<Row> =
        on!(&mut db, c => sqlx::query_as(FIND_BY_KEY).bind(account.0).bind(key_hash).fetch_optional(&mut **c).await?);
    Ok(row.map(|row| ServiceUser {
        id: ServiceUserId(row.id),
        scopes: row.scopes,
        last_used_at: row.last_used_at.map(Timestamp::from_micros),
    }))
}

/// Notes that a key was used.
pub async fn touch(mut db: Db<'_>, account: AccountId, id: ServiceUserId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(TOUCH).bind(account.0).bind(id.0).bind(now.micros()));
    Ok(())
}
