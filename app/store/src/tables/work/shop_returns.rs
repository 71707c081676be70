//! Returns that a shop shows, too. A worker compares each with the shop's whenever the return order has changed, and now and then.

use crate::engine::{
    Db, Result,
    queue::{self, Claim, Claimable, Claiming, IsEnough, Shares, Waiting},
    stored::{count, from_json, to_json},
};
use domain::{AccountId, OrderId, ReturnOrderId, Timestamp};
use std::collections::BTreeSet;
use uuid::Uuid;

macro_rules! columns {
    () => {
        "account_id, id, return_order_id, order_id, shop, external_id, begun_at, tries, woken, error, refused, due_at, held_until"
    };
}

statements! {
    in shop_returns;
    INSERT = "INSERT INTO shop_returns (account_id, id, return_order_id, order_id, shop, due_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (account_id, return_order_id, order_id) DO NOTHING";
    WAKE = "UPDATE shop_returns SET due_at = CASE WHEN tries = 0 AND due_at > $3 THEN $3 ELSE due_at END, woken = woken + 1
        WHERE account_id = $1 AND return_order_id = $2 AND due_at IS NOT NULL";
    WAKE_OF_ORDER = "UPDATE shop_returns SET due_at = CASE WHEN tries = 0 AND due_at > $3 THEN $3 ELSE due_at END, woken = woken + 1
        WHERE account_id = $1 AND order_id = $2 AND due_at IS NOT NULL";
    WORKER_TURN = "UPDATE worker_turns SET taken = taken + 1 WHERE name = 'shop_returns'";
    WORKER_FIRST_WAITING = first_waiting_accounts!("shop_returns");
    WORKER_WAITING = waiting_accounts!("shop_returns");
    WORKER_DUE = concat!("SELECT ", columns!(), " FROM shop_returns
        WHERE account_id = $3 AND due_at <= $1 AND held_until <= $1 ORDER BY due_at, seq LIMIT $2");
    LEASE = lease_rows!("shop_returns", "id");
    FIND = concat!("SELECT ", columns!(), " FROM shop_returns WHERE account_id = $1 AND return_order_id = $2 AND order_id = $3");
    /// Only by the holder of the lease, before it calls the shop.
    BEGIN = "UPDATE shop_returns SET begun_at = $3 WHERE account_id = $1 AND id = $2 AND held_until = $4";
    /// Only by the holder of the lease. A change of the return order during the lease makes it due at once, unless it has failed. What was
    /// refused stays then as it is: staff may just have had it tried again.
    CONCLUDE = "UPDATE shop_returns SET due_at = CASE WHEN woken = $3 OR CAST($5 AS BIGINT) > 0 THEN CAST($4 AS BIGINT) ELSE $9 END, tries = $5, error = $6,
         external_id = $7, begun_at = $8, refused = CASE WHEN woken = $3 THEN $11 ELSE refused END, held_until = 0
        WHERE account_id = $1 AND id = $2 AND held_until = $10";
    /// Only by the holder of the lease.
    END = "UPDATE shop_returns SET due_at = NULL, tries = 0, error = $3, external_id = $4, begun_at = NULL, held_until = 0
        WHERE account_id = $1 AND id = $2 AND held_until = $5";
    WORKER_BACKLOG = "SELECT COUNT(*), MIN(due_at) FROM shop_returns WHERE due_at <= $1";
    /// A comparison that waits after failures is due at the commit ([`wake`]).
    TRY_AGAIN = "UPDATE shop_returns SET tries = 0, refused = '[]' WHERE account_id = $1 AND return_order_id = $2 AND order_id = $3
        AND due_at IS NOT NULL";
    FORGET = "UPDATE shop_returns SET error = '', refused = '[]' WHERE account_id = $1 AND return_order_id = $2";
}

/// The most names of what a shop refused of a return: it has at most 100 lines, each with its dispositions.
pub const MAX_REFUSED: usize = 500;

const CLAIM_IN_ONE: &str = claim_in_one!("shop_returns", "id", "shop_returns", columns!());

/// A return that a shop shows, too, as far as it concerns one sales order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopReturn {
    pub account_id: AccountId,
    pub id: Uuid,
    pub return_order_id: ReturnOrderId,
    /// The sales order.
    pub order_id: OrderId,
    /// The key of the shop.
    pub shop: String,
    /// The shop's id of the return; `None` while it has none.
    pub external_id: Option<String>,
    /// When a change in the shop began whose result is not known.
    pub begun_at: Option<Timestamp>,
    /// The number of failures in a row.
    pub tries: u32,
    /// The latest failure; empty after a success.
    pub error: String,
    /// The names of what the shop refused. It is not asked again.
    pub refused: Vec<String>,
    /// Whether it is no longer compared. Without an id, the shop has no return then, and gets none.
    pub is_over: bool,
    woken: i64,
    held_until: Timestamp,
}

#[derive(sqlx::FromRow)]
struct ShopReturnRow {
    account_id: Uuid,
    id: Uuid,
    return_order_id: Uuid,
    order_id: Uuid,
    shop: String,
    external_id: String,
    begun_at: Option<i64>,
    tries: i64,
    woken: i64,
    error: String,
    refused: String,
    due_at: Option<i64>,
    held_until: i64,
}

impl Claimable for ShopReturnRow {
    fn ids(&self) -> (Uuid, Uuid) {
        (self.account_id, self.id)
    }
}

impl ShopReturnRow {
    fn shop_return(self) -> Result<ShopReturn> {
        Ok(ShopReturn {
            account_id: AccountId(self.account_id),
            id: self.id,
            return_order_id: ReturnOrderId(self.return_order_id),
            order_id: OrderId(self.order_id),
            shop: self.shop,
            external_id: Some(self.external_id).filter(|id| !id.is_empty()),
            begun_at: self.begun_at.map(Timestamp::from_micros),
            tries: count("shop_returns.tries", self.tries)?,
            error: self.error,
            refused: from_json("shop_returns.refused", &self.refused)?,
            is_over: self.due_at.is_none(),
            woken: self.woken,
            held_until: Timestamp::from_micros(self.held_until),
        })
    }
}

/// A return that is to appear in a shop.
#[derive(Debug, Clone)]
pub struct NewShopReturn<'a> {
    pub id: Uuid,
    pub return_order_id: ReturnOrderId,
    pub order_id: OrderId,
    /// The key of the shop.
    pub shop: &'a str,
}

/// How a comparison ended that is followed by others.
#[derive(Debug, Clone)]
pub struct Compared<'a> {
    /// When the next one is due.
    pub due_at: Timestamp,
    /// Failures in a row.
    pub tries: u32,
    pub error: &'a str,
    pub external_id: Option<&'a str>,
    pub begun_at: Option<Timestamp>,
    /// The names of what the shop refused; the first [`MAX_REFUSED`] are kept.
    pub refused: &'a [String],
}

/// Inserts a return, due at once.
pub async fn insert(mut db: Db<'_>, account: AccountId, new: &NewShopReturn<'_>, now: Timestamp) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.id)
            .bind(new.return_order_id.0)
            .bind(new.order_id.0)
            .bind(new.shop)
            .bind(now.micros())
    );
    Ok(())
}

/// Makes the comparisons of changed return orders due. One that fails keeps its pause. [`crate::Writing`] calls this at the
/// commit.
pub(crate) async fn wake(mut db: Db<'_>, changed: &BTreeSet<(AccountId, ReturnOrderId)>, now: Timestamp) -> Result<()> {
    for (account, order) in changed {
        execute!(db, sqlx::query(WAKE).bind(account.0).bind(order.0).bind(now.micros()));
    }
    Ok(())
}

/// Makes the comparisons of a sales order's returns due at a moment. One that fails keeps its pause.
pub async fn wake_of_order(mut db: Db<'_>, account: AccountId, order: OrderId, due_at: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(WAKE_OF_ORDER).bind(account.0).bind(order.0).bind(due_at.micros()));
    Ok(())
}

/// Accounts with due comparisons that nobody holds, the longest due first.
pub async fn waiting(db: Db<'_>, now: Timestamp, is_enough: IsEnough<'_>) -> Result<Vec<AccountId>> {
    queue::waiting(db, &Waiting { first: WORKER_FIRST_WAITING, all: WORKER_WAITING }, now, is_enough).await
}

/// Claims due comparisons with a lease until a moment. Other claims wait for the transaction to end.
pub async fn claim(db: Db<'_>, now: Timestamp, until: Timestamp, shares: Shares<'_>) -> Result<Vec<ShopReturn>> {
    let claiming = Claiming { in_one: Some(CLAIM_IN_ONE), turn: WORKER_TURN, due: WORKER_DUE, lease: LEASE };
    let rows = queue::claim::<ShopReturnRow>(db, &claiming, Claim::new(now, until, shares)).await?;
    rows.into_iter().map(|row| Ok(ShopReturn { held_until: until, ..row.shop_return()? })).collect()
}

/// The return of a return order in the shop of a sales order, `None` if the shop does not show it.
pub async fn find(
    mut db: Db<'_>,
    account: AccountId,
    return_order: ReturnOrderId,
    order: OrderId,
) -> Result<Option<ShopReturn>> {
    let row: Option<ShopReturnRow> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0).bind(return_order.0).bind(order.0).fetch_optional(&mut **c).await?);
    row.map(ShopReturnRow::shop_return).transpose()
}

/// Records that a change in the shop begins now. `false` if another worker holds the return: then nothing must be changed.
pub async fn begin(mut db: Db<'_>, one: &ShopReturn, now: Timestamp) -> Result<bool> {
    let begun = execute!(
        db,
        sqlx::query(BEGIN).bind(one.account_id.0).bind(one.id).bind(now.micros()).bind(one.held_until.micros())
    );
    Ok(begun > 0)
}

/// Gives a return back until the next comparison. `false` if another worker holds it.
pub async fn conclude(mut db: Db<'_>, one: &ShopReturn, result: &Compared<'_>, now: Timestamp) -> Result<bool> {
    let kept = result.refused.get(..MAX_REFUSED).unwrap_or(result.refused);
    let written = execute!(
        db,
        sqlx::query(CONCLUDE)
            .bind(one.account_id.0)
            .bind(one.id)
            .bind(one.woken)
            .bind(result.due_at.micros())
            .bind(i64::from(result.tries))
            .bind(result.error)
            .bind(result.external_id.unwrap_or_default())
            .bind(result.begun_at.map(Timestamp::micros))
            .bind(now.micros())
            .bind(one.held_until.micros())
            .bind(to_json(&kept))
    );
    Ok(written > 0)
}

/// Ends the comparisons of a return. `false` if another worker holds it.
pub async fn end(mut db: Db<'_>, one: &ShopReturn, error: &str, external_id: Option<&str>) -> Result<bool> {
    let ended = execute!(
        db,
        sqlx::query(END)
            .bind(one.account_id.0)
            .bind(one.id)
            .bind(error)
            .bind(external_id.unwrap_or_default())
            .bind(one.held_until.micros())
    );
    Ok(ended > 0)
}

/// Has a return tried again what the shop refused, and without a pause after failures. The return order has to change in the same
/// transaction, so that the next comparison is due.
pub async fn try_again(mut db: Db<'_>, account: AccountId, return_order: ReturnOrderId, order: OrderId) -> Result<()> {
    execute!(db, sqlx::query(TRY_AGAIN).bind(account.0).bind(return_order.0).bind(order.0));
    Ok(())
}

/// The number of comparisons that are due in all accounts, and since when the oldest one is.
pub async fn backlog(mut db: Db<'_>, now: Timestamp) -> Result<(i64, Option<Timestamp>)> {
    let (waiting, oldest): (i64, Option<i64>) =
        on!(&mut db, c => sqlx::query_as(WORKER_BACKLOG).bind(now.micros()).fetch_one(&mut **c).await?);
    Ok((waiting, oldest.map(Timestamp::from_micros)))
}

/// Removes the error and what the shop refused, which may contain a person's data.
pub async fn forget(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<()> {
    execute!(db, sqlx::query(FORGET).bind(account.0).bind(order.0));
    Ok(())
}
