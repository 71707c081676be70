//! The open draft that a call is about.

use crate::{
    calls::call::CallRefusal,
    forms::{
        choice::ChoiceMistake,
        problem::{Changed, Problem},
        shipping::ShipMistake,
    },
    selection::{
        draft::{draft_over, find_draft},
        questions, rows,
        send_back::{back_to_purchases, back_to_questions},
    },
    visit::{
        response::EarlyResponse,
        shop::ShopRequest,
        state::Flash,
        visitor::{FormSender, Visitor},
    },
};
use domain::{DraftReturnOrderId, PurchaseId, ShippingOptionId};
use returns::{OutdatedDraft, view};

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
    /// Answers a step that was not done because the draft is outdated: shows the new draft beside this one, or asks the shopper to
    /// select or answer again.
    pub async fn outdated<M>(&mut self, outdated: OutdatedDraft) -> Result<CallRefusal<M>, EarlyResponse> {
        let Self { visitor: Visitor { shop, .. }, draft } = self;
        let ids: Vec<PurchaseId> = draft.selected_purchases.iter().map(|selected| selected.purchase_id).collect();
        match outdated {
            OutdatedDraft::Renewed(new) => {
                shop.visit.draft = Some(new.id);
                shop.save().await?;
                let form = shop.redirect(&format!("review?draft={}&was={}", new.id, draft.id));
                Ok(CallRefusal::changed(Changed::Amounts, form))
            }
            OutdatedDraft::ChooseAgain { errors, returnable } => {
                let mut wrong = rows::refused(&errors, &ids);
                for (id, mistake) in &mut wrong {
                    if !returnable.contains(id) {
                        *mistake = ChoiceMistake::NotReturnable;
                    }
                }
                let form = back_to_purchases(shop, draft, Flash::Fewer(wrong)).await?;
                Ok(CallRefusal::changed(Changed::Quantities, form))
            }
            OutdatedDraft::AnswerAgain(errors) => {
                let form = back_to_questions(shop, draft, questions::refused(&errors, &ids)).await?;
                Ok(CallRefusal::changed(Changed::DraftOver, form))
            }
            OutdatedDraft::Declined => {
                Ok(CallRefusal::changed(Changed::DraftOver, draft_over(shop, Some(draft)).await?))
            }
        }
    }
}
