//! Tests of the crate from the outside: labels as scanners read them, and calls as the receivers see them.
//!
//! All tests are one program, because each program links all libraries again, which takes time and disk space.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot continue should stop"
)]

mod answers;
mod bridge;
mod bridge_answers;
mod bridge_contract;
mod bridge_fields;
mod bridge_labels;
mod files;
mod guard;
mod karrio;
mod label;
mod label_many;
mod label_scripts;
mod localstripe;
mod mail;
mod mail_server;
mod medusa;
mod medusa_answers;
mod medusa_look_up;
mod payment_answers;
mod photos;
mod s3_server;
mod seed;
mod shopify_changes;
mod shopify_documents;
mod shopify_duties;
mod shopify_exchanges;
mod shopify_export;
mod shopify_limits;
mod shopify_look_up;
mod shopify_once;
mod shopify_refund;
mod shopify_returns;
mod shopify_returns_once;
mod stand_in;
mod support;
mod tls;
mod vendure;
mod vendure_answers;
mod webhook;
mod zpl_renderer;
