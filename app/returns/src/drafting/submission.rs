//! Who submits what, and how it comes in.

use super::basis::Selection;
use crate::{
    base::{Party, Staff},
    view,
};
use domain::{
    DraftReturnOrderId, ShippingOptionId,
    returning::{ReturnOrder, ReturnSource},
};
use store::consumers::Consumer;

/// What is submitted.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// A draft that is kept already.
    Draft(DraftReturnOrderId),
    /// What such a draft would be made of.
    New(Vec<Selection>, Option<ShippingOptionId>),
}

/// How a return comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// By which door.
    pub source: ReturnSource,
    /// In which language its consumer is told of it, BCP 47; empty: in the account's.
    pub language: String,
    /// How it is sent, in place of the way that the draft has; `None`: in that way.
    pub shipping_option: Option<ShippingOptionId>,
}

impl From<ReturnSource> for Sent {
    fn from(source: ReturnSource) -> Self {
        Self { source, language: String::new(), shipping_option: None }
    }
}

/// Who submits: the consumer whose return it is, by some way, or the merchant, who needs no review.
pub(crate) type Submitter = Party<Sent, Staff>;

/// How a return comes in that this party submits.
pub(crate) fn sent_by(submitter: &Submitter) -> Sent {
    match submitter {
        Party::Consumer(sent) => sent.clone(),
        Party::Staff(_) => ReturnSource::Merchant.into(),
    }
}

/// The same party without what it brings, as the maker of a draft.
pub(crate) fn maker(submitter: &Submitter) -> Party {
    match submitter {
        Party::Consumer(_) => Party::Consumer(()),
        Party::Staff(_) => Party::Staff(()),
    }
}

/// A return order as the party that submitted it sees it.
pub(crate) fn order_seen_by(submitter: &Submitter, order: ReturnOrder, consumer: &Consumer) -> view::ReturnOrderView {
    let order = view::ReturnOrderView::from(order);
    match submitter {
        Party::Consumer(_) => order.seen_by(consumer),
        Party::Staff(_) => order,
    }
}

/// The user or service user who submits, for timelines.
pub(crate) fn staff_id(submitter: &Submitter) -> Option<uuid::Uuid> {
    match submitter {
        Party::Consumer(_) => None,
        Party::Staff(staff) => staff.actor_id(),
    }
}
