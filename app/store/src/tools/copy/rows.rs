//! Reads rows of one database and writes them to the other.

use super::{
    schema::{Table, key_in_order, quoted},
    values::{ColumnType, RowValues, Value},
};
use crate::engine::{DatabaseKind, Db, Result, StoreError, batches::in_few_sizes};
use futures_util::{Stream, StreamExt as _};
use sqlx::{
    AssertSqlSafe, Postgres, Row as _, Sqlite,
    postgres::{PgArguments, PgRow},
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};
use std::pin::Pin;
use uuid::Uuid;

/// A stream of rows: never all of them in memory.
pub(super) type RowStream<'a> = Pin<Box<dyn Stream<Item = Result<RowValues>> + Send + 'a>>;

/// The rows of a table in the order of its key: all, or those after a key.
pub(super) fn rows<'a>(db: Db<'a>, table: &'a Table, after: Option<&[Value]>) -> RowStream<'a> {
    match db {
        Db::Sqlite(connection) => {
            let mut query = sqlx::query(AssertSqlSafe(select(table, DatabaseKind::Sqlite, after.is_some())));
            for value in after.unwrap_or_default() {
                query = bind_sqlite(query, value);
            }
            Box::pin(query.fetch(connection).map(move |row| -> Result<RowValues> { Ok(of_sqlite(&row?, table)?) }))
        }
        Db::Postgres(connection) => {
            let mut query = sqlx::query(AssertSqlSafe(select(table, DatabaseKind::Postgres, after.is_some())));
            for (value, column) in after.unwrap_or_default().iter().zip(table.key_columns()) {
                query = match bind_postgres(query, value, column.holds) {
                    Ok(query) => query,
                    Err(error) => return Box::pin(futures_util::stream::once(std::future::ready(Err(error)))),
                };
            }
            Box::pin(query.fetch(connection).map(move |row| -> Result<RowValues> { Ok(of_postgres(&row?, table)?) }))
        }
    }
}

fn select(table: &Table, kind: DatabaseKind, after: bool) -> String {
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

/// The condition for the rows after a key. If a part of the key is a text, an index finds the start only by the parts
/// before it.
fn behind(table: &Table, key: &[String]) -> String {
    let parameters: Vec<String> = (1..=key.len()).map(|number| format!("${number}")).collect();
    let after = format!(" WHERE ({}) > ({})", key.join(", "), parameters.join(", "));
    let before_text = table.key_columns().take_while(|column| column.holds != ColumnType::Text).count();
    match (key.get(..before_text), parameters.get(..before_text)) {
        (Some(start), Some(values)) if before_text > 0 && before_text < key.len() => {
            format!("{after} AND ({}) >= ({})", start.join(", "), values.join(", "))
        }
        _ => after,
    }
}

/// The row with the largest key.
pub(super) async fn last(db: Db<'_>, table: &Table) -> Result<Option<RowValues>> {
    let sql = |kind| {
        let backwards: Vec<String> = key_in_order(table, kind).iter().map(|part| format!("{part} DESC")).collect();
        AssertSqlSafe(format!("{} ORDER BY {} LIMIT 1", select_all(table), backwards.join(", ")))
    };
    Ok(match db {
        Db::Sqlite(connection) => {
            let row = sqlx::query(sql(DatabaseKind::Sqlite)).fetch_optional(connection).await?;
            row.map(|row| of_sqlite(&row, table)).transpose()?
        }
        Db::Postgres(connection) => {
            let row = sqlx::query(sql(DatabaseKind::Postgres)).fetch_optional(connection).await?;
            row.map(|row| of_postgres(&row, table)).transpose()?
        }
    })
}

/// The number of rows.
pub(super) async fn count(mut db: Db<'_>, table: &Table) -> Result<u64> {
    let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM {}", quoted(&table.name)));
    let count: i64 = on_long!(&mut db, c => sqlx::query_scalar(sql).fetch_one(&mut **c).await?);
    Ok(count.unsigned_abs())
}

fn of_sqlite(row: &SqliteRow, table: &Table) -> Result<RowValues, sqlx::Error> {
    let value = |(place, holds): (usize, ColumnType)| match holds {
        ColumnType::Number | ColumnType::Boolean => {
            row.try_get(place).map(|value| Value::or_null(value, Value::Number))
        }
        ColumnType::Id | ColumnType::Bytes => row.try_get(place).map(|value| Value::or_null(value, Value::Bytes)),
        ColumnType::Text => row.try_get(place).map(|value| Value::or_null(value, Value::Text)),
    };
    table.columns.iter().map(|column| column.holds).enumerate().map(value).collect()
}

fn of_postgres(row: &PgRow, table: &Table) -> Result<RowValues, sqlx::Error> {
    let value = |(place, holds): (usize, ColumnType)| match holds {
        ColumnType::Number => row.try_get(place).map(|value| Value::or_null(value, Value::Number)),
        ColumnType::Boolean => {
            row.try_get(place).map(|value| Value::or_null(value, |boolean: bool| Value::Number(boolean.into())))
        }
        ColumnType::Id => {
            row.try_get(place).map(|value| Value::or_null(value, |id: Uuid| Value::Bytes(id.as_bytes().to_vec())))
        }
        ColumnType::Bytes => row.try_get(place).map(|value| Value::or_null(value, Value::Bytes)),
        ColumnType::Text => row.try_get(place).map(|value| Value::or_null(value, Value::Text)),
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
    holds: ColumnType,
) -> Result<Query<'q, Postgres, PgArguments>> {
    Ok(match holds {
        ColumnType::Id => query.bind(value.id()?),
        ColumnType::Bytes => query.bind(value.bytes()?.map(<[u8]>::to_vec)),
        ColumnType::Number => query.bind(value.number()?),
        ColumnType::Boolean => query.bind(value.boolean()?),
        ColumnType::Text => query.bind(value.text()?.map(str::to_owned)),
    })
}

/// Inserts rows unchanged, with their sequence numbers.
pub(super) async fn insert(db: Db<'_>, table: &Table, rows: &[RowValues]) -> Result<()> {
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
            // One array for each column: one statement for any number of rows.
            let arrays: Vec<String> = (1..)
                .zip(&table.columns)
                .map(|(number, column)| format!("${number}::{}", column.holds.array()))
                .collect();
            let sql = format!("{into} OVERRIDING SYSTEM VALUE SELECT * FROM UNNEST({})", arrays.join(", "));
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for (place, column) in table.columns.iter().enumerate() {
                query = match column.holds {
                    ColumnType::Id => query.bind(of_column(rows, place, Value::id)?),
                    ColumnType::Bytes => query.bind(of_column(rows, place, Value::bytes)?),
                    ColumnType::Number => query.bind(of_column(rows, place, Value::number)?),
                    ColumnType::Boolean => query.bind(of_column(rows, place, Value::boolean)?),
                    ColumnType::Text => query.bind(of_column(rows, place, Value::text)?),
                };
            }
            query.execute(connection).await?;
        }
    }
    Ok(())
}

fn of_column<'a, T>(
    rows: &'a [RowValues],
    place: usize,
    read: fn(&'a Value) -> Result<Option<T>>,
) -> Result<Vec<Option<T>>> {
    let value = |row: &'a RowValues| row.get(place).ok_or(StoreError::Unreadable("a row"));
    rows.iter().map(|row| value(row).and_then(read)).collect()
}
