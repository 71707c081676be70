//! Lists that can be filtered, searched, sorted and walked (design "Lists").
//!
//! A [`List`] says of a table what it can be asked; a [`Listing`] is one such question. Every page is cut by a
//! number of the row, so that it costs the same however many rows there are and however deep the walk has come, and
//! rows that others write meanwhile are neither skipped nor repeated. A test explains every list on both databases.
//!
//! What a clause of a filter may say stands in `clause.rs`, the SQL that a question comes to in `query.rs`.
//!
//! To add a field: give it an index that begins with `account_id` and the field and ends with `seq`.

mod clause;
mod query;

pub use clause::{Condition, MAX_CHARS, Operator};
#[cfg(feature = "testing")]
pub use query::explain;
pub(crate) use query::fetch;

use crate::lists::page::{Page, Walk};

/// What a table can be asked for.
#[derive(Debug)]
pub struct List {
    /// The resource's segment in paths.
    pub name: &'static str,
    /// `SELECT … FROM …`, with a `WHERE` if it joins.
    pub(crate) select: &'static str,
    /// The table that `seq` and `account_id` are of, for looking up where a moment is in it.
    pub(crate) table: &'static str,
    /// What stands before its columns, such as `p.`.
    pub(crate) alias: &'static str,
    /// What it can be filtered by.
    pub fields: &'static [Field],
    /// Whether it can be sorted by the last change: it has a column `changed`.
    pub sorts_by_update: bool,
    /// Whose order numbers, e-mails and names it can be searched by.
    pub(crate) search: Option<Search>,
}

/// A field to filter by.
#[derive(Debug)]
pub struct Field {
    /// As the API calls it.
    pub name: &'static str,
    /// What its values are.
    pub kind: FieldKind,
    pub(crate) column: &'static str,
}

/// What values of a field are.
#[derive(Debug, Clone, Copy)]
pub enum FieldKind {
    /// Ids.
    Id,
    /// Order numbers, compared without `#`, spaces and case.
    OrderNumber,
    /// The same of the sales order whose id stands in the column.
    NumberOfOrder,
    /// E-mail addresses, compared without spaces and case.
    Email,
    /// Texts, compared as they are.
    Text,
    /// What scanners read: a GS1-128 code of an SSCC is the SSCC.
    Barcode,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// Moments, RFC 3339. The only kind with an order.
    Time(Cut),
}

/// The number by which rows are in the order of a moment, as good as: they are numbered a little later than their
/// clock was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// In which they were written.
    Seq,
    /// In which they were last changed.
    Changed,
}

impl Cut {
    fn column(self) -> &'static str {
        match self {
            Self::Seq => "seq",
            Self::Changed => "changed",
        }
    }
}

/// Where a search looks: rows whose `column` is the id of a row of `table` that it finds.
#[derive(Debug)]
pub(crate) struct Search {
    pub table: &'static str,
    pub number_key: &'static str,
    pub column: &'static str,
}

/// Lists of what belongs to consumers.
pub(crate) const BY_CONSUMER: Search =
    Search { table: "consumers", number_key: "order_number_key", column: "consumer_id" };

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// When they were made.
    CreatedAt,
    /// When they last changed.
    UpdatedAt,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Oldest first.
    Ascending,
    /// Newest first.
    Descending,
}

/// One question to a list.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Which rows.
    pub page: Page,
    /// In which order.
    pub sort: Sort,
    /// Which way round.
    pub direction: Direction,
    /// Clauses, all of which must hold.
    pub conditions: Vec<Condition>,
    /// The beginning of an order number, e-mail or name.
    pub search: Option<String>,
}

impl Listing {
    /// A page of everything, newest first.
    pub fn newest(page: Page) -> Self {
        Self { page, sort: Sort::CreatedAt, direction: Direction::Descending, conditions: Vec::new(), search: None }
    }

    /// The walk that this question is part of. `place`: what else the list is of, such as ids in the path. Filters may come in another order.
    pub fn walk(&self, list: &List, place: &[String]) -> Walk {
        let direction = match self.direction {
            Direction::Ascending => "asc",
            Direction::Descending => "desc",
        };
        let mut clauses: Vec<String> = self.conditions.iter().map(Condition::spelled).collect();
        clauses.sort_unstable();
        let fixed = [list.name, self.cut().column(), direction];
        let search = self.search.as_ref().map(|words| format!("search {words}"));
        let asked = place.iter().chain(&clauses).chain(&search).map(String::as_str);
        Walk::new(fixed.into_iter().chain(asked))
    }

    /// The number that stands behind a row, by its numbers: one more.
    pub(crate) fn cursor(&self, seq: i64, changed: i64) -> i64 {
        1 + match self.cut() {
            Cut::Seq => seq,
            Cut::Changed => changed,
        }
    }

    fn cut(&self) -> Cut {
        match self.sort {
            Sort::CreatedAt => Cut::Seq,
            Sort::UpdatedAt => Cut::Changed,
        }
    }
}

/// Every list, for the test that explains them.
pub fn all() -> Vec<&'static List> {
    vec![
        &crate::tables::shopper::consumers::LIST,
        &crate::tables::returning::drafts::LIST,
        &crate::tables::webhooks::events::LIST,
        &crate::tables::sales::purchases::LIST,
        &crate::tables::merchant::return_locations::LIST,
        &crate::tables::returning::return_orders::LIST,
        &crate::tables::merchant::return_reasons::LIST,
        &crate::tables::returning::return_requests::LIST,
        &crate::tables::merchant::shipping_options::LIST,
        &crate::tables::merchant::service_users::LIST,
        &crate::tables::merchant::users::LIST,
        &crate::tables::returning::shipments::LIST,
        &crate::tables::webhooks::webhook_subscriptions::LIST,
        &crate::tables::returning::withdrawals::LIST,
    ]
}
