//! One module for each table: its statements, the mapping of its rows to domain types, and its functions.
//!
//! - `merchant`: what merchants configure, and who works for them
//! - `service`: what belongs to the installation rather than to one account
//! - `returning`: drafts, return orders, return requests, and what is attached to them
//! - `work`: tasks of the workers
//! - `shopper`: consumers, how they prove who they are, and their erasure
//! - `sales`: orders as shops report them, and the units and money in them that returns take
//! - `webhooks`: events, subscriptions and deliveries
//!
//! A folder uses only those before it in this list.
//!
//! In names of functions, `hold` and `lock` keep rows as they are until the transaction ends, `prune` deletes some
//! expired rows of every account, and `scrub` removes personal data.

#![allow(missing_docs, reason = "most fields are columns and say by their name what they hold")]

use crate::{engine::write_probe, lists::List};

pub mod merchant;
pub mod returning;
pub mod sales;
pub mod service;
pub mod shopper;
pub mod webhooks;
pub mod work;

/// Every statement by name, for the tests that prepare and explain each on both databases.
#[expect(clippy::too_many_lines, reason = "one line for each table")]
pub fn all_statements() -> impl Iterator<Item = (&'static str, &'static str)> {
    [
        merchant::accounts::STATEMENTS,
        merchant::integrations::STATEMENTS,
        merchant::passkeys::STATEMENTS,
        merchant::return_locations::STATEMENTS,
        merchant::return_reasons::STATEMENTS,
        merchant::saved_views::STATEMENTS,
        merchant::service_users::STATEMENTS,
        merchant::shipping_options::STATEMENTS,
        merchant::user_factors::STATEMENTS,
        merchant::user_sessions::STATEMENTS,
        merchant::users::STATEMENTS,
        shopper::consumers::STATEMENTS,
        shopper::erasures::STATEMENTS,
        shopper::mail_links::STATEMENTS,
        sales::completeness::STATEMENTS,
        sales::import::STATEMENTS,
        sales::known_lines::STATEMENTS,
        sales::ledgers::STATEMENTS,
        sales::order_spellings::STATEMENTS,
        sales::orders::STATEMENTS,
        sales::purchase_units::STATEMENTS,
        sales::purchases::STATEMENTS,
        sales::shop_imports::STATEMENTS,
        sales::shop_orders::STATEMENTS,
        returning::drafts::STATEMENTS,
        returning::evidence::STATEMENTS,
        returning::figures::STATEMENTS,
        returning::found_parcels::STATEMENTS,
        returning::pending_evidence::STATEMENTS,
        returning::queues::STATEMENTS,
        returning::receipts::STATEMENTS,
        returning::return_order_notes::STATEMENTS,
        returning::return_order_visits::STATEMENTS,
        returning::return_orders::STATEMENTS,
        returning::return_requests::STATEMENTS,
        returning::shipments::STATEMENTS,
        returning::stage_ages::STATEMENTS,
        returning::timeline::STATEMENTS,
        returning::tracking_updates::STATEMENTS,
        returning::warehouse_steps::STATEMENTS,
        returning::withdrawals::STATEMENTS,
        returning::worked_return_orders::STATEMENTS,
        work::bulk_runs::STATEMENTS,
        work::label_requests::STATEMENTS,
        work::mail_tasks::STATEMENTS,
        work::mails::STATEMENTS,
        work::order_refreshes::STATEMENTS,
        work::parcel_tasks::STATEMENTS,
        work::payment_tasks::STATEMENTS,
        work::privacy_requests::STATEMENTS,
        work::settlements::STATEMENTS,
        work::shop_reconciliations::STATEMENTS,
        work::shop_returns::STATEMENTS,
        webhooks::events::STATEMENTS,
        webhooks::webhook_attempts::STATEMENTS,
        webhooks::webhook_deliveries::STATEMENTS,
        webhooks::webhook_senders::STATEMENTS,
        webhooks::webhook_subscriptions::STATEMENTS,
        service::audit::STATEMENTS,
        service::files::STATEMENTS,
        service::guesses::STATEMENTS,
        service::idempotency::STATEMENTS,
        service::pruning::STATEMENTS,
        service::sessions::STATEMENTS,
        write_probe::STATEMENTS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Every list, for the test that explains each.
pub fn all_lists() -> Vec<&'static List> {
    vec![
        &service::audit::LIST,
        &shopper::consumers::LIST,
        &returning::drafts::LIST,
        &webhooks::events::LIST,
        &returning::found_parcels::LIST,
        &sales::purchases::LIST,
        &merchant::return_locations::LIST,
        &returning::return_orders::LIST,
        &merchant::return_reasons::LIST,
        &returning::return_requests::LIST,
        &merchant::shipping_options::LIST,
        &merchant::service_users::LIST,
        &merchant::users::LIST,
        &returning::shipments::LIST,
        &webhooks::webhook_subscriptions::LIST,
        &returning::withdrawals::LIST,
        &webhooks::webhook_deliveries::LIST,
        &work::mails::LIST,
    ]
}
