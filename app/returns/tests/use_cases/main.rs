//! Tests of the use cases, on SQLite and on Postgres: races, money, repeated requests and interrupted requests.
//!
//! Each test opens a [`shop::Shop`]: a merchant with a stopped clock, customers and their orders.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a failed step should stop the test at once")]
#![allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "helpers accept what their callers have")]

mod adjustments;
mod amendments;
mod audit;
mod authenticator;
mod batch;
mod bridges;
mod bridges_callers;
mod bridges_catalog;
mod bridges_settling;
mod bridges_shopify;
mod bulk;
mod choosing;
mod deadlines;
mod demo;
mod drafting;
mod drafts;
mod erasure;
mod evidence;
mod exchanges;
mod figures;
mod gifts;
mod guessing;
mod handling;
mod hang_up;
mod idempotency;
mod import;
mod importing;
mod integrations;
mod karrio;
mod karrio_parcels;
mod karrio_server;
mod labels;
mod labels_cancelled;
mod labels_in_a_bucket;
mod limits;
mod limits_shipping;
mod lives;
mod money;
mod orders;
mod overriding;
mod parcels;
mod passkey_device;
mod passkeys;
mod payments;
mod payments_company;
mod payments_pages;
mod payments_random;
mod pending_evidence;
mod postage;
mod progress;
mod proposals;
mod proving;
mod purchases;
mod questions;
mod queues;
mod race;
mod receiving;
mod renewal;
mod roles;
#[allow(dead_code, reason = "other test crates use the rest")]
#[path = "../../../outbound/tests/outside/s3_server.rs"]
mod s3_server;
mod scanning;
#[path = "../../../outbound/tests/outside/seed.rs"]
mod seed;
mod senders;
mod settings;
mod settings_account;
mod shipping_changes;
mod shop;
mod sign_in;
mod sign_in_desk;
mod sign_in_mail;
mod simulation;
#[path = "../../../outbound/tests/outside/stand_in.rs"]
mod stand_in;
mod statements;
mod team;
mod tenants;
mod timeline;
mod tracking;
mod webhooks;
mod webhooks_log;
mod webhooks_once;
mod webhooks_order;
mod webhooks_receiver;
mod webhooks_redelivery;
mod webhooks_retention;
mod webhooks_schedule;
mod webhooks_secrets;
mod webhooks_senders;
mod webhooks_tenants;
mod withdrawals;
