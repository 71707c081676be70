//! All SQL of the service, for SQLite and Postgres. No other crate knows a table.
//!
//! One SQL text serves both databases: statements are in `statements!` blocks and number their parameters (`$1`), and a
//! test prepares each of them on both. Where the databases are treated differently, `engine/dialect.rs` says how and
//! why. Functions take a [`Db`], a borrowed connection of either kind, so that the same function reads outside and
//! inside of a transaction.
//!
//! To add a query: write it in the module of its table inside `statements!`, run it with `on!`, map its row to a domain
//! type, and call it from the contract suite in `tests/`.
//!
//! Times are stored as microseconds since 1970, amounts as minor units, ids as UUIDs, everything else as text or JSON.
//!
//! From bottom to top: `engine` runs SQL and knows no table; `lists` builds the queries of lists; `tables` has one
//! module for each table; `writing` is a transaction with its outbox; `tools` copies, backs up and tests.

#[macro_use]
mod engine;
pub mod lists;
mod tables;
mod tools;
mod writing;

pub use engine::{
    Connections, DatabaseKind, Db, IsEnough, Lease, Lookup, PooledConnection, Reading, Result, Shares, Store,
    StoreError, Tables, damage_seen, due,
};
pub use lists::page;
pub use tables::{
    all_lists, all_statements,
    merchant::{
        accounts, integrations, passkeys, return_locations, return_reasons, saved_views, service_users, settings,
        shipping_options, user_factors, user_sessions, users,
    },
    returning::{
        drafts, evidence, figures, found_parcels, pending_evidence, queues, receipts, return_order_notes,
        return_order_visits, return_orders, return_requests, shipments, stage_ages, timeline, tracking_updates,
        warehouse_steps, withdrawals, worked_return_orders,
    },
    sales::{
        completeness, import, known_lines, ledgers, order_spellings, orders, purchases, shop_imports, shop_orders,
    },
    service::{audit, files, guesses, idempotency, pruning, sessions},
    shopper::{consumers, erasures, mail_links, person_locks},
    webhooks::{events, webhook_attempts, webhook_deliveries, webhook_senders, webhook_subscriptions},
    work::{
        bulk_runs, label_requests, mail_tasks, mails, order_refreshes, parcel_tasks, payment_tasks, privacy_requests,
        settlements, shop_reconciliations, shop_returns,
    },
};
#[cfg(feature = "testing")]
pub use tools::testing;
pub use tools::{backup, copy};
pub use writing::Writing;
