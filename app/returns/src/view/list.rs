//! One page of a list.

use schemars::JsonSchema;
use serde::Serialize;
use store::{lists::Counted, page::Rows};

/// One page of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}List")]
pub struct List<T> {
    /// The results of this page.
    pub data: Vec<T>,
    /// The number of results per page.
    pub limit: i64,
    /// The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    #[schemars(range(min = 1))]
    pub page: i64,
    /// The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    /// every page number. `null` on the last page.
    #[schemars(range(min = 10_001))]
    pub next_page: Option<i64>,
    /// Whether more results follow after this page.
    pub has_more: bool,
    /// The number of results on all pages, with `count=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
}

/// The number of rows of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Count {
    /// The number of rows that were counted.
    #[schemars(range(min = 0))]
    pub count: i64,
    /// Whether there may be more: counting ends at 1,000 rows. Of several filters, it also ends after 1,000 rows were
    /// compared.
    pub is_capped: bool,
}

impl From<Counted> for Count {
    fn from(counted: Counted) -> Self {
        Self { count: counted.rows, is_capped: counted.is_capped }
    }
}

impl<T> List<T> {
    /// A list on a single page.
    pub fn whole(data: Vec<T>) -> Self {
        let limit = i64::try_from(data.len()).unwrap_or(i64::MAX);
        Self { data, limit, page: 1, next_page: None, has_more: false, count: None }
    }

    /// A page without results.
    pub fn empty(page: store::page::Page) -> Self {
        Self::new(page, Rows { rows: Vec::<T>::new(), next: None }, |row| row)
    }

    pub(crate) fn new<R>(page: store::page::Page, rows: Rows<R>, view: impl FnMut(R) -> T) -> Self {
        Self {
            data: rows.rows.into_iter().map(view).collect(),
            limit: page.limit,
            page: page.number(),
            next_page: rows.next.map(|next| page.number_of(next)),
            has_more: rows.next.is_some(),
            count: None,
        }
    }
}
