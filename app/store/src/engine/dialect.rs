//! Where SQLite and Postgres are treated differently. Everything else is one SQL text for both.
//!
//! 1. **Time limits** (`on!`): a server can fall silent, a file cannot.
//! 2. **Locks** ([`Db::row_locks`]): SQLite has one writer, so a transaction that writes holds every row already.
//!    Postgres has many, and locks the rows that have to stay as they are.
//! 3. **Plans** (`select_of!`, [`select_of_texts`], [`Db::takes_arrays`], [`Db::is_kept_prepared`],
//!    [`super::statistics`]): Postgres plans a prepared statement once, for an account of average size and by
//!    its statistics. SQLite follows the order of the tables in the text, and has no arrays.
//! 4. **Round trips** ([`Db::claims_in_one_statement`], [`Db::counts_in_one_statement`], [`Db::takes_two_statements`]): a
//!    statement to Postgres costs a round trip through the network, so claims and counts do all in one statement.
//!    SQLite's thread takes two statements in one text.
//! 5. **Change numbers** ([`Db::change_number_step`]): Postgres has a sequence, SQLite a view of the largest number.
//! 6. **Functions of SQL** ([`Db::sql`]): those for JSON have other names.
//!
//! What manages the databases themselves has two halves by its nature: connections and migrations in this folder,
//! backups and copies in `tools`.

use super::{
    batches::ROWS_AT_ONCE,
    db::Db,
    error::Result,
    template::{SqlTemplate, push_list},
    time_limit::in_time,
};
use domain::AccountId;
use sqlx::{AssertSqlSafe, FromRow, PgConnection, postgres::PgRow, sqlite::SqliteRow};

/// Runs one sqlx expression on the database that a [`Db`] borrows, on Postgres within the time limit. The expression is
/// compiled twice, once for each database: this spares every function a page of generic bounds.
macro_rules! on {
    ($db:expr, $connection:ident => $run:expr) => {
        match &mut *$db {
            $crate::engine::Db::Sqlite($connection) => $run,
            $crate::engine::Db::Postgres($connection) => {
                $crate::engine::time_limit::in_time(async { Ok($run) }).await?
            }
        }
    };
}

/// The same without a time limit, for tests and for statements that read whole tables.
macro_rules! on_long {
    ($db:expr, $connection:ident => $run:expr) => {
        match &mut *$db {
            $crate::engine::Db::Sqlite($connection) => $run,
            $crate::engine::Db::Postgres($connection) => $run,
        }
    };
}

/// Runs a statement of the form `… account_id = $1 AND … IN ($2) …` with many ids; without ids it returns nothing. The
/// rows of one id are in the statement's order. SQLite gets a list of parameters, Postgres [`for_each_id`].
macro_rules! select_of {
    ($db:expr, $sql:expr, $account:expr, $ids:expr) => {
        if $ids.is_empty() {
            Vec::new()
        } else {
            match &mut *$db {
                $crate::engine::Db::Sqlite(connection) => {
                    let template = const { $crate::engine::template::SqlTemplate::parse($sql) };
                    let mut query = template.query(|query, number| {
                        match number {
                            1 => query.push_bind($account.0),
                            _ => $crate::engine::template::push_list(query, $ids.iter().map(|id| id.0)),
                        };
                    });
                    query.build_query_as().fetch_all(&mut **connection).await?
                }
                $crate::engine::Db::Postgres(connection) => {
                    let sql = sqlx::AssertSqlSafe($crate::engine::dialect::for_each_id($sql, "uuid"));
                    let ids: Vec<uuid::Uuid> = $ids.iter().map(|id| id.0).collect();
                    let rows = async {
                        let query = sqlx::query_as(sql).bind($account.0).bind(ids);
                        Ok(query.fetch_all(&mut **connection).await?)
                    };
                    $crate::engine::time_limit::in_time(rows).await?
                }
            }
        }
    };
}

/// Runs a statement of that form with many ids that are texts, in no order.
pub(crate) async fn select_of_texts<R>(
    db: Db<'_>,
    sql: &'static str,
    account: AccountId,
    ids: &[&str],
) -> Result<Vec<R>>
where
    R: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    match db {
        Db::Sqlite(connection) => {
            let mut rows = Vec::new();
            for ids in ids.chunks(ROWS_AT_ONCE) {
                let mut query = SqlTemplate::parse(sql).query(|query, number| {
                    match number {
                        1 => query.push_bind(account.0),
                        _ => push_list(query, ids.iter().map(|id| (*id).to_owned())),
                    };
                });
                rows.append(&mut query.build_query_as().fetch_all(&mut *connection).await?);
            }
            Ok(rows)
        }
        Db::Postgres(connection) => {
            let query = sqlx::query_as(AssertSqlSafe(for_each_id(sql, "text"))).bind(account.0).bind(ids);
            in_time(async { Ok(query.fetch_all(connection).await?) }).await
        }
    }
}

/// A statement with `IN ($2)` as Postgres gets it: `$2` is an array, and each of its ids is one look-up in an index.
/// Planned once for a list of ids and an account of average size, the statement would read all rows of the largest
/// account, which has three thousand times as many (docs/growth.md). `OFFSET 0` keeps Postgres from merging the two
/// queries. `SELECT` hides the length of the array, so that Postgres expects ten ids. Otherwise, it would plan
/// again for each shorter list, which takes longer than reading its rows.
pub(crate) fn for_each_id(sql: &str, id_type: &str) -> String {
    let of_one = sql.replace("IN ($2)", "= wanted.id");
    format!(
        "SELECT found.* FROM UNNEST((SELECT $2::{id_type}[])) AS wanted (id) CROSS JOIN LATERAL ({of_one} OFFSET 0) AS found"
    )
}

/// With more ids than these, Postgres makes a plan of its own for the statement.
const IDS_OF_A_KEPT_STATEMENT: usize = 8;

impl Db<'_> {
    /// The connection to lock rows on; `None` where the one writer of the file holds them already.
    pub(crate) fn row_locks(&mut self) -> Option<&mut PgConnection> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(connection) => Some(connection),
        }
    }

    /// The connection for a statement with the values of many rows in arrays; `None` where there are no arrays.
    pub(crate) fn takes_arrays(&mut self) -> Option<&mut PgConnection> {
        self.row_locks()
    }

    /// Whether a statement with so many ids stays prepared. Postgres plans it once, for an account of average size:
    /// with many ids it would then read all rows of the largest account (docs/growth.md). SQLite's plan is the same for
    /// few ids and many.
    pub(crate) fn is_kept_prepared(&self, ids: usize) -> bool {
        ids <= IDS_OF_A_KEPT_STATEMENT || matches!(self, Self::Sqlite(_))
    }

    /// The connection to claim work on by one statement; `None` where a round trip costs less than the statement.
    pub(crate) fn claims_in_one_statement(&mut self) -> Option<&mut PgConnection> {
        self.row_locks()
    }

    /// The connection to count several things on by one statement; `None` where a round trip costs less than the statement.
    pub(crate) fn counts_in_one_statement(&mut self) -> Option<&mut PgConnection> {
        self.row_locks()
    }

    /// Whether one text may hold two statements, which saves a round trip to SQLite's thread. Postgres refuses such a
    /// text when it has parameters.
    pub(crate) fn takes_two_statements(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// A part of a statement, where a function has another name in each database.
    pub(crate) fn sql(&self, sqlite: &'static str, postgres: &'static str) -> &'static str {
        match self {
            Self::Sqlite(_) => sqlite,
            Self::Postgres(_) => postgres,
        }
    }

    /// By how much the change numbers of two rows in one `INSERT` have to differ beside `next_change`: SQLite reads the
    /// view once for all rows of a statement, Postgres takes a new number of the sequence for each.
    pub(crate) fn change_number_step(&self) -> i64 {
        i64::from(matches!(self, Self::Sqlite(_)))
    }
}
