//! Notes of staff about return orders.

use crate::engine::{Db, Result};
use domain::{AccountId, NoteId, ReturnOrderId, Timestamp};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, return_order_id, author_id, text, created_at, updated_at, version FROM return_order_notes ",
            $rest
        )
    };
}

statements! {
    in return_order_notes;
    INSERT = "INSERT INTO return_order_notes
        (account_id, id, return_order_id, author_id, text, created_at, updated_at, version)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_RETURN_ORDER = select!("WHERE account_id = $1 AND return_order_id = $2 ORDER BY seq");
    COUNT_OF_RETURN_ORDER = "SELECT COUNT(*) FROM return_order_notes WHERE account_id = $1 AND return_order_id = $2";
    /// Only if the version is still the one that was read.
    UPDATE = "UPDATE return_order_notes SET text = $3, updated_at = $4, version = version + 1
        WHERE account_id = $1 AND id = $2 AND version = $5";
    SCRUB = "UPDATE return_order_notes SET text = '' WHERE account_id = $1 AND return_order_id = $2";
}

/// A note about a return order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub return_order_id: ReturnOrderId,
    /// The user or service user who wrote it; `None`: the operator.
    pub author_id: Option<Uuid>,
    /// Empty after an erasure.
    pub text: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i64,
}

#[derive(sqlx::FromRow)]
struct NoteRow {
    id: Uuid,
    return_order_id: Uuid,
    author_id: Option<Uuid>,
    text: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl From<NoteRow> for Note {
    fn from(row: NoteRow) -> Self {
        Self {
            id: NoteId(row.id),
            return_order_id: ReturnOrderId(row.return_order_id),
            author_id: row.author_id,
            text: row.text,
            created_at: Timestamp::from_micros(row.created_at),
            updated_at: Timestamp::from_micros(row.updated_at),
            version: row.version,
        }
    }
}

/// Inserts a note.
pub async fn insert(mut db: Db<'_>, account: AccountId, note: &Note) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(note.id.0)
            .bind(note.return_order_id.0)
            .bind(note.author_id)
            .bind(&note.text)
            .bind(note.created_at.micros())
            .bind(note.updated_at.micros())
            .bind(note.version)
    );
    Ok(())
}

/// The note of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: NoteId) -> Result<Option<Note>> {
    let row: Option<NoteRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.map(Into::into))
}

/// The notes about a return order, oldest first.
pub async fn list_of_return_order(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<Vec<Note>> {
    let rows: Vec<NoteRow> = on!(&mut db, c => sqlx::query_as(LIST_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_all(&mut **c).await?);
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The number of notes about a return order.
pub async fn count_of_return_order(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_OF_RETURN_ORDER)
        .bind(account.0)
        .bind(order.0)
        .fetch_one(&mut **c).await?))
}

/// Updates the text of a note; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, note: &Note) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(note.id.0)
            .bind(&note.text)
            .bind(note.updated_at.micros())
            .bind(note.version)
    );
    Ok(rows == 1)
}

/// Removes the texts of all notes about a return order.
pub async fn scrub(mut db: Db<'_>, account: AccountId, order: ReturnOrderId) -> Result<()> {
    execute!(db, sqlx::query(SCRUB).bind(account.0).bind(order.0));
    Ok(())
}
