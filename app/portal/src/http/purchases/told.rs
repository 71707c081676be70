//! What the next page says, or an island, where a choice does not do.

use super::super::{
    call::Refusal,
    selection,
    session::Flash,
    shop::{HandlerResult, ShopRequest, EarlyResponse},
};
use crate::{
    calls::{AnswerMistake, Changed, Problem, RowMistake},
    choice::ChoiceMistake,
};
use domain::PurchaseId;
use returns::view;

/// Back to the page where it can be corrected.
pub async fn sent_back<M: FromFlash>(shop: &mut ShopRequest, flash: Flash) -> Result<CallRefusal<M>, EarlyResponse> {
    let page = if matches!(flash, Flash::Details(..)) { "details" } else { "purchases" };
    let problem = M::problem(&flash);
    say(shop, flash).await?;
    Ok(CallRefusal::new(problem, shop.redirect(page)))
}

/// Turns what the next page would say into the problem that an island receives.
pub trait FromFlash: Sized {
    /// The same as a problem.
    fn problem(flash: &Flash) -> Problem<Self>;
}

/// What is the same for all.
fn changed(flash: &Flash) -> Option<Changed> {
    match flash {
        Flash::Fewer(_) => Some(Changed::Quantities),
        Flash::DraftOver => Some(Changed::DraftOver),
        _ => None,
    }
}

impl FromFlash for RowMistake {
    fn problem(flash: &Flash) -> Problem<Self> {
        match (changed(flash), flash) {
            (Some(changed), _) => Problem::Changed(changed),
            (None, Flash::Mistakes(wrong)) => Problem::Mistakes(wrong.clone()),
            (None, _) => Problem::Mistakes(Vec::new()),
        }
    }
}

impl FromFlash for AnswerMistake {
    fn problem(flash: &Flash) -> Problem<Self> {
        match (changed(flash), flash) {
            (Some(changed), _) => Problem::Changed(changed),
            (None, Flash::Details(wrong, _)) => Problem::Mistakes(wrong.clone()),
            (None, _) => Problem::Mistakes(Vec::new()),
        }
    }
}

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
    shop.visit.choices.extend(selection::choices(draft));
    say(shop, Flash::Details(wrong, Vec::new())).await?;
    Ok(shop.redirect("details"))
}

/// Back to the list, with what a draft held chosen again and what is wrong with it.
pub async fn choose_again(shop: &mut ShopRequest, draft: &view::Draft, flash: Flash) -> HandlerResult {
    shop.visit.choices.extend(selection::choices(draft));
    say(shop, flash).await?;
    Ok(shop.redirect("purchases"))
}
