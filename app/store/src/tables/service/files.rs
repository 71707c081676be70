//! Unclaimed files: those that are being written, and those to delete. Without this list, a program that is killed
//! between the database and the disk would leave a photo or an address behind.

use crate::engine::{Db, Result};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

statements! {
    in files;
    ANNOUNCE = "INSERT INTO unclaimed_files (account_id, id, since) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, id) DO UPDATE SET since = excluded.since";
    CLAIM = "DELETE FROM unclaimed_files WHERE account_id = $1 AND id = $2";
    PRUNE_UNCLAIMED = "SELECT account_id, id FROM unclaimed_files WHERE since <= $1 ORDER BY since LIMIT 100";
}

/// Announces a file that is about to be written. The transaction that stores its row claims it.
pub async fn announce(mut db: Db<'_>, account: AccountId, id: Uuid, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(ANNOUNCE).bind(account.0).bind(id).bind(now.micros()));
    Ok(())
}

/// Announces a file to delete: no row refers to it any more.
pub async fn discard(db: Db<'_>, account: AccountId, id: Uuid) -> Result<()> {
    announce(db, account, id, Timestamp::from_micros(0)).await
}

/// Removes a file from the list: a row refers to it, or it is deleted.
pub async fn claim(mut db: Db<'_>, account: AccountId, id: Uuid) -> Result<()> {
    execute!(db, sqlx::query(CLAIM).bind(account.0).bind(id));
    Ok(())
}

/// Some files of every account that were announced before a moment and not claimed since, or that are to be deleted.
pub async fn list_unclaimed(mut db: Db<'_>, before: Timestamp) -> Result<Vec<(AccountId, Uuid)>> {
    let rows: Vec<(Uuid, Uuid)> =
        on!(&mut db, c => sqlx::query_as(PRUNE_UNCLAIMED).bind(before.micros()).fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(|(account, id)| (AccountId(account), id)).collect())
}
