//! Pending evidence: photos and documents that consumers upload for a purchase before they submit a return. The table
//! describes them; their bytes are in files.
//!
//! Rows are taken by deleting them: of two transactions that take a row at once, one gets it.

use crate::{
    engine::{Db, Result},
    tables::service::files,
};
use domain::{
    AccountId, ConsumerId, EvidenceId, PurchaseId, ReturnRequestId, Timestamp, party::Actor, returning::EvidenceFile,
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
    in pending_evidence;
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

/// A file that a consumer uploaded for a purchase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingEvidence {
    /// Names the file with its bytes; stays the same when it becomes evidence.
    pub id: EvidenceId,
    pub consumer_id: ConsumerId,
    pub purchase_id: PurchaseId,
    /// The name of the uploaded file.
    pub name: String,
    pub media_type: String,
    /// Its length.
    pub bytes: i64,
    /// SHA-256 of the upload: the same file uploaded twice is stored once.
    pub sha256: Vec<u8>,
    pub created_at: Timestamp,
}

impl PendingEvidence {
    /// The same file as evidence of a return request.
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
struct PendingEvidenceRow {
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

impl PendingEvidenceRow {
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

/// Inserts the description of a file, and claims the file.
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

/// The file of that id, if it belongs to the consumer.
pub async fn find(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    id: EvidenceId,
) -> Result<Option<PendingEvidence>> {
    let row: Option<PendingEvidenceRow> = on!(&mut db, c => sqlx::query_as(FIND)
        .bind(account.0)
        .bind(consumer.0)
        .bind(id.0)
        .fetch_optional(&mut **c).await?);
    Ok(row.map(PendingEvidenceRow::evidence))
}

/// All pending evidence of a consumer, in the order of the uploads.
pub async fn list_of_consumer(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
) -> Result<Vec<PendingEvidence>> {
    let rows: Vec<PendingEvidenceRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_CONSUMER)
        .bind(account.0)
        .bind(consumer.0)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(PendingEvidenceRow::evidence).collect())
}

/// The pending evidence of a purchase, in the order of the uploads.
pub async fn list_of_purchase(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    purchase: PurchaseId,
) -> Result<Vec<PendingEvidence>> {
    let rows: Vec<PendingEvidenceRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_PURCHASE)
        .bind(account.0)
        .bind(consumer.0)
        .bind(purchase.0)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(PendingEvidenceRow::evidence).collect())
}

/// Deletes a consumer's pending evidence and discards its file; `false` if there is none.
pub async fn delete(mut db: Db<'_>, account: AccountId, consumer: ConsumerId, id: EvidenceId) -> Result<bool> {
    let is_there = execute!(db, sqlx::query(DELETE).bind(account.0).bind(consumer.0).bind(id.0)) == 1;
    if is_there {
        files::discard(db, account, id.0).await?;
    }
    Ok(is_there)
}

/// Takes the pending evidence of a purchase, in the order of the uploads. The files stay: the caller turns each into
/// evidence or discards it.
pub async fn take(
    mut db: Db<'_>,
    account: AccountId,
    consumer: ConsumerId,
    purchase: PurchaseId,
) -> Result<Vec<PendingEvidence>> {
    let mut rows: Vec<PendingEvidenceRow> = on!(&mut db, c => sqlx::query_as(TAKE)
        .bind(account.0)
        .bind(consumer.0)
        .bind(purchase.0)
        .fetch_all(&mut **c).await?);
    rows.sort_by_key(|row| row.seq); // RETURNING has no order
    Ok(rows.into_iter().map(PendingEvidenceRow::evidence).collect())
}

/// Deletes all pending evidence of a consumer and discards the files.
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

/// Deletes some pending evidence of every account from before a moment, and discards the files; returns how many.
pub async fn prune(mut db: Db<'_>, before: Timestamp) -> Result<u64> {
    let files: Vec<(Uuid, Uuid)> =
        on!(&mut db, c => sqlx::query_as(PRUNE).bind(before.micros()).fetch_all(&mut **c).await?);
    for (account, file) in &files {
        files::discard(db.reborrow(), AccountId(*account), *file).await?;
    }
    Ok(u64::try_from(files.len()).unwrap_or(u64::MAX))
}
