//! Who submits what, and how it comes in.

use super::basis::{Maker, Selection};
use crate::{base::Staff, view};
use domain::{
    DraftReturnOrderId, ShippingOptionId,
    returning::{Actor, ReturnOrder, Source},
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
    pub source: Source,
    /// In which language its consumer is told of it, BCP 47; empty: in the account's.
    pub language: String,
    /// How it is sent, in place of the way that the draft has; `None`: in that way.
    pub shipping_option: Option<ShippingOptionId>,
}

impl From<Source> for Sent {
    fn from(source: Source) -> Self {
        Self { source, language: String::new(), shipping_option: None }
    }
}

/// Who submits.
#[derive(Debug, Clone)]
pub(crate) enum By {
    /// Whose return it is, and how it comes.
    Consumer(Sent),
    /// The merchant: no review is needed.
    Staff(Staff),
}

impl By {
    pub fn sent(&self) -> Sent {
        match self {
            Self::Consumer(sent) => sent.clone(),
            Self::Staff(_) => Source::Merchant.into(),
        }
    }

    pub fn maker(&self) -> Maker {
        match self {
            Self::Consumer(_) => Maker::Consumer,
            Self::Staff(_) => Maker::Staff,
        }
    }

    pub fn shown(&self, order: ReturnOrder, consumer: &Consumer) -> view::ReturnOrderView {
        let order = view::ReturnOrderView::from(order);
        match self {
            Self::Consumer(_) => order.seen_by(consumer),
            Self::Staff(_) => order,
        }
    }

    pub fn actor(&self) -> Actor {
        match self {
            Self::Consumer(_) => Actor::Consumer,
            Self::Staff(_) => Actor::Merchant,
        }
    }

    pub fn staff(&self) -> Option<uuid::Uuid> {
        match self {
            Self::Consumer(_) => None,
            Self::Staff(staff) => staff.actor_id(),
        }
    }
}
