//! Every SQL text is one that both databases understand.

use sqlx::{AssertSqlSafe, Column, Either, Executor, SqlSafeStr, Statement};
use std::{collections::BTreeMap, fs, path::Path};
use store::{Db, testing::Database};

/// What a database makes of a statement: how many parameters it counts, and the names of the columns it answers with.
async fn prepared(database: &Database) -> BTreeMap<&'static str, Result<(usize, Vec<String>), String>> {
    fn parameters<T>(of: Option<Either<&[T], usize>>) -> usize {
        of.map_or(0, |either| either.either(<[T]>::len, |count| count))
    }
    let mut outcomes = BTreeMap::new();
    let mut reading = database.store.read().await.unwrap();
    for (name, sql) in store::all_statements() {
        let outcome = match reading.db() {
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
        assert!(outcomes.insert(name, outcome.map_err(|error| error.to_string())).is_none(), "{name} is listed twice");
    }
    outcomes
}

#[test]
fn every_statement_is_prepared_by_both_databases_alike() {
    store::testing::on_both(|sqlite, postgres| async move {
        let (on_sqlite, on_postgres) = (prepared(&sqlite).await, prepared(&postgres).await);
        assert!(on_sqlite.len() > 40, "{} statements", on_sqlite.len());
        for (name, sql) in store::all_statements() {
            let (ours, theirs) = (&on_sqlite[name], &on_postgres[name]);
            assert!(ours.is_ok() && theirs.is_ok(), "{name}: SQLite {ours:?}, Postgres {theirs:?}\n{sql}");
            let (ours, theirs) = (ours.as_ref().unwrap(), theirs.as_ref().unwrap());
            assert_eq!(ours.0, theirs.0, "{name}: parameters");
            // What has no name of its own is called differently; rows with it are read by place.
            if !sql.contains("COUNT(*)") && !sql.contains("CAST(") && !sql.contains("RETURNING") {
                assert_eq!(ours.1, theirs.1, "{name}: columns");
            }
            assert!((1..=ours.0).all(|number| sql.contains(&format!("${number}"))), "{name}: a parameter is not used");
        }
    });
}

#[test]
fn every_module_with_statements_is_in_the_list() {
    for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            continue; // parts of a module have no statements of their own
        }
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let declares = fs::read_to_string(&path).unwrap().lines().any(|line| line == "statements! {");
        let listed = store::all_statements().any(|(name, _)| name.starts_with(&format!("store::{module}::")));
        assert_eq!(declares, listed, "{module}");
    }
}

#[test]
fn every_statement_on_a_tenant_s_rows_names_the_account() {
    for (name, sql) in store::all_statements() {
        // Sessions belong to a browser, accounts are found by what identifies them, what is over is of use to nobody.
        // Who signs in names no account, and so guesses are counted for the whole installation.
        let excepted = ["store::sessions::", "store::accounts::", "store::guesses::", "store::users::FIND_BY_EMAIL"];
        // Whoever delivers webhooks or has resolutions carried out does so for all accounts.
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
    let others = ["accounts", "guesses", "sessions", "trusted_addresses", "webhook_senders", "write_probes"];
    for (name, sql) in store::all_statements() {
        let Some((table, rest)) = sql.strip_prefix("INSERT INTO ").and_then(|rest| rest.split_once(' ')) else {
            continue;
        };
        assert!(others.contains(&table) || rest.trim_start().starts_with("(account_id, "), "{name}");
    }
}

/// How SQLite goes about a statement. (Postgres decides by how many rows there are, and here there are none.)
async fn plan(database: &Database, sql: &str) -> Vec<String> {
    let mut reading = database.store.read().await.unwrap();
    let Db::Sqlite(connection) = reading.db() else { panic!("only SQLite explains itself like this") };
    // What is asked for does not matter, but there must be as many of it.
    let count = (1..=20).filter(|number| sql.contains(&format!("${number}"))).count();
    let query = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
    let bound = (0..count).fold(query, |query, _| query.bind(0_i64));
    let steps: Vec<(i64, i64, i64, String)> = bound.fetch_all(connection).await.unwrap();
    steps.into_iter().map(|(_, _, _, detail)| detail).collect()
}

#[test]
fn every_row_is_reached_through_its_account() {
    // What belongs to no account; an e-mail that leads to one; what is over or due in the whole installation, once.
    let excepted = [
        "store::sessions::",
        "store::accounts::",
        "store::guesses::",
        "store::pruning::",
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
                // Of change numbers there is one sequence; lists of parameters and rows read already are no tables.
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
                    // Half of an account's rows may be in one status, and one who is asked about has a few.
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
fn what_belongs_to_an_order_is_found_by_that_order() {
    // An import asks this for each batch, and a shopper's list of purchases for each order: never all lines of the account.
    let asked = ["known_lines::ORDER_LINES", "ledgers::LIST_TAKEN_LINES", "ledgers::LIST_REQUESTS"];
    store::testing::on_sqlite(move |database| async move {
        let mut met = 0;
        for (name, sql) in store::all_statements().filter(|(name, _)| asked.iter().any(|one| name.ends_with(one))) {
            for step in plan(&database, &sql.replace("IN ($2)", "IN ($2, $2, $2, $2, $2, $2, $2, $2)")).await {
                if step.starts_with("CORRELATED SCALAR SUBQUERY") {
                    continue; // the step after it says how its row is found
                }
                assert!(step.starts_with("SEARCH ") && step.contains("(account_id=? AND "), "{name}: {step}");
                met += 1;
            }
        }
        assert_eq!(met, 5, "one table, but for the lines of orders and for requests with the costs of their return");
    });
}

#[test]
fn what_is_over_or_due_is_found_by_when_it_is() {
    // Counted are those that wait. Who has work at all is asked only where more is due than is looked at.
    let excepted = [
        "::SENDER_",
        "::WORKER_WAITING",
        "::WORKER_TURN",
        "settlements::WORKER_BACKLOG",
        "label_requests::WORKER_BACKLOG",
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
            // Behind an equality, as of an account, or alone: never the rest of an index.
            let by_time = ["expires_at<?", "due_at<?", "created_at<?", "since<?", "completed_at=?"];
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
fn no_statement_goes_through_all_rows_of_an_account() {
    // Few rows: a merchant's settings and keys. For operators, now and then: counting events, forgetting what is over.
    // The next number of a change is a view of one row.
    // Who asks to be forgotten is looked for in what is kept for a day at most.
    // Few ask to be forgotten: an import counts them. Shops, carriers and payment providers are all looked at once, when
    // the service starts. The list of accounts is the operator's. Origins of websites are read once in some seconds.
    let excepted = [
        "store::erasures::STATE",
        "SCRUB_ANSWERS",
        "SCRUB_SESSIONS",
        "COUNT_SOME",
        "SEARCH webhook_subscriptions ",
        "::SENDER_",
        "::WORKER_",
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
        "store::return_locations::",
        "store::return_orders::HAS_ANY: ", // whether there is any
        "SCOPES_OF_OTHERS",
        "COUNT_BY_TYPE",
        "SCAN next_change",
        "store::consumers::FIND_WITH_ACCOUNT: SEARCH w ", // whether there is any
    ];
    store::testing::on_sqlite(|database| async move {
        let mut slow = Vec::new();
        for (name, sql) in store::all_statements() {
            let steps = plan(&database, sql).await.into_iter();
            // A table that the statement does not name is one that refers to it: SQLite looks there only when a
            // reference is broken.
            let named = |step: &str| step.split(' ').nth(1).is_some_and(|table| sql.contains(table));
            let bad = steps.filter(|step| named(step) && (step.contains("SCAN") || step.ends_with("(account_id=?)")));
            slow.extend(bad.map(|step| format!("{name}: {step}")));
        }
        slow.retain(|step| !excepted.iter().any(|excepted| step.contains(excepted)));
        assert!(slow.is_empty(), "{slow:#?}");
    });
}
