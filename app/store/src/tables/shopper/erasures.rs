//! Forgetting people (design: `DELETE /consumers/<id>`): names, addresses and words go, amounts and stages stay.

use crate::{engine::{Db, Result, macros::from_json}, tables::{returning::evidence, service::files, shopper::consumers::Consumer, work::parcel_tasks}};
use domain::{
    AccountId, ConsumerId, ReturnOrderId, Timestamp,
    carrier::ParcelLabel,
    order::{EmailKey, OrderNumberKey, ProofKey},
};
use sqlx::QueryBuilder;
use uuid::Uuid;

statements! {
    /// Asked for again, it counts anew: orders placed since are forgotten as well.
    INSERT = "INSERT INTO erasures (account_id, email_hash, consumer_id, requested_at, completed_at) VALUES ($1, $2, $3, $4, NULL)
        ON CONFLICT (account_id, email_hash) DO UPDATE
        SET consumer_id = excluded.consumer_id, requested_at = excluded.requested_at, completed_at = NULL";
    COMPLETE = "UPDATE erasures SET completed_at = $3 WHERE account_id = $1 AND email_hash = $2";
    /// Not those whose return is still open: they would be in the way of the others. By consumer, as in `COUNT_OPEN`.
    PRUNE_PENDING = "SELECT e.account_id, e.consumer_id, e.email_hash FROM erasures e WHERE e.completed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM return_orders o WHERE o.account_id = e.account_id AND o.consumer_id = e.consumer_id
            AND o.status || '' IN ('Requested', 'AwaitingPayment', 'Open')) ORDER BY e.requested_at LIMIT 100";
    COUNT_ERASED = "SELECT COUNT(*) FROM consumers WHERE account_id = $1 AND id = $2 AND erased_at IS NOT NULL";
    FIND = "SELECT email_hash, requested_at FROM erasures WHERE account_id = $1 AND completed_at IS NOT NULL
        AND email_hash IN ($2)";
    /// Another one when somebody was forgotten meanwhile.
    STATE = "SELECT COUNT(*) + COALESCE(MAX(completed_at), 0) FROM erasures WHERE account_id = $1";
    /// Whether there is any: one row at most is looked at.
    COUNT_SOME = "SELECT COUNT(*) FROM (SELECT 1 FROM erasures WHERE account_id = $1 LIMIT 1) AS first";

    /// Nobody can prove it any more.
    SCRUB_CONSUMER = "UPDATE consumers SET email = '', address = '{}', proof_key = $3, email_key = '', name_key = '',
        last_name_key = '', erased_at = $4 WHERE account_id = $1 AND id = $2";
    SCRUB_TOKENS = "DELETE FROM consumer_tokens WHERE account_id = $1 AND consumer_id = $2";
    ORDERS_OF_EMAIL = "SELECT id, external_id, number_key, postal_code_key FROM orders
        WHERE account_id = $1 AND email_key IN ($2, $3)";
    ORDERS_OF_POSTAL_CODE = "SELECT id, external_id, number_key, postal_code_key FROM orders
        WHERE account_id = $1 AND number_key = $2 AND postal_code_key = $3";
    /// Orders that they returned something of, under whatever e-mail address the shop knows them now.
    ORDERS_OF_RETURNS = "SELECT id, external_id, number_key, postal_code_key FROM orders
        WHERE account_id = $1 AND id IN (SELECT p.order_id FROM return_requests r JOIN purchases p
            ON p.account_id = r.account_id AND p.id = r.purchase_id WHERE r.account_id = $1 AND r.consumer_id = $2)";
    SCRUB_ORDER = "UPDATE orders SET email = '', email_key = '', postal_code_key = '', billing_postal_code = '',
        address = '{}', name_key = '', last_name_key = '' WHERE account_id = $1 AND id = $2";
    /// What an emptied order is known by: nobody's request of its own, and done.
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
    /// Answers that clients may be given again, of one day at most: whatever is about this person bears their id, or
    /// that of one of their returns.
    SCRUB_ANSWERS = "UPDATE idempotency_keys SET body = '{}' WHERE account_id = $1 AND body LIKE $2";
    /// Browsers in which they are known.
    SCRUB_SESSIONS = "DELETE FROM sessions WHERE data LIKE $1";
    /// Forms of browsers that are known to nobody: who is known has sent theirs on.
    SCRUB_SESSIONS_OF_STRANGERS = "DELETE FROM sessions
        WHERE LOWER(data) LIKE $1 ESCAPE '!' AND data NOT LIKE '%\"shopper\":{%'";
}

/// Keeps that somebody asked to be forgotten.
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

/// Keeps what an emptied order is known by, so that nobody who tells of it again brings back whose it was.
pub async fn keep_out(mut db: Db<'_>, account: AccountId, order_hash: &[u8], now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(KEEP_OUT).bind(account.0).bind(order_hash).bind(Uuid::nil()).bind(now.micros()));
    Ok(())
}

/// Keeps that it was done.
pub async fn complete(mut db: Db<'_>, account: AccountId, email_hash: &[u8], now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(COMPLETE).bind(account.0).bind(email_hash).bind(now.micros()));
    Ok(())
}

/// Somebody who waits for their returns to end.
#[derive(Debug, Clone)]
pub struct Pending {
    /// Whose customer.
    pub account: AccountId,
    /// One of those who had the e-mail address.
    pub consumer: ConsumerId,
    /// What they are kept under.
    pub email_hash: Vec<u8>,
}

/// Some of those who wait no longer than for this, of every account.
pub async fn list_pending(mut db: Db<'_>) -> Result<Vec<Pending>> {
    let rows: Vec<(Uuid, Uuid, Vec<u8>)> = on!(&mut db, c => sqlx::query_as(PRUNE_PENDING).fetch_all(&mut **c).await?);
    let pending = |(account, consumer, email_hash)| Pending {
        account: AccountId(account),
        consumer: ConsumerId(consumer),
        email_hash,
    };
    Ok(rows.into_iter().map(pending).collect())
}

/// A number that is another one once somebody else was forgotten.
pub async fn state(mut db: Db<'_>, account: AccountId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(STATE).bind(account.0).fetch_one(&mut **c).await?))
}

/// Whether a consumer was forgotten.
pub async fn is_erased(mut db: Db<'_>, account: AccountId, id: ConsumerId) -> Result<bool> {
    let erased: i64 =
        on!(&mut db, c => sqlx::query_scalar(COUNT_ERASED).bind(account.0).bind(id.0).fetch_one(&mut **c).await?);
    Ok(erased > 0)
}

/// Whether anybody of an account asked to be forgotten.
pub async fn has_any(mut db: Db<'_>, account: AccountId) -> Result<bool> {
    let some: i64 = on!(&mut db, c => sqlx::query_scalar(COUNT_SOME).bind(account.0).fetch_one(&mut **c).await?);
    Ok(some > 0)
}

/// Which of these people asked to be forgotten, and when.
pub async fn find(mut db: Db<'_>, account: AccountId, hashes: &[Vec<u8>]) -> Result<Vec<(Vec<u8>, Timestamp)>> {
    let mut found = Vec::new();
    let (start, middle, end) = crate::engine::macros::around_parameters(FIND);
    for chunk in hashes.chunks(crate::engine::macros::ROWS_AT_ONCE) {
        let rows: Vec<(Vec<u8>, i64)> = on!(&mut db, c => {
            let mut query = QueryBuilder::new(start);
            query.push_bind(account.0).push(middle);
            let mut list = query.separated(", ");
            for hash in chunk {
                list.push_bind(hash.as_slice());
            }
            query.push(end);
            query.build_query_as().fetch_all(&mut **c).await?
        });
        found.extend(rows.into_iter().map(|(hash, at)| (hash, Timestamp::from_micros(at))));
    }
    Ok(found)
}

/// Forgets who a consumer was, in all that bears their id but orders.
pub async fn scrub_consumer(mut db: Db<'_>, account: AccountId, consumer: &Consumer, now: Timestamp) -> Result<()> {
    let id = consumer.id;
    let proof = format!("erased:{id}");
    execute!(db, sqlx::query(SCRUB_CONSUMER).bind(account.0).bind(id.0).bind(proof).bind(now.micros()));
    execute!(db, sqlx::query(SCRUB_TOKENS).bind(account.0).bind(id.0));
    execute!(db, sqlx::query(SCRUB_SESSIONS).bind(format!("%{id}%")));
    scrub_answers(db, account, id.0).await
}

/// Forgets answers in which this id stands.
pub async fn scrub_answers(mut db: Db<'_>, account: AccountId, id: Uuid) -> Result<()> {
    execute!(db, sqlx::query(SCRUB_ANSWERS).bind(account.0).bind(format!("%{id}%")));
    Ok(())
}

/// An order whose buyer is forgotten, by what it was known.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct EmptiedOrder {
    id: Uuid,
    /// The shop's own id.
    pub external_id: String,
    /// Its number, without what people add to it.
    pub number_key: String,
    /// The postal code that proved it; may be empty.
    pub postal_code_key: String,
}

/// Forgets who placed the orders of an e-mail address; which those are.
pub async fn scrub_orders_of_email(mut db: Db<'_>, account: AccountId, email: &EmailKey) -> Result<Vec<EmptiedOrder>> {
    let [ascii, own] = email.spellings();
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_EMAIL)
        .bind(account.0)
        .bind(&ascii)
        .bind(&own)
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

/// Forgets forms of strangers in which an e-mail address was typed.
pub async fn scrub_forms(mut db: Db<'_>, email: &EmailKey) -> Result<()> {
    // What is no address could stand in anybody's form.
    if email.as_str().contains('@') {
        for spelling in email.spellings() {
            let escaped = spelling.replace('!', "!!").replace('%', "!%").replace('_', "!_");
            execute!(db, sqlx::query(SCRUB_SESSIONS_OF_STRANGERS).bind(format!("%{escaped}%")));
        }
    }
    Ok(())
}

/// Forgets who placed an order that was proved by its postal code; which it is.
pub async fn scrub_orders_of_postal_code(
    mut db: Db<'_>,
    account: AccountId,
    number: &OrderNumberKey,
    code: &ProofKey,
) -> Result<Vec<EmptiedOrder>> {
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_POSTAL_CODE)
        .bind(account.0)
        .bind(number.as_str())
        .bind(code.as_str())
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

/// Forgets who placed the orders of which a consumer returned something; which those are.
pub async fn scrub_orders_of_returns(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
) -> Result<Vec<EmptiedOrder>> {
    let orders = on!(&mut db, c => sqlx::query_as(ORDERS_OF_RETURNS)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    scrub_orders(db, account, orders).await
}

async fn scrub_orders(mut db: Db<'_>, account: AccountId, mut orders: Vec<EmptiedOrder>) -> Result<Vec<EmptiedOrder>> {
    orders.sort_unstable_by_key(|order| order.id); // one order for all who hold several
    for order in &orders {
        execute!(db, sqlx::query(SCRUB_ORDER).bind(account.0).bind(order.id));
    }
    Ok(orders)
}

/// Forgets what people wrote about a return order, who sent it, its labels and its evidence, whose files are to go.
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
    for sql in [SCRUB_SHIPMENTS, SCRUB_TRACKING, SCRUB_TIMELINE] {
        execute!(db, sqlx::query(sql).bind(account.0).bind(id.0));
    }
    let files: Vec<Uuid> = on!(&mut db, c => sqlx::query_scalar(EVIDENCE_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(id.0)
        .fetch_all(&mut **c).await?);
    for file in files {
        evidence::delete(db.reborrow(), account, domain::EvidenceId(file)).await?;
    }
    scrub_answers(db, account, id.0).await
}
