//! Drafts of the selected items.

use crate::{
    selection::{questions, rows, send_back::back_to_purchases},
    visit::{
        response::{EarlyResponse, HandlerResult},
        shop::ShopRequest,
        state::Flash,
        visitor::Visitor,
    },
};
use domain::{DraftReturnOrderId, PurchaseId};
use returns::{Error, view};

/// Makes a draft of the selection. Returns the page that shows it, or what is wrong.
pub async fn make_draft(
    visitor: &mut Visitor,
    purchases: &[view::PurchaseView],
) -> Result<Result<String, Flash>, EarlyResponse> {
    let shop = &mut visitor.shop;
    let selections = match rows::select(&shop.visit.choices, purchases) {
        Ok(selections) if selections.is_empty() => return Ok(Err(Flash::NothingChosen)),
        Ok(selections) => selections,
        Err(wrong) => return Ok(Err(Flash::Mistakes(wrong))),
    };
    let ids: Vec<PurchaseId> = selections.iter().map(|selection| selection.purchase_id).collect();
    match shop.retour.consumer(&visitor.shopper).draft_preferring(selections, shop.visit.option).await {
        Ok(draft) => {
            shop.visit.draft = Some(draft.id);
            shop.save().await?;
            Ok(Ok(format!("review?draft={}", draft.id)))
        }
        Err(Error::Invalid(errors)) => Ok(Err(match rows::refused(&errors, &ids) {
            wrong if !wrong.is_empty() => Flash::Mistakes(wrong),
            _ => Flash::Details(questions::refused(&errors, &ids), Vec::new()),
        })),
        Err(error) => Err(shop.failed(&error)),
    }
}

/// A draft of this visitor. `None` if there is none with this id.
pub async fn find_draft(visitor: &Visitor, id: DraftReturnOrderId) -> Result<Option<view::Draft>, EarlyResponse> {
    match visitor.shop.retour.consumer(&visitor.shopper).find_draft(id).await {
        Ok(draft) => Ok(Some(draft)),
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(visitor.shop.failed(&error)),
    }
}

/// The draft is no longer valid: the shopper selects again, starting from what the draft had.
pub async fn draft_over(shop: &mut ShopRequest, draft: Option<&view::Draft>) -> HandlerResult {
    shop.visit.draft = None;
    match draft {
        Some(draft) => back_to_purchases(shop, draft, Flash::DraftOver).await,
        None => {
            shop.visit.flash = Some(Flash::DraftOver);
            shop.save().await?;
            Ok(shop.redirect("purchases"))
        }
    }
}
