//! The money of sales orders: what the shop says of it, and what returns promise of it ([`domain::ledger`]).
//!
//! What returns promise is added up from the returns themselves, while the order's row is held: there is no second account
//! of it that could differ from them.

use crate::{
    Db, Result,
    macros::{from_json, named},
};
use domain::{
    AccountId, OrderId, PurchaseId, ReturnOrderId,
    costs::CostBreakdown,
    ledger::Ledger,
    order::{OrderReview, OrderSums},
    policy::Resolution,
    stage::StageName,
};
use std::collections::BTreeMap;
use uuid::Uuid;

statements! {
    FIND = "SELECT id, paid, refunded, refunded_before, review FROM orders WHERE account_id = $1 AND id = $2";
    /// The guard of all that is counted for a whole order: the others who change its returns wait until the transaction ends,
    /// and see what it did.
    HOLD = "UPDATE orders SET refunded_before = refunded_before
        WHERE account_id = $1 AND id = (SELECT order_id FROM purchases WHERE account_id = $1 AND id = $2)
        RETURNING id, paid, refunded, refunded_before, review";
    /// CROSS JOIN: SQLite takes the tables in the order in which they stand.
    LIST_REQUESTS = "SELECT r.return_order_id, r.purchase_id, r.resolution_value, r.requested_resolution, r.stage
        FROM purchases p CROSS JOIN return_requests r
        WHERE p.account_id = $1 AND p.order_id = $2 AND r.account_id = p.account_id AND r.purchase_id = p.id
        AND r.return_order_id <> $3";
    LIST_COSTS = "SELECT id, cost_breakdown FROM return_orders WHERE account_id = $1 AND id IN ($2)";
    SET_REFUNDED_BEFORE = "UPDATE orders SET refunded_before = $3 WHERE account_id = $1 AND id = $2";
}

/// What the row of an order says of its money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderMoney {
    /// Which order.
    pub order: OrderId,
    /// What the shop says.
    pub sums: OrderSums,
    /// See [`Ledger::refunded_before`].
    pub refunded_before: i64,
    /// Why a person decides about the order's returns.
    pub review: Option<OrderReview>,
}

impl OrderMoney {
    /// Whether nothing is known that could limit or stop a refund.
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

/// What an order's row says; `None` where there is no such order.
pub async fn find(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Option<OrderMoney>> {
    let row: Option<MoneyRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(order.0).fetch_optional(&mut **c).await?);
    row.map(MoneyRow::money).transpose()
}

/// The same of the order that a purchase is of, and holds it until the transaction ends.
pub async fn hold(mut db: Db<'_>, account: AccountId, purchase: PurchaseId) -> Result<Option<OrderMoney>> {
    let mut rows: Vec<MoneyRow> =
        on!(&mut db, c => sqlx::query_as(HOLD).bind(account.0).bind(purchase.0).fetch_all(&mut **c).await?);
    rows.pop().map(MoneyRow::money).transpose()
}

/// The ledger of an order with all of its returns but one: what that one promises is the caller's to add.
pub async fn of_others(
    mut db: Db<'_>,
    account: AccountId,
    money: &OrderMoney,
    except: Option<ReturnOrderId>,
) -> Result<Ledger> {
    type RequestRow = (Uuid, Uuid, i64, String, String);
    let except = except.map_or_else(Uuid::nil, |id| id.0);
    let requests: Vec<RequestRow> = on!(&mut db, c => sqlx::query_as(LIST_REQUESTS)
        .bind(account.0)
        .bind(money.order.0)
        .bind(except)
        .fetch_all(&mut **c).await?);
    let OrderMoney { sums, refunded_before, .. } = *money;
    let mut ledger = Ledger { sums, refunded_before, ..Ledger::default() };
    let mut claims: BTreeMap<Uuid, Vec<(PurchaseId, bool)>> = BTreeMap::new();
    for (return_order, purchase, value, resolution, stage) in requests {
        let stage = named("return_requests.stage", StageName::parse(&stage))?;
        let is_approved = stage.is_approved();
        claims.entry(return_order).or_default().push((PurchaseId(purchase), is_approved));
        if is_approved && resolution == Resolution::Refund.name() {
            ledger.approved = ledger.approved.saturating_add(value);
        }
    }
    let ids: Vec<ReturnOrderId> = claims.keys().map(|id| ReturnOrderId(*id)).collect();
    for Row { id, cost_breakdown } in select_of!(&mut db, LIST_COSTS, account, ids) {
        let costs: CostBreakdown = from_json("return_orders.cost_breakdown", &cost_breakdown)?;
        for (purchase, is_approved) in claims.get(&id).into_iter().flatten() {
            ledger.add(costs.claim_of(*purchase).whole(), *is_approved);
        }
    }
    Ok(ledger)
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    cost_breakdown: String,
}

/// Notes what the shop has given back so far, as the next refund is approved.
pub async fn set_refunded_before(mut db: Db<'_>, account: AccountId, order: OrderId, amount: i64) -> Result<()> {
    execute!(db, sqlx::query(SET_REFUNDED_BEFORE).bind(account.0).bind(order.0).bind(amount));
    Ok(())
}
