//! Every SQL text is valid on both databases, and reads its rows by an index.

use sqlx::{AssertSqlSafe, Column, Either, Executor, SqlSafeStr, Statement};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use store::{Db, testing::Database};

/// A prepared statement: the number of its parameters and the names of its columns.
type Prepared = Result<(usize, Vec<String>), String>;

/// Prepares every statement.
async fn prepared(database: &Database) -> BTreeMap<&'static str, Prepared> {
    fn parameters<T>(of: Option<Either<&[T], usize>>) -> usize {
        of.map_or(0, |either| either.either(<[T]>::len, |count| count))
    }
    let mut all = BTreeMap::new();
    let mut reading = database.store.read().await.unwrap();
    for (name, sql) in store::all_statements() {
        let statement = match reading.db() {
            Db::Sqlite(connection) => connection.prepare(sql.into_sql_str()).await.map(|statement| {
                (
                    parameters(statement.parameters()),
                    statement.columns().iter().map(|column| column.name().to_owned()).collect(),
                )
            }),
            Db::Postgres(connection) => connection.prepare(sql.into_sql_str()).await.map(|statement| {
                (
                    parameters(statement.parameters()),
                    statement.columns().iter().map(|column| column.name().to_owned()).collect(),
                )
            }),
        };
        assert!(all.insert(name, statement.map_err(|error| error.to_string())).is_none(), "{name} is listed twice");
    }
    all
}

#[test]
fn both_databases_prepare_every_statement_with_the_same_parameters_and_columns() {
    store::testing::on_both(|sqlite, postgres| async move {
        let (on_sqlite, on_postgres) = (prepared(&sqlite).await, prepared(&postgres).await);
        assert!(on_sqlite.len() > 40, "{} statements", on_sqlite.len());
        for (name, sql) in store::all_statements() {
            let (ours, theirs) = (&on_sqlite[name], &on_postgres[name]);
            assert!(ours.is_ok() && theirs.is_ok(), "{name}: SQLite {ours:?}, Postgres {theirs:?}\n{sql}");
            let (ours, theirs) = (ours.as_ref().unwrap(), theirs.as_ref().unwrap());
            assert_eq!(ours.0, theirs.0, "{name}: parameters");
            // Columns without a name are named differently; such rows are read by position.
            if !sql.contains("COUNT(*)") && !sql.contains("CAST(") && !sql.contains("RETURNING") {
                assert_eq!(ours.1, theirs.1, "{name}: columns");
            }
            assert!((1..=ours.0).all(|number| sql.contains(&format!("${number}"))), "{name}: a parameter is not used");
        }
    });
}

#[test]
fn every_module_with_statements_is_in_the_list() {
    let mut met = 0;
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in ["engine", "tables"].iter().flat_map(|folder| sources(&src.join(folder))) {
        let module = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().skip_while(|line| *line != "statements! {").skip(1);
        let declared = lines.next();
        let listed = store::all_statements().any(|(name, _)| name.starts_with(&format!("store::{module}::")));
        assert_eq!(declared.is_some(), listed, "{module}");
        assert!(declared.is_none_or(|line| line == format!("    in {module};")), "{module}: {declared:?}");
        met += usize::from(listed);
    }
    assert!(met > 40, "{met} modules");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn every_statement_on_an_accounts_rows_names_the_account() {
    for (name, sql) in store::all_statements() {
        // Sessions belong to a browser, and accounts are found by what identifies them. Pruning covers all accounts. A
        // user who signs in names no account, so guesses are counted, and challenges of passkeys kept, for the whole
        // installation.
        let excepted = [
            "store::sessions::",
            "store::accounts::",
            "store::guesses::",
            "store::users::FIND_BY_EMAIL",
            "store::passkeys::INSERT_CHALLENGE",
            "store::passkeys::TAKE_CHALLENGE",
        ];
        // Senders and workers work for all accounts.
        let excepted = excepted.iter().any(|excepted| name.starts_with(excepted))
            || name.contains("SESSIONS")
            || name.contains("PRUNE")
            || name.contains("::SENDER_")
            || name.contains("::WORKER_")
            || name.contains("::WRITE_PROBE");
        assert!(excepted || sql.contains("account_id"), "{name}");
        assert!(
            excepted || sql.contains("account_id = $1") || sql.contains("(account_id,"),
            "{name}: $1 is the account"
        );
    }
}

#[test]
fn every_new_row_names_its_account() {
    let others = [
        "accounts",
        "guesses",
        "passkey_challenges",
        "sessions",
        "trusted_addresses",
        "webhook_senders",
        "write_probes",
    ];
    for (name, sql) in store::all_statements() {
        let Some((table, rest)) = sql.strip_prefix("INSERT INTO ").and_then(|rest| rest.split_once(' ')) else {
            continue;
        };
        assert!(others.contains(&table) || rest.trim_start().starts_with("(account_id, "), "{name}");
    }
}

/// SQLite's plan of a statement. (Postgres plans by the number of rows, and here there are none.)
async fn plan(database: &Database, sql: &str) -> Vec<String> {
    let mut reading = database.store.read().await.unwrap();
    let Db::Sqlite(connection) = reading.db() else { panic!("EXPLAIN QUERY PLAN is SQLite's") };
    // The values do not matter, but their number does.
    let count = (1..=20).filter(|number| sql.contains(&format!("${number}"))).count();
    let query = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
    let bound = (0..count).fold(query, |query, _| query.bind(0_i64));
    let steps: Vec<(i64, i64, i64, String)> = bound.fetch_all(connection).await.unwrap();
    steps.into_iter().map(|(_, _, _, detail)| detail).collect()
}

#[test]
fn every_row_is_reached_through_its_account() {
    // Tables that belong to no account; an e-mail address that leads to one; a challenge, which
    // nobody has answered yet; pruning and workers of
    // the whole installation.
    let excepted = [
        "store::sessions::",
        "store::accounts::",
        "store::guesses::",
        "store::pruning::",
        "store::passkeys::TAKE_CHALLENGE",
        "store::users::FIND_BY_EMAIL",
    ];
    let excepted = |name: &str| {
        let across = ["::PRUNE", "::WORKER_", "::SENDER_", "::SCRUB_SESSIONS", "::WRITE_PROBE"];
        across.iter().any(|part| name.contains(part)) || excepted.iter().any(|part| name.contains(part))
    };
    store::testing::on_sqlite(|database| async move {
        let mut met = 0;
        for (name, sql) in store::all_statements().filter(|(name, _)| !excepted(name)) {
            for step in plan(&database, sql).await {
                let index = step.split("INDEX ").nth(1).and_then(|rest| rest.split(' ').next());
                let senders = index.is_some_and(|index| index.contains("webhook_senders"));
                let reads = step.starts_with("SEARCH ") || step.starts_with("SCAN ");
                // Change numbers have one sequence; lists of parameters and subqueries are no tables.
                let other = [
                    "return_requests_changed",
                    "return_orders_changed",
                    "next_change",
                    "CONSTANT",
                    "first",
                    "later",
                    "(subquery",
                    "SEARCH a USING INDEX sqlite_autoindex_accounts_1 (id=?)", // the account itself
                ];
                if reads && !senders && !other.iter().any(|other| step.contains(other)) {
                    assert!(step.contains("(account_id=?"), "{name}: {step}");
                    // Half of an account's rows may have one status; a consumer has few rows.
                    let by_status = step.contains("(account_id=? AND status=?)");
                    assert!(!by_status || !sql.contains("consumer_id ="), "{name}: {step}");
                    met += 1;
                }
            }
        }
        assert!(met > 100, "{met} steps");
    });
}

#[test]
fn lines_and_requests_of_orders_are_found_by_their_order() {
    // An import runs these for each batch, and a consumer's list of purchases for each order: they must not read all
    // lines of the account.
    let checked =
        ["known_lines::ORDER_LINES", "ledgers::LIST_TAKEN_LINES", "ledgers::LIST_REQUESTS", "ledgers::LIST_RETURNS"];
    store::testing::on_sqlite(move |database| async move {
        let mut met = 0;
        for (name, sql) in store::all_statements().filter(|(name, _)| checked.iter().any(|one| name.ends_with(one))) {
            for step in plan(&database, &sql.replace("IN ($2)", "IN ($2, $2, $2, $2, $2, $2, $2, $2)")).await {
                if step.starts_with("CORRELATED SCALAR SUBQUERY") {
                    continue; // the next step shows how its row is found
                }
                assert!(step.starts_with("SEARCH ") && step.contains("(account_id=? AND "), "{name}: {step}");
                met += 1;
            }
        }
        assert_eq!(
            met, 6,
            "one table each; two for the lines of orders, and for requests with the costs of their return"
        );
    });
}

#[test]
fn figures_of_a_time_read_an_index_alone() {
    let checked = ["figures::SUM_COMPLETED", "figures::LIST_TIMES"];
    store::testing::on_sqlite(move |database| async move {
        let mut met = 0;
        for (name, sql) in store::all_statements().filter(|(name, _)| checked.iter().any(|one| name.ends_with(one))) {
            let steps = plan(&database, sql).await;
            let wanted =
                "USING COVERING INDEX return_requests_completed (account_id=? AND stage_since>? AND stage_since<?)";
            assert!(steps.iter().any(|step| step.contains(wanted)), "{name}: {steps:#?}");
            met += 1;
        }
        assert_eq!(met, 2);
    });
}

#[test]
fn queues_are_counted_by_indexes_alone() {
    let checked =
        ["queues::COUNT_PART", "queues::COUNT_SILENT_PART", "queues::COUNT_FLAGGED", "queues::COUNT_ASSIGNED"];
    store::testing::on_sqlite(move |database| async move {
        let mut met = 0;
        for (_, sql) in store::all_statements().filter(|(name, _)| checked.iter().any(|one| name.ends_with(one))) {
            let steps = plan(&database, sql).await;
            for step in steps.iter().filter(|step| step.starts_with("SEARCH ")) {
                assert!(step.contains(" USING COVERING INDEX "), "{steps:#?}");
                met += 1;
            }
            // The index has the rows in their order: only the first ones are read.
            assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:#?}");
        }
        assert_eq!(met, 5);
    });
}

#[test]
fn expired_and_due_rows_are_found_by_their_time() {
    // Backlogs count all waiting rows. `WORKER_WAITING` runs only if more is due than the first statement reads. The
    // secrets of all users are read when the service starts.
    let excepted = [
        "::SENDER_",
        "::WORKER_WAITING",
        "::WORKER_TURN",
        "stage_ages::WORKER_ACCOUNTS",
        "user_factors::WORKER_SECRETS",
        "settlements::WORKER_BACKLOG",
        "label_requests::WORKER_BACKLOG",
        "shop_reconciliations::WORKER_DUE", // an account has one row
    ];
    store::testing::on_sqlite(|database| async move {
        let across = |name: &str| name.contains("::PRUNE") || name.contains("::WORKER_");
        let mut met = 0;
        for (name, sql) in store::all_statements() {
            if !across(name) || excepted.iter().any(|excepted| name.contains(excepted)) {
                continue;
            }
            let steps = plan(&database, sql).await;
            let steps: Vec<_> =
                steps.iter().filter(|step| step.starts_with("SEARCH") || step.starts_with("SCAN")).collect();
            // By a range of the time, alone or after an equality: never the rest of an index.
            let by_time =
                ["expires_at<?", "due_at<?", "created_at<?", "since<?", "seen_at<?", "worked_at<?", "completed_at=?"];
            let found = steps.iter().any(|step| by_time.iter().any(|column| step.contains(column)));
            assert!(found, "{name}: {steps:#?}");
            let all = steps.iter().filter(|step| step.starts_with("SCAN"));
            let all: Vec<_> = all.filter(|step| !step.contains("first_ones")).collect();
            assert!(all.is_empty(), "{name}: {all:#?}");
            met += 1;
        }
        assert!(met > 15, "{met} statements");
    });
}

#[test]
fn no_statement_reads_all_rows_of_an_account() {
    // Tables with few rows: a merchant's settings and keys. Rare statements of operators: counting events. The next
    // change number is a view of one row. An erasure searches stored responses, which are at most a day old. Erasures
    // are few, and an import counts them. Bridges, carriers and payment providers are read when the service starts, API
    // origins every few seconds. The list of accounts is the operator's. `first` is a subquery, whose rows an index
    // finds.
    let excepted = [
        "store::erasures::STATE",
        "SCRUB_ANSWERS",
        "SCRUB_SESSIONS",
        "COUNT_SOME",
        "SEARCH webhook_subscriptions ",
        "::SENDER_",
        "::WORKER_",
        "store::users::CALLED: ", // of the people of a merchant, at most 1,000
        "store::accounts::LIST: ",
        "store::accounts::LIST_API_ORIGINS",
        "store::accounts::LIST_BRIDGES",
        "store::accounts::LIST_PROCESSORS",
        "store::accounts::LIST_CARRIERS",
        "store::accounts::LIST_SIMULATING",
        "store::accounts::LIST_UNSPELLED",
        "SEARCH shipping_options ",
        "SEARCH return_reasons ",
        "SEARCH integration_operations ", // one for each kind of operation
        "SEARCH parts ",
        "SEARCH shop_reconciliations ", // one row of each account
        "store::return_locations::",
        "store::queues::COUNT_SILENT_PART: SEARCH r ", // the first ones of an index that has those on their way alone
        "store::return_orders::HAS_ANY: ",             // whether there is any
        "SCOPES_OF_OTHERS",
        "COUNT_BY_TYPE",
        "SCAN next_change",
        ": SCAN first",
        "store::consumers::FIND_WITH_ACCOUNT: SEARCH w ", // whether there is any
    ];
    store::testing::on_sqlite(|database| async move {
        let mut slow = Vec::new();
        for (name, sql) in store::all_statements() {
            let steps = plan(&database, sql).await.into_iter();
            // A table that the statement does not name refers to one that it names: SQLite reads it only to check a
            // reference.
            let named = |step: &str| step.split(' ').nth(1).is_some_and(|table| sql.contains(table));
            let bad = steps.filter(|step| named(step) && (step.contains("SCAN") || step.ends_with("(account_id=?)")));
            slow.extend(bad.map(|step| format!("{name}: {step}")));
        }
        slow.retain(|step| !excepted.iter().any(|excepted| step.contains(excepted)));
        assert!(slow.is_empty(), "{slow:#?}");
    });
}
