//! A change that staff make.

use crate::{
    base::{Retour, Staff},
    returning::change::Change,
};
use domain::{Problems, RefusalCode, account::Account, party::Actor};
use std::ops::RangeInclusive;

/// The length of the reason of a change.
const REASON_CHARS: RangeInclusive<usize> = 3..=500;

/// Checks the field `reason` of a change.
pub(super) fn check_reason(problems: &mut Problems, reason: &str) {
    if reason.trim().chars().count() < *REASON_CHARS.start() {
        let message = format!("expected a reason of {} to {} characters", REASON_CHARS.start(), REASON_CHARS.end());
        problems.add("reason", RefusalCode::Required, message);
    } else {
        problems.check_text("reason", reason, REASON_CHARS);
    }
}

impl Retour {
    /// A change by staff, now. It creates no parcel.
    pub(super) fn change_by<'a>(&'a self, staff: &Staff, account: &'a Account, comment: String) -> Change<'a> {
        let (now, actor, staff) = (self.now(), Actor::Merchant, staff.actor_id());
        Change { retour: self, account, now, actor, staff, comment, parcel: None }
    }
}
