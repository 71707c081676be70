//! Who submits a return, and what is submitted.

use super::basis::ChosenItems;
use crate::{base::Staff, view};
use domain::party::Party;
use domain::{
    DraftReturnOrderId, ShippingOptionId,
    returning::{ReturnOrder, ReturnSource},
};
use store::consumers::Consumer;

/// What is submitted.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// A stored draft.
    Draft(DraftReturnOrderId),
    /// The items of a draft that is created with the submit.
    New(Box<ChosenItems>),
}

/// How a return is submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The channel: portal, API or merchant.
    pub source: ReturnSource,
    /// The language of mails to the consumer, BCP 47; empty: the account's language.
    pub language: String,
    /// The shipping option to use instead of the draft's; `None`: the draft's.
    pub shipping_option: Option<ShippingOptionId>,
}

impl From<ReturnSource> for Sent {
    fn from(source: ReturnSource) -> Self {
        Self { source, language: String::new(), shipping_option: None }
    }
}

/// Who submits: the consumer of the return, or the merchant, whose returns need no review.
pub(crate) type Submitter = Party<Sent, Staff>;

/// How this party submits a return.
pub(crate) fn sent_by(submitter: &Submitter) -> Sent {
    match submitter {
        Party::Consumer(sent) => sent.clone(),
        Party::Staff(_) => ReturnSource::Merchant.into(),
    }
}

/// The submitter without further data, as the maker of a draft.
pub(crate) fn maker(submitter: &Submitter) -> Party {
    match submitter {
        Party::Consumer(_) => Party::Consumer(()),
        Party::Staff(_) => Party::Staff(()),
    }
}

/// A return order as its submitter sees it.
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
