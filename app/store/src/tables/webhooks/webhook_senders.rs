//! Senders: which program delivers to which subscription, and which subscriptions have something to deliver.

use crate::engine::{Db, Result, due::Subscribed};
use domain::{AccountId, Timestamp, WebhookSenderId, WebhookSubscriptionId};
use uuid::Uuid;

statements! {
    in webhook_senders;
    /// Subscriptions of the whole installation with due deliveries or a catch-up.
    SENDER_LIST_DUE = "SELECT s.account_id, s.id FROM webhook_subscriptions s WHERE s.enabled AND s.deleted_at IS NULL
        AND (s.catch_up_after IS NOT NULL OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.account_id = s.account_id
         AND d.subscription_id = s.id AND d.status = 'Pending' AND d.due_at <= $1))";
    /// Disabled subscriptions with pending deliveries, which will not be sent.
    SENDER_LIST_STOPPED = "SELECT s.account_id, s.id FROM webhook_subscriptions s WHERE NOT s.enabled AND s.deleted_at IS NULL
        AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.account_id = s.account_id AND d.subscription_id = s.id
         AND d.status = 'Pending')";
    SENDER_LIST_DELETED = "SELECT account_id, id FROM webhook_subscriptions WHERE deleted_at <= $1";
    /// From no sender, from itself, or from a sender that was not seen since.
    CLAIM = "UPDATE webhook_subscriptions SET sender_id = $3 WHERE account_id = $1 AND id = $2 AND (sender_id IS NULL
        OR sender_id = $3 OR NOT EXISTS (SELECT 1 FROM webhook_senders w WHERE w.id = sender_id AND w.seen_at > $4))";
    RELEASE = "UPDATE webhook_subscriptions SET sender_id = NULL WHERE account_id = $1 AND id = $2 AND sender_id = $3";
    SENDER_LIST_CLAIMED = "SELECT account_id, id FROM webhook_subscriptions WHERE sender_id = $1";
    SENDER_RELEASE_ALL = "UPDATE webhook_subscriptions SET sender_id = NULL WHERE sender_id = $1";
    SENDER_SEEN = "INSERT INTO webhook_senders (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    SENDER_LIST = "SELECT id FROM webhook_senders WHERE seen_at > $1 ORDER BY id";
    SENDER_RELEASE_EVERY = "UPDATE webhook_subscriptions SET sender_id = NULL WHERE sender_id IS NOT NULL";
    SENDER_LEAVE_EVERY = "DELETE FROM webhook_senders";
    SENDER_LEAVE = "DELETE FROM webhook_senders WHERE id = $1 OR seen_at < $2";
}

fn subscribed(rows: Vec<(Uuid, Uuid)>) -> Vec<Subscribed> {
    rows.into_iter().map(|(account, id)| (AccountId(account), WebhookSubscriptionId(id))).collect()
}

/// Subscriptions of the whole installation with due deliveries or a catch-up.
pub async fn list_due(mut db: Db<'_>, now: Timestamp) -> Result<Vec<Subscribed>> {
    Ok(subscribed(on!(&mut db, c => sqlx::query_as(SENDER_LIST_DUE).bind(now.micros()).fetch_all(&mut **c).await?)))
}

/// Disabled subscriptions with pending deliveries.
pub async fn list_stopped(mut db: Db<'_>) -> Result<Vec<Subscribed>> {
    Ok(subscribed(on!(&mut db, c => sqlx::query_as(SENDER_LIST_STOPPED).fetch_all(&mut **c).await?)))
}

/// Subscriptions that were deleted before a moment and still have rows.
pub async fn list_deleted(mut db: Db<'_>, before: Timestamp) -> Result<Vec<Subscribed>> {
    let rows = on!(&mut db, c => sqlx::query_as(SENDER_LIST_DELETED).bind(before.micros()).fetch_all(&mut **c).await?);
    Ok(subscribed(rows))
}

/// Claims a subscription for a sender, unless another sender that was seen after `alive_since` has it.
pub async fn claim(
    mut db: Db<'_>,
    subscribed: Subscribed,
    sender: WebhookSenderId,
    alive_since: Timestamp,
) -> Result<bool> {
    let (account, id) = subscribed;
    let rows = execute!(db, sqlx::query(CLAIM).bind(account.0).bind(id.0).bind(sender.0).bind(alive_since.micros()));
    Ok(rows == 1)
}

/// Gives a claim back.
pub async fn release(mut db: Db<'_>, subscribed: Subscribed, sender: WebhookSenderId) -> Result<()> {
    let (account, id) = subscribed;
    execute!(db, sqlx::query(RELEASE).bind(account.0).bind(id.0).bind(sender.0));
    Ok(())
}

/// The subscriptions that a sender has claimed and still has.
pub async fn list_claimed(mut db: Db<'_>, sender: WebhookSenderId) -> Result<Vec<Subscribed>> {
    Ok(subscribed(on!(&mut db, c => sqlx::query_as(SENDER_LIST_CLAIMED).bind(sender.0).fetch_all(&mut **c).await?)))
}

/// Records a heartbeat of a sender.
pub async fn seen(mut db: Db<'_>, sender: WebhookSenderId, now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(SENDER_SEEN).bind(sender.0).bind(now.micros()));
    Ok(())
}

/// The senders that were seen since a moment.
pub async fn list_senders(mut db: Db<'_>, alive_since: Timestamp) -> Result<Vec<WebhookSenderId>> {
    let ids: Vec<Uuid> =
        on!(&mut db, c => sqlx::query_scalar(SENDER_LIST).bind(alive_since.micros()).fetch_all(&mut **c).await?);
    Ok(ids.into_iter().map(WebhookSenderId).collect())
}

/// Releases all subscriptions and deletes all senders.
pub async fn leave_all(mut db: Db<'_>) -> Result<()> {
    execute!(db, sqlx::query(SENDER_RELEASE_EVERY));
    execute!(db, sqlx::query(SENDER_LEAVE_EVERY));
    Ok(())
}

/// Releases the subscriptions of a sender and deletes it, with senders that were not seen since `forget_before`.
pub async fn leave(mut db: Db<'_>, sender: WebhookSenderId, forget_before: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(SENDER_RELEASE_ALL).bind(sender.0));
    execute!(db, sqlx::query(SENDER_LEAVE).bind(sender.0).bind(forget_before.micros()));
    Ok(())
}
