//! The units of purchases in returns, and the guards around them.

use crate::engine::{Db, Result, batches::in_few_sizes, stored::count, template::push_list, time_limit::in_time};
use domain::{
    AccountId, PurchaseId,
    order::{TakenUnits, Units},
};
use sqlx::{PgConnection, QueryBuilder};
use std::collections::HashSet;
use uuid::Uuid;

/// What taking units changes in `purchases p`.
macro_rules! take {
    ($units:literal, $remainder_units:literal) => {
        concat!(
            "taken = p.taken + ",
            $units,
            ", taken_dear = p.taken_dear + ",
            $remainder_units,
            ", refunded_apart = CASE WHEN p.shop_refunded - p.taken > ",
            refunded_apart!(),
            " THEN p.shop_refunded - p.taken ELSE ",
            refunded_apart!(),
            " END"
        )
    };
}

/// Guards against over-returning: units of `purchases p` are taken only while that many are left. `taken_dear` must be
/// what the price was calculated from: of a total that is no multiple of the units, the first units are one minor unit
/// dearer. What the shop has refunded beyond the units in returns, it refunded on its own.
macro_rules! can_take {
    ($units:literal, $dear_before:literal) => {
        concat!(
            "p.taken_dear = ",
            $dear_before,
            " AND p.taken - p.settled + ",
            $units,
            " + CASE WHEN p.settled > p.shop_refunded THEN p.settled ELSE p.shop_refunded END <= p.fulfilled AND p.taken + ",
            $units,
            " + ",
            refunded_apart!(),
            " <= p.fulfilled"
        )
    };
}

/// Locks purchases of Postgres in the order of their ids: one look-up in an index for each ([`for_each_id`]).
///
/// [`for_each_id`]: crate::engine::dialect::for_each_id
const LOCK_IN_ORDER: &str = "SELECT held.id FROM UNNEST($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL \
    (SELECT p.id FROM purchases p WHERE p.account_id = $1 AND p.id = wanted.id FOR NO KEY UPDATE OFFSET 0) AS held";

/// [`TAKE`] for several purchases. Each row is found by its id, and then searches for its values. The values, the
/// account and the ids are pushed between the parts.
const TAKE_SEVERAL: [&str; 4] = [
    "WITH wanted (id, units, remainder_units, dear_before) AS (",
    concat!(
        ") UPDATE purchases AS p SET ",
        take!("(SELECT units FROM wanted WHERE id = p.id)", "(SELECT remainder_units FROM wanted WHERE id = p.id)"),
        " WHERE p.account_id = "
    ),
    " AND p.id IN (",
    concat!(
        ") AND EXISTS (SELECT 1 FROM wanted WHERE wanted.id = p.id AND ",
        can_take!("wanted.units", "wanted.dear_before"),
        ") RETURNING id"
    ),
];
/// The number of purchases in one statement: each row searches half of the values on average.
const TAKEN_AT_ONCE: usize = 64;

statements! {
    in purchase_units;
    UNITS = concat!("SELECT p.bought, p.fulfilled, p.taken, p.taken_dear, p.settled, ", shop_refunded!(), ", p.total
        FROM purchases p WHERE p.account_id = $1 AND p.id = $2");
    TAKE = concat!("UPDATE purchases AS p SET ", take!("$3", "$4"), " WHERE p.account_id = $1 AND p.id = $2 AND ",
        can_take!("$3", "$5"));
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

/// The units of a purchase that a return takes.
#[derive(Debug, Clone, Copy)]
pub struct Taking {
    pub purchase: PurchaseId,
    pub taken: TakenUnits,
    /// The units with the remainder of the price that were taken before.
    pub dear_before: u32,
}

/// Locks these purchases until the transaction ends, before their orders. All writers of several purchases lock them in
/// the order of their ids, so they cannot deadlock. Returns the number of different ids.
pub(super) async fn lock_in_order(
    connection: &mut PgConnection,
    account: AccountId,
    mut ids: Vec<Uuid>,
) -> Result<usize> {
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() {
        let lock = sqlx::query(LOCK_IN_ORDER).bind(account.0).bind(&ids);
        in_time(async { Ok(lock.execute(connection).await?) }).await?;
    }
    Ok(ids.len())
}

/// [`take`] for several purchases, each at most once. Returns those whose units were taken.
///
/// It locks the rows first: an update by many ids locks them in the order that its plan reads them, and sees none of the
/// changes that other transactions commit while it waits for a lock.
pub async fn take_several(mut db: Db<'_>, account: AccountId, takings: &[Taking]) -> Result<HashSet<PurchaseId>> {
    if takings.len() > 1
        && let Some(connection) = db.row_locks()
    {
        lock_in_order(connection, account, takings.iter().map(|one| one.purchase.0).collect()).await?;
    }
    let mut taken = HashSet::new();
    let [values, set, among, guard] = TAKE_SEVERAL;
    for part in takings.chunks(TAKEN_AT_ONCE).flat_map(in_few_sizes) {
        if let [one] = part {
            if take(db.reborrow(), account, one.purchase, one.taken, one.dear_before).await? {
                taken.insert(one.purchase);
            }
            continue;
        }
        let is_kept_prepared = db.is_kept_prepared(part.len());
        let ids: Vec<Uuid> = on!(&mut db, c => {
            let mut query = QueryBuilder::new(values);
            query.push_values(part, |mut row, one| {
                row.push_bind(one.purchase.0)
                    .push_bind(i64::from(one.taken.units))
                    .push_bind(i64::from(one.taken.remainder_units))
                    .push_bind(i64::from(one.dear_before));
            });
            query.push(set).push_bind(account.0).push(among);
            push_list(&mut query, part.iter().map(|one| one.purchase.0)).push(guard);
            query.build_query_scalar().persistent(is_kept_prepared).fetch_all(&mut **c).await?
        });
        taken.extend(ids.into_iter().map(PurchaseId));
    }
    Ok(taken)
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
