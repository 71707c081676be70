//! Drafts of return orders.

use crate::{
    engine::{
        Db, Result,
        stored::{from_json, named, to_json},
    },
    lists::{self, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
};
use domain::{
    AccountId, ConsumerId, DraftReturnOrderId, ReturnOrderId, ShippingOptionId, Timestamp,
    returning::{DraftReturnOrder, DraftStatus},
};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "seq, id, consumer_id, status, items, shipping_option_id, cost_breakdown, created_at, updated_at, expires_at"
    };
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", (SELECT r.id FROM return_orders r WHERE r.account_id = draft_return_orders.account_id \
             AND r.draft_return_order_id = draft_return_orders.id) AS return_order_id FROM draft_return_orders ",
            $rest
        )
    };
}

statements! {
    in drafts;
    INSERT = "INSERT INTO draft_return_orders
        (account_id, id, consumer_id, status, items, shipping_option_id, cost_breakdown, created_at, updated_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    FIND = select!("WHERE account_id = $1 AND consumer_id = $2 AND id = $3");
    FIND_OF_ANYONE = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_IDS = select!("WHERE account_id = $1 AND id IN ($2)");
    LIST_OF_CONSUMER = select!("WHERE account_id = $1 AND consumer_id = $2 ORDER BY seq");
    AMEND = "UPDATE draft_return_orders SET items = $3, cost_breakdown = $4, updated_at = $5 WHERE account_id = $1 AND id = $2";
    KEEP_ITEMS = "UPDATE draft_return_orders SET items = $3 WHERE account_id = $1 AND id = $2";
    REJECT = "UPDATE draft_return_orders SET status = 'Rejected', updated_at = $3
        WHERE account_id = $1 AND id = $2 AND status = 'Open'";
    EXTEND = "UPDATE draft_return_orders SET expires_at = $3, updated_at = $4
        WHERE account_id = $1 AND id = $2 AND status = 'Open' AND expires_at > $4";
    /// Marks expired drafts, so that lists can be filtered by the status.
    PRUNE_OPEN = "UPDATE draft_return_orders SET status = 'Expired' WHERE (account_id, id) IN
        (SELECT account_id, id FROM draft_return_orders WHERE status = 'Open' AND expires_at <= $1 ORDER BY expires_at LIMIT 500)";
    SET_SHIPPING_OPTION = "UPDATE draft_return_orders SET shipping_option_id = $4, cost_breakdown = $5, updated_at = $6
        WHERE account_id = $1 AND consumer_id = $2 AND id = $3 AND status = $7";
    /// A draft that was not submitted has no use once its prices have expired, and may hold a consumer's words.
    PRUNE = "DELETE FROM draft_return_orders WHERE (account_id, id) IN (SELECT account_id, id FROM draft_return_orders
        WHERE status <> 'Accepted' AND expires_at <= $1 ORDER BY expires_at LIMIT 500)";
    /// Of two submits of one draft, the second waits here and then finds it accepted. The return order is inserted
    /// after this.
    ACCEPT = concat!("UPDATE draft_return_orders SET status = 'Accepted', updated_at = $4
        WHERE account_id = $1 AND consumer_id = $2 AND id = $3 AND status = 'Open' RETURNING ", columns!(), ", NULL AS return_order_id");
}

#[derive(sqlx::FromRow)]
struct DraftRow {
    seq: i64,
    id: Uuid,
    consumer_id: Uuid,
    status: String,
    items: String,
    shipping_option_id: Option<Uuid>,
    cost_breakdown: String,
    created_at: i64,
    updated_at: i64,
    expires_at: i64,
    return_order_id: Option<Uuid>,
}

impl DraftRow {
    fn draft(self) -> Result<DraftReturnOrder> {
        Ok(DraftReturnOrder {
            id: DraftReturnOrderId(self.id),
            consumer_id: ConsumerId(self.consumer_id),
            status: named("draft_return_orders.status", DraftStatus::from_name(&self.status))?,
            return_order_id: self.return_order_id.map(ReturnOrderId),
            items: from_json("draft_return_orders.items", &self.items)?,
            shipping_option_id: self.shipping_option_id.map(ShippingOptionId),
            cost_breakdown: from_json("draft_return_orders.cost_breakdown", &self.cost_breakdown)?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            expires_at: Timestamp::from_micros(self.expires_at),
        })
    }
}

/// Inserts a draft.
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

/// The draft of that id, if it belongs to the consumer.
pub async fn find(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    id: DraftReturnOrderId,
) -> Result<Option<DraftReturnOrder>> {
    let row: Option<DraftRow> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(consumer.0)
        .bind(id.0)
        .fetch_optional(&mut **c).await?);
    row.map(DraftRow::draft).transpose()
}

/// The draft of that id, of any consumer.
pub async fn find_of_anyone(
    mut db: Db<'_>,
    account: AccountId,
    id: DraftReturnOrderId,
) -> Result<Option<DraftReturnOrder>> {
    let row: Option<DraftRow> =
        on!(&mut db, c => sqlx::query_as(FIND_OF_ANYONE).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(DraftRow::draft).transpose()
}

/// The drafts of these ids.
pub async fn list_of_ids(
    mut db: Db<'_>,
    account: AccountId,
    ids: &[DraftReturnOrderId],
) -> Result<Vec<DraftReturnOrder>> {
    let rows: Vec<DraftRow> = select_of!(&mut db, LIST_OF_IDS, account, ids);
    rows.into_iter().map(DraftRow::draft).collect()
}

/// Every draft of a consumer, oldest first.
pub async fn list_of_consumer(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
) -> Result<Vec<DraftReturnOrder>> {
    let rows: Vec<DraftRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_CONSUMER)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(DraftRow::draft).collect()
}

/// Updates a draft's items.
pub async fn keep_items(mut db: Db<'_>, account: AccountId, draft: &DraftReturnOrder) -> Result<()> {
    execute!(db, sqlx::query(KEEP_ITEMS).bind(account.0).bind(draft.id.0).bind(to_json(&draft.items)));
    Ok(())
}

/// The list of drafts.
pub static LIST: List = List {
    name: "draft-return-orders",
    select: select!(""),
    table: "draft_return_orders",
    alias: "",
    key: "id",
    fields: &[
        Field { name: "consumerId", kind: FieldKind::Id, column: "consumer_id" },
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "status" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
    ],
    sorts_by_update: false,
    search: Some(lists::BY_CONSUMER),
};

fn statuses() -> Vec<&'static str> {
    DraftStatus::all().iter().map(|status| status.name()).collect()
}

/// The drafts of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<DraftReturnOrder>> {
    lists::fetch(db, &LIST, account, listing, |row: &DraftRow| listing.cursor(row.seq, 0), DraftRow::draft).await
}

/// Rejects an open draft; `false` if it is not open.
pub async fn reject(mut db: Db<'_>, account: AccountId, id: DraftReturnOrderId, now: Timestamp) -> Result<bool> {
    let rows = execute!(db, sqlx::query(REJECT).bind(account.0).bind(id.0).bind(now.micros()));
    Ok(rows == 1)
}

/// Keeps an open draft until a moment; `false` if it is no longer open.
pub async fn extend(
    mut db: Db<'_>,
    account: AccountId,
    id: DraftReturnOrderId,
    until: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let rows = execute!(db, sqlx::query(EXTEND).bind(account.0).bind(id.0).bind(until.micros()).bind(now.micros()));
    Ok(rows == 1)
}

/// Marks some open drafts of every account as expired, once their prices have expired; returns how many.
pub async fn expire(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE_OPEN).bind(now.micros())))
}

/// Updates a draft's shipping option and costs; `false` if its status has changed.
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
            .bind(draft.status.name())
    );
    Ok(rows == 1)
}

/// Updates the items and costs of a draft that was submitted.
pub async fn amend(mut db: Db<'_>, account: AccountId, draft: &DraftReturnOrder) -> Result<()> {
    execute!(
        db,
        sqlx::query(AMEND)
            .bind(account.0)
            .bind(draft.id.0)
            .bind(to_json(&draft.items))
            .bind(to_json(&draft.cost_breakdown))
            .bind(draft.updated_at.micros())
    );
    Ok(())
}

/// Accepts an open draft; `None` if it is not open, so that only one submit continues.
pub async fn accept(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    id: DraftReturnOrderId,
    now: Timestamp,
) -> Result<Option<DraftReturnOrder>> {
    let row: Option<DraftRow> = on!(&mut db, c => sqlx::query_as(ACCEPT)
        .bind(account.0)
        .bind(consumer.0)
        .bind(id.0)
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    row.map(DraftRow::draft).transpose()
}

/// Deletes some drafts of every account whose prices expired before a moment; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(before.micros())))
}
