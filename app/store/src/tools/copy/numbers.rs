//! The numbers of rows, made when they were written (`seq`) or last changed: the target goes on behind the source's, also
//! where the rows with the last ones are gone. Lists and receivers of events remember such numbers.

use crate::tools::copy::schema::Table;
use crate::engine::{Db, Kind, Result, Store};
use std::collections::BTreeMap;

/// The name that [`last_change`] goes by among the tables: the one in which it was first needed.
const CHANGES_OF: &str = "return_requests";

/// The last number that a table's rows were given.
async fn last(db: Db<'_>, table: &str, column: &str) -> Result<i64> {
    let last: Option<Option<i64>> = match db {
        Db::Sqlite(connection) => {
            sqlx::query_scalar("SELECT seq FROM sqlite_sequence WHERE name = $1")
                .bind(table)
                .fetch_optional(connection)
                .await?
        }
        Db::Postgres(connection) => {
            let sql = "SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)";
            sqlx::query_scalar(sql).bind(table).bind(column).fetch_optional(connection).await?
        }
    };
    Ok(last.flatten().unwrap_or(0))
}

async fn set(db: Db<'_>, table: &str, column: &str, number: i64) -> Result<()> {
    match db {
        Db::Sqlite(connection) => {
            let known = sqlx::query("UPDATE sqlite_sequence SET seq = $2 WHERE name = $1").bind(table).bind(number);
            if known.execute(&mut *connection).await?.rows_affected() == 0 {
                let new =
                    sqlx::query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)").bind(table).bind(number);
                new.execute(connection).await?;
            }
        }
        Db::Postgres(connection) => {
            let sql = "SELECT setval(pg_get_serial_sequence($1, $2)::regclass, $3)";
            sqlx::query(sql).bind(table).bind(column).bind(number).execute(connection).await?;
        }
    }
    Ok(())
}

/// The last number of a change, of whatever row.
async fn last_change(db: Db<'_>) -> Result<i64> {
    Ok(match db {
        // SQLite reckons it from the rows.
        Db::Sqlite(connection) => {
            sqlx::query_scalar("SELECT number - 1 FROM next_change").fetch_one(connection).await?
        }
        Db::Postgres(connection) => {
            let sql = "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM changes";
            sqlx::query_scalar(sql).fetch_one(connection).await?
        }
    })
}

/// Has the target go on where the source is.
pub(super) async fn carry_over(from: &Store, to: &Store, tables: &[Table]) -> Result<()> {
    let (mut ours, mut theirs) = (from.read().await?, to.write().await?);
    for table in tables {
        let Some(column) = table.counter() else { continue };
        let (number, there) =
            (last(ours.db(), &table.name, column).await?, last(theirs.db(), &table.name, column).await?);
        if number > there {
            set(theirs.db(), &table.name, column, number).await?;
        }
    }
    let (number, there) = (last_change(ours.db()).await?, last_change(theirs.db()).await?);
    if let Db::Postgres(connection) = theirs.db()
        && number > there
    {
        sqlx::query("SELECT setval('changes', $1)").bind(number).execute(connection).await?;
    }
    theirs.commit().await
}

/// Tables in which the target has not come as far as the source: the last number there, and here.
pub(super) async fn behind<'a>(from: &Store, to: &Store, tables: &'a [Table]) -> Result<BTreeMap<&'a str, (i64, i64)>> {
    let (mut ours, mut theirs) = (from.read().await?, to.read().await?);
    let mut behind = BTreeMap::new();
    for table in tables {
        let Some(column) = table.counter() else { continue };
        let numbers = (last(ours.db(), &table.name, column).await?, last(theirs.db(), &table.name, column).await?);
        if numbers.1 < numbers.0 {
            behind.insert(table.name.as_str(), numbers);
        }
    }
    let numbers = (last_change(ours.db()).await?, last_change(theirs.db()).await?);
    // SQLite has no more to tell than what stands in the rows, and these are compared.
    if to.kind() == Kind::Postgres && numbers.1 < numbers.0 {
        behind.insert(CHANGES_OF, numbers);
    }
    Ok(behind)
}
