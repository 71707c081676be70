//! What a merchant's settings have in common. Whoever changes one holds the account first
//! ([`crate::tables::merchant::accounts::hold`]): what is looked at then stays as it is until the change is written.

use crate::{engine::{Db, Result, StoreError}, lists};
use domain::Timestamp;

/// A setting with what is kept of it besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept<T> {
    /// The setting.
    pub value: T,
    /// When it was put away; what is put away is not offered any more.
    pub archived_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts changes, from 1.
    pub version: i64,
}

/// How many there are of a kind of setting, and which place is the last one taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// All of them, archived ones as well.
    pub count: i64,
    /// The last place.
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

/// Whether a setting was put away, for lists: `archived:true`.
pub(crate) const ARCHIVED: lists::Field = lists::Field {
    name: "archived",
    kind: lists::FieldKind::OneOf(|| vec!["true", "false"]),
    column: "CASE WHEN archived_at IS NULL THEN 'false' ELSE 'true' END",
};

/// The same question, which without a word about it leaves out what is archived.
pub(crate) fn present(list: &'static lists::List, listing: &lists::Listing) -> Result<lists::Listing> {
    let mut listing = listing.clone();
    if !listing.conditions.iter().any(|condition| condition.is_on(ARCHIVED.name)) {
        let present = list.condition("archived:false").map_err(|_| StoreError::Unreadable("a list's fields"))?;
        listing.conditions.push(present);
    }
    Ok(listing)
}

/// Runs a statement that answers with a count and a last place.
pub(crate) async fn room(mut db: Db<'_>, sql: &'static str, account: domain::AccountId) -> Result<Room> {
    let (count, last): (i64, i64) = on!(&mut db, c => sqlx::query_as(sql).bind(account.0).fetch_one(&mut **c).await?);
    Ok(Room { count, last: crate::engine::macros::count("a setting's position", last)? })
}
