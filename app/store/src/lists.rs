//! Lists that can be filtered, searched, sorted and walked (design "Lists").
//!
//! A [`List`] says of a table what it can be asked; a [`Listing`] is one such question. Every page is cut by a
//! number of the row, so that it costs the same however many rows there are and however deep the walk has come, and
//! rows that others write meanwhile are neither skipped nor repeated. A test explains every list on both databases.
//!
//! To add a field: give it an index that begins with `account_id` and the field and ends with `seq`.

use crate::{
    Db, Result, StoreError,
    page::{Page, Rows},
};
use domain::{
    AccountId, Timestamp,
    order::{NameKeys, OrderNumberKey, ProofKey},
};
use sqlx::{Database, Encode, FromRow, QueryBuilder, Type, postgres::PgRow, sqlite::SqliteRow};
use std::collections::BTreeSet;
use uuid::Uuid;

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

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `:`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Operator {
    fn sql(self) -> &'static str {
        match self {
            Self::Equal => " = ",
            Self::Less => " < ",
            Self::LessOrEqual => " <= ",
            Self::Greater => " > ",
            Self::GreaterOrEqual => " >= ",
        }
    }
}

/// One clause that must hold.
#[derive(Debug, Clone)]
pub struct Condition {
    field: &'static Field,
    operator: Operator,
    value: Value,
}

impl Condition {
    /// Whether it is about the field of that name.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.field.name == name
    }
}

#[derive(Debug, Clone)]
enum Value {
    Id(Uuid),
    Text(String),
    Time(Timestamp),
    /// Equal to no value that there is.
    Nothing,
}

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

    /// The cursor that stands behind a row, by its numbers: one more, because 1 means the first page.
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

/// The longest value of a filter and the longest search, characters.
pub const MAX_CHARS: usize = 320;

impl List {
    /// A clause such as `stage:Resolution: Approved`; otherwise what is allowed in its place. Splits at the first
    /// operator: values may hold more of them.
    pub fn condition(&self, clause: &str) -> Result<Condition, String>
    where
        Self: 'static,
    {
        let start = clause.find([':', '<', '>']).ok_or("expected <field>:<value>")?;
        let (name, rest) = clause.split_at(start);
        let fields: &'static [Field] = self.fields;
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
            return Err(if names.is_empty() {
                "this list has no filters".to_owned()
            } else {
                format!("expected one of {}", names.join(", "))
            });
        };
        let (operator, value) = split_operator(rest);
        if operator != Operator::Equal && !matches!(field.kind, FieldKind::Time(_)) {
            return Err(format!("{name} can only be compared with ':'"));
        }
        if value.chars().count() > MAX_CHARS {
            return Err(format!("expected at most {MAX_CHARS} characters"));
        }
        Ok(Condition { field, operator, value: field.value(value)? })
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether it can be searched.
    pub fn is_searchable(&self) -> bool {
        self.search.is_some()
    }
}

fn split_operator(rest: &str) -> (Operator, &str) {
    let operators = [
        (":", Operator::Equal),
        ("<=", Operator::LessOrEqual),
        ("<", Operator::Less),
        (">=", Operator::GreaterOrEqual),
        (">", Operator::Greater),
    ];
    let found = operators.iter().find_map(|&(sign, operator)| Some((operator, rest.strip_prefix(sign)?)));
    found.unwrap_or((Operator::Equal, rest))
}

impl Field {
    fn value(&self, text: &str) -> Result<Value, String> {
        Ok(match self.kind {
            FieldKind::Id => Value::Id(Uuid::try_parse(text).map_err(|_| format!("{}: expected an id", self.name))?),
            FieldKind::OrderNumber | FieldKind::NumberOfOrder => {
                OrderNumberKey::new(text).map_or(Value::Nothing, |key| Value::Text(key.as_str().to_owned()))
            }
            FieldKind::Email => ProofKey::new(text).map_or(Value::Nothing, |key| Value::Text(key.as_str().to_owned())),
            FieldKind::Text if text.is_empty() || text.contains('\0') => Value::Nothing,
            FieldKind::Text => Value::Text(text.to_owned()),
            FieldKind::OneOf(words) => {
                let words = words();
                if !words.contains(&text) {
                    return Err(format!("{}: expected one of {}", self.name, words.join(", ")));
                }
                Value::Text(text.to_owned())
            }
            FieldKind::Time(_) => Value::Time(
                Timestamp::parse(text)
                    .ok_or_else(|| format!("{}: expected a time such as 2026-01-31T12:00:00Z", self.name))?,
            ),
        })
    }
}

/// More people than these are not looked through: whoever searches is asked for more of the word.
const MOST_FOUND: usize = 1_000;

/// A page of a list.
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
        let mut query = build("", list, account, listing, found.as_ref());
        query.build_query_as().fetch_all(&mut **c).await?
    });
    listing.page.cut(rows, key, map)
}

/// Ids of the rows whose order number, e-mail or name begins so.
async fn find(mut db: Db<'_>, search: &Search, account: AccountId, words: &str) -> Result<BTreeSet<Uuid>> {
    let name = NameKeys::new(words).whole;
    let number = OrderNumberKey::new(words).map(|key| key.as_str().to_owned());
    let email = ProofKey::new(words).map(|key| key.as_str().to_owned());
    let name = Some(name).filter(|name| !name.is_empty() && !name.contains('\0'));
    let keys = [(search.number_key, &number), ("email_key", &email), ("name_key", &name), ("last_name_key", &name)];
    let mut found = BTreeSet::new();
    for (column, beginning) in keys {
        let Some(beginning) = beginning else { continue };
        let ids: Vec<Uuid> = on!(&mut db, c => {
            let mut query = look_up("", search, account, column, beginning);
            query.build_query_scalar().fetch_all(&mut **c).await?
        });
        found.extend(ids);
        if found.len() > MOST_FOUND {
            return Err(StoreError::SearchTooBroad);
        }
    }
    Ok(found)
}

fn look_up<DB>(
    prefix: &'static str,
    search: &Search,
    account: AccountId,
    column: &'static str,
    beginning: &str,
) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(prefix);
    query.push("SELECT id FROM ").push(search.table).push(" WHERE account_id = ").push_bind(account.0);
    query.push(" AND ").push(column).push(" >= ").push_bind(beginning.to_owned());
    // The last character that there is: everything that begins so comes before it.
    query.push(" AND ").push(column).push(" < ").push_bind(format!("{beginning}\u{10FFFF}"));
    query.push(" LIMIT ").push_bind(i64::try_from(MOST_FOUND + 1).unwrap_or(i64::MAX));
    query
}

/// Rows are numbered after their clock was read, in another order than they read it, and clocks of servers differ.
/// By this much at most, microseconds.
const MARGIN: i64 = 600_000_000;

fn build<DB>(
    prefix: &'static str,
    list: &List,
    account: AccountId,
    listing: &Listing,
    found: Option<&BTreeSet<Uuid>>,
) -> QueryBuilder<DB>
where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    let mut query = QueryBuilder::new(prefix);
    query.push(list.select).push(if list.select.contains(" WHERE ") { " AND " } else { " WHERE " });
    query.push(list.alias).push("account_id = ").push_bind(account.0);
    for condition in &listing.conditions {
        push_condition(&mut query, list, account, condition);
    }
    // A plus sign keeps SQLite from going through all rows in their order in search of those few.
    let is_few = |condition: &Condition| matches!(condition.field.kind, FieldKind::NumberOfOrder);
    let plus = if found.is_some() || listing.conditions.iter().any(is_few) { "+" } else { "" };
    if let (Some(ids), Some(search)) = (found, &list.search) {
        if ids.is_empty() {
            query.push(" AND 1 = 0");
        } else {
            query.push(" AND ").push(search.column).push(" IN (");
            let mut items = query.separated(", ");
            for id in ids {
                items.push_bind(*id);
            }
            query.push(")");
        }
    }
    let column = listing.cut().column();
    let (sign, way) = match listing.direction {
        Direction::Ascending => (" > ", " ASC"),
        Direction::Descending => (" < ", " DESC"),
    };
    if let Some(after) = listing.page.after {
        query.push(" AND ").push(plus).push(list.alias).push(column).push(sign).push_bind(after.saturating_sub(1));
    }
    query.push(" ORDER BY ").push(plus).push(list.alias).push(column).push(way);
    query.push(" LIMIT ").push_bind(listing.page.fetch());
    query
}

fn push_condition<DB>(query: &mut QueryBuilder<DB>, list: &List, account: AccountId, condition: &Condition)
where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    let Condition { field, operator, value } = condition;
    if matches!(value, Value::Nothing) {
        query.push(" AND 1 = 0");
        return;
    }
    if let (Value::Text(number), FieldKind::NumberOfOrder) = (value, field.kind) {
        query
            .push(" AND ")
            .push(field.column)
            .push(" IN (SELECT id FROM orders WHERE account_id = ")
            .push_bind(account.0);
        query.push(" AND number_key = ").push_bind(number.clone()).push(")");
        return;
    }
    query.push(" AND ").push(field.column).push(operator.sql());
    match (value, field.kind) {
        (Value::Id(id), _) => {
            query.push_bind(*id);
        }
        (Value::Text(text), _) => {
            query.push_bind(text.clone());
        }
        (Value::Time(at), FieldKind::Time(cut)) => {
            query.push_bind(at.micros());
            // Where in the order that moment is, so that the walk begins and ends there.
            if matches!(operator, Operator::Equal | Operator::Greater | Operator::GreaterOrEqual) {
                push_bound(
                    query,
                    list,
                    account,
                    field,
                    (cut, " > ", " < ", " DESC"),
                    at.micros().saturating_sub(MARGIN),
                );
            }
            if matches!(operator, Operator::Equal | Operator::Less | Operator::LessOrEqual) {
                push_bound(
                    query,
                    list,
                    account,
                    field,
                    (cut, " < ", " > ", " ASC"),
                    at.micros().saturating_add(MARGIN),
                );
            }
        }
        (Value::Time(_) | Value::Nothing, _) => {}
    }
}

/// Only rows on this side of the last one that is surely beyond a moment; without such a one, all.
fn push_bound<DB>(
    query: &mut QueryBuilder<DB>,
    list: &List,
    account: AccountId,
    field: &Field,
    (cut, side, beyond, way): (Cut, &'static str, &'static str, &'static str),
    moment: i64,
) where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    let column = cut.column();
    query.push(" AND ").push(list.alias).push(column).push(side).push("COALESCE((SELECT b.").push(column);
    query.push(" FROM ").push(list.table).push(" b WHERE b.account_id = ").push_bind(account.0);
    let moment_column = field.column.rsplit('.').next().unwrap_or(field.column);
    query.push(" AND b.").push(moment_column).push(beyond).push_bind(moment);
    query.push(" ORDER BY b.").push(moment_column).push(way).push(" LIMIT 1), ");
    query.push_bind(if side == " > " { i64::MIN } else { i64::MAX }).push(")");
}

/// Every list, for the test that explains them.
pub fn all() -> Vec<&'static List> {
    vec![
        &crate::consumers::LIST,
        &crate::drafts::LIST,
        &crate::purchases::LIST,
        &crate::return_locations::LIST,
        &crate::return_orders::LIST,
        &crate::return_reasons::LIST,
        &crate::return_requests::LIST,
        &crate::shipping_options::LIST,
        &crate::service_users::LIST,
        &crate::users::LIST,
        &crate::shipments::LIST,
    ]
}

/// How the database goes about a question: its own words, a line a step.
#[cfg(feature = "testing")]
pub async fn explain(mut db: Db<'_>, list: &List, account: AccountId, listing: &Listing) -> Result<Vec<String>> {
    let found = listing.search.as_ref().map(|_| (0..20).map(Uuid::from_u128).collect());
    let mut steps = explain_one(
        &mut db,
        |prefix| build(prefix, list, account, listing, found.as_ref()),
        |prefix| build(prefix, list, account, listing, found.as_ref()),
    )
    .await?;
    if let (Some(words), Some(search)) = (&listing.search, &list.search) {
        for column in [search.number_key, "email_key", "name_key", "last_name_key"] {
            let more = explain_one(
                &mut db,
                |prefix| look_up(prefix, search, account, column, words),
                |prefix| look_up(prefix, search, account, column, words),
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
