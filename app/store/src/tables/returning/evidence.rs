//! Evidence of return requests: photos and documents. The table describes them; their bytes are in files.

use crate::{
    engine::{Db, Result, stored::named},
    tables::service::files,
};
use domain::{AccountId, EvidenceId, ReturnRequestId, Timestamp, party::Actor, returning::EvidenceFile};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, return_request_id, name, media_type, bytes, sha256, actor, created_at FROM evidence ",
            $rest
        )
    };
}

statements! {
    in evidence;
    INSERT = "INSERT INTO evidence (account_id, id, return_request_id, name, media_type, bytes, sha256, actor, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_RETURN_REQUESTS = select!("WHERE account_id = $1 AND return_request_id IN ($2) ORDER BY seq");
    DELETE = "DELETE FROM evidence WHERE account_id = $1 AND id = $2";
}

#[derive(sqlx::FromRow)]
struct EvidenceRow {
    id: Uuid,
    return_request_id: Uuid,
    name: String,
    media_type: String,
    bytes: i64,
    sha256: Vec<u8>,
    actor: String,
    created_at: i64,
}

impl EvidenceRow {
    fn evidence(self) -> Result<EvidenceFile> {
        Ok(EvidenceFile {
            id: EvidenceId(self.id),
            return_request_id: ReturnRequestId(self.return_request_id),
            name: self.name,
            media_type: self.media_type,
            bytes: self.bytes,
            sha256: self.sha256,
            actor: named("evidence.actor", Actor::from_name(&self.actor))?,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// Inserts the description of a file, and claims the file.
pub async fn insert(mut db: Db<'_>, account: AccountId, evidence: &EvidenceFile) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(evidence.id.0)
            .bind(evidence.return_request_id.0)
            .bind(&evidence.name)
            .bind(&evidence.media_type)
            .bind(evidence.bytes)
            .bind(evidence.sha256.as_slice())
            .bind(evidence.actor.name())
            .bind(evidence.created_at.micros())
    );
    files::claim(db, account, evidence.id.0).await
}

/// The evidence of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: EvidenceId) -> Result<Option<EvidenceFile>> {
    let row: Option<EvidenceRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    row.map(EvidenceRow::evidence).transpose()
}

/// The evidence of return requests, in the order in which it was uploaded.
pub async fn list_of_return_requests(
    mut db: Db<'_>,
    account: AccountId,
    requests: &[ReturnRequestId],
) -> Result<Vec<EvidenceFile>> {
    let rows: Vec<EvidenceRow> = select_of!(&mut db, LIST_OF_RETURN_REQUESTS, account, requests);
    rows.into_iter().map(EvidenceRow::evidence).collect()
}

/// Deletes evidence and discards its file; `false` if there is none.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: EvidenceId) -> Result<bool> {
    let is_there = execute!(db, sqlx::query(DELETE).bind(account.0).bind(id.0)) == 1;
    if is_there {
        files::discard(db, account, id.0).await?;
    }
    Ok(is_there)
}
