//! What machines and receivers do at their worst: the built program is killed again and again while clients work, and
//! two of them deliver to receivers of which some are dead or slow, shops pay for what is approved, carriers make labels, karrio
//! buys some, and shoppers pay; while one database is copied to another; the disk fails under it; what was backed up meanwhile is
//! restored; and four of them on one Postgres while everything around them breaks ([`cluster`]). Nothing may be lost, and nothing happens
//! twice.
//!
//! `make test` runs a short form, `make chaos` the long one (`RETOUR_CHAOS=long`).

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "what goes wrong stops the test at once")]

mod backup;
mod buying;
mod cluster;
mod crash;
mod disk;
mod instances;
mod labelling;
mod moving;
mod paying;
mod peer;
mod receiver;
mod settling;
#[allow(dead_code, reason = "the benchmark measures more")]
#[path = "../support/mod.rs"]
mod support;

/// How much of it is run.
pub fn is_long() -> bool {
    std::env::var("RETOUR_CHAOS").is_ok_and(|how| how == "long")
}
