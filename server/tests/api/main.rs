//! The REST API through a real listening server, on SQLite and on Postgres.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "a failure must stop the test at once"
)]

mod audit;
#[path = "../../../app/returns/tests/use_cases/authenticator.rs"]
mod authenticator;
mod bad_input;
mod bodies;
mod bridge_check;
mod bridge_examples;
mod bridges;
mod browser;
mod calls;
mod choosing;
mod command_line;
mod compression;
mod contract;
mod copy;
mod cors;
mod database_away;
mod desk;
mod desk_return;
mod desk_roles;
mod desk_use_cases;
mod details_page;
mod docs;
mod document;
mod drafts;
mod error_codes;
mod evidence;
mod examples;
mod exchanges;
mod files_on_s3;
mod first_try;
mod flow;
mod for_customers;
mod gifts;
mod guessing;
mod handling;
mod harness;
mod idempotency;
mod isolation;
mod limits;
mod links;
mod lists;
mod mail;
mod mail_codes;
mod mail_links;
#[path = "../../../app/outbound/tests/outside/mail_server.rs"]
mod mail_server;
mod matrix;
mod metrics;
mod money_pages;
mod order_files;
mod own_drafts;
#[path = "../../../app/returns/tests/use_cases/passkey_device.rs"]
mod passkey_device;
mod passkeys;
mod payments;
mod pending_evidence;
mod people;
mod postgres_tls;
mod prefill;
mod program;
mod progress;
mod promises;
mod purchases;
mod purchases_page;
mod receiver;
mod redis_server;
mod redis_settings;
mod reference;
mod return_page;
mod routes;
mod running;
#[path = "../../../app/outbound/tests/outside/s3_server.rs"]
mod s3_server;
#[path = "../../../app/outbound/tests/outside/seed.rs"]
mod seed;
mod settings;
mod settings_errors;
mod settled_pages;
mod shared_limits;
mod shipments;
mod shopify;
mod shopify_changes;
mod shopify_check;
mod shopify_import;
mod shopify_notices;
mod sign_in;
#[path = "../../../app/outbound/tests/outside/stand_in.rs"]
mod stand_in;
mod tabs;
mod team;
mod validators;
mod warehouse;
mod webhook_deliveries;
mod webhook_examples;
mod webhook_page;
mod webhook_payloads;
mod webhooks;
mod withdrawals;
mod wording;
mod words;
mod wrong_settings;
