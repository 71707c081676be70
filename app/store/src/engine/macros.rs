//! What makes one text serve two databases.

/// Names SQL texts and lists them, so that a test can prepare each on both databases.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $sql:expr;)+) => {
        $($(#[$doc])* const $name: &str = $sql;)+
        /// Name and text of every statement in this module.
        pub(crate) const STATEMENTS: &[(&str, &str)] =
            &[$((concat!(module_path!(), "::", stringify!($name)), $name)),+];
    };
}

/// Whether order `t` may be the same sale as `o`, told by somebody else under ids of their own: it has its number, and the
/// same buyer or nearly the same moment. Two shops may well give one number to two sales.
macro_rules! is_twin {
    () => {
        "t.account_id = o.account_id AND t.number_key = o.number_key AND t.shop <> o.shop \
         AND (t.email_key = o.email_key OR t.email_key = '' OR o.email_key = '' \
         OR (t.ordered_at - o.ordered_at < 172800000000 AND o.ordered_at - t.ordered_at < 172800000000))"
    };
}

/// Units of `purchases p` that the shop refunded by itself, and not for a return of ours. It may have taken some back.
macro_rules! apart {
    () => {
        "CASE WHEN p.refunded_apart < p.shop_refunded THEN p.refunded_apart ELSE p.shop_refunded END"
    };
}

/// Units of `purchases p` that are in returns, or that the shop refunded: it may be telling of those in returns.
macro_rules! gone {
    () => {
        concat!(
            "CASE WHEN p.taken + ",
            apart!(),
            " < p.shop_refunded THEN p.shop_refunded ELSE p.taken + ",
            apart!(),
            " END"
        )
    };
}

/// Units that the shop refunded: as it tells, and at least those that it refunded by itself beside those that we settled.
macro_rules! shop_refunded {
    () => {
        concat!(
            "CASE WHEN p.settled + ",
            apart!(),
            " < p.shop_refunded THEN p.shop_refunded ELSE p.settled + ",
            apart!(),
            " END AS shop_refunded"
        )
    };
}

/// Runs one sqlx expression on whichever database a [`crate::engine::Db`] borrows. The expression is compiled twice,
/// once for each, which spares every function a page of generic bounds. A server has to answer in time: a file does.
macro_rules! on {
    ($db:expr, $connection:ident => $run:expr) => {
        match &mut *$db {
            $crate::engine::Db::Sqlite($connection) => $run,
            $crate::engine::Db::Postgres($connection) => $crate::engine::pool::in_time(async { Ok($run) }).await?,
        }
    };
}

/// The same for what goes through whole tables, or is asked by a test: it may take as long as it takes.
macro_rules! on_long {
    ($db:expr, $connection:ident => $run:expr) => {
        match &mut *$db {
            $crate::engine::Db::Sqlite($connection) => $run,
            $crate::engine::Db::Postgres($connection) => $run,
        }
    };
}

/// Runs a query that returns no rows; the number of rows that it changed.
macro_rules! execute {
    ($db:expr, $query:expr) => {
        on!(&mut $db, connection => $query.execute(&mut **connection).await?.rows_affected())
    };
}

/// Whether a statement with so many ids is kept prepared. Postgres plans a kept statement once for all, for an account of average
/// size; with many ids it would then go through all that the largest account has, which is three thousand times the average
/// (docs/growth.md). SQLite plans alike for few rows and many.
pub(crate) fn is_kept(db: &crate::engine::Db<'_>, ids: usize) -> bool {
    ids <= 8 || matches!(db, crate::engine::Db::Sqlite(_))
}

/// Runs a statement of the form `… account_id = $1 AND … IN ($2) …` with many ids; none find nothing. Rows of one id are in the
/// statement's order.
macro_rules! select_of {
    ($db:expr, $sql:expr, $account:expr, $ids:expr) => {
        if $ids.is_empty() {
            Vec::new()
        } else {
            match &mut *$db {
                $crate::engine::Db::Sqlite(connection) => {
                    let (start, middle, end) = $crate::engine::macros::around_parameters($sql);
                    let mut query = sqlx::QueryBuilder::new(start);
                    query.push_bind($account.0).push(middle);
                    let mut list = query.separated(", ");
                    for id in $ids {
                        list.push_bind(id.0);
                    }
                    query.push(end);
                    query.build_query_as::<Row>().fetch_all(&mut **connection).await?
                }
                $crate::engine::Db::Postgres(connection) => {
                    let sql = sqlx::AssertSqlSafe($crate::engine::macros::for_each_id($sql));
                    let ids: Vec<uuid::Uuid> = $ids.iter().map(|id| id.0).collect();
                    let rows = async {
                        let query = sqlx::query_as::<_, Row>(sql).bind($account.0).bind(ids);
                        Ok(query.fetch_all(&mut **connection).await?)
                    };
                    $crate::engine::pool::in_time(rows).await?
                }
            }
        }
    };
}

/// The statement as Postgres is asked it: one look into an index for each id, however many there are. Left to plan for a list of ids
/// once for all, it does so for an account of average size, and goes through all that the largest has, which is three thousand
/// times as much (docs/growth.md). `OFFSET 0` keeps it from taking the two apart.
pub(crate) fn for_each_id(sql: &str) -> String {
    let of_one = sql.replace("IN ($2)", "= wanted.id");
    format!("SELECT found.* FROM UNNEST($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL ({of_one} OFFSET 0) AS found")
}

/// What stands before, between and after `$1` and `$2`.
pub(crate) fn around_parameters(sql: &'static str) -> (&'static str, &'static str, &'static str) {
    let (start, rest) = sql.split_once("$1").unwrap_or((sql, ""));
    let (middle, end) = rest.split_once("$2").unwrap_or((rest, ""));
    (start, middle, end)
}

/// What stands between the parameters, in the order in which they are to be bound.
pub(crate) fn between_parameters(sql: &'static str) -> impl Iterator<Item = &'static str> {
    sql.split('$').map(|part| part.trim_start_matches(|character: char| character.is_ascii_digit()))
}

/// Rows of one statement at most, where there are many to insert.
pub(crate) const ROWS_AT_ONCE: usize = 200;

/// Many rows in parts of 1, 2, 4 … 256: each size is a statement of its own, and those that were prepared are kept.
pub(crate) fn in_few_sizes<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = 1 << rows.len().checked_ilog2()?.min(8);
        let (part, rest) = rows.split_at_checked(size)?;
        rows = rest;
        Some(part)
    })
}

/// The beginning of an `INSERT` of one row, to go on with the values of many.
pub(crate) fn without_values(insert: &'static str) -> &'static str {
    insert.split("VALUES").next().unwrap_or(insert)
}

/// Parses a stored JSON text.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(what: &'static str, text: &str) -> crate::engine::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        // The text may hold personal data; its position and kind of error do not.
        tracing::error!(what, line = error.line(), column = error.column(), kind = ?error.classify(), "unreadable row");
        crate::engine::StoreError::Unreadable(what)
    })
}

/// Writes a value as JSON. Our own types always can be: maps have string keys and nothing fails midway.
pub(crate) fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A stored count as the domain's `u32`.
pub(crate) fn count(what: &'static str, value: i64) -> crate::engine::Result<u32> {
    u32::try_from(value).map_err(|_| crate::engine::StoreError::Unreadable(what))
}

/// A stored name as one of a closed set.
pub(crate) fn named<T>(what: &'static str, parsed: Option<T>) -> crate::engine::Result<T> {
    parsed.ok_or(crate::engine::StoreError::Unreadable(what))
}
