//! What a draft is made of, and by whom.

use crate::{base::Party, view};
use domain::{
    DraftReturnOrderId, PurchaseId, ReturnReasonId, ShippingOptionId,
    policy::{
        Resolution,
        question::{GivenAnswer, QuestionAnswer},
    },
    returning::{DraftItem, DraftReturnOrder},
};
use store::consumers::Consumer;

/// One purchase that a consumer wants to return.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Which.
    pub purchase_id: PurchaseId,
    /// How many units; checked against what can go back.
    pub quantity: i64,
    /// Why; `None` is refused with the field's name.
    pub return_reason_id: Option<ReturnReasonId>,
    /// In their words.
    pub comment: String,
    /// What they answer to the reason's questions.
    pub answers: Vec<GivenAnswer>,
    /// What for.
    pub resolution: Resolution,
    /// With an exchange: the stock-keeping unit that is wanted in its place, one of those that the shop offers for it.
    pub exchange_for: Option<String>,
}

/// A draft as the party that made it sees it.
pub(crate) fn draft_seen_by(maker: Party, draft: DraftReturnOrder, consumer: &Consumer) -> view::Draft {
    let draft = view::Draft::from(draft);
    match maker {
        Party::Consumer(()) => draft.seen_by(consumer),
        Party::Staff(()) => draft,
    }
}

impl From<&DraftItem> for Selection {
    fn from(item: &DraftItem) -> Self {
        Self {
            purchase_id: item.purchase_id,
            quantity: item.taken.units.into(),
            return_reason_id: Some(item.return_reason_id),
            comment: item.return_reason_comment.clone(),
            answers: item.answers.iter().map(QuestionAnswer::given).collect(),
            resolution: item.requested_resolution,
            exchange_for: item.exchange_for.as_ref().map(|wanted| wanted.sku.clone()),
        }
    }
}

/// What a draft is made of.
#[derive(Debug)]
pub(crate) enum Basis {
    /// What was chosen, and how it is sent.
    Chosen(Vec<Selection>, Way),
    /// An older draft of the same consumer.
    Renewed(DraftReturnOrderId),
}

/// How a draft is to be sent.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// In this way, or in one that is chosen later. One that is not offered is refused.
    Chosen(Option<ShippingOptionId>),
    /// In this way if it is offered. Otherwise one is chosen later.
    Preferred(Option<ShippingOptionId>),
}
