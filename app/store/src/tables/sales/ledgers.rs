//! Ledgers of sales orders: the sums that the shop reports, and the refunds that returns promise ([`domain::order`]).
//!
//! Promises are summed up from the returns themselves while the order's row is locked: there is no stored sum that
//! could differ from them.

use crate::engine::{
    Db, Result,
    stored::{from_json, named},
};
use domain::{
    AccountId, OrderId, PurchaseId, ReturnOrderId,
    costs::CostBreakdown,
    order::{Ledger, OrderReview, OrderSums},
    policy::Resolution,
    stage::StageName,
};
use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};
use uuid::Uuid;

statements! {
    in ledgers;
    FIND = "SELECT id, paid, refunded, refunded_before, review FROM orders WHERE account_id = $1 AND id = $2";
    /// Guards everything that is counted for a whole order: other changes of its returns wait until the transaction
    /// ends, and see its effect.
    HOLD = "UPDATE orders SET refunded_before = refunded_before
        WHERE account_id = $1 AND id = (SELECT order_id FROM purchases WHERE account_id = $1 AND id = $2)
        RETURNING id, paid, refunded, refunded_before, review";
    LIST = "SELECT id, paid, refunded, refunded_before, review FROM orders WHERE account_id = $1 AND id IN ($2)";
    /// Only lines with units in returns, as returns promise nothing for other lines.
    LIST_TAKEN_LINES = "SELECT order_id, id FROM purchases WHERE account_id = $1 AND order_id IN ($2) AND taken > 0";
    /// The costs of the return orders are a subquery, so that no database starts with all return orders of the account.
    LIST_REQUESTS = "SELECT purchase_id, return_order_id, resolution_value, requested_resolution, stage,
         (SELECT cost_breakdown FROM return_orders o WHERE o.account_id = r.account_id AND o.id = r.return_order_id)
         AS cost_breakdown FROM return_requests r WHERE account_id = $1 AND purchase_id IN ($2)";
    /// The returns of these lines. With `DISTINCT`, SQLite would read all requests of the account in the order of their returns.
    LIST_RETURNS = "SELECT return_order_id FROM return_requests WHERE account_id = $1 AND purchase_id IN ($2)";
    SET_REFUNDED_BEFORE = "UPDATE orders SET refunded_before = $3 WHERE account_id = $1 AND id = $2";
}

/// The money in the row of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderMoney {
    pub order: OrderId,
    /// As the shop reports them.
    pub sums: OrderSums,
    /// See [`Ledger::refunded_before`].
    pub refunded_before: i64,
    /// Why a person has to decide about the order's returns.
    pub review: Option<OrderReview>,
}

impl OrderMoney {
    /// Whether the shop reports nothing that could limit or stop a refund.
    pub fn is_silent(&self) -> bool {
        self.sums == OrderSums::default()
    }
}

#[derive(sqlx::FromRow)]
struct MoneyRow {
    id: Uuid,
    paid: Option<i64>,
    refunded: i64,
    refunded_before: i64,
    review: String,
}

impl MoneyRow {
    fn money(self) -> Result<OrderMoney> {
        let review = match self.review.as_str() {
            "" => None,
            name => Some(named("orders.review", OrderReview::from_name(name))?),
        };
        let sums = OrderSums { paid: self.paid, refunded: self.refunded };
        Ok(OrderMoney { order: OrderId(self.id), sums, refunded_before: self.refunded_before, review })
    }
}

/// The money of an order; `None` if there is no such order.
pub async fn find(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Option<OrderMoney>> {
    let row: Option<MoneyRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(order.0).fetch_optional(&mut **c).await?);
    row.map(MoneyRow::money).transpose()
}

/// The same for the order of a purchase, which it locks until the transaction ends.
pub async fn hold(mut db: Db<'_>, account: AccountId, purchase: PurchaseId) -> Result<Option<OrderMoney>> {
    let mut rows: Vec<MoneyRow> =
        on!(&mut db, c => sqlx::query_as(HOLD).bind(account.0).bind(purchase.0).fetch_all(&mut **c).await?);
    rows.pop().map(MoneyRow::money).transpose()
}

/// The ledger of an order with all of its returns but one, which the caller adds.
pub async fn of_others(
    db: Db<'_>,
    account: AccountId,
    money: &OrderMoney,
    except: Option<ReturnOrderId>,
) -> Result<Ledger> {
    let mut ledgers = with_returns(db, account, std::slice::from_ref(money), except).await?;
    Ok(ledgers.remove(&money.order).unwrap_or_default())
}

/// The ledgers of orders with all their returns.
pub async fn list(mut db: Db<'_>, account: AccountId, orders: &[OrderId]) -> Result<BTreeMap<OrderId, Ledger>> {
    let money = money_of(db.reborrow(), account, orders).await?;
    let money = money.into_iter().map(MoneyRow::money).collect::<Result<Vec<_>>>()?;
    with_returns(db, account, &money, None).await
}

/// The ledgers of orders with these sums. `lines` are all lines of the orders that have units in returns.
pub async fn of_lines(
    mut db: Db<'_>,
    account: AccountId,
    sums: &BTreeMap<OrderId, OrderSums>,
    lines: &BTreeMap<PurchaseId, OrderId>,
) -> Result<BTreeMap<OrderId, Ledger>> {
    let mut ledgers: BTreeMap<OrderId, Ledger> =
        sums.iter().map(|(order, sums)| (*order, Ledger { sums: *sums, ..Ledger::default() })).collect();
    add_returns(db.reborrow(), account, &mut ledgers, lines, None).await?;
    // `refunded_before` matters only where a refund is approved.
    let approved: Vec<OrderId> =
        ledgers.iter().filter(|(_, ledger)| ledger.approved > 0).map(|(order, _)| *order).collect();
    for row in money_of(db, account, &approved).await? {
        if let Some(ledger) = ledgers.get_mut(&OrderId(row.id)) {
            ledger.refunded_before = row.refunded_before;
        }
    }
    Ok(ledgers)
}

/// Reads lines first, and then their requests. In one statement that joins them, Postgres could read all requests of
/// the account.
async fn with_returns(
    mut db: Db<'_>,
    account: AccountId,
    money: &[OrderMoney],
    except: Option<ReturnOrderId>,
) -> Result<BTreeMap<OrderId, Ledger>> {
    let ledger =
        |OrderMoney { sums, refunded_before, .. }: OrderMoney| Ledger { sums, refunded_before, ..Ledger::default() };
    let mut ledgers: BTreeMap<OrderId, Ledger> = money.iter().map(|money| (money.order, ledger(*money))).collect();
    let orders: Vec<OrderId> = ledgers.keys().copied().collect();
    let lines = taken_lines(db.reborrow(), account, &orders).await?;
    add_returns(db, account, &mut ledgers, &lines, except).await?;
    Ok(ledgers)
}

/// Adds the promised and the approved refunds of these lines' returns to the ledgers of their orders.
async fn add_returns(
    db: Db<'_>,
    account: AccountId,
    ledgers: &mut BTreeMap<OrderId, Ledger>,
    order_of: &BTreeMap<PurchaseId, OrderId>,
    except: Option<ReturnOrderId>,
) -> Result<()> {
    let lines: Vec<PurchaseId> = order_of.keys().copied().collect();
    let mut breakdowns: BTreeMap<Uuid, CostBreakdown> = BTreeMap::new();
    for request in requests_of(db, account, &lines).await? {
        if except == Some(ReturnOrderId(request.return_order_id)) {
            continue;
        }
        let purchase = PurchaseId(request.purchase_id);
        let Some(ledger) = order_of.get(&purchase).and_then(|order| ledgers.get_mut(order)) else { continue };
        let costs = match breakdowns.entry(request.return_order_id) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(new) => new.insert(from_json("return_orders.cost_breakdown", &request.cost_breakdown)?),
        };
        let is_approved = named("return_requests.stage", StageName::parse(&request.stage))?.is_approved();
        ledger.add(costs.claim_of(purchase).total(), is_approved);
        if is_approved && request.requested_resolution == Resolution::Refund.name() {
            ledger.approved = ledger.approved.saturating_add(request.resolution_value);
        }
    }
    Ok(())
}

/// The returns of these orders that have units of them, each once.
pub async fn returns_of(mut db: Db<'_>, account: AccountId, orders: &[OrderId]) -> Result<Vec<ReturnOrderId>> {
    let lines: Vec<PurchaseId> = taken_lines(db.reborrow(), account, orders).await?.into_keys().collect();
    let rows: Vec<(Uuid,)> = select_of!(&mut db, LIST_RETURNS, account, lines);
    let ids: BTreeSet<Uuid> = rows.into_iter().map(|(id,)| id).collect();
    Ok(ids.into_iter().map(ReturnOrderId).collect())
}

async fn money_of(mut db: Db<'_>, account: AccountId, orders: &[OrderId]) -> Result<Vec<MoneyRow>> {
    Ok(select_of!(&mut db, LIST, account, orders))
}

async fn taken_lines(mut db: Db<'_>, account: AccountId, orders: &[OrderId]) -> Result<BTreeMap<PurchaseId, OrderId>> {
    let lines: Vec<(Uuid, Uuid)> = select_of!(&mut db, LIST_TAKEN_LINES, account, orders);
    Ok(lines.into_iter().map(|(order, line)| (PurchaseId(line), OrderId(order))).collect())
}

async fn requests_of(mut db: Db<'_>, account: AccountId, lines: &[PurchaseId]) -> Result<Vec<RequestRow>> {
    Ok(select_of!(&mut db, LIST_REQUESTS, account, lines))
}

#[derive(sqlx::FromRow)]
struct RequestRow {
    purchase_id: Uuid,
    return_order_id: Uuid,
    resolution_value: i64,
    requested_resolution: String,
    stage: String,
    cost_breakdown: String,
}

/// Records how much the shop had refunded when the next refund is approved.
pub async fn set_refunded_before(mut db: Db<'_>, account: AccountId, order: OrderId, amount: i64) -> Result<()> {
    execute!(db, sqlx::query(SET_REFUNDED_BEFORE).bind(account.0).bind(order.0).bind(amount));
    Ok(())
}
