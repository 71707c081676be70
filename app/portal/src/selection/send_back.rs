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

/// Keeps what the next page says. What can no longer be returned is let go of: there is no row to take it out of.
pub async fn say(shop: &mut ShopRequest, flash: Flash) -> Result<(), EarlyResponse> {
    if let Flash::Mistakes(wrong) | Flash::Fewer(wrong) = &flash {
        let gone = |id: &PurchaseId| wrong.contains(&(*id, ChoiceMistake::NotReturnable));
        shop.visit.choices.retain(|id, _| !gone(id));
    }
    shop.visit.flash = Some(flash);
    shop.save().await
}

/// Back to the questions, with what a draft held chosen and answered again, and what is wrong with it by now.
pub async fn answer_again(shop: &mut ShopRequest, draft: &view::Draft, wrong: Vec<AnswerMistake>) -> HandlerResult {
    shop.visit.choices.extend(rows::choices(draft));
    say(shop, Flash::Details(wrong, Vec::new())).await?;
    Ok(shop.redirect("details"))
}

/// Back to the list, with what a draft held chosen again and what is wrong with it.
pub async fn choose_again(shop: &mut ShopRequest, draft: &view::Draft, flash: Flash) -> HandlerResult {
    shop.visit.choices.extend(rows::choices(draft));
    say(shop, flash).await?;
    Ok(shop.redirect("purchases"))
}
