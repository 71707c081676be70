//! What a merchant's settings have in common. A change of a setting locks the account first
//! ([`crate::accounts::hold`]), so that what it reads stays as it is until the change is written.

use crate::{
    engine::{Db, Result, StoreError},
    lists,
};
use domain::Timestamp;

/// A setting with its times and version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept<T> {
    pub value: T,
    /// An archived setting is no longer offered.
    pub archived_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// How many settings of a kind there are, and the last position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingCount {
    /// Includes archived ones.
    pub count: i64,
    /// The last position.
    pub last: u32,
}

/// Columns that every setting has.
#[derive(sqlx::FromRow)]
pub(crate) struct KeptRow {
    pub seq: i64,
    pub archived_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
    pub version: i64,
}

impl KeptRow {
    pub fn kept<T>(self, value: T) -> Kept<T> {
        Kept {
            value,
            archived_at: self.archived_at.map(Timestamp::from_micros),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        }
    }
}

/// The filter of archived settings: `archived:true`. An account has few settings, so each is compared.
pub(crate) const ARCHIVED: lists::Field = lists::Field {
    name: "archived",
    kind: lists::FieldKind::Related(&lists::Related {
        values: lists::RelatedValues::OneOf(|| vec!["true", "false"]),
        around: ("", ""),
        sql: "CASE WHEN {row}archived_at IS NULL THEN 'false' ELSE 'true' END = {value}",
        reads: &["archived_at"],
        cost: 1,
        implied: None,
    }),
    column: "id",
};

/// Adds `archived:false` to a question that does not filter by it.
pub(crate) fn present(list: &'static lists::List, listing: &lists::Listing) -> Result<lists::Listing> {
    let mut listing = listing.clone();
    if !listing.conditions.iter().any(|condition| condition.is_on(ARCHIVED.name)) {
        let present = list.condition("archived:false").map_err(|_| StoreError::Unreadable("a list's fields"))?;
        listing.conditions.push(present);
    }
    Ok(listing)
}

/// Runs a statement that returns a count and the last position.
pub(crate) async fn room(mut db: Db<'_>, sql: &'static str, account: domain::AccountId) -> Result<SettingCount> {
    let (count, last): (i64, i64) = on!(&mut db, c => sqlx::query_as(sql).bind(account.0).fetch_one(&mut **c).await?);
    Ok(SettingCount { count, last: crate::engine::stored::count("a setting's position", last)? })
}
