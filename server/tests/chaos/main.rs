//! Failures of machines and of external systems. The built program is killed again and again while clients work, deliver webhooks, pay refunds,
//! create and buy labels, and pay fees; while a database is copied; and on a failing disk. Two instances deliver to dead and slow receivers, a backup
//! is restored, and a cluster of four instances on one Postgres runs while everything around it fails ([`cluster`]). Nothing may be lost, and nothing
//! may happen twice.
//!
//! `make test` runs a short form, and `make chaos` the long one (`RETOUR_CHAOS=long`).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong stops the test at once")]

mod backup;
mod cluster;
mod copy;
mod crash;
mod disk;
mod instances;
mod karrio_labels;
mod labels;
mod payments;
mod peer;
mod receiver;
mod refunds;
mod shop_import;
#[allow(dead_code, reason = "the benchmark measures more")]
#[path = "../support/mod.rs"]
mod support;

/// Whether the long form runs.
pub fn is_long() -> bool {
    std::env::var("RETOUR_CHAOS").is_ok_and(|how| how == "long")
}
