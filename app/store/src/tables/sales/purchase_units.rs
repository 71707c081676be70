//! The units of purchases in returns, and the guards around them.

use crate::engine::{Db, Result, stored::count};
use domain::{
    AccountId, PurchaseId,
    order::{TakenUnits, Units},
};

statements! {
    in purchase_units;
    UNITS = concat!("SELECT p.bought, p.fulfilled, p.taken, p.taken_dear, p.settled, ", shop_refunded!(), ", p.total
        FROM purchases p WHERE p.account_id = $1 AND p.id = $2");
    /// Guards against over-returning: units are taken only while that many are left. `taken_dear` ($5) must be what the
    /// price was calculated from: of a total that is no multiple of the units, the first units are one minor unit
    /// dearer. What the shop has refunded beyond the units in returns, it refunded on its own.
    TAKE = concat!("UPDATE purchases AS p SET taken = p.taken + $3, taken_dear = p.taken_dear + $4,
        refunded_apart = CASE WHEN p.shop_refunded - p.taken > ", refunded_apart!(), " THEN p.shop_refunded - p.taken ELSE ", refunded_apart!(), " END
        WHERE p.account_id = $1 AND p.id = $2 AND p.taken_dear = $5
        AND p.taken - p.settled + $3 + CASE WHEN p.settled > p.shop_refunded THEN p.settled ELSE p.shop_refunded END <= p.fulfilled
        AND p.taken + $3 + ", refunded_apart!(), " <= p.fulfilled");
    GIVE_BACK = "UPDATE purchases SET taken = taken - $3, taken_dear = taken_dear - $4 WHERE account_id = $1 AND id = $2";
    /// Guards against refunding what the shop refunded on its own. Units of ours that the shop reports as refunded are
    /// among those that were accepted before.
    ACCEPT = "UPDATE purchases SET accepted = accepted + $3 WHERE account_id = $1 AND id = $2
        AND CASE WHEN accepted > shop_refunded THEN accepted ELSE shop_refunded END + $3 <= fulfilled";
    TAKE_ACCEPTANCE_BACK = "UPDATE purchases SET accepted = accepted - $3 WHERE account_id = $1 AND id = $2";
    REFUNDED_UNITS = "SELECT accepted, shop_refunded FROM purchases WHERE account_id = $1 AND id = $2";
    SETTLE = "UPDATE purchases SET settled = settled + $3 WHERE account_id = $1 AND id = $2";
}

/// A purchase's units.
pub async fn units(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<Option<Units>> {
    let row: Option<(i64, i64, i64, i64, i64, i64, i64)> =
        on!(&mut db, c => sqlx::query_as(UNITS).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    let Some((bought, fulfilled, taken, taken_dear, settled, shop_refunded, total)) = row else { return Ok(None) };
    let units = |value| count("purchases' units", value);
    Ok(Some(Units {
        bought: units(bought)?,
        fulfilled: units(fulfilled)?,
        taken: units(taken)?,
        taken_remainder_units: units(taken_dear)?,
        settled: units(settled)?,
        shop_refunded: units(shop_refunded)?,
        total,
    }))
}

/// Takes units for a return. `false`, and nothing is taken, unless that many are left and `dear_before` dear units were
/// taken before them.
pub async fn take(
    mut db: Db<'_>,
    account: AccountId,
    id: PurchaseId,
    taken: TakenUnits,
    dear_before: u32,
) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(TAKE)
            .bind(account.0)
            .bind(id.0)
            .bind(i64::from(taken.units))
            .bind(i64::from(taken.remainder_units))
            .bind(i64::from(dear_before))
    );
    Ok(rows == 1)
}

/// Gives back units that a return had taken.
pub async fn give_back(mut db: Db<'_>, account: AccountId, id: PurchaseId, freed: TakenUnits) -> Result<()> {
    execute!(
        db,
        sqlx::query(GIVE_BACK)
            .bind(account.0)
            .bind(id.0)
            .bind(i64::from(freed.units))
            .bind(i64::from(freed.remainder_units))
    );
    Ok(())
}

/// Counts units as accepted: their resolution is approved. `false`, and nothing is counted, if the shop has refunded so
/// many on its own that these are among them.
pub async fn accept(mut db: Db<'_>, account: AccountId, id: PurchaseId, units: u32) -> Result<bool> {
    Ok(execute!(db, sqlx::query(ACCEPT).bind(account.0).bind(id.0).bind(i64::from(units))) == 1)
}

/// Undoes an [`accept`] of the same transaction.
pub async fn take_acceptance_back(mut db: Db<'_>, account: AccountId, id: PurchaseId, units: u32) -> Result<()> {
    execute!(db, sqlx::query(TAKE_ACCEPTANCE_BACK).bind(account.0).bind(id.0).bind(i64::from(units)));
    Ok(())
}

/// How many units of a purchase were refunded, and by which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundedUnits {
    /// Units whose resolution was approved here.
    pub accepted: u32,
    /// Units that the shop reports as refunded, including ours once it knows of them.
    pub shop_refunded: u32,
}

/// The refunded units of a purchase.
pub async fn refunded_units(mut db: Db<'_>, account: AccountId, id: PurchaseId) -> Result<RefundedUnits> {
    let (accepted, shop_refunded): (i64, i64) =
        on!(&mut db, c => sqlx::query_as(REFUNDED_UNITS).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    let units = |value| count("purchases' units", value);
    Ok(RefundedUnits { accepted: units(accepted)?, shop_refunded: units(shop_refunded)? })
}

/// Counts units as settled: their refund, credit or exchange is complete.
pub async fn settle(mut db: Db<'_>, account: AccountId, id: PurchaseId, units: u32) -> Result<()> {
    execute!(db, sqlx::query(SETTLE).bind(account.0).bind(id.0).bind(i64::from(units)));
    Ok(())
}
