//! The SQL of a question to a list.

use super::{
    clause::{Condition, FilterValue, Operator},
    list::{Field, FieldKind, List, SequenceColumn},
    listing::{Direction, Listing},
    reading::{Branch, Reading},
    related::Related,
};
use crate::engine::template::push_list;
use domain::{AccountId, stage::QueuePart};
use sqlx::{Database, Encode, QueryBuilder, Type};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Rows get their numbers after their clock was read, in another order, and the clocks of servers differ: by at most
/// ten minutes, in microseconds.
const CLOCK_MARGIN: i64 = 600_000_000;

/// A bound of the sequence numbers that follows from a bound of a moment.
struct Bound {
    /// Which side of the bound the rows are on.
    side: &'static str,
    /// What the moments of the row compare to that gives the bound.
    beyond: &'static str,
    /// The order in which that row is the first.
    order: &'static str,
    /// The bound if there is no such row.
    none: i64,
}

/// Rows from a moment on have larger numbers than the last row that is surely older.
const FROM_MOMENT: Bound = Bound { side: " > ", beyond: " < ", order: " DESC", none: i64::MIN };
/// Rows up to a moment have smaller numbers than the first row that is surely newer.
const UP_TO_MOMENT: Bound = Bound { side: " < ", beyond: " > ", order: " ASC", none: i64::MAX };

/// The query of a question, as it is written.
pub(super) struct ListQuery<'a, DB: Database> {
    text: QueryBuilder<DB>,
    list: &'a List,
    account: AccountId,
    listing: &'a Listing,
    /// The result of the search.
    found: Option<&'a BTreeSet<Uuid>>,
    reading: &'a Reading<'a>,
    /// What stands before the columns of a row.
    row: &'static str,
}

impl<'a, DB> ListQuery<'a, DB>
where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    /// `explain`: empty, or the database's `EXPLAIN `.
    pub(super) fn new(
        explain: &'static str,
        list: &'a List,
        account: AccountId,
        listing: &'a Listing,
        found: Option<&'a BTreeSet<Uuid>>,
        reading: &'a Reading<'a>,
    ) -> Self {
        Self { text: QueryBuilder::new(explain), list, account, listing, found, reading, row: "" }
    }

    /// The rows of a page that one index finds.
    pub(super) fn direct(mut self) -> QueryBuilder<DB> {
        let (sign, order) = self.order();
        let (page, column) = (self.listing.page, self.column());
        self.text.push(self.list.select);
        self.push_where();
        if let Some(after) = page.after() {
            self.text.push(" AND ");
            self.push_sequence().push(sign).push_bind(after.saturating_sub(1));
        } else if page.skipped() > 0 {
            // The index alone finds the number of the page's first row: whole rows are read for this page only.
            self.text.push(" AND ");
            self.push_sequence().push(sign.trim_end()).push("= (SELECT ");
            self.text.push(self.list.alias).push(column).push(" FROM ").push(self.list.source());
            self.push_where();
            self.text.push(" ORDER BY ");
            self.push_sequence().push(order);
            self.text.push(" LIMIT 1 OFFSET ").push_bind(page.skipped()).push(")");
        }
        self.text.push(" ORDER BY ");
        self.push_sequence().push(order);
        // Postgres plans by the number in the text. It would take an unknown limit for a tenth of all rows, and sort them.
        self.text.push(" LIMIT ").push(page.fetch_in_steps());
        self.text
    }

    /// The rows of a page among the next rows that are scanned. Only narrow rows are scanned and compared.
    pub(super) fn scan(mut self, most: i64) -> QueryBuilder<DB> {
        let ((_, order), column) = (self.order(), self.column());
        let (account, page, key) = (self.account.0, self.listing.page, self.list.key);
        self.text.push(self.list.select).push(" WHERE account_id = ").push_bind(account).push(" AND ").push(key);
        self.text.push(" IN (SELECT scanned.").push(key).push(" FROM (");
        self.push_branches(most);
        self.text.push(") AS scanned");
        self.push_rest();
        self.text.push(" ORDER BY scanned.").push(column).push(order);
        self.text.push(" LIMIT ").push_bind(page.fetch()).push(" OFFSET ").push_bind(page.skipped());
        // The plus sign keeps SQLite from reading all rows in their order in search of these.
        self.text.push(") ORDER BY +").push(column).push(order);
        self.text
    }

    /// The number of the last row of a scan; no row if it reaches the end of the list.
    pub(super) fn last_scanned(mut self, most: i64) -> QueryBuilder<DB> {
        let ((_, order), column) = (self.order(), self.column());
        self.text.push("SELECT COALESCE(scanned.").push(column).push(", 0) FROM (");
        self.push_branches(most);
        self.text.push(") AS scanned ORDER BY scanned.").push(column).push(order);
        self.text.push(" LIMIT 1 OFFSET ").push_bind(most.saturating_sub(1));
        self.text
    }

    /// The number of rows, up to one more than the page has.
    pub(super) fn count(mut self) -> QueryBuilder<DB> {
        self.text.push("SELECT COUNT(*) FROM (SELECT 1 AS one FROM ");
        match self.reading {
            Reading::Direct => {
                self.text.push(self.list.source());
                self.push_where();
            }
            Reading::Scan { most, .. } => {
                self.text.push("(");
                self.push_branches(*most);
                self.text.push(") AS scanned");
                self.push_rest();
            }
        }
        self.text.push(" LIMIT ").push_bind(self.listing.page.fetch()).push(") AS counted");
        self.text
    }

    fn push_branches(&mut self, most: i64) {
        let Reading::Scan { branches, rest, .. } = self.reading else { return };
        let column = self.column();
        let mut columns = BTreeSet::from([self.list.key, column]);
        columns.extend(rest.iter().flat_map(|condition| condition.reads()));
        let columns: Vec<&str> = columns.into_iter().collect();
        if let [branch] = branches.as_slice() {
            return self.push_branch(branch, &columns, most);
        }
        for (index, branch) in branches.iter().enumerate() {
            self.text.push(if index == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
            self.push_branch(branch, &columns, most);
            self.text.push(") AS branch");
        }
        let (_, order) = self.order();
        // A number in the text, by which Postgres plans.
        self.text.push(" ORDER BY ").push(column).push(order).push(" LIMIT ").push(most);
    }

    fn push_branch(&mut self, branch: &Branch<'_>, columns: &[&str], most: i64) {
        let ((sign, order), column) = (self.order(), self.column());
        self.text.push("SELECT ").push(columns.join(", ")).push(" FROM ").push(self.list.table);
        self.text.push(" WHERE account_id = ").push_bind(self.account.0);
        match *branch {
            Branch::All => {}
            Branch::Few(condition) => self.push_condition(condition),
            Branch::Value(condition, value) => self.push_value(condition, value),
            Branch::Word(of, word) => {
                self.text.push(" AND ").push(of).push(" = ").push_bind(word.to_owned());
            }
        }
        let sequence = self.listing.sequence();
        for condition in &self.listing.conditions {
            if matches!(condition.field.kind, FieldKind::Time(of) if of == sequence) {
                self.push_condition(condition);
            }
        }
        if let Some(after) = self.listing.page.after() {
            self.text.push(" AND ").push(column).push(sign).push_bind(after.saturating_sub(1));
        }
        // A condition with few rows may have no index in this order.
        let plus = if matches!(branch, Branch::Few(_)) { "+" } else { "" };
        self.text.push(" ORDER BY ").push(plus).push(column).push(order).push(" LIMIT ").push(most);
    }

    /// The conditions that scanned rows are compared with.
    fn push_rest(&mut self) {
        let Reading::Scan { rest, .. } = self.reading else { return };
        self.text.push(" WHERE 1 = 1");
        self.row = "scanned.";
        for condition in rest {
            self.push_condition(condition);
        }
        self.row = "";
    }

    fn order(&self) -> (&'static str, &'static str) {
        match self.listing.direction {
            Direction::Ascending => (" > ", " ASC"),
            Direction::Descending => (" < ", " DESC"),
        }
    }

    fn column(&self) -> &'static str {
        self.listing.sequence().name()
    }

    /// The sequence number of a row. Where few rows match, a plus sign keeps SQLite from reading all rows in their
    /// order in search of those.
    fn push_sequence(&mut self) -> &mut QueryBuilder<DB> {
        let matches_few = |condition: &Condition| matches!(condition.field.kind, FieldKind::NumberOfOrder);
        let is_few = self.found.is_some() || self.listing.conditions.iter().any(matches_few);
        let column = self.column();
        self.text.push(if is_few { "+" } else { "" }).push(self.list.alias).push(column)
    }

    fn push_where(&mut self) {
        self.text.push(if self.list.source().contains(" WHERE ") { " AND " } else { " WHERE " });
        self.text.push(self.list.alias).push("account_id = ").push_bind(self.account.0);
        for condition in &self.listing.conditions {
            self.push_condition(condition);
        }
        let (Some(ids), Some(search)) = (self.found, &self.list.search) else { return };
        if ids.is_empty() {
            self.text.push(" AND 1 = 0");
        } else {
            self.text.push(" AND ").push(search.column).push(" IN (");
            push_list(&mut self.text, ids.iter().copied());
            self.text.push(")");
        }
    }

    fn push_condition(&mut self, condition: &Condition) {
        let Condition { field, operator, values } = condition;
        match (field.kind, values.as_slice()) {
            (_, []) => {
                self.text.push(" AND 1 = 0");
            }
            (FieldKind::NumberOfOrder, _) => self.push_order_of_number(field, &texts(values)),
            (_, [value]) => self.push_value(condition, value),
            (FieldKind::Id | FieldKind::SharedId, _) => {
                let ids =
                    values.iter().filter_map(|value| if let FilterValue::Id(id) = value { Some(*id) } else { None });
                self.text.push(" AND ").push(self.row).push(field.column).push(" IN (");
                push_list(&mut self.text, ids);
                self.text.push(")");
            }
            (
                FieldKind::Related(_) | FieldKind::Queue | FieldKind::Time(_) | FieldKind::Moment | FieldKind::Amount,
                _,
            ) => {
                for (index, value) in values.iter().enumerate() {
                    self.text.push(if index == 0 { " AND ((1 = 1" } else { ") OR (1 = 1" });
                    self.push_value(condition, value);
                }
                self.text.push("))");
            }
            _ => {
                self.text.push(" AND ").push(self.row).push(field.column);
                self.push_one_of(&texts(values));
            }
        }
        debug_assert!(values.len() < 2 || *operator == Operator::Equal, "only ':' takes several values");
    }

    fn push_value(&mut self, condition: &Condition, value: &FilterValue) {
        let (field, operator) = (condition.field, condition.operator);
        if let FieldKind::Related(related) = field.kind {
            return self.push_related(related, value);
        }
        match value {
            FilterValue::Id(id) => {
                self.push_comparison(field, operator).push_bind(*id);
            }
            FilterValue::Text(text) => {
                self.push_comparison(field, operator).push_bind(text.clone());
            }
            FilterValue::Amount(amount) => {
                self.push_comparison(field, operator).push_bind(amount.minor);
                self.text.push(" AND ").push(self.row).push("currency = ").push_bind(amount.currency.code().to_owned());
            }
            FilterValue::Time(at) => {
                self.push_comparison(field, operator).push_bind(at.micros());
                let FieldKind::Time(sequence) = field.kind else { return };
                // The walk starts and ends near the moment, rather than comparing every row.
                if matches!(operator, Operator::Equal | Operator::Greater | Operator::GreaterOrEqual) {
                    self.push_bound(field, sequence, &FROM_MOMENT, at.micros().saturating_sub(CLOCK_MARGIN));
                }
                if matches!(operator, Operator::Equal | Operator::Less | Operator::LessOrEqual) {
                    self.push_bound(field, sequence, &UP_TO_MOMENT, at.micros().saturating_add(CLOCK_MARGIN));
                }
            }
            FilterValue::Part(part) => self.push_part(part),
            // Flags are values of other tables, and queues were resolved.
            FilterValue::Flag(_) | FilterValue::Queue(_) => {
                self.text.push(" AND 1 = 0");
            }
        }
    }

    /// The requests of a stage that belong to a queue.
    fn push_part(&mut self, part: &QueuePart) {
        let (account, row) = (self.account.0, self.row_or_table());
        self.text.push(" AND ").push(self.row).push("stage = ").push_bind(part.stage.as_str().to_owned());
        if let Some(before) = part.entered_before {
            self.text.push(" AND ").push(self.row).push("stage_since < ").push_bind(before.micros());
        }
        if let Some(since) = part.without_news_since {
            self.text.push(" AND (SELECT COUNT(*) FROM shipments p WHERE p.account_id = ").push_bind(account);
            self.text.push(" AND p.return_order_id = ").push(row).push("return_order_id AND p.updated_at >= ");
            self.text.push_bind(since.micros()).push(") = 0");
        }
    }

    fn push_related(&mut self, related: &Related, value: &FilterValue) {
        let (account, row) = (self.account.0, self.row_or_table());
        self.text.push(if matches!(value, FilterValue::Flag(false)) { " AND NOT " } else { " AND " });
        for part in related.sql.split_inclusive('}') {
            let (text, name) = part.split_once('{').unwrap_or((part, ""));
            self.text.push(text);
            match (name, value) {
                ("row}", _) => {
                    self.text.push(row.as_str());
                }
                ("account}", _) => {
                    self.text.push_bind(account);
                }
                ("value}", FilterValue::Id(id)) if related.around == ("", "") => {
                    self.text.push_bind(*id);
                }
                ("value}", FilterValue::Id(id)) => {
                    self.text.push_bind(format!("{}{id}{}", related.around.0, related.around.1));
                }
                ("value}", FilterValue::Text(text)) => {
                    self.text.push_bind(format!("{}{text}{}", related.around.0, related.around.1));
                }
                _ => {}
            }
        }
    }

    /// The row of the list within a condition on other tables.
    fn row_or_table(&self) -> String {
        if self.row.is_empty() { format!("{}.", self.list.table) } else { self.row.to_owned() }
    }

    fn push_comparison(&mut self, field: &Field, operator: Operator) -> &mut QueryBuilder<DB> {
        self.text.push(" AND ").push(self.row).push(field.column).push(operator.sql())
    }

    fn push_order_of_number(&mut self, field: &Field, spellings: &[String]) {
        let sources = [("SELECT id FROM orders", "number_key"), ("SELECT order_id FROM order_spellings", "spelling")];
        self.text.push(" AND ").push(self.row).push(field.column).push(" IN (");
        for (index, (select, key)) in sources.into_iter().enumerate() {
            self.text.push(if index == 0 { "" } else { " UNION ALL " }).push(select);
            self.text.push(" WHERE account_id = ").push_bind(self.account.0).push(" AND ").push(key);
            self.push_one_of(spellings);
        }
        self.text.push(")");
    }

    fn push_one_of(&mut self, texts: &[String]) {
        self.text.push(" IN (");
        push_list(&mut self.text, texts.iter().cloned());
        self.text.push(")");
    }

    /// Restricts the sequence numbers to those beyond the nearest row that is surely outside of a moment's bound;
    /// without such a row, to none.
    fn push_bound(&mut self, field: &Field, sequence: SequenceColumn, bound: &Bound, moment: i64) {
        let number = sequence.name();
        let moment_column = field.column.rsplit('.').next().unwrap_or(field.column);
        let (row, table) = (if self.row.is_empty() { self.list.alias } else { self.row }, self.list.table);
        self.text.push(" AND ").push(row).push(number).push(bound.side).push("COALESCE((SELECT b.").push(number);
        self.text.push(" FROM ").push(table).push(" b WHERE b.account_id = ").push_bind(self.account.0);
        self.text.push(" AND b.").push(moment_column).push(bound.beyond).push_bind(moment);
        self.text.push(" ORDER BY b.").push(moment_column).push(bound.order).push(" LIMIT 1), ");
        self.text.push_bind(bound.none).push(")");
    }
}

fn texts(values: &[FilterValue]) -> Vec<String> {
    let text = |value: &FilterValue| if let FilterValue::Text(text) = value { Some(text.clone()) } else { None };
    values.iter().filter_map(text).collect()
}
