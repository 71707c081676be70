//! One question to a list.

use super::{
    clause::Condition,
    list::{List, SequenceColumn},
    page::{Page, Walk},
};

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// By their creation.
    CreatedAt,
    /// By their last change.
    UpdatedAt,
}

/// The direction of the order.
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
    /// Which page of the rows.
    pub page: Page,
    /// The order.
    pub sort: Sort,
    /// The direction of the order.
    pub direction: Direction,
    /// Clauses of the filter, all of which must hold.
    pub conditions: Vec<Condition>,
    /// The beginning of an order number, e-mail address or name.
    pub search: Option<String>,
}

impl Listing {
    /// A page of everything, newest first.
    pub fn newest(page: Page) -> Self {
        Self { page, sort: Sort::CreatedAt, direction: Direction::Descending, conditions: Vec::new(), search: None }
    }

    /// The walk that this question belongs to. `place` is what else selects the rows, such as ids in the path. The
    /// order of the clauses does not matter.
    pub fn walk(&self, list: &List, place: &[String]) -> Walk {
        let direction = match self.direction {
            Direction::Ascending => "asc",
            Direction::Descending => "desc",
        };
        let mut clauses: Vec<String> = self.conditions.iter().map(Condition::canonical).collect();
        clauses.sort_unstable();
        let fixed = [list.name, self.sequence().name(), direction];
        let search = self.search.as_ref().map(|words| format!("search {words}"));
        let variable = place.iter().chain(&clauses).chain(&search).map(String::as_str);
        Walk::new(fixed.into_iter().chain(variable))
    }

    /// The cursor behind a row with these sequence numbers: the number plus one.
    pub(crate) fn cursor(&self, seq: i64, changed: i64) -> i64 {
        1 + match self.sequence() {
            SequenceColumn::Seq => seq,
            SequenceColumn::Changed => changed,
        }
    }

    pub(super) fn sequence(&self) -> SequenceColumn {
        match self.sort {
            Sort::CreatedAt => SequenceColumn::Seq,
            Sort::UpdatedAt => SequenceColumn::Changed,
        }
    }
}
