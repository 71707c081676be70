//! The SQL of a question to a list.

use super::{
    clause::{Condition, FilterValue, Operator, email_spellings, number_spellings},
    list::{Field, FieldKind, List, Search, SequenceColumn},
    listing::{Direction, Listing},
    page::Rows,
};
use crate::engine::{Db, Result, StoreError, template::push_list};
use domain::{AccountId, order::NameKeys};
use sqlx::{Database, Encode, FromRow, QueryBuilder, Type, postgres::PgRow, sqlite::SqliteRow};
use std::collections::BTreeSet;
use uuid::Uuid;

/// The largest number of people that a search may find: a list is filtered by their ids.
const MOST_FOUND: usize = 1_000;

/// Runs a question. `key` is the cursor behind a row.
pub(crate) async fn fetch<R, T>(
    mut db: Db<'_>,
    list: &List,
    account: AccountId,
    listing: &Listing,
    key: impl Fn(&R) -> i64,
    map: impl Fn(R) -> Result<T>,
) -> Result<Rows<T>>
where
    R: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>,
{
    let found = match (&listing.search, &list.search) {
        (Some(words), Some(search)) => Some(find(db.reborrow(), search, account, words).await?),
        _ => None,
    };
    let rows: Vec<R> = on!(&mut db, c => {
        let mut query = ListQuery::new("", list, account, listing, found.as_ref()).build();
        query.build_query_as().fetch_all(&mut **c).await?
    });
    listing.page.cut(rows, key, map)
}

/// The ids of the rows whose order number, e-mail address or name begins with these words.
async fn find(mut db: Db<'_>, search: &Search, account: AccountId, words: &str) -> Result<BTreeSet<Uuid>> {
    let name = NameKeys::new(words).full;
    let names: Vec<String> = Some(name).filter(|name| !name.is_empty() && !name.contains('\0')).into_iter().collect();
    let (numbers, emails) = (number_spellings(words), email_spellings(words));
    let mut prefixes: Vec<(&str, &String)> = Vec::new();
    for (column, spellings) in
        [(search.number_key, &numbers), ("email_key", &emails), ("name_key", &names), ("last_name_key", &names)]
    {
        prefixes.extend(spellings.iter().map(|prefix| (column, prefix)));
    }
    let mut found = BTreeSet::new();
    for (column, prefix) in prefixes {
        let ids: Vec<Uuid> = on!(&mut db, c => {
            let mut query = look_up("", search, account, column, prefix);
            query.build_query_scalar().fetch_all(&mut **c).await?
        });
        found.extend(ids);
        if found.len() > MOST_FOUND {
            return Err(StoreError::SearchTooBroad);
        }
    }
    Ok(found)
}

/// The last character of Unicode: every text that begins with a prefix sorts before the prefix with this appended.
const LAST_CHARACTER: char = '\u{10FFFF}';

fn look_up<DB>(
    explain: &'static str,
    search: &Search,
    account: AccountId,
    column: &'static str,
    prefix: &str,
) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(explain);
    query.push("SELECT id FROM ").push(search.table).push(" WHERE account_id = ").push_bind(account.0);
    query.push(" AND ").push(column).push(" >= ").push_bind(prefix.to_owned());
    query.push(" AND ").push(column).push(" < ").push_bind(format!("{prefix}{LAST_CHARACTER}"));
    query.push(" LIMIT ").push_bind(i64::try_from(MOST_FOUND + 1).unwrap_or(i64::MAX));
    query
}

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
struct ListQuery<'a, DB: Database> {
    text: QueryBuilder<DB>,
    list: &'a List,
    account: AccountId,
    listing: &'a Listing,
    /// The result of the search.
    found: Option<&'a BTreeSet<Uuid>>,
}

impl<'a, DB> ListQuery<'a, DB>
where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    /// `explain`: empty, or the database's `EXPLAIN `.
    fn new(
        explain: &'static str,
        list: &'a List,
        account: AccountId,
        listing: &'a Listing,
        found: Option<&'a BTreeSet<Uuid>>,
    ) -> Self {
        Self { text: QueryBuilder::new(explain), list, account, listing, found }
    }

    fn build(mut self) -> QueryBuilder<DB> {
        let (sign, order) = match self.listing.direction {
            Direction::Ascending => (" > ", " ASC"),
            Direction::Descending => (" < ", " DESC"),
        };
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
            self.text.push(self.list.alias).push(column).push(" FROM ").push(source(self.list));
            self.push_where();
            self.text.push(" ORDER BY ");
            self.push_sequence().push(order);
            self.text.push(" LIMIT 1 OFFSET ").push_bind(page.skipped()).push(")");
        }
        self.text.push(" ORDER BY ");
        self.push_sequence().push(order);
        self.text.push(" LIMIT ").push_bind(page.fetch());
        self.text
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
        self.text.push(if source(self.list).contains(" WHERE ") { " AND " } else { " WHERE " });
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

    fn push_condition(&mut self, Condition { field, operator, value }: &Condition) {
        match value {
            FilterValue::Nothing => {
                self.text.push(" AND 1 = 0");
            }
            FilterValue::Spellings(spellings) => match field.kind {
                FieldKind::NumberOfOrder => self.push_order_of_number(field, spellings),
                _ => {
                    self.text.push(" AND ").push(field.column);
                    self.push_one_of(spellings);
                }
            },
            FilterValue::Id(id) => {
                self.push_comparison(field, *operator).push_bind(*id);
            }
            FilterValue::Text(text) => {
                self.push_comparison(field, *operator).push_bind(text.clone());
            }
            FilterValue::Time(at) => {
                self.push_comparison(field, *operator).push_bind(at.micros());
                let FieldKind::Time(sequence) = field.kind else { return };
                // The walk starts and ends near the moment, rather than comparing every row.
                if matches!(operator, Operator::Equal | Operator::Greater | Operator::GreaterOrEqual) {
                    self.push_bound(field, sequence, &FROM_MOMENT, at.micros().saturating_sub(CLOCK_MARGIN));
                }
                if matches!(operator, Operator::Equal | Operator::Less | Operator::LessOrEqual) {
                    self.push_bound(field, sequence, &UP_TO_MOMENT, at.micros().saturating_add(CLOCK_MARGIN));
                }
            }
        }
    }

    fn push_comparison(&mut self, field: &Field, operator: Operator) -> &mut QueryBuilder<DB> {
        self.text.push(" AND ").push(field.column).push(operator.sql())
    }

    fn push_order_of_number(&mut self, field: &Field, spellings: &[String]) {
        let sources = [("SELECT id FROM orders", "number_key"), ("SELECT order_id FROM order_spellings", "spelling")];
        self.text.push(" AND ").push(field.column).push(" IN (");
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
        let (alias, table) = (self.list.alias, self.list.table);
        self.text.push(" AND ").push(alias).push(number).push(bound.side).push("COALESCE((SELECT b.").push(number);
        self.text.push(" FROM ").push(table).push(" b WHERE b.account_id = ").push_bind(self.account.0);
        self.text.push(" AND b.").push(moment_column).push(bound.beyond).push_bind(moment);
        self.text.push(" ORDER BY b.").push(moment_column).push(bound.order).push(" LIMIT 1), ");
        self.text.push_bind(bound.none).push(")");
    }
}

/// The tables of a list and what joins them. Columns may be subqueries: the last FROM is the list's.
fn source(list: &List) -> &'static str {
    list.select.rsplit(" FROM ").next().unwrap_or(list.table)
}

/// As many ids as a search may well find, for [`explain`].
#[cfg(feature = "testing")]
const EXPLAINED_IDS: u128 = 20;

/// The database's plan for a question, one line for each step.
#[cfg(feature = "testing")]
pub async fn explain(mut db: Db<'_>, list: &List, account: AccountId, listing: &Listing) -> Result<Vec<String>> {
    let found = listing.search.as_ref().map(|_| (0..EXPLAINED_IDS).map(Uuid::from_u128).collect());
    let mut steps = explain_one(
        &mut db,
        |explain| ListQuery::new(explain, list, account, listing, found.as_ref()).build(),
        |explain| ListQuery::new(explain, list, account, listing, found.as_ref()).build(),
    )
    .await?;
    if let (Some(words), Some(search)) = (&listing.search, &list.search) {
        for column in [search.number_key, "email_key", "name_key", "last_name_key"] {
            let more = explain_one(
                &mut db,
                |explain| look_up(explain, search, account, column, words),
                |explain| look_up(explain, search, account, column, words),
            );
            steps.extend(more.await?);
        }
    }
    Ok(steps)
}

#[cfg(feature = "testing")]
async fn explain_one(
    db: &mut Db<'_>,
    sqlite: impl FnOnce(&'static str) -> QueryBuilder<sqlx::Sqlite>,
    postgres: impl FnOnce(&'static str) -> QueryBuilder<sqlx::Postgres>,
) -> Result<Vec<String>> {
    Ok(match db {
        Db::Sqlite(c) => {
            let mut query = sqlite("EXPLAIN QUERY PLAN ");
            let steps: Vec<(i64, i64, i64, String)> = query.build_query_as().fetch_all(&mut **c).await?;
            steps.into_iter().map(|step| step.3).collect()
        }
        Db::Postgres(c) => postgres("EXPLAIN ").build_query_scalar().fetch_all(&mut **c).await?,
    })
}
