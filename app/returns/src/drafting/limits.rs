//! Limits refunds to what is left of each order.

use crate::base::Result;
use domain::{
    AccountId, OrderId,
    order::{OrderSums, Purchase, RefundClaim, refund_limits},
    returning::DraftItem,
    stage::ReviewReason,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Db, ledgers};

/// Limits draft items to what is left of their orders, and marks those that wait for a person.
pub(crate) async fn limit(mut db: Db<'_>, account: AccountId, chosen: &mut [(Purchase, DraftItem)]) -> Result<()> {
    let orders: BTreeSet<OrderId> = chosen.iter().map(|(purchase, _)| purchase.order.id).collect();
    for order in orders {
        let mut of_order: Vec<&mut (Purchase, DraftItem)> =
            chosen.iter_mut().filter(|(purchase, _)| purchase.order.id == order).collect();
        let Some(summary) = of_order.first().map(|(purchase, _)| &purchase.order) else { continue };
        let mut review = summary.review.map(ReviewReason::from);
        if summary.sums != OrderSums::default()
            && let Some(money) = ledgers::find(db.reborrow(), account, order).await?
        {
            let ledger = ledgers::of_others(db.reborrow(), account, &money, None).await?;
            let claims: Vec<RefundClaim> = of_order.iter().map(|(_, item)| claim(item)).collect();
            let limits = ledger.left().map_or_else(|| vec![0; claims.len()], |left| refund_limits(&claims, left));
            if limits.iter().any(|&limit| limit > 0) {
                review = Some(ReviewReason::RefundLimit);
            } else if ledger.is_left_unknown() {
                review = Some(ReviewReason::SumsDiffer);
            }
            for ((_, item), limit) in of_order.iter_mut().zip(limits) {
                (item.limit, item.refunded_by_shop) = (limit, ledger.refunded_by_shop());
            }
        }
        for (_, item) in of_order {
            item.review = review;
        }
    }
    Ok(())
}

/// The refundable amount that is left of each order of these purchases, in minor units. Orders without a limit have no
/// entry. `are_all`: the purchases are all lines of their orders.
pub(crate) async fn left(
    db: Db<'_>,
    account: AccountId,
    purchases: &[Purchase],
    are_all: bool,
) -> Result<BTreeMap<OrderId, i64>> {
    let limited = || purchases.iter().filter(|purchase| purchase.order.sums.paid.is_some());
    let sums: BTreeMap<OrderId, OrderSums> =
        limited().map(|purchase| (purchase.order.id, purchase.order.sums)).collect();
    let ledgers = if are_all {
        let taken = limited().filter(|purchase| purchase.units.taken > 0);
        let lines = taken.map(|purchase| (purchase.id, purchase.order.id)).collect();
        ledgers::of_lines(db, account, &sums, &lines).await?
    } else {
        ledgers::list(db, account, &sums.into_keys().collect::<Vec<_>>()).await?
    };
    Ok(ledgers.into_iter().filter_map(|(order, ledger)| Some((order, ledger.left()?))).collect())
}

/// What a draft item claims from its order, before any limit.
fn claim(item: &DraftItem) -> RefundClaim {
    RefundClaim { items: item.value, shipping: item.outbound_shipping }
}
