//! The contract of every function of the store, on SQLite and on Postgres.
//!
//! To add a test: write it once inside `on_each_database!` in the module of its table. `keep!` runs one function in a
//! transaction of its own, `look!` on a connection for reading.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "an error stops the test at once")]
#![allow(clippy::cloned_ref_to_slice_refs, clippy::assigning_clones, reason = "tests are optimized for reading")]

/// Runs a function of the store in a transaction of its own.
macro_rules! keep {
    ($database:expr, $($function:ident)::+ $(, $argument:expr)*) => {
        try_keep!($database, $($function)::+ $(, $argument)*).unwrap()
    };
}

/// The same for a function that may fail.
macro_rules! try_keep {
    ($database:expr, $($function:ident)::+ $(, $argument:expr)*) => {{
        let mut writing = $database.store.write().await.unwrap();
        let result = store::$($function)::+(writing.db() $(, $argument)*).await;
        if result.is_ok() {
            writing.commit().await.unwrap();
        }
        result
    }};
}

/// Runs a function of the store on a connection for reading.
macro_rules! look {
    ($database:expr, $($function:ident)::+ $(, $argument:expr)*) => {{
        let mut reading = $database.store.read().await.unwrap();
        store::$($function)::+(reading.db() $(, $argument)*).await.unwrap()
    }};
}

mod accounts;
mod audit;
mod bulk_runs;
mod consumers;
mod copy;
mod drafts;
mod evidence;
mod extremes;
mod filters;
mod found_parcels;
mod guesses;
mod idempotency;
mod import;
mod integrations;
mod label_requests;
mod ledgers;
mod lists;
mod mails;
mod migrations;
mod order_spellings;
mod paging;
mod parcel_tasks;
mod passkeys;
mod payment_tasks;
mod pending_evidence;
mod person_locks;
mod pruning;
mod purchases;
mod return_order_notes;
mod return_orders;
mod return_requests;
mod service_users;
mod sessions;
mod settings;
mod settlements;
mod shipments;
mod shop_imports;
mod shop_notices;
mod shop_returns;
mod statements;
mod statistics;
mod support;
mod transactions;
mod upgrades;
mod user_factors;
mod user_sessions;
mod users;
mod warehouse_steps;
mod webhooks;
mod withdrawals;
