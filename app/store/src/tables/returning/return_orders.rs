//! Return orders.

use crate::{
    engine::{
        Db, Result,
        stored::{from_json, named, to_json},
        template::{SqlTemplate, push_list},
    },
    lists::{
        self, Counted, Field, FieldKind, List, Listing, SequenceColumn,
        page::{Page, Rows},
    },
    tables::returning::related,
};
use domain::{
    AccountId, ConsumerId, DraftReturnOrderId, ReturnOrderId, Timestamp, UserId,
    proof::order_number::compared,
    returning::{ReturnOrder, ReturnOrderStatus, ReturnSource},
};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "seq, changed, id, number, consumer_id, draft_return_order_id, status, payment, order_numbers, shipping_option, \
         cost_breakdown, assignee_id, flags, leave_out_of_bulk, source, created_at, updated_at, version"
    };
}
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM return_orders ", $rest)
    };
}

statements! {
    in return_orders;
    /// Inserts nothing if the number is taken: the caller tries another.
    INSERT = "INSERT INTO return_orders
        (account_id, id, number, consumer_id, draft_return_order_id, status, payment_status, order_numbers,
         shipping_option, cost_breakdown, source, created_at, updated_at, version, order_number_key, payment, changed)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, (SELECT number FROM next_change))
        ON CONFLICT (account_id, number) DO NOTHING";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_IDS = select!("WHERE account_id = $1 AND id IN ($2)");
    FIND_BY_DRAFT = select!("WHERE account_id = $1 AND draft_return_order_id = $2");
    LIST_BY_NUMBER = select!("WHERE account_id = $1 AND number IN ($2)");
    /// The newest returns of an order number.
    LIST_BY_ORDER_NUMBER = select!("WHERE account_id = $1 AND order_number_key IN ($2) ORDER BY +seq DESC LIMIT 20");
    LIST_BY_CONSUMER = select!("WHERE account_id = $1 AND consumer_id = $2 AND seq < $3 ORDER BY seq DESC LIMIT $4 OFFSET $5");
    /// `status || ''` keeps SQLite, which has no statistics, from reading all open return orders of the account by the
    /// index on the status.
    COUNT_OPEN = "SELECT COUNT(*) FROM return_orders
        WHERE account_id = $1 AND consumer_id = $2 AND status || '' IN ('Requested', 'AwaitingPayment', 'Open')";
    HAS_ANY = "SELECT CAST(CASE WHEN EXISTS (SELECT 1 FROM return_orders WHERE account_id = $1) THEN 1 ELSE 0 END AS BIGINT)";
    LIST_ALL_OF_CONSUMER = select!("WHERE account_id = $1 AND consumer_id = $2 ORDER BY seq");
    /// Locks the row until the transaction ends, on both databases: other changes of this return wait.
    LOCK = concat!(
        "UPDATE return_orders SET version = version WHERE account_id = $1 AND id = $2 RETURNING ", columns!()
    );
    /// The same for all returns of a consumer.
    LOCK_OF_CONSUMER = "UPDATE return_orders SET version = version WHERE account_id = $1 AND consumer_id = $2";
    /// Only if the version is still the one that was read.
    SET_HANDLING = "UPDATE return_orders SET assignee_id = $3, flags = $4, leave_out_of_bulk = $5, updated_at = $6,
        version = version + 1, changed = (SELECT number FROM next_change)
        WHERE account_id = $1 AND id = $2 AND version = $7";
    DELETE_FLAGS = "DELETE FROM return_order_flags WHERE account_id = $1 AND return_order_id = $2";
    INSERT_FLAG = "INSERT INTO return_order_flags (account_id, flag, return_order_id) VALUES ($1, $2, $3)";
    /// The flags are words that people wrote.
    SCRUB_FLAGS = "UPDATE return_orders SET flags = '[]' WHERE account_id = $1 AND id = $2";
    UNASSIGN = "UPDATE return_orders SET assignee_id = NULL, version = version + 1 WHERE account_id = $1 AND assignee_id = $2";
    /// The caller has locked the row, and updates the rest of it.
    SET_SHIPPING_OPTION = "UPDATE return_orders SET shipping_option = $3 WHERE account_id = $1 AND id = $2";
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE return_orders SET status = $3, payment_status = $4, updated_at = $5, cost_breakdown = $7,
        payment = $8, version = version + 1, changed = (SELECT number FROM next_change)
        WHERE account_id = $1 AND id = $2 AND version = $6";
}

#[derive(sqlx::FromRow)]
struct ReturnOrderRow {
    seq: i64,
    changed: i64,
    id: Uuid,
    number: String,
    consumer_id: Uuid,
    draft_return_order_id: Uuid,
    status: String,
    payment: Option<String>,
    order_numbers: String,
    shipping_option: Option<String>,
    cost_breakdown: String,
    assignee_id: Option<Uuid>,
    flags: String,
    leave_out_of_bulk: bool,
    source: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl ReturnOrderRow {
    fn return_order(self) -> Result<ReturnOrder> {
        let (option, payment) = (self.shipping_option.as_deref(), self.payment.as_deref());
        Ok(ReturnOrder {
            id: ReturnOrderId(self.id),
            number: self.number,
            consumer_id: ConsumerId(self.consumer_id),
            draft_return_order_id: DraftReturnOrderId(self.draft_return_order_id),
            status: named("return_orders.status", ReturnOrderStatus::from_name(&self.status))?,
            payment: payment.map(|text| from_json("return_orders.payment", text)).transpose()?,
            order_numbers: from_json("return_orders.order_numbers", &self.order_numbers)?,
            shipping_option: option.map(|text| from_json("return_orders.shipping_option", text)).transpose()?,
            cost_breakdown: from_json("return_orders.cost_breakdown", &self.cost_breakdown)?,
            assignee_id: self.assignee_id.map(UserId),
            flags: from_json("return_orders.flags", &self.flags)?,
            leave_out_of_bulk: self.leave_out_of_bulk,
            source: named("return_orders.source", ReturnSource::from_name(&self.source))?,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// Inserts a return order; `false` if its number is taken.
pub async fn insert(mut db: Db<'_>, account: AccountId, order: &ReturnOrder) -> Result<bool> {
    // A consumer proved one order number: all orders of a return have it.
    let number_key = order.order_numbers.first().map(|number| compared(number)).unwrap_or_default();
    let rows = execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(order.id.0)
            .bind(&order.number)
            .bind(order.consumer_id.0)
            .bind(order.draft_return_order_id.0)
            .bind(order.status.name())
            .bind(order.payment_status().name())
            .bind(to_json(&order.order_numbers))
            .bind(order.shipping_option.as_ref().map(to_json))
            .bind(to_json(&order.cost_breakdown))
            .bind(order.source.name())
            .bind(order.created_at.micros())
            .bind(order.updated_at.micros())
            .bind(order.version)
            .bind(&number_key)
            .bind(order.payment.as_ref().map(to_json))
    );
    Ok(rows == 1)
}

/// The return order of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ReturnOrderId) -> Result<Option<ReturnOrder>> {
    let row: Option<ReturnOrderRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(ReturnOrderRow::return_order).transpose()
}

/// The return orders of these ids.
pub async fn list_of_ids(mut db: Db<'_>, account: AccountId, ids: &[ReturnOrderId]) -> Result<Vec<ReturnOrder>> {
    let rows: Vec<ReturnOrderRow> = select_of!(&mut db, LIST_OF_IDS, account, ids);
    rows.into_iter().map(ReturnOrderRow::return_order).collect()
}

/// Whether an account has any return order.
pub async fn has_any(mut db: Db<'_>, account: AccountId) -> Result<bool> {
    let has_any: i64 = on!(&mut db, c => sqlx::query_scalar(HAS_ANY).bind(account.0).fetch_one(&mut **c).await?);
    Ok(has_any == 1)
}

/// The return order that a draft became.
pub async fn find_by_draft(
    mut db: Db<'_>,
    account: AccountId,
    draft: DraftReturnOrderId,
) -> Result<Option<ReturnOrder>> {
    let row: Option<ReturnOrderRow> =
        on!(&mut db, c => sqlx::query_as(FIND_BY_DRAFT).bind(account.0).bind(draft.0).fetch_optional(&mut **c).await?);
    row.map(ReturnOrderRow::return_order).transpose()
}

/// The return orders with one of these numbers.
pub async fn list_by_numbers(db: Db<'_>, account: AccountId, numbers: &[String]) -> Result<Vec<ReturnOrder>> {
    list_by(db, account, const { SqlTemplate::parse(LIST_BY_NUMBER) }, numbers).await
}

/// The newest return orders of a sales order with one of these numbers, as they are compared.
pub async fn list_by_order_numbers(db: Db<'_>, account: AccountId, keys: &[String]) -> Result<Vec<ReturnOrder>> {
    list_by(db, account, const { SqlTemplate::parse(LIST_BY_ORDER_NUMBER) }, keys).await
}

async fn list_by(
    mut db: Db<'_>,
    account: AccountId,
    template: SqlTemplate,
    texts: &[String],
) -> Result<Vec<ReturnOrder>> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<ReturnOrderRow> = on!(&mut db, c => {
        let mut query = template.query(|query, number| {
            match number {
                1 => query.push_bind(account.0),
                _ => push_list(query, texts.iter().cloned()),
            };
        });
        query.build_query_as().fetch_all(&mut **c).await?
    });
    rows.into_iter().map(ReturnOrderRow::return_order).collect()
}

/// The list of return orders.
pub static LIST: List = List {
    name: "return-orders",
    select: select!(""),
    table: "return_orders",
    alias: "",
    key: "id",
    fields: &FIELDS,
    sorts_by_update: true,
    search: Some(lists::BY_CONSUMER),
};

const FIELDS: [Field; 20] = {
    let [carrier, country, shipping_option, source, gift, withdrawn, photos] = related::OF_ORDERS;
    let [stage, reason, resolution, sku] = related::OF_A_REQUEST;
    [
        Field { name: "number", kind: FieldKind::Text, column: "number" },
        Field { name: "purchaseOrderNumber", kind: FieldKind::OrderNumber, column: "order_number_key" },
        Field { name: "consumerId", kind: FieldKind::Id, column: "consumer_id" },
        Field { name: "status", kind: FieldKind::OneOf(statuses), column: "status" },
        Field { name: "assigneeId", kind: FieldKind::SharedId, column: "assignee_id" },
        related::FLAG,
        related::FLAGGED,
        stage,
        reason,
        resolution,
        sku,
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
        Field { name: "updatedAt", kind: FieldKind::Time(SequenceColumn::Changed), column: "updated_at" },
        carrier,
        country,
        shipping_option,
        source,
        gift,
        withdrawn,
        photos,
    ]
};

fn statuses() -> Vec<&'static str> {
    ReturnOrderStatus::all().iter().map(|status| status.name()).collect()
}

/// The return orders of an account.
pub async fn list(db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<ReturnOrder>> {
    let key = |row: &ReturnOrderRow| listing.cursor(row.seq, row.changed);
    lists::fetch(db, &LIST, account, listing, key, ReturnOrderRow::return_order).await
}

/// The number of an account's return orders, up to `most`.
pub async fn count_listed(db: Db<'_>, account: AccountId, listing: &Listing, most: i64) -> Result<Counted> {
    lists::count(db, &LIST, account, listing, most).await
}

/// A page of a consumer's return orders, newest first.
pub async fn list_by_consumer(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    page: Page,
) -> Result<Rows<ReturnOrder>> {
    let rows: Vec<ReturnOrderRow> = on!(&mut db, c => sqlx::query_as(LIST_BY_CONSUMER)
        .bind(account.0)
        .bind(consumer.0)
        .bind(page.after().unwrap_or(i64::MAX))
        .bind(page.fetch())
        .bind(page.skipped())
        .fetch_all(&mut **c).await?);
    page.cut(rows, |row| row.seq, ReturnOrderRow::return_order)
}

/// Every return order of a consumer, oldest first.
pub async fn list_all_of_consumer(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
) -> Result<Vec<ReturnOrder>> {
    let rows: Vec<ReturnOrderRow> = on!(&mut db, c => sqlx::query_as(LIST_ALL_OF_CONSUMER)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    rows.into_iter().map(ReturnOrderRow::return_order).collect()
}

/// Whether the consumer has an open return.
pub async fn has_open(mut db: Db<'_>, account: AccountId, consumer: ConsumerId) -> Result<bool> {
    let open: i64 =
        on!(&mut db, c => sqlx::query_scalar(COUNT_OPEN).bind(account.0).bind(consumer.0).fetch_one(&mut **c).await?);
    Ok(open > 0)
}

/// Locks a return order until the transaction ends, and reads it.
pub async fn lock(mut db: Db<'_>, account: AccountId, id: ReturnOrderId) -> Result<Option<ReturnOrder>> {
    let row: Option<ReturnOrderRow> =
        on!(&mut db, c => sqlx::query_as(LOCK).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(ReturnOrderRow::return_order).transpose()
}

/// The same for all returns of a consumer.
pub async fn lock_of_consumer(mut db: Db<'_>, account: AccountId, consumer: ConsumerId) -> Result<()> {
    execute!(db, sqlx::query(LOCK_OF_CONSUMER).bind(account.0).bind(consumer.0));
    Ok(())
}

/// Updates a return order's status, costs and payment; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, order: &ReturnOrder) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(order.id.0)
            .bind(order.status.name())
            .bind(order.payment_status().name())
            .bind(order.updated_at.micros())
            .bind(order.version)
            .bind(to_json(&order.cost_breakdown))
            .bind(order.payment.as_ref().map(to_json))
    );
    Ok(rows == 1)
}

/// Stores the shipping option of a return order, which the caller has locked and updates afterwards.
pub async fn set_shipping_option(mut db: Db<'_>, account: AccountId, order: &ReturnOrder) -> Result<()> {
    let option = order.shipping_option.as_ref().map(to_json);
    execute!(db, sqlx::query(SET_SHIPPING_OPTION).bind(account.0).bind(order.id.0).bind(option));
    Ok(())
}

/// Stores who has a return order, its flags, and whether changes of many leave it out; `false` if the return order was
/// changed since it was read.
pub async fn set_handling(mut db: Db<'_>, account: AccountId, order: &ReturnOrder) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(SET_HANDLING)
            .bind(account.0)
            .bind(order.id.0)
            .bind(order.assignee_id.map(|id| id.0))
            .bind(to_json(&order.flags))
            .bind(order.leave_out_of_bulk)
            .bind(order.updated_at.micros())
            .bind(order.version)
    );
    if rows == 0 {
        return Ok(false);
    }
    execute!(db, sqlx::query(DELETE_FLAGS).bind(account.0).bind(order.id.0));
    for flag in &order.flags {
        execute!(db, sqlx::query(INSERT_FLAG).bind(account.0).bind(flag).bind(order.id.0));
    }
    Ok(true)
}

/// Removes the flags of a return order.
pub async fn scrub_flags(mut db: Db<'_>, account: AccountId, id: ReturnOrderId) -> Result<()> {
    for sql in [SCRUB_FLAGS, DELETE_FLAGS] {
        execute!(db, sqlx::query(sql).bind(account.0).bind(id.0));
    }
    Ok(())
}

/// Takes all return orders from a user.
pub async fn unassign(mut db: Db<'_>, account: AccountId, user: UserId) -> Result<()> {
    execute!(db, sqlx::query(UNASSIGN).bind(account.0).bind(user.0));
    Ok(())
}
