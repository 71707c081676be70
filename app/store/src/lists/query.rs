//! The SQL of a question to a list.

use super::{
    clause::{email_spellings, number_spellings},
    list::{List, Search},
    listing::Listing,
    page::{Page, Rows, Start},
    reading::Reading,
    text::ListQuery,
};
use crate::engine::{Db, Result, StoreError};
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
    let reading = Reading::of(list, listing);
    let asked = Asked { list, account, listing, found: found.as_ref(), reading: &reading };
    if matches!(reading, Reading::Direct) {
        let rows: Vec<R> = on!(&mut db, c => asked.query("").direct().build_query_as().fetch_all(&mut **c).await?);
        return listing.page.cut(rows, key, map);
    }
    let wanted = usize::try_from(listing.page.fetch()).unwrap_or(usize::MAX);
    let (mut found, mut end): (Vec<R>, Option<i64>) = (Vec::new(), None);
    for most in reading.scans() {
        let rows: Vec<R> = on!(&mut db, c => asked.query("").scan(most).build_query_as().fetch_all(&mut **c).await?);
        if rows.len() >= wanted {
            return listing.page.cut(rows, key, map);
        }
        end =
            on!(&mut db, c => asked.query("").last_scanned(most).build_query_scalar().fetch_optional(&mut **c).await?);
        found = rows;
        if end.is_none() {
            break;
        }
    }
    match end {
        Some(last) => ended_early(listing.page, found, last, key, map),
        None => listing.page.cut(found, key, map),
    }
}

/// A page whose scan has ended before the page was full. `last`: the number of the last row that was read.
fn ended_early<R, T>(
    page: Page,
    rows: Vec<R>,
    last: i64,
    key: impl Fn(&R) -> i64,
    map: impl Fn(R) -> Result<T>,
) -> Result<Rows<T>> {
    // The pages before this one were not full: by their numbers, rows would be skipped.
    if matches!(page.start, Start::Number(2..)) {
        return Err(StoreError::PageTooFar);
    }
    let cut = page.cut(rows, key, map)?;
    Ok(Rows { next: cut.next.or(Some(last + 1)), ..cut })
}

/// How many rows match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The number of rows that were counted.
    pub rows: i64,
    /// Whether there may be more: counting ends at a limit.
    pub is_capped: bool,
}

/// Counts the rows of a question, up to `most`. Of several filters, it counts those of the rows that a scan reads.
pub(crate) async fn count(
    mut db: Db<'_>,
    list: &List,
    account: AccountId,
    listing: &Listing,
    most: i64,
) -> Result<Counted> {
    let listing = &Listing { page: Page::first(most), ..listing.clone() };
    let found = match (&listing.search, &list.search) {
        (Some(words), Some(search)) => Some(find(db.reborrow(), search, account, words).await?),
        _ => None,
    };
    let reading = Reading::of(list, listing);
    let asked = Asked { list, account, listing, found: found.as_ref(), reading: &reading };
    let rows: i64 = on!(&mut db, c => asked.query("").count().build_query_scalar().fetch_one(&mut **c).await?);
    if rows > most || matches!(reading, Reading::Direct) {
        return Ok(Counted { rows: rows.min(most), is_capped: rows > most });
    }
    let most = reading.scans().last().copied().unwrap_or_default();
    let last: Option<i64> =
        on!(&mut db, c => asked.query("").last_scanned(most).build_query_scalar().fetch_optional(&mut **c).await?);
    Ok(Counted { rows, is_capped: last.is_some() })
}

/// A question to a list with the result of its search.
struct Asked<'a> {
    list: &'a List,
    account: AccountId,
    listing: &'a Listing,
    found: Option<&'a BTreeSet<Uuid>>,
    reading: &'a Reading<'a>,
}

impl<'a> Asked<'a> {
    fn query<DB>(&self, explain: &'static str) -> ListQuery<'a, DB>
    where
        DB: Database,
        Uuid: Type<DB> + for<'e> Encode<'e, DB>,
        String: Type<DB> + for<'e> Encode<'e, DB>,
        i64: Type<DB> + for<'e> Encode<'e, DB>,
    {
        ListQuery::new(explain, self.list, self.account, self.listing, self.found, self.reading)
    }
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

/// As many ids as a search may well find, for [`explain`].
#[cfg(feature = "testing")]
const EXPLAINED_IDS: u128 = 20;

/// The database's plan for a question, one line for each step.
#[cfg(feature = "testing")]
pub async fn explain(mut db: Db<'_>, list: &List, account: AccountId, listing: &Listing) -> Result<Vec<String>> {
    let found = listing.search.as_ref().map(|_| (0..EXPLAINED_IDS).map(Uuid::from_u128).collect());
    let reading = Reading::of(list, listing);
    let asked = Asked { list, account, listing, found: found.as_ref(), reading: &reading };
    let mut steps = match reading {
        Reading::Direct => {
            explain_one(&mut db, |explain| asked.query(explain).direct(), |explain| asked.query(explain).direct())
                .await?
        }
        Reading::Scan { most, .. } => {
            let scan = explain_one(
                &mut db,
                |explain| asked.query(explain).scan(most),
                |explain| asked.query(explain).scan(most),
            );
            let mut steps = scan.await?;
            let last = explain_one(
                &mut db,
                |explain| asked.query(explain).last_scanned(most),
                |explain| asked.query(explain).last_scanned(most),
            );
            steps.extend(last.await?);
            steps
        }
    };
    let counted = explain_one(&mut db, |explain| asked.query(explain).count(), |explain| asked.query(explain).count());
    steps.extend(counted.await?);
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
