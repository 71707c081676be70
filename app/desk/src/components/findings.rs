//! What an inspection finds, in words: conditions and dispositions.

use crate::words::Scan;
use domain::stage::{Condition, Disposition};

/// The condition that units are in.
pub fn condition_text(condition: Condition, words: &Scan) -> &'static str {
    match condition {
        Condition::New => words.condition_new,
        Condition::Opened => words.condition_opened,
        Condition::Used => words.condition_used,
        Condition::Damaged => words.condition_damaged,
        Condition::Incomplete => words.condition_incomplete,
        Condition::WrongItem => words.condition_wrong_item,
    }
}

/// What the warehouse does with units.
pub fn disposition_text(disposition: Disposition, words: &Scan) -> &'static str {
    match disposition {
        Disposition::Restock => words.restock,
        Disposition::Refurbish => words.refurbish,
        Disposition::Outlet => words.outlet,
        Disposition::Donate => words.donate,
        Disposition::Dispose => words.dispose,
        Disposition::ReturnToConsumer => words.return_to_consumer,
    }
}
