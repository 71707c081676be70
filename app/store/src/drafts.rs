//! Returns that are being put together.

use crate::{
    Db, Result,
    macros::{from_json, named, to_json},
};
use domain::{
    AccountId, ConsumerId, DraftReturnOrderId, ShippingOptionId, Timestamp, returning::DraftReturnOrder,
    status::DraftStatus,
};
use uuid::Uuid;

statements! {
    INSERT = "INSERT INTO draft_return_orders
        (account_id, id, consumer_id, status, items, shipping_option_id, cost_breakdown, created_at, updated_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    FIND = "SELECT id, consumer_id, status, items, shipping_option_id, cost_breakdown, created_at, updated_at, expires_at
        FROM draft_return_orders WHERE account_id = $1 AND consumer_id = $2 AND id = $3";
    SET_SHIPPING_OPTION = "UPDATE draft_return_orders SET shipping_option_id = $4, cost_breakdown = $5, updated_at = $6
        WHERE account_id = $1 AND consumer_id = $2 AND id = $3 AND status = 'Open'";
    /// A draft that was not submitted is of no use once its figures are old, and may hold a consumer's words.
    PRUNE = "DELETE FROM draft_return_orders WHERE seq IN
        (SELECT seq FROM draft_return_orders WHERE status <> 'Accepted' AND expires_at <= $1 LIMIT 1000)";
    /// Of two submits of one draft, the second waits here and then finds it accepted.
    ACCEPT = "UPDATE draft_return_orders SET status = 'Accepted', updated_at = $4
        WHERE account_id = $1 AND consumer_id = $2 AND id = $3 AND status = 'Open'";
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    consumer_id: Uuid,
    status: String,
    items: String,
    shipping_option_id: Option<Uuid>,
    cost_breakdown: String,
    created_at: i64,
    updated_at: i64,
    expires_at: i64,
}

impl Row {
    fn draft(self) -> Result<DraftReturnOrder> {
        Ok(DraftReturnOrder {
            id: DraftReturnOrderId(self.id),
            consumer_id: ConsumerId(self.consumer_id),
            status: named("draft_return_orders.status", DraftStatus::from_name(&self.status))?,
            items: from_json("draft_return_orders.items", &self.items)?,
            shipping_option_id: self.shipping_option_id.map(ShippingOptionId),
            cost_breakdown: from_json("draft_return_orders.cost_breakdown", &self.cost_breakdown)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            expires_at: Timestamp::from_micros(self.expires_at),
        })
    }
}

/// Keeps a new draft.
pub async fn insert(mut db: Db<'_>, account: AccountId, draft: &DraftReturnOrder) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(draft.id.0)
            .bind(draft.consumer_id.0)
            .bind(draft.status.name())
            .bind(to_json(&draft.items))
            .bind(draft.shipping_option_id.map(|id| id.0))
            .bind(to_json(&draft.cost_breakdown))
            .bind(draft.created_at.micros())
            .bind(draft.updated_at.micros())
            .bind(draft.expires_at.micros())
    );
    Ok(())
}

/// A consumer's draft.
pub async fn find(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    id: DraftReturnOrderId,
) -> Result<Option<DraftReturnOrder>> {
    let row: Option<Row> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(consumer.0)
        .bind(id.0)
        .fetch_optional(&mut **c).await?);
    row.map(Row::draft).transpose()
}

/// Keeps a draft's way of sending and its new costs; `false` when it is no longer open.
pub async fn set_shipping_option(mut db: Db<'_>, account: AccountId, draft: &DraftReturnOrder) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(SET_SHIPPING_OPTION)
            .bind(account.0)
            .bind(draft.consumer_id.0)
            .bind(draft.id.0)
            .bind(draft.shipping_option_id.map(|id| id.0))
            .bind(to_json(&draft.cost_breakdown))
            .bind(draft.updated_at.micros())
    );
    Ok(rows == 1)
}

/// Marks an open draft as submitted; `false` when it is not open, so that only one submit goes on.
pub async fn accept(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    id: DraftReturnOrderId,
    now: Timestamp,
) -> Result<bool> {
    let rows = execute!(db, sqlx::query(ACCEPT).bind(account.0).bind(consumer.0).bind(id.0).bind(now.micros()));
    Ok(rows == 1)
}

/// Forgets drafts, of every account, whose figures stopped holding before a moment.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
