//! Rows out of one database and into the other.

use crate::tools::copy::{schema::{Table, key_in_order, quoted}, values::{Holds, Value}};
use crate::engine::{Db, Kind, Result, StoreError, macros::in_few_sizes};
use futures_util::{Stream, StreamExt as _};
use sqlx::{
    AssertSqlSafe, Postgres, Row as _, Sqlite,
    postgres::{PgArguments, PgRow},
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};
use std::pin::Pin;
use uuid::Uuid;

/// The values of a row, in the order of its table's columns.
pub(super) type Row = Vec<Value>;
/// Rows as they come: never all at once.
pub(super) type Rows<'a> = Pin<Box<dyn Stream<Item = Result<Row>> + Send + 'a>>;

/// The rows of a table in the order of its key, all or those after one.
pub(super) fn rows<'a>(db: Db<'a>, table: &'a Table, after: Option<&[Value]>) -> Rows<'a> {
    match db {
        Db::Sqlite(connection) => {
            let mut query = sqlx::query(AssertSqlSafe(select(table, Kind::Sqlite, after.is_some())));
            for value in after.unwrap_or_default() {
                query = bind_sqlite(query, value);
            }
            Box::pin(query.fetch(connection).map(move |row| -> Result<Row> { Ok(of_sqlite(&row?, table)?) }))
        }
        Db::Postgres(connection) => {
            let mut query = sqlx::query(AssertSqlSafe(select(table, Kind::Postgres, after.is_some())));
            for (value, column) in after.unwrap_or_default().iter().zip(table.key_columns()) {
                query = match bind_postgres(query, value, column.holds) {
                    Ok(query) => query,
                    Err(error) => return Box::pin(futures_util::stream::once(std::future::ready(Err(error)))),
                };
            }
            Box::pin(query.fetch(connection).map(move |row| -> Result<Row> { Ok(of_postgres(&row?, table)?) }))
        }
    }
}

fn select(table: &Table, kind: Kind, after: bool) -> String {
    let key = key_in_order(table, kind);
    format!(
        "{}{} ORDER BY {}",
        select_all(table),
        if after { behind(table, &key) } else { String::new() },
        key.join(", ")
    )
}

fn select_all(table: &Table) -> String {
    let columns: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    format!("SELECT {} FROM {}", columns.join(", "), quoted(&table.name))
}

/// The condition for what comes after a key. Where a part of it is a text, an index finds where to begin only by what stands
/// before that.
fn behind(table: &Table, key: &[String]) -> String {
    let parameters: Vec<String> = (1..=key.len()).map(|number| format!("${number}")).collect();
    let after = format!(" WHERE ({}) > ({})", key.join(", "), parameters.join(", "));
    let before_text = table.key_columns().take_while(|column| column.holds != Holds::Text).count();
    match (key.get(..before_text), parameters.get(..before_text)) {
        (Some(start), Some(values)) if before_text > 0 && before_text < key.len() => {
            format!("{after} AND ({}) >= ({})", start.join(", "), values.join(", "))
        }
        _ => after,
    }
}

/// The row with the largest key.
pub(super) async fn last(db: Db<'_>, table: &Table) -> Result<Option<Row>> {
    let sql = |kind| {
        let backwards: Vec<String> = key_in_order(table, kind).iter().map(|part| format!("{part} DESC")).collect();
        AssertSqlSafe(format!("{} ORDER BY {} LIMIT 1", select_all(table), backwards.join(", ")))
    };
    Ok(match db {
        Db::Sqlite(connection) => {
            let row = sqlx::query(sql(Kind::Sqlite)).fetch_optional(connection).await?;
            row.map(|row| of_sqlite(&row, table)).transpose()?
        }
        Db::Postgres(connection) => {
            let row = sqlx::query(sql(Kind::Postgres)).fetch_optional(connection).await?;
            row.map(|row| of_postgres(&row, table)).transpose()?
        }
    })
}

/// How many rows there are.
pub(super) async fn count(mut db: Db<'_>, table: &Table) -> Result<u64> {
    let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM {}", quoted(&table.name)));
    let count: i64 = on_long!(&mut db, c => sqlx::query_scalar(sql).fetch_one(&mut **c).await?);
    Ok(count.unsigned_abs())
}

fn of_sqlite(row: &SqliteRow, table: &Table) -> Result<Row, sqlx::Error> {
    let value = |(place, holds): (usize, Holds)| match holds {
        Holds::Number | Holds::Truth => row.try_get(place).map(|value| Value::or_null(value, Value::Number)),
        Holds::Id | Holds::Bytes => row.try_get(place).map(|value| Value::or_null(value, Value::Bytes)),
        Holds::Text => row.try_get(place).map(|value| Value::or_null(value, Value::Text)),
    };
    table.columns.iter().map(|column| column.holds).enumerate().map(value).collect()
}

fn of_postgres(row: &PgRow, table: &Table) -> Result<Row, sqlx::Error> {
    let value = |(place, holds): (usize, Holds)| match holds {
        Holds::Number => row.try_get(place).map(|value| Value::or_null(value, Value::Number)),
        Holds::Truth => {
            row.try_get(place).map(|value| Value::or_null(value, |truth: bool| Value::Number(truth.into())))
        }
        Holds::Id => {
            row.try_get(place).map(|value| Value::or_null(value, |id: Uuid| Value::Bytes(id.as_bytes().to_vec())))
        }
        Holds::Bytes => row.try_get(place).map(|value| Value::or_null(value, Value::Bytes)),
        Holds::Text => row.try_get(place).map(|value| Value::or_null(value, Value::Text)),
    };
    table.columns.iter().map(|column| column.holds).enumerate().map(value).collect()
}

fn bind_sqlite<'q>(query: Query<'q, Sqlite, SqliteArguments>, value: &Value) -> Query<'q, Sqlite, SqliteArguments> {
    match value {
        Value::Null => query.bind(None::<i64>),
        Value::Number(number) => query.bind(*number),
        Value::Bytes(bytes) => query.bind(bytes.as_slice()),
        Value::Text(text) => query.bind(text.as_str()),
    }
}

fn bind_postgres<'q>(
    query: Query<'q, Postgres, PgArguments>,
    value: &Value,
    holds: Holds,
) -> Result<Query<'q, Postgres, PgArguments>> {
    Ok(match holds {
        Holds::Id => query.bind(value.id()?),
        Holds::Bytes => query.bind(value.bytes()?.map(<[u8]>::to_vec)),
        Holds::Number => query.bind(value.number()?),
        Holds::Truth => query.bind(value.truth()?),
        Holds::Text => query.bind(value.text()?.map(str::to_owned)),
    })
}

/// Writes rows as they are, with their numbers.
pub(super) async fn insert(db: Db<'_>, table: &Table, rows: &[Row]) -> Result<()> {
    let columns: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    let into = format!("INSERT INTO {} ({})", quoted(&table.name), columns.join(", "));
    match db {
        Db::Sqlite(connection) => {
            let one = format!("({})", vec!["?"; columns.len()].join(", "));
            for part in in_few_sizes(rows) {
                let values = vec![one.as_str(); part.len()].join(", ");
                let query = sqlx::query(AssertSqlSafe(format!("{into} VALUES {values}")));
                part.iter().flatten().fold(query, bind_sqlite).execute(&mut *connection).await?;
            }
        }
        Db::Postgres(connection) => {
            // One parameter a column, with the values of all rows: one statement whatever their number.
            let arrays: Vec<String> = (1..)
                .zip(&table.columns)
                .map(|(number, column)| format!("${number}::{}", column.holds.array()))
                .collect();
            let sql = format!("{into} OVERRIDING SYSTEM VALUE SELECT * FROM UNNEST({})", arrays.join(", "));
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for (place, column) in table.columns.iter().enumerate() {
                query = match column.holds {
                    Holds::Id => query.bind(of_column(rows, place, Value::id)?),
                    Holds::Bytes => query.bind(of_column(rows, place, Value::bytes)?),
                    Holds::Number => query.bind(of_column(rows, place, Value::number)?),
                    Holds::Truth => query.bind(of_column(rows, place, Value::truth)?),
                    Holds::Text => query.bind(of_column(rows, place, Value::text)?),
                };
            }
            query.execute(connection).await?;
        }
    }
    Ok(())
}

fn of_column<'a, T>(rows: &'a [Row], place: usize, read: fn(&'a Value) -> Result<Option<T>>) -> Result<Vec<Option<T>>> {
    let value = |row: &'a Row| row.get(place).ok_or(StoreError::Unreadable("a row"));
    rows.iter().map(|row| value(row).and_then(read)).collect()
}
