//! Saved views: filters of a list that staff named.

use crate::engine::{Db, Result};
use domain::{AccountId, SavedViewId, Timestamp};
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, owner_id, list, name, query, is_shared, created_at, updated_at, version FROM saved_views ",
            $rest
        )
    };
}

statements! {
    in saved_views;
    INSERT = "INSERT INTO saved_views (account_id, id, owner_id, list, name, query, is_shared, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OWN = select!("WHERE account_id = $1 AND owner_id = $2 ORDER BY seq");
    LIST_SHARED = select!("WHERE account_id = $1 AND is_shared = TRUE AND owner_id <> $2 ORDER BY seq LIMIT $3");
    COUNT_OWN = "SELECT COUNT(*) FROM saved_views WHERE account_id = $1 AND owner_id = $2";
    UPDATE = "UPDATE saved_views SET name = $3, query = $4, is_shared = $5, updated_at = $6, version = version + 1
        WHERE account_id = $1 AND id = $2";
    DELETE = "DELETE FROM saved_views WHERE account_id = $1 AND id = $2 AND owner_id = $3";
}

/// A filter of a list under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    pub id: SavedViewId,
    /// The user or service user who saved it.
    pub owner_id: Uuid,
    /// The name of the list, as in paths of the API.
    pub list: String,
    pub name: String,
    /// The query string of the list.
    pub query: String,
    /// Whether all staff of the account see it.
    pub is_shared: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub version: i64,
}

#[derive(sqlx::FromRow)]
struct SavedViewRow {
    id: Uuid,
    owner_id: Uuid,
    list: String,
    name: String,
    query: String,
    is_shared: bool,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl SavedViewRow {
    fn saved_view(self) -> SavedView {
        SavedView {
            id: SavedViewId(self.id),
            owner_id: self.owner_id,
            list: self.list,
            name: self.name,
            query: self.query,
            is_shared: self.is_shared,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        }
    }
}

/// Adds a view.
pub async fn insert(mut db: Db<'_>, account: AccountId, new: &SavedView) -> Result<()> {
    execute!(
        db,
        sqlx::query(INSERT)
            .bind(account.0)
            .bind(new.id.0)
            .bind(new.owner_id)
            .bind(&new.list)
            .bind(&new.name)
            .bind(&new.query)
            .bind(new.is_shared)
            .bind(new.created_at.micros())
    );
    Ok(())
}

/// The view of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: SavedViewId) -> Result<Option<SavedView>> {
    let row: Option<SavedViewRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    Ok(row.map(SavedViewRow::saved_view))
}

/// The views of an owner, then at most so many that others shared; each part oldest first.
pub async fn list(mut db: Db<'_>, account: AccountId, owner: Uuid, shared: i64) -> Result<Vec<SavedView>> {
    let mut rows: Vec<SavedViewRow> =
        on!(&mut db, c => sqlx::query_as(LIST_OWN).bind(account.0).bind(owner).fetch_all(&mut **c).await?);
    let others: Vec<SavedViewRow> = on!(&mut db, c => sqlx::query_as(LIST_SHARED)
        .bind(account.0)
        .bind(owner)
        .bind(shared)
        .fetch_all(&mut **c).await?);
    rows.extend(others);
    Ok(rows.into_iter().map(SavedViewRow::saved_view).collect())
}

/// The number of an owner's views.
pub async fn count_own(mut db: Db<'_>, account: AccountId, owner: Uuid) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(COUNT_OWN).bind(account.0).bind(owner).fetch_one(&mut **c).await?))
}

/// Updates name, query and sharing. The account is locked.
pub async fn update(mut db: Db<'_>, account: AccountId, view: &SavedView) -> Result<()> {
    execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(view.id.0)
            .bind(&view.name)
            .bind(&view.query)
            .bind(view.is_shared)
            .bind(view.updated_at.micros())
    );
    Ok(())
}

/// Deletes a view of its owner; `false` if there is none.
pub async fn delete(mut db: Db<'_>, account: AccountId, id: SavedViewId, owner: Uuid) -> Result<bool> {
    Ok(execute!(db, sqlx::query(DELETE).bind(account.0).bind(id.0).bind(owner)) == 1)
}
