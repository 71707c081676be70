//! The handle of a consumer.

use crate::base::{Retour, Shopper};

/// The use cases of one consumer. Each reads and changes what belongs to this consumer, and nothing else.
///
/// - Choosing (`consumer/purchases.rs`):
///   [`purchases`](Self::purchases), [`all_purchases`](Self::all_purchases),
///   [`purchases_to_choose`](Self::purchases_to_choose), [`offered`](Self::offered),
///   [`proved_order`](Self::proved_order)
/// - Drafting and submitting (`consumer/drafts.rs`):
///   [`draft`](Self::draft), [`set_shipping_option`](Self::set_shipping_option), [`find_draft`](Self::find_draft),
///   [`compare_shipping`](Self::compare_shipping), [`draft_preferring`](Self::draft_preferring),
///   [`renew_draft`](Self::renew_draft), [`renew_draft_with_key`](Self::renew_draft_with_key),
///   [`submit`](Self::submit)
/// - A draft that may no longer hold (`consumer/renewal.rs`):
///   [`submit_or_renew`](Self::submit_or_renew), [`choose_shipping_or_renew`](Self::choose_shipping_or_renew)
/// - Following a return (`consumer/returns.rs`):
///   [`return_order`](Self::return_order), [`return_orders`](Self::return_orders),
///   [`timeline`](Self::timeline), [`can_cancel`](Self::can_cancel), [`follow`](Self::follow),
///   [`cancel`](Self::cancel)
/// - Labels (`consumer/label.rs`):
///   [`label`](Self::label), [`return_address`](Self::return_address)
/// - Evidence (`consumer/evidence.rs`):
///   [`add_evidence`](Self::add_evidence), [`evidence`](Self::evidence),
///   [`evidence_file`](Self::evidence_file)
/// - Evidence before submitting (`consumer/pending_evidence.rs`):
///   [`add_pending_evidence`](Self::add_pending_evidence), [`pending_evidence`](Self::pending_evidence),
///   [`pending_evidence_of`](Self::pending_evidence_of), [`pending_evidence_file`](Self::pending_evidence_file),
///   [`delete_pending_evidence`](Self::delete_pending_evidence)
#[derive(Debug, Clone, Copy)]
pub struct ConsumerHandle<'a> {
    pub(crate) retour: &'a Retour,
    pub(crate) shopper: Shopper,
}

impl Retour {
    /// The use cases of a consumer who has proved an order.
    pub fn consumer(&self, shopper: &Shopper) -> ConsumerHandle<'_> {
        ConsumerHandle { retour: self, shopper: *shopper }
    }
}
