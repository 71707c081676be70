//! The tables, as the databases themselves describe them.

use super::{
    error::CopyError,
    values::{ColumnType, RowValues, Value},
};
use crate::engine::{DatabaseKind, Db, Result, Store};
use std::collections::{BTreeMap, BTreeSet};

/// Tables whose rows are not copied, each with its reason. All others are.
pub const LEFT_BEHIND: [(&str, &str); 3] = [
    ("webhook_senders", "the running programs: those that use the copy register themselves"),
    ("worker_turns", "locks of the workers of one database: created by its migrations"),
    ("write_probes", "rows that programs write to find out whether they can"),
];

/// The table that marks an unfinished copy.
pub(super) const COPYING: &str = "copying";
const MIGRATIONS: &str = "_sqlx_migrations";

/// A table: its columns in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// The indexes of the columns of a key that both databases have: rows are read in its order.
    pub(super) key: Vec<usize>,
    /// The tables that it refers to.
    parents: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) holds: ColumnType,
    /// Whether the database fills it with a sequence.
    pub(super) counts: bool,
}

impl Table {
    pub(super) fn key_of(&self, row: &RowValues) -> Vec<Value> {
        self.key.iter().filter_map(|&place| row.get(place).cloned()).collect()
    }

    pub(super) fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.key.iter().filter_map(|&place| self.columns.get(place))
    }

    /// The column that the database fills with a sequence.
    pub(super) fn counter(&self) -> Option<&str> {
        self.columns.iter().find(|column| column.counts).map(|column| column.name.as_str())
    }
}

/// The queries that describe the tables.
struct SchemaQueries {
    tables: &'static str,
    /// Table, name, type, whether it is never NULL, whether it is filled with a sequence.
    columns: &'static str,
    /// Table, key, column, in the key's order.
    keys: &'static str,
    /// Table and the table that it refers to.
    references: &'static str,
}

const SQLITE: SchemaQueries = SchemaQueries {
    tables: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    columns: "SELECT t.name, c.name, c.type, c.\"notnull\" OR c.pk > 0, c.pk > 0 AND t.sql LIKE '%AUTOINCREMENT%'
        FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'",
    keys: "SELECT t.name, i.name, c.name FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        WHERE t.type = 'table' AND i.origin IN ('pk', 'u') ORDER BY 1, 2, c.seqno",
    references: "SELECT t.name, f.\"table\" FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'",
};

const POSTGRES: SchemaQueries = SchemaQueries {
    tables: "SELECT table_name::text FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
    columns: "SELECT table_name::text, column_name::text, data_type::text, is_nullable = 'NO', is_identity = 'YES'
        FROM information_schema.columns WHERE table_schema = current_schema()",
    keys: "SELECT t.relname::text, c.conname::text, a.attname::text
        FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
        CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY k (number, place)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
        WHERE c.contype IN ('p', 'u') AND t.relnamespace = current_schema()::regnamespace ORDER BY 1, 2, k.place",
    references: "SELECT t.relname::text, o.relname::text FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
        JOIN pg_class o ON o.oid = c.confrelid WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace",
};

fn queries(db: &Db<'_>) -> &'static SchemaQueries {
    match db {
        Db::Sqlite(_) => &SQLITE,
        Db::Postgres(_) => &POSTGRES,
    }
}

/// The names of all tables.
pub(super) async fn tables(mut db: Db<'_>) -> Result<BTreeSet<String>> {
    let sql = queries(&db).tables;
    let names: Vec<String> = on_long!(&mut db, c => sqlx::query_scalar(sql).fetch_all(&mut **c).await?);
    Ok(names.into_iter().collect())
}

/// Whether the tables are exactly those of this version: a later version may have columns that this one does not know.
pub(super) async fn is_migrated(store: &Store) -> Result<bool> {
    let mut reading = store.read().await?;
    if !tables(reading.db()).await?.contains(MIGRATIONS) {
        return Ok(false);
    }
    let sql = "SELECT MAX(version) FROM _sqlx_migrations WHERE success";
    let applied: Option<i64> = on_long!(&mut reading.db(), c => sqlx::query_scalar(sql).fetch_one(&mut **c).await?);
    let wanted = sqlx::migrate!("../../migrations/sqlite").iter().map(|migration| migration.version).max();
    Ok(applied == wanted)
}

/// Whether a database of any version has an account.
pub(super) async fn has_accounts(store: &Store) -> Result<bool> {
    let mut reading = store.read().await?;
    if !tables(reading.db()).await?.contains("accounts") {
        return Ok(false);
    }
    let sql = "SELECT id FROM accounts LIMIT 1";
    Ok(on_long!(&mut reading.db(), c => sqlx::query(sql).fetch_optional(&mut **c).await?.is_some()))
}

/// A table as one database describes it.
#[derive(Debug, Default)]
pub(super) struct TableDescription {
    columns: BTreeMap<String, ColumnDescription>,
    keys: BTreeMap<String, Vec<String>>,
    parents: BTreeSet<String>,
}

#[derive(Debug)]
struct ColumnDescription {
    kind: String,
    never_null: bool,
    counts: bool,
}

/// The tables of a database that are copied.
pub(super) async fn read(store: &Store) -> Result<BTreeMap<String, TableDescription>> {
    let mut reading = store.read().await?;
    let mut db = reading.db();
    let queries = queries(&db);
    let ours =
        |name: &String| name != MIGRATIONS && name != COPYING && !LEFT_BEHIND.iter().any(|(left, _)| left == name);
    let names = tables(db.reborrow()).await?.into_iter().filter(ours);
    let mut described: BTreeMap<String, TableDescription> =
        names.map(|name| (name, TableDescription::default())).collect();
    let columns: Vec<(String, String, String, bool, bool)> =
        on_long!(&mut db, c => sqlx::query_as(queries.columns).fetch_all(&mut **c).await?);
    for (table, name, kind, never_null, counts) in columns {
        if let Some(table) = described.get_mut(&table) {
            table.columns.insert(name, ColumnDescription { kind, never_null, counts });
        }
    }
    let keys: Vec<(String, String, String)> =
        on_long!(&mut db, c => sqlx::query_as(queries.keys).fetch_all(&mut **c).await?);
    for (table, key, column) in keys {
        if let Some(table) = described.get_mut(&table) {
            table.keys.entry(key).or_default().push(column);
        }
    }
    let references: Vec<(String, String)> =
        on_long!(&mut db, c => sqlx::query_as(queries.references).fetch_all(&mut **c).await?);
    for (table, parent) in references {
        if let Some(table) = described.get_mut(&table) {
            table.parents.insert(parent);
        }
    }
    Ok(described)
}

/// The tables of two databases if they are the same, each after those that it refers to.
pub(super) fn common(
    ours: BTreeMap<String, TableDescription>,
    mut theirs: BTreeMap<String, TableDescription>,
) -> Result<Vec<Table>, CopyError> {
    let mut tables = Vec::with_capacity(ours.len());
    for (name, table) in ours {
        let other =
            theirs.remove(&name).ok_or_else(|| CopyError::OtherTables(format!("{name} is at the source only")))?;
        tables.push(table.with(name, &other)?);
    }
    match theirs.into_keys().next() {
        Some(name) => Err(CopyError::OtherTables(format!("{name} is at the target only"))),
        None => in_order(tables),
    }
}

impl TableDescription {
    fn with(self, name: String, other: &Self) -> Result<Table, CopyError> {
        let differ = |what: &str| CopyError::OtherTables(format!("{name}: {what}"));
        if !self.columns.keys().eq(other.columns.keys()) {
            return Err(differ("columns"));
        }
        let key = self.best_key().ok_or_else(|| differ("no key to read it by"))?;
        if other.best_key().as_ref() != Some(&key) || self.parents != other.parents {
            return Err(differ("keys"));
        }
        let mut columns = Vec::with_capacity(self.columns.len());
        for ((column, here), there) in self.columns.into_iter().zip(other.columns.values()) {
            let holds = ColumnType::of_type(&here.kind)
                .zip(ColumnType::of_type(&there.kind))
                .and_then(|(here, there)| here.and(there));
            let holds = holds.ok_or_else(|| differ(&format!("type of {column}")))?;
            if here.counts != there.counts {
                return Err(differ(&format!("numbers of {column}")));
            }
            columns.push(Column { name: column, holds, counts: here.counts });
        }
        let key = key.iter().filter_map(|part| columns.iter().position(|column| column.name == *part)).collect();
        Ok(Table { name, columns, key, parents: self.parents })
    }

    /// The shortest key without NULLs, preferably one without texts: languages order texts differently.
    fn best_key(&self) -> Option<Vec<String>> {
        let is_text =
            |part: &String| self.columns.get(part).is_some_and(|column| column.kind.eq_ignore_ascii_case("text"));
        let has_all =
            |key: &&Vec<String>| key.iter().all(|part| self.columns.get(part).is_some_and(|column| column.never_null));
        let rank = |key: &&Vec<String>| (key.iter().any(is_text), key.len(), (*key).clone());
        self.keys.values().filter(has_all).min_by_key(rank).cloned()
    }
}

/// Parents before their children; otherwise by name, accounts first.
fn in_order(mut waiting: Vec<Table>) -> Result<Vec<Table>, CopyError> {
    waiting.sort_by_key(|table| (table.name != "accounts", table.name.clone()));
    let mut ordered: Vec<Table> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let is_there = |parent: &String| ordered.iter().any(|table| table.name == *parent);
        let next = waiting.iter().position(|table| table.parents.iter().all(is_there));
        let next = next.ok_or_else(|| CopyError::OtherTables("tables refer to each other in a circle".to_owned()))?;
        ordered.push(waiting.remove(next));
    }
    Ok(ordered)
}

/// A name as SQL quotes it: `key` and `type` are keywords.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The columns of the key as an order. Both databases compare texts byte by byte, independent of their language.
pub(super) fn key_in_order(table: &Table, kind: DatabaseKind) -> Vec<String> {
    let in_bytes = |column: &Column| {
        let plain = quoted(&column.name);
        if kind == DatabaseKind::Postgres && column.holds == ColumnType::Text {
            format!("{plain} COLLATE \"C\"")
        } else {
            plain
        }
    };
    table.key_columns().map(in_bytes).collect()
}
