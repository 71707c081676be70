//! What goes out and what comes back: labels as scanners read them, calls as those who are called see them.
//!
//! One program for all: each of its own would link the house's libraries anew, and a fresh machine's disk holds them all.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop"
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
mod support;
mod tls;
mod vendure;
mod vendure_answers;
mod webhook;
