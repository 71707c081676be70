//! The resources of the API, each in a file: its operations, its bodies and its handlers. A handler parses, calls one use case, and answers.

mod account;
mod audit_entries;
mod auth;
mod batch;
mod bulk_runs;
mod consumer;
mod consumers;
pub(super) mod document;
mod draft_return_orders;
mod events;
mod evidence;
mod figures;
mod find;
mod found_parcels;
mod handling;
mod mails;
mod order_file;
mod own_security;
mod passkeys;
mod pending_evidence;
mod proposals;
mod purchases;
mod queues;
mod receivings;
mod return_locations;
mod return_orders;
mod return_reasons;
mod return_requests;
mod saved_views;
mod scans;
mod service_users;
mod settings;
mod shipments;
mod shipping_options;
mod sign_in;
mod users;
mod webhook_deliveries;
mod webhook_subscriptions;
mod withdrawals;

use super::base::operation::Operation;
use document::ServedDocument;

/// Every operation, in the order of the document.
pub(super) fn operations(document: &ServedDocument) -> Vec<Operation> {
    [
        document::operations(document),
        account::operations(),
        auth::operations(),
        sign_in::operations(),
        own_security::operations(),
        passkeys::operations(),
        consumer::operations(),
        consumers::operations(),
        draft_return_orders::operations(),
        purchases::operations(),
        return_locations::operations(),
        return_orders::operations(),
        handling::operations(),
        return_reasons::operations(),
        return_requests::operations(),
        queues::operations(),
        figures::operations(),
        find::operations(),
        saved_views::operations(),
        batch::operations(),
        proposals::operations(),
        bulk_runs::operations(),
        receivings::operations(),
        evidence::operations(),
        pending_evidence::operations(),
        withdrawals::operations(),
        scans::operations(),
        found_parcels::operations(),
        shipments::operations(),
        mails::operations(),
        shipping_options::operations(),
        service_users::operations(),
        users::operations(),
        webhook_subscriptions::operations(),
        events::operations(),
        webhook_deliveries::operations(),
        audit_entries::operations(),
    ]
    .concat()
}
