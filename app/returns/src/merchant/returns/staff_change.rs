//! A change that staff make.

use crate::{
    base::{Retour, Staff},
    returning::change::Change,
};
use domain::{account::Account, party::Actor};

impl Retour {
    /// A change by staff, now. It creates no parcel.
    pub(super) fn change_by<'a>(&'a self, staff: &Staff, account: &'a Account, comment: String) -> Change<'a> {
        let (now, actor, staff) = (self.now(), Actor::Merchant, staff.actor_id());
        Change { retour: self, account, now, actor, staff, comment, parcel: None }
    }
}
