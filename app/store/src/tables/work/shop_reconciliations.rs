//! How far the changes of each account's shop were read, and when they are read next.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::count,
};
use domain::{AccountId, Timestamp};
use uuid::Uuid;

statements! {
    in shop_reconciliations;
    /// Another shop begins anew. With the same one, only the next reading is at once.
    INSERT = "INSERT INTO shop_reconciliations (account_id, shop, changes_read_through, due_at, created_at)
        VALUES ($1, $2, $3, $4, $4)
        ON CONFLICT (account_id) DO UPDATE SET shop = excluded.shop,
         changes_read_through = CASE WHEN shop_reconciliations.shop = excluded.shop
          THEN shop_reconciliations.changes_read_through ELSE excluded.changes_read_through END,
         begun_at = 0, list_cursor = '', due_at = excluded.due_at, tries = 0, woken = shop_reconciliations.woken + 1";
    /// A reading that is about to be repeated anyway is not delayed.
    WAKE = "UPDATE shop_reconciliations SET woken = woken + 1, due_at = CASE WHEN due_at > $2 THEN $2 ELSE due_at END
        WHERE account_id = $1";
    DELETE = "DELETE FROM shop_reconciliations WHERE account_id = $1";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'reconciliations'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("shop_reconciliations");
    WORKER_WAITING = waiting_accounts!("shop_reconciliations");
    WORKER_DUE = "SELECT account_id, shop, changes_read_through, begun_at, list_cursor, tries, woken FROM shop_reconciliations
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1 ORDER BY due_at LIMIT $2";
    LEASE = lease_rows!("shop_reconciliations", "account_id");
    /// Only by the holder of the lease, and only while nobody has asked for a new reading.
    PROGRESS = "UPDATE shop_reconciliations SET begun_at = $4, list_cursor = $5, tries = 0
        WHERE account_id = $1 AND woken = $2 AND held_until = $3";
    /// The same: due again at a moment. If somebody has asked for a new reading, that one is due.
    LATER = "UPDATE shop_reconciliations SET held_until = 0,
         due_at = CASE WHEN woken = $2 THEN $4 ELSE due_at END,
         tries = CASE WHEN woken = $2 THEN $5 ELSE tries END,
         changes_read_through = CASE WHEN woken = $2 THEN $6 ELSE changes_read_through END,
         begun_at = CASE WHEN woken = $2 THEN $7 ELSE begun_at END,
         list_cursor = CASE WHEN woken = $2 THEN $8 ELSE list_cursor END
        WHERE account_id = $1 AND held_until = $3";
}

/// The reading of a shop's changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopReconciliation {
    pub account_id: AccountId,
    /// The shop ([`domain::integration::Bridge::shop_key`]).
    pub shop: String,
    /// All changes until then were read.
    pub changes_read_through: Timestamp,
    /// When the present reading began; `None` if it begins now.
    pub begun_at: Option<Timestamp>,
    /// Where the present reading goes on; empty: at the beginning.
    pub list_cursor: String,
    /// The number of failures in a row.
    pub tries: u32,
    woken: i64,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct ReconciliationRow {
    account_id: Uuid,
    shop: String,
    changes_read_through: i64,
    begun_at: i64,
    list_cursor: String,
    tries: i64,
    woken: i64,
}

/// An account has one row, so its id is also the key.
impl Claimable for ReconciliationRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.account_id)
    }
}

impl ReconciliationRow {
    fn reconciliation(self, held_until: Timestamp) -> Result<ShopReconciliation> {
        Ok(ShopReconciliation {
            account_id: AccountId(self.account_id),
            shop: self.shop,
            changes_read_through: Timestamp::from_micros(self.changes_read_through),
            begun_at: (self.begun_at != 0).then(|| Timestamp::from_micros(self.begun_at)),
            list_cursor: self.list_cursor,
            tries: count("shop_reconciliations.tries", self.tries)?,
            woken: self.woken,
            held_until,
        })
    }
}

/// Requests that the changes of an account's shop are read at once. For a shop that is new, all since `from`.
pub async fn insert(mut db: Db<'_>, account: AccountId, shop: &str, from: Timestamp, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(INSERT).bind(account.0).bind(shop).bind(from.micros()).bind(now.micros()));
    Ok(())
}

/// Requests that the changes are read at a moment, if an account has such a shop.
pub async fn wake(mut db: Db<'_>, account: AccountId, due_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(WAKE).bind(account.0).bind(due_at.micros()));
    Ok(())
}

/// Ends the reading of changes: the account is connected to no such shop any more.
pub async fn delete(mut db: Db<'_>, account: AccountId) -> Result<()> {
    execute!(db, sqlx::query(DELETE).bind(account.0));
    Ok(())
}

/// Accounts with a due reading, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due readings with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(
    db: Db<'_>,
    now: Timestamp,
    until: Timestamp,
    shares: Shares<'_>,
) -> Result<Vec<ShopReconciliation>> {
    let claiming = Claiming { in_one: None, turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<ReconciliationRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| row.reconciliation(until)).collect()
}

/// Stores how far a reading came: `begun_at` and `list_cursor`. `false` if another instance holds it, or if a new
/// reading was asked for.
pub async fn progress(mut db: Db<'_>, one: &ShopReconciliation) -> Result<bool> {
    let changed = execute!(
        db,
        sqlx::query(PROGRESS)
            .bind(one.account_id.0)
            .bind(one.woken)
            .bind(one.held_until.micros())
            .bind(one.begun_at.map_or(0, Timestamp::micros))
            .bind(&one.list_cursor)
    );
    Ok(changed > 0)
}

/// Gives a reading back as it is now: due again at a moment, or at once if a new reading was asked for.
pub async fn later(mut db: Db<'_>, one: &ShopReconciliation, due_at: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(LATER)
            .bind(one.account_id.0)
            .bind(one.woken)
            .bind(one.held_until.micros())
            .bind(due_at.micros())
            .bind(i64::from(one.tries))
            .bind(one.changes_read_through.micros())
            .bind(one.begun_at.map_or(0, Timestamp::micros))
            .bind(&one.list_cursor)
    );
    Ok(())
}
