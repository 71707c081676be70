//! The SQL that a question to a list comes to.

use super::{
    Cut, Direction, Field, FieldKind, List, Listing, Search,
    clause::{Condition, Operator, Value, email_spellings, number_spellings},
};
use crate::{engine::{Db, Result, StoreError}, lists::page::Rows};
use domain::{AccountId, order::NameKeys};
use sqlx::{Database, Encode, FromRow, QueryBuilder, Type, postgres::PgRow, sqlite::SqliteRow};
use std::collections::BTreeSet;
use uuid::Uuid;

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
    let names: Vec<String> = Some(name).filter(|name| !name.is_empty() && !name.contains('\0')).into_iter().collect();
    let (numbers, emails) = (number_spellings(words), email_spellings(words));
    let mut keys: Vec<(&str, &String)> = Vec::new();
    for (column, beginnings) in
        [(search.number_key, &numbers), ("email_key", &emails), ("name_key", &names), ("last_name_key", &names)]
    {
        for beginning in beginnings {
            keys.push((column, beginning));
        }
    }
    let mut found = BTreeSet::new();
    for (column, beginning) in keys {
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
    query.push(list.select);
    push_where(&mut query, list, account, listing, found);
    let column = listing.cut().column();
    let plus = plus(listing, found);
    let (sign, way) = match listing.direction {
        Direction::Ascending => (" > ", " ASC"),
        Direction::Descending => (" < ", " DESC"),
    };
    if let Some(after) = listing.page.after() {
        query.push(" AND ").push(plus).push(list.alias).push(column).push(sign).push_bind(after.saturating_sub(1));
    } else if listing.page.skipped() > 0 {
        // The first row of the page is found by its number alone, in the index: whole rows are read of the page only.
        query.push(" AND ").push(plus).push(list.alias).push(column).push(sign.trim_end()).push("= (SELECT ");
        query.push(list.alias).push(column).push(" FROM ").push(source(list));
        push_where(&mut query, list, account, listing, found);
        query.push(" ORDER BY ").push(plus).push(list.alias).push(column).push(way);
        query.push(" LIMIT 1 OFFSET ").push_bind(listing.page.skipped()).push(")");
    }
    query.push(" ORDER BY ").push(plus).push(list.alias).push(column).push(way);
    query.push(" LIMIT ").push_bind(listing.page.fetch());
    query
}

/// The tables of a list, with what joins them. Columns may hold statements of their own: the last FROM is the list's.
fn source(list: &List) -> &'static str {
    list.select.rsplit(" FROM ").next().unwrap_or(list.table)
}

/// A plus sign keeps SQLite from going through all rows in their order in search of a few.
fn plus(listing: &Listing, found: Option<&BTreeSet<Uuid>>) -> &'static str {
    let is_few = |condition: &Condition| matches!(condition.field.kind, FieldKind::NumberOfOrder);
    if found.is_some() || listing.conditions.iter().any(is_few) { "+" } else { "" }
}

fn push_where<DB>(
    query: &mut QueryBuilder<DB>,
    list: &List,
    account: AccountId,
    listing: &Listing,
    found: Option<&BTreeSet<Uuid>>,
) where
    DB: Database,
    Uuid: Type<DB> + for<'e> Encode<'e, DB>,
    String: Type<DB> + for<'e> Encode<'e, DB>,
    i64: Type<DB> + for<'e> Encode<'e, DB>,
{
    query.push(if source(list).contains(" WHERE ") { " AND " } else { " WHERE " });
    query.push(list.alias).push("account_id = ").push_bind(account.0);
    for condition in &listing.conditions {
        push_condition(query, list, account, condition);
    }
    let (Some(ids), Some(search)) = (found, &list.search) else { return };
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
    if let (Value::Spellings(spellings), FieldKind::NumberOfOrder) = (value, field.kind) {
        let of_order = [("id", "orders", "number_key"), ("order_id", "order_spellings", "spelling")];
        query.push(" AND ").push(field.column).push(" IN (");
        for (index, (id, table, key)) in of_order.into_iter().enumerate() {
            query.push(if index == 0 { "SELECT " } else { " UNION ALL SELECT " }).push(id);
            query.push(" FROM ").push(table).push(" WHERE account_id = ").push_bind(account.0);
            query.push(" AND ").push(key);
            push_one_of(query, spellings);
        }
        query.push(")");
        return;
    }
    if let Value::Spellings(spellings) = value {
        query.push(" AND ").push(field.column);
        return push_one_of(query, spellings);
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
        (Value::Time(_) | Value::Spellings(_) | Value::Nothing, _) => {}
    }
}

fn push_one_of<DB>(query: &mut QueryBuilder<DB>, texts: &[String])
where
    DB: Database,
    String: Type<DB> + for<'e> Encode<'e, DB>,
{
    query.push(" IN (");
    let mut list = query.separated(", ");
    for text in texts {
        list.push_bind(text.clone());
    }
    query.push(")");
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
