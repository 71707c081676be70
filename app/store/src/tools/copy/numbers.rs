//! Sequence numbers of rows (`seq` and `changed`): the target continues after the source's last number, even if the
//! rows with the last numbers were deleted. Cursors of lists and receivers of events keep such numbers.

use super::schema::Table;
use crate::engine::{DatabaseKind, Db, Result, Store};
use std::collections::BTreeMap;

/// The table under which a difference of [`last_change`] is reported; the sequence is shared by several tables.
const CHANGES_OF: &str = "return_requests";

/// The last number of a table's sequence.
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

/// The last number of a change of any row.
async fn last_change(db: Db<'_>) -> Result<i64> {
    Ok(match db {
        // On SQLite a view computes it from the rows.
        Db::Sqlite(connection) => {
            sqlx::query_scalar("SELECT number - 1 FROM next_change").fetch_one(connection).await?
        }
        Db::Postgres(connection) => {
            let sql = "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM changes";
            sqlx::query_scalar(sql).fetch_one(connection).await?
        }
    })
}

/// Advances the target's sequences to those of the source.
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

/// Tables whose sequence in the target is behind that of the source: the last numbers of the source and of the target.
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
    // On SQLite the number follows from the rows, which are compared.
    if to.kind() == DatabaseKind::Postgres && numbers.1 < numbers.0 {
        behind.insert(CHANGES_OF, numbers);
    }
    Ok(behind)
}
