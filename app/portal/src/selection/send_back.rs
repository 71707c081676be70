//! Sends a shopper back to the page where a selection can be corrected.

use crate::{
    forms::{answers::AnswerMistake, choice::ChoiceMistake},
    selection::rows,
    visit::{
        response::{EarlyResponse, HandlerResult},
        shop::ShopRequest,
        state::Flash,
    },
};
use domain::PurchaseId;
use returns::view;

/// Saves the message for the next page. Purchases that are no longer returnable leave the selection, because the page has no row to
/// deselect them.
pub async fn save_flash(shop: &mut ShopRequest, flash: Flash) -> Result<(), EarlyResponse> {
    if let Flash::Mistakes(wrong) | Flash::Fewer(wrong) = &flash {
        let gone = |id: &PurchaseId| wrong.contains(&(*id, ChoiceMistake::NotReturnable));
        shop.visit.choices.retain(|id, _| !gone(id));
    }
    shop.visit.flash = Some(flash);
    shop.save().await
}

/// Redirects to the questions, with the answers of a draft and what is wrong with them now.
pub async fn back_to_questions(
    shop: &mut ShopRequest,
    draft: &view::Draft,
    wrong: Vec<AnswerMistake>,
) -> HandlerResult {
    shop.visit.choices.extend(rows::choices(draft));
    save_flash(shop, Flash::Details(wrong, Vec::new())).await?;
    Ok(shop.redirect("details"))
}

/// Redirects to the list, with the selection of a draft and what is wrong with it.
pub async fn back_to_purchases(shop: &mut ShopRequest, draft: &view::Draft, flash: Flash) -> HandlerResult {
    shop.visit.choices.extend(rows::choices(draft));
    save_flash(shop, flash).await?;
    Ok(shop.redirect("purchases"))
}
