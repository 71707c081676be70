//! Photos and papers that consumers lay beside what they bought, before a return is sent in: what they are. Their bytes lie in
//! files.
//!
//! Whoever takes rows away deletes them and is told which they were: of two who are at the same row at once, one has it.

use crate::{engine::{Db, Result}, tables::service::files};
use domain::{
    AccountId, ConsumerId, EvidenceId, PurchaseId, ReturnRequestId, Timestamp,
    returning::{Actor, EvidenceFile},
};
use uuid::Uuid;

macro_rules! columns {
    () => {
        "seq, id, consumer_id, purchase_id, name, media_type, bytes, sha256, created_at"
    };
}

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM pending_evidence ", $rest)
    };
}

statements! {
    INSERT = "INSERT INTO pending_evidence
        (account_id, id, consumer_id, purchase_id, name, media_type, bytes, sha256, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    FIND = select!("WHERE account_id = $1 AND consumer_id = $2 AND id = $3");
    LIST_OF_CONSUMER = select!("WHERE account_id = $1 AND consumer_id = $2 ORDER BY seq");
    LIST_OF_PURCHASE = select!("WHERE account_id = $1 AND consumer_id = $2 AND purchase_id = $3 ORDER BY seq");
    DELETE = "DELETE FROM pending_evidence WHERE account_id = $1 AND consumer_id = $2 AND id = $3";
    TAKE = concat!("DELETE FROM pending_evidence WHERE account_id = $1 AND consumer_id = $2 AND purchase_id = $3 RETURNING ",
        columns!());
    FORGET = "DELETE FROM pending_evidence WHERE account_id = $1 AND consumer_id = $2 RETURNING id";
    PRUNE = "DELETE FROM pending_evidence WHERE (account_id, id) IN
        (SELECT account_id, id FROM pending_evidence WHERE created_at <= $1 ORDER BY created_at LIMIT 100) RETURNING account_id, id";
}

/// A photo or paper that lies beside a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingEvidence {
    /// Identifier, by which its bytes are found; it keeps it when it becomes evidence.
    pub id: EvidenceId,
    /// Who laid it there.
    pub consumer_id: ConsumerId,
    /// Beside what.
    pub purchase_id: PurchaseId,
    /// As the file was called.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// How long it is.
    pub bytes: i64,
    /// SHA-256 of what was sent: the same file again is the same one.
    pub sha256: Vec<u8>,
    /// When.
    pub created_at: Timestamp,
}

impl PendingEvidence {
    /// What it is as evidence of a return request.
    pub fn of_request(self, request: ReturnRequestId) -> EvidenceFile {
        EvidenceFile {
            id: self.id,
            return_request_id: request,
            name: self.name,
            media_type: self.media_type,
            bytes: self.bytes,
            sha256: self.sha256,
            actor: Actor::Consumer,
            created_at: self.created_at,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    id: Uuid,
    consumer_id: Uuid,
    purchase_id: Uuid,
    name: String,
    media_type: String,
    bytes: i64,
    sha256: Vec<u8>,
    created_at: i64,
}

impl Row {
    fn evidence(self) -> PendingEvidence {
        PendingEvidence {
            id: EvidenceId(self.id),
            consumer_id: ConsumerId(self.consumer_id),
            purchase_id: PurchaseId(self.purchase_id),
            name: self.name,
            media_type: self.media_type,
            bytes: self.bytes,
            sha256: self.sha256,
            created_at: Timestamp::from_micros(self.created_at),
        }
    }
}

/// Keeps what a new file is, and claims it.
pub async fn insert(mut db: Db<'_>, account: AccountId, file: &PendingEvidence) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(file.id.0)
            .bind(file.consumer_id.0)
            .bind(file.purchase_id.0)
            .bind(&file.name)
            .bind(&file.media_type)
            .bind(file.bytes)
            .bind(file.sha256.as_slice())
            .bind(file.created_at.micros())
    );
    files::claim(db, account, file.id.0).await
}

/// A consumer's file of that id.
pub async fn find(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    id: EvidenceId,
) -> Result<Option<PendingEvidence>> {
    let row: Option<Row> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(consumer.0)
        .bind(id.0)
        .fetch_optional(&mut **c).await?);
    Ok(row.map(Row::evidence))
}

/// All that a consumer laid beside purchases, in the order in which they did.
pub async fn list_of_consumer(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
) -> Result<Vec<PendingEvidence>> {
    let rows: Vec<Row> = on!(&mut db, c => sqlx::query_as(LIST_OF_CONSUMER)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(Row::evidence).collect())
}

/// What a consumer laid beside one purchase, in the order in which they did.
pub async fn list_of_purchase(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    purchase: PurchaseId,
) -> Result<Vec<PendingEvidence>> {
    let rows: Vec<Row> = on!(&mut db, c => sqlx::query_as(LIST_OF_PURCHASE)
        .bind(account.0)
        .bind(consumer.0)
        .bind(purchase.0)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(Row::evidence).collect())
}

/// Forgets a consumer's file, and that it is to go; `false` when there is none.
pub async fn delete(mut db: Db<'_>, account: AccountId, consumer: ConsumerId, id: EvidenceId) -> Result<bool> {
    let is_there = execute!(db, sqlx::query(DELETE).bind(account.0).bind(consumer.0).bind(id.0)) == 1;
    if is_there {
        files::discard(db, account, id.0).await?;
    }
    Ok(is_there)
}

/// Takes what a consumer laid beside a purchase away from there, in the order in which they did. The files stay: the caller
/// keeps each as something else, or discards it.
pub async fn take(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    purchase: PurchaseId,
) -> Result<Vec<PendingEvidence>> {
    let mut rows: Vec<Row> = on!(&mut db, c => sqlx::query_as(TAKE)
        .bind(account.0)
        .bind(consumer.0)
        .bind(purchase.0)
        .fetch_all(&mut **c).await?);
    rows.sort_by_key(|row| row.seq); // what was deleted is told in no order
    Ok(rows.into_iter().map(Row::evidence).collect())
}

/// Forgets all that a consumer laid beside purchases, and that its files are to go.
pub async fn forget(mut db: Db<'_>, account: AccountId, consumer: ConsumerId) -> Result<()> {
    let files: Vec<Uuid> = on!(&mut db, c => sqlx::query_scalar(FORGET)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    for file in files {
        files::discard(db.reborrow(), account, file).await?;
    }
    Ok(())
}

/// Forgets what was laid there before a moment, of every account, a hundred at most, and that the files are to go.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    let files: Vec<(Uuid, Uuid)> =
        on!(&mut db, c => sqlx::query_as(PRUNE).bind(before.micros()).fetch_all(&mut **c).await?);
    for (account, file) in &files {
        files::discard(db.reborrow(), AccountId(*account), *file).await?;
    }
    Ok(u64::try_from(files.len()).unwrap_or(u64::MAX))
}
