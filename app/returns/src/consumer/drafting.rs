//! What a draft is made of: what was chosen, or an older draft.

use super::{Selection, Settings, draft::Maker};
use crate::{Done, Error, IdempotencyKey, Result, Retour, Shopper, view};
use domain::{
    Currency, DraftReturnOrderId, ReturnOrderId, ShippingOptionId, question::GivenAnswer, returning::DraftItem,
    shipping::ShippingOption,
};
use std::borrow::Cow;
use store::{Reading, drafts};

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

impl Retour {
    /// Makes a draft as [`Self::draft`] does. If the preferred way of sending is not offered, the draft has none.
    pub async fn draft_preferring(
        &self,
        shopper: Shopper,
        selections: Vec<Selection>,
        preferred: Option<ShippingOptionId>,
    ) -> Result<view::Draft> {
        let basis = Basis::Chosen(selections, Way::Preferred(preferred));
        fresh(self.draft_of(shopper, basis, (None, Maker::Consumer)).await?)
    }

    /// Makes a new draft of what an older one selects, at today's figures. Answers to questions that the shop no longer asks
    /// are dropped, and so is a way of sending that it no longer offers. Errors name a selection by its position in the
    /// older draft.
    pub async fn renew_draft(&self, shopper: Shopper, draft: DraftReturnOrderId) -> Result<view::Draft> {
        fresh(self.renew_draft_with_key(shopper, draft, None).await?)
    }

    /// The same, once for each key.
    pub async fn renew_draft_with_key(
        &self,
        shopper: Shopper,
        draft: DraftReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        self.draft_of(shopper, Basis::Renewed(draft), (key, Maker::Consumer)).await
    }

    /// The return order that a consumer's draft became; `None` until the draft is accepted.
    pub async fn return_of_draft(&self, shopper: Shopper, draft: DraftReturnOrderId) -> Result<Option<ReturnOrderId>> {
        let mut reading = self.store.read().await?;
        let found = drafts::find(reading.db(), shopper.account, shopper.consumer, draft).await?;
        Ok(found.ok_or(Error::NotFound)?.return_order_id)
    }
}

/// What was made without a key, which cannot have been made before.
fn fresh<T>(done: Done<T>) -> Result<T> {
    match done {
        Done::Fresh { value, .. } => Ok(value),
        Done::Replayed(_) => Err(Error::Broken),
    }
}

impl Settings {
    /// What a draft selects, and how it is sent.
    pub(super) async fn selected<'a>(
        &self,
        reading: &mut Reading,
        shopper: &Shopper,
        basis: &'a Basis,
    ) -> Result<(Cow<'a, [Selection]>, Way)> {
        match basis {
            Basis::Chosen(selections, way) => Ok((Cow::Borrowed(selections), *way)),
            Basis::Renewed(id) => {
                let found = drafts::find(reading.db(), shopper.account, shopper.consumer, *id).await?;
                let draft = found.ok_or(Error::NotFound)?;
                let selections = draft.items.iter().map(|item| self.select_again(item)).collect();
                Ok((Cow::Owned(selections), Way::Preferred(draft.shipping_option_id)))
            }
        }
    }

    fn select_again(&self, item: &DraftItem) -> Selection {
        let reason = self.reasons.iter().find(|reason| reason.id == item.return_reason_id);
        let questions = reason.map_or(&[][..], |reason| reason.rules.questions.as_slice());
        let is_asked = |answer: &GivenAnswer| questions.iter().any(|question| question.id == answer.question_id);
        let mut selection = Selection::from(item);
        selection.answers.retain(is_asked);
        selection
    }

    /// The way of sending of a new draft.
    pub(super) fn option_of(
        &self,
        way: Way,
        currency: Currency,
        items: &[DraftItem],
    ) -> Result<Option<&ShippingOption>> {
        match way {
            Way::Chosen(id) => self.option(id, currency, items),
            Way::Preferred(id) => match self.option(id, currency, items) {
                Err(Error::Invalid(_)) => Ok(None),
                found => found,
            },
        }
    }
}
