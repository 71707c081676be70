//! Saved views, as the API shows them.

use domain::{SavedViewId, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use store::saved_views;

/// A filter of a list under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// Unique identifier of the saved view.
    pub id: SavedViewId,
    /// The list that it filters, as in its path: `return-orders` or `return-requests`.
    #[schemars(extend("examples" = ["return-requests"]))]
    pub list: String,
    /// The name that staff read.
    #[schemars(extend("examples" = ["Expensive, from abroad"]))]
    pub name: String,
    /// The query string of the list, without `page`. The desk adds `columns`, the names of the columns to show.
    #[schemars(extend("examples" = ["filter=stage:Requested%3A%20Review&sortBy=stageSince&orderBy=asc"]))]
    pub query: String,
    /// Whether the caller saved it. Only they can change or delete it.
    pub is_own: bool,
    /// Whether all staff of the account see it.
    pub is_shared: bool,
    /// When the view was saved.
    pub created_at: Timestamp,
    /// When the view last changed.
    pub updated_at: Timestamp,
    /// The version of the saved view, from 1: it grows with each change and is the `ETag`.
    pub version: i64,
}

impl SavedView {
    pub(crate) fn new(kept: saved_views::SavedView, caller: uuid::Uuid) -> Self {
        Self {
            id: kept.id,
            list: kept.list,
            name: kept.name,
            query: kept.query,
            is_own: kept.owner_id == caller,
            is_shared: kept.is_shared,
            created_at: kept.created_at,
            updated_at: kept.updated_at,
            version: kept.version,
        }
    }
}
