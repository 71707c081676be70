//! Both databases have the same tables.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use store::{Db, testing::Database};

/// Which types of the two databases correspond, and for which columns.
const SAME_TYPES: [(&str, &str); 5] =
    [("BLOB", "uuid"), ("BLOB", "bytea"), ("INTEGER", "bigint"), ("INTEGER", "boolean"), ("TEXT", "text")];

/// Tables that belong to no account: the accounts themselves; sessions, which belong to a browser; what is read before
/// an account is known, such as the user of an e-mail address, challenges of passkeys and counters of guesses; and what
/// the programs of all accounts share.
const NO_TENANT_S: [&str; 9] = [
    "accounts",
    "guesses",
    "passkey_challenges",
    "sessions",
    "trusted_addresses",
    "user_emails",
    "webhook_senders",
    "worker_turns",
    "write_probes",
];

/// Ids that are texts: the id of a purchase is the shop's own, and programs of merchants choose the ids of their
/// requests.
const TEXT_IDS: [&str; 3] = ["audit_entries.request_id", "audit_entries.subject_id", "shop_imports.operation_id"];

/// SQLite has no sequences: the next number of a change is found by these.
const ONLY_SQLITE_S: [&str; 2] = ["return_orders_changed", "return_requests_changed"];

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: BTreeMap<String, Column>,
    unique: BTreeSet<Vec<String>>,
    indexes: BTreeSet<(String, Vec<String>)>,
    foreign_keys: BTreeSet<ForeignKey>,
    checks: BTreeSet<String>,
}

/// Columns, the table they point to, and its columns.
pub type ForeignKey = (Vec<String>, String, Vec<String>);

#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    pub kind: String,
    pub not_null: bool,
    default: Option<String>,
}

async fn rows<T>(database: &Database, sql: &'static str) -> Vec<T>
where
    T: Send
        + Unpin
        + for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow>
        + for<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow>,
{
    let mut reading = database.store.read().await.unwrap();
    match reading.db() {
        Db::Sqlite(connection) => sqlx::query_as(sql).fetch_all(connection).await.unwrap(),
        Db::Postgres(connection) => sqlx::query_as(sql).fetch_all(connection).await.unwrap(),
    }
}

/// Groups rows of (table, key, column), which are in the order of the columns.
fn grouped(rows: Vec<(String, String, String)>) -> BTreeMap<(String, String), Vec<String>> {
    let mut groups: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (table, key, column) in rows {
        groups.entry((table, key)).or_default().push(column);
    }
    groups
}

pub struct Queries {
    columns: &'static str,
    unique: &'static str,
    indexes: &'static str,
    foreign_keys: &'static str,
    referenced: &'static str,
    checks: &'static str,
}

pub const SQLITE: Queries = Queries {
    columns: "SELECT t.name, c.name, c.type, c.\"notnull\" OR c.pk > 0, c.dflt_value FROM sqlite_master t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> '_sqlx_migrations'",
    // On SQLite `seq` is the number of the row, and a key by itself.
    unique: "SELECT t.name, i.name, c.name FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        WHERE t.type = 'table' AND i.origin IN ('pk', 'u') AND t.name <> '_sqlx_migrations' ORDER BY 1, 2, c.seqno",
    indexes: "SELECT t.name, i.name, c.name FROM sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
        WHERE t.type = 'table' AND i.origin = 'c' ORDER BY 1, 2, c.seqno",
    foreign_keys: "SELECT t.name, f.\"table\" || ' ' || f.id, f.\"from\" FROM sqlite_master t, pragma_foreign_key_list(t.name) f
        WHERE t.type = 'table' ORDER BY 1, f.id, f.seq",
    referenced: "SELECT t.name, f.\"table\" || ' ' || f.id, f.\"to\" FROM sqlite_master t, pragma_foreign_key_list(t.name) f
        WHERE t.type = 'table' ORDER BY 1, f.id, f.seq",
    checks: "SELECT name, '', sql FROM sqlite_master WHERE type = 'table' AND name <> '_sqlx_migrations'",
};

pub const POSTGRES: Queries = Queries {
    columns: "SELECT table_name::text, column_name::text, data_type::text, is_nullable = 'NO', column_default::text
        FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_sqlx_migrations'",
    unique: "SELECT c.conrelid::regclass::text, c.conname::text, a.attname::text
        FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY k (number, place)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
        WHERE c.contype IN ('p', 'u') AND c.connamespace = 'public'::regnamespace AND c.conrelid::regclass::text <> '_sqlx_migrations'
        ORDER BY 1, 2, k.place",
    indexes: "SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, a.attname::text
        FROM pg_index i JOIN pg_class o ON o.oid = i.indexrelid AND o.relnamespace = 'public'::regnamespace
        CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY k (number, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
        ORDER BY 1, 2, k.place",
    foreign_keys: "SELECT c.conrelid::regclass::text, c.confrelid::regclass::text || ' ' || c.oid, a.attname::text
        FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY k (number, place)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
        WHERE c.contype = 'f' ORDER BY 1, 2, k.place",
    referenced: "SELECT c.conrelid::regclass::text, c.confrelid::regclass::text || ' ' || c.oid, a.attname::text
        FROM pg_constraint c CROSS JOIN LATERAL unnest(c.confkey) WITH ORDINALITY k (number, place)
        JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number
        WHERE c.contype = 'f' ORDER BY 1, 2, k.place",
    checks: "SELECT conrelid::regclass::text, '', 'CONSTRAINT ' || conname || ' CHECK' FROM pg_constraint
        WHERE contype = 'c' AND connamespace = 'public'::regnamespace",
};

pub async fn tables(database: &Database, queries: &Queries) -> BTreeMap<String, Table> {
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let columns: Vec<(String, String, String, bool, Option<String>)> = rows(database, queries.columns).await;
    for (table, name, kind, not_null, default) in columns {
        tables.entry(table).or_default().columns.insert(name, Column { kind, not_null, default });
    }
    for ((table, _), columns) in grouped(rows(database, queries.unique).await) {
        tables.get_mut(&table).unwrap().unique.insert(columns);
    }
    for ((table, name), columns) in grouped(rows(database, queries.indexes).await) {
        tables.get_mut(&table).unwrap().indexes.insert((name, columns));
    }
    let referenced = grouped(rows(database, queries.referenced).await);
    for ((table, key), columns) in grouped(rows(database, queries.foreign_keys).await) {
        let to = key.split(' ').next().unwrap().to_owned();
        let their_columns = referenced[&(table.clone(), key)].clone();
        tables.get_mut(&table).unwrap().foreign_keys.insert((columns, to, their_columns));
    }
    let checks: Vec<(String, String, String)> = rows(database, queries.checks).await;
    for (table, _, sql) in checks {
        let named = sql.split("CONSTRAINT ").skip(1).filter_map(|rest| rest.split_once(" CHECK"));
        let Some(table) = tables.get_mut(&table) else { continue };
        table.checks.extend(named.map(|(name, _)| name.to_owned()));
    }
    tables
}

/// Postgres adds the type to a text, and the databases write flags in two ways.
fn default(column: &Column) -> Option<&str> {
    column.default.as_deref().map(|text| match text.trim_end_matches("::text") {
        "true" => "1",
        "false" => "0",
        text => text,
    })
}

#[test]
fn both_databases_have_the_same_tables() {
    store::testing::on_both(|sqlite, postgres| async move {
        let (ours, theirs) = (tables(&sqlite, &SQLITE).await, tables(&postgres, &POSTGRES).await);
        assert!(ours.len() > 10, "{:?}", ours.keys());
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
        for (name, table) in &ours {
            let same = &theirs[name];
            assert_eq!(table.columns.keys().collect::<Vec<_>>(), same.columns.keys().collect::<Vec<_>>(), "{name}");
            for (column, here) in &table.columns {
                let there = &same.columns[column];
                let types = (here.kind.as_str(), there.kind.as_str());
                assert!(SAME_TYPES.contains(&types), "{name}.{column}: {types:?}");
                let is_id = column == "id"
                    || (column.ends_with("_id")
                        && !column.ends_with("external_id")
                        && !TEXT_IDS.contains(&format!("{name}.{column}").as_str()));
                assert_eq!(is_id, there.kind == "uuid", "{name}.{column}: ids are UUIDs");
                assert_eq!(here.not_null, there.not_null, "{name}.{column}: NULL");
                let defaults = (default(here), default(there));
                assert_eq!(defaults.0, defaults.1, "{name}.{column}: default");
            }
            assert_eq!(table.unique, same.unique, "{name}: keys");
            let indexes = table.indexes.iter().filter(|(index, _)| !ONLY_SQLITE_S.contains(&index.as_str()));
            assert_eq!(indexes.collect::<Vec<_>>(), same.indexes.iter().collect::<Vec<_>>(), "{name}: indexes");
            assert_eq!(table.foreign_keys, same.foreign_keys, "{name}: foreign keys");
            assert_eq!(table.checks, same.checks, "{name}: checks");
        }
    });
}

#[test]
fn the_account_leads_every_key_of_a_tenant_s_table() {
    store::testing::on_both(|sqlite, postgres| async move {
        for tables in [tables(&sqlite, &SQLITE).await, tables(&postgres, &POSTGRES).await] {
            let mut others = Vec::new();
            for (name, table) in tables {
                assert!(!table.unique.is_empty(), "{name} has no key");
                let leads = |key: &Vec<String>| key[0] == "account_id";
                if table.unique.iter().all(leads) {
                    assert!(table.columns["account_id"].not_null, "{name}");
                    let to_accounts = (vec!["account_id".to_owned()], "accounts".to_owned(), vec!["id".to_owned()]);
                    assert!(table.foreign_keys.contains(&to_accounts), "{name}");
                    assert!(table.foreign_keys.iter().all(|(columns, _, _)| leads(columns)), "{name}");
                } else {
                    others.push(name);
                }
            }
            assert_eq!(others, NO_TENANT_S);
        }
    });
}

/// Indexes of tenants' tables that do not begin with the account: by them a program finds what has expired, is due, or
/// comes next in all accounts.
const ACROSS_ACCOUNTS: [&str; 30] = [
    "audit_entries_by_time",
    "bulk_runs_by_age",
    "consumer_tokens_by_expiry",
    "draft_return_orders_by_expiry",
    "draft_return_orders_open_by_expiry",
    "draft_return_orders_unsent_by_expiry",
    "erasures_by_completion",
    "events_by_age",
    "idempotency_keys_by_expiry",
    "label_requests_due",
    "mail_links_by_time",
    "mail_tasks_due",
    "mails_by_time",
    "order_refreshes_due",
    "parcel_tasks_due",
    "payment_tasks_due",
    "pending_evidence_by_age",
    "privacy_requests_due",
    "return_order_visits_by_age",
    "return_orders_changed",
    "return_requests_changed",
    "return_requests_due",
    "settlements_due",
    "shop_reconciliations_due",
    "shop_returns_due",
    "unclaimed_files_by_age",
    "user_tokens_by_expiry",
    "warehouse_steps_by_age",
    "webhook_subscriptions_by_claim",
    "worked_return_orders_by_age",
];

#[test]
fn the_account_leads_every_index_but_those_of_workers() {
    store::testing::on_sqlite(|sqlite| async move {
        let mut others = Vec::new();
        for (name, table) in tables(&sqlite, &SQLITE).await {
            if !NO_TENANT_S.contains(&name.as_str()) {
                others.extend(table.indexes.into_iter().filter(|(_, columns)| columns[0] != "account_id"));
            }
        }
        let mut others: Vec<String> = others.into_iter().map(|(index, _)| index).collect();
        others.sort();
        assert_eq!(others, ACROSS_ACCOUNTS);
    });
}

/// Logical replication identifies rows by a key; upgrades of Postgres may use it.
#[test]
fn every_table_can_be_copied_to_another_postgres() {
    store::testing::on_postgres(|postgres| async move {
        let keyless =
            "SELECT c.relname::text FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
            AND NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid
                AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident END)";
        assert_eq!(postgres.texts(keyless).await, [""; 0]);
    });
}

#[test]
fn every_migration_is_in_both_folders() {
    let names = |kind: &str| -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(kind);
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(names("sqlite"), names("postgres"));
    assert!(!names("sqlite").is_empty());
}
