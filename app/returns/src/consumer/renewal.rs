//! Steps with a draft that may be outdated. If it is, Retour makes the same draft again at today's amounts, or the
//! consumer has to select or answer again.

use super::{drafts::fresh, handle::ConsumerHandle};
use crate::{
    base::{Error, FieldError, Result},
    drafting::submission::Sent,
    view,
};
use domain::{DraftReturnOrderId, PurchaseId, RefusalCode, ShippingOptionId};
use std::collections::BTreeSet;

/// The result of a step with a draft.
#[derive(Debug)]
pub enum DraftStep<T> {
    /// The step is done.
    Done(T),
    /// The step is not done, because the draft is outdated.
    Outdated(OutdatedDraft),
}

/// How to continue with an outdated draft. Errors name a selection by its position in the draft.
#[derive(Debug)]
pub enum OutdatedDraft {
    /// This new draft has the same selection at today's amounts.
    Renewed(Box<view::Draft>),
    /// Some selections can no longer be returned as selected.
    ChooseAgain {
        /// The selections to change.
        errors: Vec<FieldError>,
        /// The consumer's purchases that are still returnable. A selection of any other can only be removed.
        returnable: BTreeSet<PurchaseId>,
    },
    /// The shop asks other questions now.
    AnswerAgain(Vec<FieldError>),
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
        let outdated = match self.submit(draft, sent, None).await {
            Ok(done) => return Ok(DraftStep::Done(Box::new(fresh(done)?))),
            Err(Error::Outdated { refusal, details, .. }) if refusal.code == RefusalCode::QuantityExceeded => {
                self.choose_again(details).await?
            }
            Err(Error::Outdated { refusal, .. } | Error::Refused(refusal)) => {
                self.renew_after(draft, refusal.code).await?
            }
            Err(error) => return Err(error),
        };
        Ok(DraftStep::Outdated(outdated))
    }

    /// Sets the shipping option of a draft. If it is outdated, creates a new one with the same selection.
    pub async fn choose_shipping_or_renew(
        self,
        draft: DraftReturnOrderId,
        option: ShippingOptionId,
    ) -> Result<DraftStep<Box<view::Draft>>> {
        match self.set_shipping_option(draft, option, None).await {
            Ok(done) => Ok(DraftStep::Done(Box::new(fresh(done)?))),
            Err(Error::Refused(refusal)) => Ok(DraftStep::Outdated(self.renew_after(draft, refusal.code).await?)),
            Err(error) => Err(error),
        }
    }

    async fn renew_after(self, draft: DraftReturnOrderId, code: RefusalCode) -> Result<OutdatedDraft> {
        if code == RefusalCode::DraftRejected {
            return Ok(OutdatedDraft::Declined);
        }
        match self.renew_draft(draft).await {
            Ok(new) => Ok(OutdatedDraft::Renewed(Box::new(new))),
            Err(Error::Invalid(errors)) if errors.iter().any(is_about_answer) => Ok(OutdatedDraft::AnswerAgain(errors)),
            Err(Error::Invalid(errors)) => self.choose_again(errors).await,
            Err(error) => Err(error),
        }
    }

    async fn choose_again(self, errors: Vec<FieldError>) -> Result<OutdatedDraft> {
        let purchases = self.all_purchases(None).await?;
        let returnable = purchases.into_iter().filter(|purchase| purchase.eligibility.returnable);
        Ok(OutdatedDraft::ChooseAgain { errors, returnable: returnable.map(|purchase| purchase.id).collect() })
    }
}

/// Whether an error is about the answer to a question of a selection's reason.
fn is_about_answer(error: &FieldError) -> bool {
    error.field.split_once("].").is_some_and(|(_, field)| field.starts_with("answers."))
}
