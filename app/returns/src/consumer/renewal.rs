//! Steps with a draft that may be outdated. If it is, Retour makes the same draft again at today's amounts, or the
//! consumer has to select again.

use super::{drafts::fresh, handle::ConsumerHandle};
use crate::{
    base::{Error, FieldError, Result},
    drafting::submission::Sent,
    view,
};
use domain::{DraftReturnOrderId, RefusalCode, ShippingOptionId};

/// The result of a step with a draft.
#[derive(Debug)]
pub enum DraftStep<T> {
    /// The step is done.
    Done(T),
    /// The draft was outdated. This new one has the same selection at today's amounts.
    Renewed(Box<view::Draft>),
    /// Some selections can no longer be returned as selected. Errors name a selection by its position in the draft.
    ChooseAgain(Vec<FieldError>),
    /// The shop has declined the draft.
    Declined,
}

impl ConsumerHandle<'_> {
    /// Submits a draft. If it is outdated, creates a new one with the same selection.
    pub async fn submit_or_renew(
        self,
        draft: DraftReturnOrderId,
        sent: impl Into<Sent>,
    ) -> Result<DraftStep<Box<view::ReturnOrderView>>> {
        match self.submit(draft, sent, None).await {
            Ok(done) => Ok(DraftStep::Done(Box::new(fresh(done)?))),
            Err(Error::Outdated { refusal, details, .. }) if refusal.code == RefusalCode::QuantityExceeded => {
                Ok(DraftStep::ChooseAgain(details))
            }
            Err(Error::Outdated { refusal, .. } | Error::Refused(refusal)) => {
                self.renew_after(draft, refusal.code).await
            }
            Err(error) => Err(error),
        }
    }

    /// Sets the shipping option of a draft. If it is outdated, creates a new one with the same selection.
    pub async fn choose_shipping_or_renew(
        self,
        draft: DraftReturnOrderId,
        option: ShippingOptionId,
    ) -> Result<DraftStep<Box<view::Draft>>> {
        match self.set_shipping_option(draft, option, None).await {
            Ok(done) => Ok(DraftStep::Done(Box::new(fresh(done)?))),
            Err(Error::Refused(refusal)) => self.renew_after(draft, refusal.code).await,
            Err(error) => Err(error),
        }
    }

    async fn renew_after<T>(self, draft: DraftReturnOrderId, code: RefusalCode) -> Result<DraftStep<T>> {
        if code == RefusalCode::DraftRejected {
            return Ok(DraftStep::Declined);
        }
        match self.renew_draft(draft).await {
            Ok(new) => Ok(DraftStep::Renewed(Box::new(new))),
            Err(Error::Invalid(errors)) => Ok(DraftStep::ChooseAgain(errors)),
            Err(error) => Err(error),
        }
    }
}
