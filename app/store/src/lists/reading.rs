//! How the rows of a question are reached.
//!
//! One filter has an index with its rows in the order of the list. Of several filters, one drives: its rows are read in
//! that order, at most [`MOST_SCANNED`] for a page, and compared with the others. So a page may have fewer rows than
//! its limit, although more follow: the next page goes on where the scan ended.

use super::{
    clause::{Condition, FilterValue, Operator},
    list::{FieldKind, List},
    listing::{Listing, Sort},
};
use std::collections::BTreeSet;

/// The rows that are read for a page at most.
const MOST_SCANNED: i64 = 1_000;
/// Of these, at first: usually enough for a page.
const FIRST_PART: i64 = 4;

/// How the rows of a question are reached.
pub(super) enum Reading<'a> {
    /// One index has exactly the rows in their order, or there are few of them.
    Direct,
    /// The rows of all branches are read in the order of the list, and compared with the remaining conditions.
    Scan {
        branches: Vec<Branch<'a>>,
        rest: Vec<&'a Condition>,
        /// The rows that are read at most.
        most: i64,
    },
}

/// Rows that an index has in the order of the list.
pub(super) enum Branch<'a> {
    /// All rows of the account.
    All,
    /// The few rows of a condition.
    Few(&'a Condition),
    /// The rows with one value of a condition.
    Value(&'a Condition, &'a FilterValue),
    /// The rows with this word in a column.
    Word(&'static str, &'static str),
}

impl<'a> Reading<'a> {
    pub(super) fn of(list: &List, listing: &'a Listing) -> Self {
        let conditions = &listing.conditions;
        let is_in_time = |condition: &Condition| matches!(condition.field.kind, FieldKind::Time(_));
        // Of a list that joins or has a condition of its own, no narrow rows can be scanned.
        let is_plain = list.alias.is_empty() && !list.source().contains(" WHERE ");
        let is_simple = listing.search.is_some() || !is_plain || conditions.iter().all(is_in_time);
        if is_simple || conditions.iter().any(|condition| condition.values.is_empty()) {
            return Self::Direct;
        }
        let ranked = conditions.iter().filter_map(|condition| Some((rank(condition, listing.sort)?, condition)));
        let driver = ranked.min_by_key(|(rank, _)| *rank).map(|(_, condition)| condition);
        let branches = driver.map_or_else(|| vec![Branch::All], branches_of);
        // Rows of an implied word still have to be compared.
        let drives = |condition: &Condition| {
            driver.is_some_and(|driver| std::ptr::eq(driver, condition))
                && !matches!(condition.field.kind, FieldKind::Related(_))
        };
        let is_bound =
            |condition: &Condition| matches!(condition.field.kind, FieldKind::Time(of) if of == listing.sequence());
        let rest: Vec<&Condition> =
            conditions.iter().filter(|condition| !drives(condition) && !is_bound(condition)).collect();
        if rest.is_empty()
            && branches.len() == 1
            && !matches!(branches.first(), Some(Branch::Value(_, FilterValue::Part(_))))
        {
            return Self::Direct;
        }
        let cost = rest.iter().map(|condition| condition.cost()).max().unwrap_or(1);
        Self::Scan { branches, rest, most: MOST_SCANNED / cost }
    }
}

impl Reading<'_> {
    /// How many rows a scan reads: some at first, and if they do not fill the page, as many as it may.
    pub(super) fn scans(&self) -> Vec<i64> {
        match self {
            Self::Direct => Vec::new(),
            Self::Scan { most, .. } => vec![most / FIRST_PART, *most],
        }
    }
}

/// How well a condition drives: the lowest of all conditions does. `None`: no index has its rows in this order.
fn rank(condition: &Condition, sort: Sort) -> Option<u8> {
    if condition.operator != Operator::Equal {
        return None;
    }
    let is_of_stage = matches!(condition.field.column, "stage" | "status");
    match condition.field.kind {
        FieldKind::Id
        | FieldKind::OrderNumber
        | FieldKind::NumberOfOrder
        | FieldKind::Email
        | FieldKind::Text
        | FieldKind::Barcode => Some(0),
        FieldKind::Queue => Some(1),
        FieldKind::SharedText if sort == Sort::CreatedAt => Some(2),
        FieldKind::SharedId if sort == Sort::CreatedAt => Some(3),
        // The fewer values, the fewer rows.
        FieldKind::OneOf(_) if sort == Sort::CreatedAt || is_of_stage => {
            Some(if condition.values.len() == 1 { 4 } else { 5 })
        }
        FieldKind::Related(related) if related.implied.is_some() && !implied(condition).is_empty() => Some(6),
        _ => None,
    }
}

fn branches_of(driver: &Condition) -> Vec<Branch<'_>> {
    match driver.field.kind {
        FieldKind::SharedId | FieldKind::SharedText | FieldKind::OneOf(_) | FieldKind::Queue => {
            driver.values.iter().map(|value| Branch::Value(driver, value)).collect()
        }
        FieldKind::Related(_) => implied(driver).into_iter().map(|(column, word)| Branch::Word(column, word)).collect(),
        _ => vec![Branch::Few(driver)],
    }
}

/// The words that an indexed column has in the rows of a condition; none if it can have any.
fn implied(condition: &Condition) -> BTreeSet<(&'static str, &'static str)> {
    let FieldKind::Related(related) = condition.field.kind else { return BTreeSet::new() };
    let Some(implied) = related.implied else { return BTreeSet::new() };
    let mut all = BTreeSet::new();
    for value in &condition.values {
        let FilterValue::Text(text) = value else { return BTreeSet::new() };
        let words = (implied.words)(text);
        if words.is_empty() {
            return BTreeSet::new();
        }
        all.extend(words.into_iter().map(|word| (implied.column, word)));
    }
    all
}

impl Condition {
    /// How many rows of other tables it reads for a row, about.
    fn cost(&self) -> i64 {
        if let FieldKind::Related(related) = self.field.kind { related.cost } else { 1 }
    }

    /// The columns of a row that it compares, besides its key.
    pub(super) fn reads(&self) -> Vec<&'static str> {
        match self.field.kind {
            FieldKind::Amount => vec![self.field.column, "currency"],
            FieldKind::Queue => vec!["stage", "stage_since", "return_order_id"],
            FieldKind::Related(related) => related.reads.to_vec(),
            FieldKind::Time(sequence) => vec![self.field.column, sequence.name()],
            _ => vec![self.field.column],
        }
    }
}
