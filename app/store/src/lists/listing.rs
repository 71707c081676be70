//! One question to a list.

use super::{
    clause::Condition,
    list::{FieldKind, List, SequenceColumn},
    page::{Page, Walk},
};
use domain::stage::{Queue, QueuePart};

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// By their creation.
    CreatedAt,
    /// By their last change.
    UpdatedAt,
    /// By the time at which they entered their present stage.
    StageSince,
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
    /// Whether the answer also has the number of rows.
    pub counts: bool,
}

impl Listing {
    /// A page of everything, newest first.
    pub fn newest(page: Page) -> Self {
        Self {
            page,
            sort: Sort::CreatedAt,
            direction: Direction::Descending,
            conditions: Vec::new(),
            search: None,
            counts: false,
        }
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

    /// Replaces the names of queues in the filter by their requests.
    #[must_use]
    pub fn resolve_queues(mut self, parts: impl Fn(Queue) -> Vec<QueuePart>) -> Self {
        for condition in &mut self.conditions {
            condition.resolve_queues(&parts);
        }
        self
    }

    /// Whether it is filtered by the field of this name.
    pub fn has_filter_by(&self, name: &str) -> bool {
        self.conditions.iter().any(|condition| condition.is_on(name))
    }

    /// Whether the filter names a queue.
    pub fn has_queue(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition.field.kind, FieldKind::Queue))
    }

    /// Whether rows can be read in this order: only an index of a stage has them in the order of their stages' ages.
    pub fn can_sort(&self) -> bool {
        let has_stage = |condition: &Condition| {
            matches!(condition.field.kind, FieldKind::Queue) || condition.field.column == "stage"
        };
        self.sort != Sort::StageSince || (self.search.is_none() && self.conditions.iter().any(has_stage))
    }

    /// The cursor behind a row with these sequence numbers: the number plus one.
    pub(crate) fn cursor(&self, seq: i64, changed: i64) -> i64 {
        self.cursor_by_stage(seq, changed, seq)
    }

    /// The same for a row that also has the number of the change by which it entered its stage.
    pub(crate) fn cursor_by_stage(&self, seq: i64, changed: i64, staged: i64) -> i64 {
        1 + match self.sequence() {
            SequenceColumn::Seq => seq,
            SequenceColumn::Changed => changed,
            SequenceColumn::Staged => staged,
        }
    }

    pub(super) fn sequence(&self) -> SequenceColumn {
        match self.sort {
            Sort::CreatedAt => SequenceColumn::Seq,
            Sort::UpdatedAt => SequenceColumn::Changed,
            Sort::StageSince => SequenceColumn::Staged,
        }
    }
}
