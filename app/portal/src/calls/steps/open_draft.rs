//! The open draft that a call is about.

use crate::{
    calls::call::CallRefusal,
    forms::{
        choice::{ChoiceMistake, RowMistake},
        problem::{Changed, Problem},
        shipping::ShipMistake,
    },
    selection::{
        draft::{draft_over, find_draft},
        purchases, questions, rows,
        send_back::{back_to_purchases, back_to_questions},
    },
    visit::{
        response::EarlyResponse,
        shop::ShopRequest,
        state::Flash,
        visitor::{FormSender, Visitor},
    },
};
use domain::{DraftReturnOrderId, PurchaseId, RefusalCode, ShippingOptionId};
use returns::{Error, view};

/// The open draft of a signed-in visitor.
pub struct OpenDraft {
    pub visitor: Visitor,
    pub draft: view::Draft,
}

impl OpenDraft {
    /// Finds the draft, or refuses and says where a form continues. The selection of a session that has ended stays.
    pub async fn new<M>(
        shop: ShopRequest,
        draft: Option<DraftReturnOrderId>,
        option: Option<ShippingOptionId>,
    ) -> Result<Self, CallRefusal<M>> {
        let mut visitor = match FormSender::from(shop) {
            FormSender::Known(visitor) => *visitor,
            FormSender::Unknown(mut shop) => {
                (shop.visit.draft, shop.visit.option) = (draft, option);
                shop.save_briefly().await?;
                return Err(CallRefusal::new(Problem::SignedOut, shop.redirect_to_look_up(None)));
            }
        };
        let Some(id) = draft else {
            return Err(CallRefusal::new(Problem::NotThere, visitor.shop.redirect("purchases")));
        };
        match find_draft(&visitor, id).await? {
            Some(draft) => Ok(Self { visitor, draft }),
            None => Err(CallRefusal::changed(Changed::DraftOver, draft_over(&mut visitor.shop, None).await?)),
        }
    }

    /// Whether the shopper keeps all items.
    pub fn is_kept(&self) -> bool {
        self.draft.selected_purchases.iter().all(|selected| selected.keep_item)
    }

    /// Asks to select a shipping option.
    pub async fn ask_option(mut self) -> CallRefusal<ShipMistake> {
        let shop = &mut self.visitor.shop;
        shop.visit.flash = Some(Flash::OptionMissing);
        match shop.save().await {
            Ok(()) => {
                let form = shop.redirect(&format!("review?draft={}", self.draft.id));
                CallRefusal::mistakes(vec![ShipMistake::OptionMissing], form)
            }
            Err(early) => early.into(),
        }
    }
}

/// Items of which nothing is left cannot be corrected, only removed.
pub async fn less_returnable(visitor: &Visitor, wrong: Vec<RowMistake>) -> Result<Vec<RowMistake>, EarlyResponse> {
    let purchases = purchases::load(visitor).await?;
    let can = |id: PurchaseId| purchases.iter().any(|purchase| purchase.id == id && purchase.eligibility.returnable);
    Ok(wrong
        .into_iter()
        .map(|(id, mistake)| (id, if can(id) { mistake } else { ChoiceMistake::NotReturnable }))
        .collect())
}

/// Handles a draft that is no longer valid: makes the same draft at today's amounts and shows both, or asks the shopper to select
/// again.
pub async fn renew<M>(
    visitor: &mut Visitor,
    draft: &view::Draft,
    code: RefusalCode,
) -> Result<CallRefusal<M>, EarlyResponse> {
    if code == RefusalCode::DraftRejected {
        return Ok(CallRefusal::changed(Changed::DraftOver, draft_over(&mut visitor.shop, Some(draft)).await?));
    }
    match visitor.shop.retour.consumer(&visitor.shopper).renew_draft(draft.id).await {
        Ok(new) => {
            let shop = &mut visitor.shop;
            shop.visit.draft = Some(new.id);
            shop.save().await?;
            let form = shop.redirect(&format!("review?draft={}&was={}", new.id, draft.id));
            Ok(CallRefusal::changed(Changed::Amounts, form))
        }
        Err(Error::Invalid(errors)) => {
            let ids: Vec<PurchaseId> = draft.selected_purchases.iter().map(|selected| selected.purchase_id).collect();
            let answers = questions::refused(&errors, &ids);
            if !answers.is_empty() {
                // The shop asks other questions by now.
                let form = back_to_questions(&mut visitor.shop, draft, answers).await?;
                return Ok(CallRefusal::changed(Changed::DraftOver, form));
            }
            let wrong = less_returnable(visitor, rows::refused(&errors, &ids)).await?;
            let form = back_to_purchases(&mut visitor.shop, draft, Flash::Fewer(wrong)).await?;
            Ok(CallRefusal::changed(Changed::Quantities, form))
        }
        Err(error) => Err(visitor.shop.failed(&error)),
    }
}
