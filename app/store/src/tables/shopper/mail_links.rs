//! Links in mail, by the hashes of their tokens; and who opted out of mail.

use crate::engine::{Db, Result, stored::named};
use domain::{AccountId, ConsumerId, DraftReturnOrderId, ReturnOrderId, Timestamp};
use uuid::Uuid;

statements! {
    in mail_links;
    INSERT = "INSERT INTO mail_links (account_id, token_hash, consumer_id, return_order_id, email, expires_at,
         draft_return_order_id) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    FIND = "SELECT consumer_id, return_order_id, draft_return_order_id, email FROM mail_links
        WHERE account_id = $1 AND token_hash = $2 AND expires_at > $3";
    DELETE = "DELETE FROM mail_links WHERE account_id = $1 AND token_hash = $2 AND expires_at > $3";
    FORGET = "DELETE FROM mail_links WHERE account_id = $1 AND consumer_id = $2";
    FORGET_EMAIL = "DELETE FROM mail_links WHERE account_id = $1 AND consumer_id IS NULL AND email = $2";
    PRUNE = "DELETE FROM mail_links WHERE (account_id, token_hash) IN
        (SELECT account_id, token_hash FROM mail_links WHERE expires_at <= $1 ORDER BY expires_at LIMIT 500)";
    DECLINE = "INSERT INTO mail_opt_outs (account_id, email_hash, created_at) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, email_hash) DO NOTHING";
    ACCEPT = "DELETE FROM mail_opt_outs WHERE account_id = $1 AND email_hash = $2";
    COUNT_DECLINED = "SELECT COUNT(*) FROM mail_opt_outs WHERE account_id = $1 AND email_hash = $2";
}

/// What a link opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// A return order of a consumer.
    Return(ConsumerId, ReturnOrderId),
    /// A draft that staff prepared for a consumer.
    Draft(ConsumerId, DraftReturnOrderId),
    /// The orders of an e-mail address.
    Orders(String),
}

/// Stores a link by the hash of its token.
pub async fn insert(
    mut db: Db<'_>,
    account: AccountId,
    token_hash: &[u8],
    target: &LinkTarget,
    expires_at: Timestamp,
) -> Result<()> {
    let (consumer, order, draft, email) = match target {
        LinkTarget::Return(consumer, order) => (Some(consumer.0), Some(order.0), None, ""),
        LinkTarget::Draft(consumer, draft) => (Some(consumer.0), None, Some(draft.0), ""),
        LinkTarget::Orders(email) => (None, None, None, email.as_str()),
    };
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(token_hash)
            .bind(consumer)
            .bind(order)
            .bind(email)
            .bind(expires_at.micros())
            .bind(draft)
    );
    Ok(())
}

/// What a link opens, unless it has expired.
pub async fn find(mut db: Db<'_>, account: AccountId, token_hash: &[u8], now: Timestamp) -> Result<Option<LinkTarget>> {
    type LinkRow = (Option<Uuid>, Option<Uuid>, Option<Uuid>, String);
    let row: Option<LinkRow> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(token_hash)
        .bind(now.micros())
        .fetch_optional(&mut **c).await?);
    let target = |(consumer, order, draft, email): LinkRow| match (consumer, order, draft) {
        (Some(consumer), Some(order), _) => Ok(LinkTarget::Return(ConsumerId(consumer), ReturnOrderId(order))),
        (Some(consumer), None, Some(draft)) => Ok(LinkTarget::Draft(ConsumerId(consumer), DraftReturnOrderId(draft))),
        (None, None, _) => Ok(LinkTarget::Orders(email)),
        _ => named("mail_links.return_order_id", None),
    };
    row.map(target).transpose()
}

/// Deletes a link that can be used once; `false` if it was used already or has expired.
pub async fn delete(mut db: Db<'_>, account: AccountId, token_hash: &[u8], now: Timestamp) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE).bind(account.0).bind(token_hash).bind(now.micros())) > 0)
}

/// Deletes all links to a consumer's returns and drafts.
pub async fn forget(mut db: Db<'_>, account: AccountId, consumer: ConsumerId) -> Result<()> {
    execute!(db, sqlx::query(FORGET).bind(account.0).bind(consumer.0));
    Ok(())
}

/// Deletes all links to the orders of an e-mail address.
pub async fn forget_email(mut db: Db<'_>, account: AccountId, email: &str) -> Result<()> {
    execute!(db, sqlx::query(FORGET_EMAIL).bind(account.0).bind(email));
    Ok(())
}

/// Deletes some expired links; returns how many.
pub async fn prune(mut db: Db<'_>, now: Timestamp) -> Result<u64> {
    Ok(execute!(db, sqlx::query(PRUNE).bind(now.micros())))
}

/// Records that a person wants no optional mail.
pub async fn decline(mut db: Db<'_>, account: AccountId, email_hash: &[u8], now: Timestamp) -> Result<()> {
    execute!(db, sqlx::query(DECLINE).bind(account.0).bind(email_hash).bind(now.micros()));
    Ok(())
}

/// Deletes that record.
pub async fn accept(mut db: Db<'_>, account: AccountId, email_hash: &[u8]) -> Result<()> {
    execute!(db, sqlx::query(ACCEPT).bind(account.0).bind(email_hash));
    Ok(())
}

/// Whether a person wants no optional mail.
pub async fn has_declined(mut db: Db<'_>, account: AccountId, email_hash: &[u8]) -> Result<bool> {
    let declined: i64 = on!(&mut db, c => sqlx::query_scalar(COUNT_DECLINED).bind(account.0).bind(email_hash).fetch_one(&mut **c).await?);
    Ok(declined > 0)
}
