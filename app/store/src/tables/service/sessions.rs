//! The portal's sessions. A browser may visit several shops, so sessions belong to no account.

use crate::engine::{Db, Result};
use domain::Timestamp;

statements! {
    in sessions;
    INSERT = "INSERT INTO sessions (id_hash, data, expires_at) VALUES ($1, $2, $3) ON CONFLICT (id_hash) DO NOTHING";
    /// Only an existing session: one that was deleted stays deleted when a request still writes to it.
    UPDATE = "UPDATE sessions SET data = $2, expires_at = $3 WHERE id_hash = $1";
    FIND = "SELECT data, expires_at FROM sessions WHERE id_hash = $1 AND expires_at > $2";
    DELETE = "DELETE FROM sessions WHERE id_hash = $1";
    PRUNE = "DELETE FROM sessions WHERE id_hash IN
        (SELECT id_hash FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
}

/// Inserts a session; `false` if there is one of that id.
pub async fn insert(mut db: Db<'_>, id_hash: &[u8], data: &str, expires_at: Timestamp) -> Result<bool> {
    let rows = execute!(db, sqlx::query(INSERT).bind(id_hash).bind(data).bind(expires_at.micros()));
    Ok(rows == 1)
}

/// Updates a session, unless it was deleted.
pub async fn update(mut db: Db<'_>, id_hash: &[u8], data: &str, expires_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(UPDATE).bind(id_hash).bind(data).bind(expires_at.micros()));
    Ok(())
}

/// The data of a session and when it expires, unless it has expired.
pub async fn find(mut db: Db<'_>, id_hash: &[u8], now: Timestamp) -> Result<Option<(String, Timestamp)>> {
    let row: Option<(String, i64)> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(id_hash).bind(now.micros()).fetch_optional(&mut **c).await?);
    Ok(row.map(|(data, expires_at)| (data, Timestamp::from_micros(expires_at))))
}

/// Deletes a session.
pub async fn delete(mut db: Db<'_>, id_hash: &[u8]) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(id_hash));
    Ok(())
}

/// Deletes some expired sessions; returns how many.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}
