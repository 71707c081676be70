//! What the staff of one account can do.

use crate::base::{Retour, Staff};

/// The use cases of a merchant's people and programs. Each reads and changes what belongs to their account, and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Merchant<'a> {
    pub(crate) retour: &'a Retour,
    pub(crate) staff: Staff,
}

impl Retour {
    /// The use cases of somebody who acts for an account. [`crate::Caller::as_staff`] checks what they may do.
    pub fn merchant(&self, staff: &Staff) -> Merchant<'_> {
        Merchant { retour: self, staff: *staff }
    }
}
