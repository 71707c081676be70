//! What a draft is made from, and how its maker sees it.

use crate::{base::Staff, view};
use domain::party::Party;
use domain::{
    DraftReturnOrderId, PurchaseId, ReturnReasonId, ShippingOptionId,
    policy::{
        Resolution,
        question::{GivenAnswer, QuestionAnswer},
    },
    returning::{DraftItem, DraftReturnOrder, Override},
};
use store::consumers::Consumer;

/// One purchase that a consumer wants to return.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The number of units; checked against what can be returned.
    pub quantity: i64,
    /// The reason; `None` is refused with the field's name.
    pub return_reason_id: Option<ReturnReasonId>,
    /// The consumer's comment on the reason.
    pub comment: String,
    /// The answers to the reason's questions.
    pub answers: Vec<GivenAnswer>,
    /// The requested resolution.
    pub resolution: Resolution,
    /// For an exchange: the SKU of the wanted product, one of those that the shop offers for it.
    pub exchange_for: Option<String>,
}

/// A draft as its maker sees it.
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

/// The items of a new draft, how they are sent, and the rules that staff override for them.
#[derive(Debug, Clone)]
pub(crate) struct ChosenItems {
    pub selections: Vec<Selection>,
    pub way: Way,
    pub overrides: Vec<Override>,
    /// The staff who override rules; `None` if nobody does now.
    pub overriding: Option<Staff>,
}

impl ChosenItems {
    /// The items that a consumer has chosen: no rule is overridden.
    pub fn by_consumer(selections: Vec<Selection>, way: Way) -> Self {
        Self { selections, way, overrides: Vec::new(), overriding: None }
    }
}

/// What a draft is made from.
#[derive(Debug)]
pub(crate) enum Basis {
    /// A selection.
    Chosen(Box<ChosenItems>),
    /// The selection of an older draft of the same consumer.
    Renewed(DraftReturnOrderId),
}

/// The shipping option of a new draft.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// This option, or none yet. An option that is not offered is refused.
    Chosen(Option<ShippingOptionId>),
    /// This option if it is offered, or else none yet.
    Preferred(Option<ShippingOptionId>),
}
