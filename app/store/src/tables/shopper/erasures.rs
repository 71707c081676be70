//! Erasures (`DELETE /consumers/<id>`): names, addresses and texts are removed, amounts and stages stay.

use crate::{
    engine::{
        Db, Result,
        batches::ROWS_AT_ONCE,
        stored::from_json,
        template::{SqlTemplate, push_list},
    },
    tables::{
        returning::{evidence, return_order_notes, return_orders},
        service::files,
        shopper::consumers::Consumer,
        work::{parcel_tasks, shop_returns},
    },
};
use domain::{
    AccountId, ConsumerId, OrderId, ReturnOrderId, Timestamp,
    proof::{EmailKey, OrderNumberKey, ProofKey},
    shipping::ParcelLabel,
};
use uuid::Uuid;

statements! {
    in erasures;
    /// A repeated request starts again: orders that were placed since are scrubbed as well.
    INSERT = "INSERT INTO erasures (account_id, email_hash, consumer_id, requested_at, completed_at) VALUES ($1, $2, $3, $4, NULL)
        ON CONFLICT (account_id, email_hash) DO UPDATE
        SET consumer_id = excluded.consumer_id, requested_at = excluded.requested_at, completed_at = NULL";
    COMPLETE = "UPDATE erasures SET completed_at = $3 WHERE account_id = $1 AND email_hash = $2";
    /// Without people who have an open return: they would fill the limit. By consumer, as in `COUNT_OPEN` of return
    /// orders.
    PRUNE_PENDING = "SELECT e.account_id, e.consumer_id, e.email_hash FROM erasures e WHERE e.completed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM return_orders o WHERE o.account_id = e.account_id AND o.consumer_id = e.consumer_id
            AND o.status || '' IN ('Requested', 'AwaitingPayment', 'Open')) ORDER BY e.requested_at LIMIT 100";
    COUNT_ERASED = "SELECT COUNT(*) FROM consumers WHERE account_id = $1 AND id = $2 AND erased_at IS NOT NULL";
    FIND = "SELECT email_hash, requested_at FROM erasures WHERE account_id = $1 AND completed_at IS NOT NULL
        AND email_hash IN ($2)";
    /// Changes when an erasure completes.
    STATE = "SELECT COUNT(*) + COALESCE(MAX(completed_at), 0) FROM erasures WHERE account_id = $1";
    /// Whether there is any: reads at most one row.
    COUNT_SOME = "SELECT COUNT(*) FROM (SELECT 1 FROM erasures WHERE account_id = $1 LIMIT 1) AS first";

    /// The new key cannot be proved.
    SCRUB_CONSUMER = "UPDATE consumers SET email = '', address = '{}', proof_key = $3, email_key = '', name_key = '',
        last_name_key = '', erased_at = $4 WHERE account_id = $1 AND id = $2";
    SCRUB_TOKENS = "DELETE FROM consumer_tokens WHERE account_id = $1 AND consumer_id = $2";
    ORDERS_OF_EMAIL = "SELECT id, external_id, number_key, postal_code_key FROM orders
        WHERE account_id = $1 AND email_key IN ($2, $3)";
    ORDERS_OF_POSTAL_CODE = "SELECT id, external_id, number_key, postal_code_key FROM orders
        WHERE account_id = $1 AND number_key = $2 AND postal_code_key = $3";
    ORDERS_OF_ID = "SELECT id, external_id, number_key, postal_code_key FROM orders WHERE account_id = $1 AND id = $2";
    /// Orders that the consumer returned units of, under any e-mail address that the shop has now.
    ORDERS_OF_RETURNS = "SELECT id, external_id, number_key, postal_code_key FROM orders
        WHERE account_id = $1 AND id IN (SELECT p.order_id FROM return_requests r JOIN purchases p
            ON p.account_id = r.account_id AND p.id = r.purchase_id WHERE r.account_id = $1 AND r.consumer_id = $2)";
    SCRUB_ORDER = "UPDATE orders SET email = '', email_key = '', postal_code_key = '', billing_postal_code = '',
        address = '{}', name_key = '', last_name_key = '' WHERE account_id = $1 AND id = $2";
    /// Marks a scrubbed order, as a completed erasure without a consumer.
    KEEP_OUT = "INSERT INTO erasures (account_id, email_hash, consumer_id, requested_at, completed_at) VALUES ($1, $2, $3, $4, $4)
        ON CONFLICT (account_id, email_hash) DO UPDATE
        SET requested_at = excluded.requested_at, completed_at = excluded.completed_at";
    SCRUB_SHIPMENTS = "UPDATE shipments SET sender = '{}', error_message = '', tracking_number = '', tracking_url = '',
        label = CASE WHEN label = '{\"by\":\"own\"}' THEN label ELSE '{\"by\":\"carrier\"}' END, label_barcode = CASE WHEN label_barcode = sscc THEN sscc ELSE '' END
        WHERE account_id = $1 AND return_order_id = $2";
    SCRUB_TRACKING = "DELETE FROM tracking_updates WHERE account_id = $1
        AND shipment_id IN (SELECT id FROM shipments WHERE account_id = $1 AND return_order_id = $2)";
    SCRUB_TIMELINE = "UPDATE timeline_entries SET comment = '' WHERE account_id = $1 AND return_order_id = $2";
    LABELS_OF_RETURN_ORDER = "SELECT label FROM shipments WHERE account_id = $1 AND return_order_id = $2";
    EVIDENCE_OF_RETURN_ORDER = "SELECT id FROM evidence WHERE account_id = $1 AND return_request_id IN
        (SELECT id FROM return_requests WHERE account_id = $1 AND return_order_id = $2)";
    /// Stored responses, which are at most a day old: those about this person contain the id of the consumer or of one
    /// of their returns.
    SCRUB_ANSWERS = "UPDATE idempotency_keys SET body = '{}' WHERE account_id = $1 AND body LIKE $2";
    /// Sessions of browsers that have identified the consumer.
    SCRUB_SESSIONS = "DELETE FROM sessions WHERE data LIKE $1";
    /// Forms in sessions without a consumer. An identified consumer has already submitted theirs.
    SCRUB_SESSIONS_OF_STRANGERS = "DELETE FROM sessions
        WHERE LOWER(data) LIKE $1 ESCAPE '!' AND data NOT LIKE '%\"shopper\":{%'";
}

/// Records the request for an erasure.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    email_hash: &[u8],
    consumer: ConsumerId,
    now: Timestamp,
) -> Result<()> {
    execute!(db, sqlx::query(INSERT).bind(account.0).bind(email_hash).bind(consumer.0).bind(now.micros()));
    Ok(())
}

/// Marks a scrubbed order, so that a later report of it does not store the buyer again.
pub async fn keep_out(mut db: Db<'_>, account: AccountId, order_hash: &[u8], now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(KEEP_OUT).bind(account.0).bind(order_hash).bind(Uuid::nil()).bind(now.micros()));
    Ok(())
}

/// Records that an erasure is complete.
pub async fn complete(mut db: Db<'_>, account: AccountId, email_hash: &[u8], now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(COMPLETE).bind(account.0).bind(email_hash).bind(now.micros()));
    Ok(())
}

/// An erasure that has not been carried out.
#[derive(Debug, Clone)]
pub struct PendingErasure {
    pub account: AccountId,
    /// One of the consumers with the e-mail address.
    pub consumer: ConsumerId,
    /// The key of the erasure.
    pub email_hash: Vec<u8>,
}

/// Some pending erasures of every account that no open return delays.
pub async fn list_pending(mut db: Db<'_>) -> Result<Vec<PendingErasure>> {
    let rows: Vec<(Uuid, Uuid, Vec<u8>)> = on!(&mut db, c => sqlx::query_as(PRUNE_PENDING).fetch_all(&mut **c).await?);
    let pending = |(account, consumer, email_hash)| PendingErasure {
        account: AccountId(account),
        consumer: ConsumerId(consumer),
        email_hash,
    };
    Ok(rows.into_iter().map(pending).collect())
}

/// A number that changes when an erasure completes.
pub async fn state(mut db: Db<'_>, account: AccountId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(STATE).bind(account.0).fetch_one(&mut **c).await?))
}

/// Whether a consumer was erased.
pub async fn is_erased(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<bool> {
    let erased: i64 =
        on!(&mut db, c => sqlx::query_scalar(COUNT_ERASED).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(erased > 0)
}

/// Whether an account has any erasure.
pub async fn has_any(mut db: Db<'_>, account: AccountId) -> Result<bool> {
    let some: i64 = on!(&mut db, c => sqlx::query_scalar(COUNT_SOME).bind(account.0).fetch_one(&mut **c).await?);
    Ok(some > 0)
}

/// The completed erasures of these people, and when they were requested.
pub async fn find(mut db: Db<'_>, account: AccountId, hashes: &[Vec<u8>]) -> Result<Vec<(Vec<u8>, Timestamp)>> {
    let mut found = Vec::new();
    let template = const { SqlTemplate::parse(FIND) };
    for chunk in hashes.chunks(ROWS_AT_ONCE) {
        let rows: Vec<(Vec<u8>, i64)> = on!(&mut db, c => {
                   let mut query = template.query(|query, number| {
        match number {
        1 => query.push_bind(account.0),
        _ => push_list(query, chunk.iter().map(Vec::as_slice)),
        };
        });
                   query.build_query_as().fetch_all(&mut **c).await?
               });
        found.extend(rows.into_iter().map(|(hash, at)| (hash, Timestamp::from_micros(at))));
    }
    Ok(found)
}

/// Removes a consumer's personal data from everything that contains their id, except orders.
pub async fn scrub_consumer(mut db: Db<'_>, account: AccountId, consumer: &Consumer, now: Timestamp) -> Result<()> {
    let id = consumer.id;
    let proof = format!("erased:{id}");
    execute!(db, sqlx::query(SCRUB_CONSUMER).bind(account.0).bind(id.0).bind(proof).bind(now.micros()));
    execute!(db, sqlx::query(SCRUB_TOKENS).bind(account.0).bind(id.0));
    execute!(db, sqlx::query(SCRUB_SESSIONS).bind(format!("%{id}%")));
    scrub_answers(db, account, id.0).await
}

/// Empties stored responses that contain this id.
pub async fn scrub_answers(mut db: Db<'_>, account: AccountId, id: Uuid) -> Result<()> {
    execute!(db, sqlx::query(SCRUB_ANSWERS).bind(account.0).bind(format!("%{id}%")));
    Ok(())
}

/// A scrubbed order, with what identified it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ScrubbedOrder {
    id: Uuid,
    /// The shop's id.
    pub external_id: String,
    /// Its number in the form in which it is compared.
    pub number_key: String,
    /// The postal code that proved it; may be empty.
    pub postal_code_key: String,
}

/// Removes the buyer from the orders of an e-mail address; returns the orders.
pub async fn scrub_orders_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<Vec<ScrubbedOrder>> {
    let [ascii, own] = email.spellings();
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_EMAIL)
        .bind(account.0)
        .bind(&ascii)
        .bind(&own)
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

/// Deletes sessions without a consumer in whose forms an e-mail address was typed.
pub async fn scrub_forms(mut db: Db<'_>, email: &EmailKey) -> Result<()> {
    // A text that is no address could be in any form.
    if email.as_str().contains('@') {
        for spelling in email.spellings() {
            let escaped = spelling.replace('!', "!!").replace('%', "!%").replace('_', "!_");
            execute!(db, sqlx::query(SCRUB_SESSIONS_OF_STRANGERS).bind(format!("%{escaped}%")));
        }
    }
    Ok(())
}

/// Removes the buyer from an order that was proved by its postal code; returns the order.
pub async fn scrub_orders_of_postal_code(
    mut db: Db<'_>,
    account: AccountId,
    number: &OrderNumberKey,
    code: &ProofKey,
) -> Result<Vec<ScrubbedOrder>> {
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_POSTAL_CODE)
        .bind(account.0)
        .bind(number.as_str())
        .bind(code.as_str())
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

/// Removes the buyer from the orders that a consumer returned units of; returns the orders.
pub async fn scrub_orders_of_returns(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
) -> Result<Vec<ScrubbedOrder>> {
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_RETURNS)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

/// Removes the buyer from an order; returns the order, if it exists.
pub async fn scrub_order(mut db: Db<'_>, account: AccountId, order: OrderId) -> Result<Vec<ScrubbedOrder>> {
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_ID)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

async fn scrub_orders(
    mut db: Db<'_>,
    account: AccountId,
    mut orders: Vec<ScrubbedOrder>,
) -> Result<Vec<ScrubbedOrder>> {
    orders.sort_unstable_by_key(|order| order.id); // transactions that lock several orders use this order
    for order in &orders {
        execute!(db, sqlx::query(SCRUB_ORDER).bind(account.0).bind(order.id));
    }
    Ok(orders)
}

/// Removes from a return order what people wrote, the sender, the labels and the evidence, and discards the files.
pub async fn scrub_return_order(mut db: Db<'_>, account: AccountId, id: ReturnOrderId) -> Result<()> {
    let labels: Vec<String> = on!(&mut db, c => sqlx::query_scalar(LABELS_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(id.0)
        .fetch_all(&mut **c).await?);
    for label in labels {
        let label: ParcelLabel = from_json("shipments.label", &label)?;
        if let Some(file) = label.file() {
            files::discard(db.reborrow(), account, file.id).await?;
        }
    }
    parcel_tasks::forget(db.reborrow(), account, id).await?;
    shop_returns::forget(db.reborrow(), account, id).await?;
    for sql in [SCRUB_SHIPMENTS, SCRUB_TRACKING, SCRUB_TIMELINE] {
        execute!(db, sqlx::query(sql).bind(account.0).bind(id.0));
    }
    return_order_notes::scrub(db.reborrow(), account, id).await?;
    return_orders::scrub_flags(db.reborrow(), account, id).await?;
    let files: Vec<Uuid> = on!(&mut db, c => sqlx::query_scalar(EVIDENCE_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(id.0)
        .fetch_all(&mut **c).await?);
    for file in files {
        evidence::delete(db.reborrow(), account, domain::EvidenceId(file)).await?;
    }
    scrub_answers(db, account, id.0).await
}
