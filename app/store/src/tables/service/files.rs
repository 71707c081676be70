//! Files on disk that are nobody's: being written just now, or to be deleted. Without this list a program that is killed
//! between the database and the disk would leave somebody's photo or address behind.

use crate::engine::{Db, Result};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

statements! {
    ANNOUNCE = "INSERT INTO unclaimed_files (account_id, id, since) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, id) DO UPDATE SET since = excluded.since";
    CLAIM = "DELETE FROM unclaimed_files WHERE account_id = $1 AND id = $2";
    PRUNE_UNCLAIMED = "SELECT account_id, id FROM unclaimed_files WHERE since <= $1 ORDER BY since LIMIT 100";
}

/// Says that a file is about to be written. Whoever keeps the row that tells of it claims it.
pub async fn announce(mut db: Db<'_>, account: AccountId, id: Uuid, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(ANNOUNCE).bind(account.0).bind(id).bind(now.micros()));
    Ok(())
}

/// Says that a file is to go: nothing tells of it any more.
pub async fn discard(db: Db<'_>, account: AccountId, id: Uuid) -> Result<()> {
    announce(db, account, id, Timestamp::from_micros(0)).await
}

/// Takes a file off the list: it is somebody's, or gone.
pub async fn claim(mut db: Db<'_>, account: AccountId, id: Uuid) -> Result<()> {
    execute!(db, sqlx::query(CLAIM).bind(account.0).bind(id));
    Ok(())
}

/// Some files, of every account, that nobody has claimed for as long, or that are to go.
pub async fn list_unclaimed(mut db: Db<'_>, before: Timestamp) -> Result<Vec<(AccountId, Uuid)>> {
    let rows: Vec<(Uuid, Uuid)> =
        on!(&mut db, c => sqlx::query_as(PRUNE_UNCLAIMED).bind(before.micros()).fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(account, id)| (AccountId(account), id)).collect())
}
