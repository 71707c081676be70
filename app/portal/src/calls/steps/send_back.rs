//! What a call that could not make a draft answers: forms are sent back to the page, islands get a problem.

use crate::{
    calls::call::CallRefusal,
    forms::{
        answers::AnswerMistake,
        choice::RowMistake,
        problem::{Changed, Problem},
    },
    selection::send_back::save_flash,
    visit::{response::EarlyResponse, shop::ShopRequest, state::Flash},
};

/// Sends the shopper back to the page where the selection can be corrected.
pub async fn sent_back<M: FromFlash>(shop: &mut ShopRequest, flash: Flash) -> Result<CallRefusal<M>, EarlyResponse> {
    let page = if matches!(flash, Flash::Details(..)) { "details" } else { "purchases" };
    let problem = M::problem(&flash);
    save_flash(shop, flash).await?;
    Ok(CallRefusal::new(problem, shop.redirect(page)))
}

/// Turns the message of the next page into the problem that an island receives.
pub trait FromFlash: Sized {
    /// The message as a problem.
    fn problem(flash: &Flash) -> Problem<Self>;
}

/// What both kinds of mistakes have in common.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::choice::ChoiceMistake;
    use domain::{PurchaseId, policy::question::AnswerError};
    use uuid::Uuid;

    #[test]
    fn what_has_changed_is_no_mistake() {
        let id = PurchaseId(Uuid::from_u128(1));
        let rows = vec![(id, ChoiceMistake::QuantityTooMany)];
        let answers = vec![(id, "where".to_owned(), AnswerError::Missing)];
        for (flash, changed) in [
            (Flash::Fewer(rows.clone()), Some(Changed::Quantities)),
            (Flash::DraftOver, Some(Changed::DraftOver)),
            (Flash::NothingChosen, None),
        ] {
            let row = changed.map_or(Problem::Mistakes(Vec::new()), Problem::Changed);
            assert_eq!(RowMistake::problem(&flash), row);
            let answer = changed.map_or(Problem::Mistakes(Vec::new()), Problem::Changed);
            assert_eq!(AnswerMistake::problem(&flash), answer);
        }
        assert_eq!(RowMistake::problem(&Flash::Mistakes(rows.clone())), Problem::Mistakes(rows));
        let flash = Flash::Details(answers.clone(), Vec::new());
        assert_eq!(AnswerMistake::problem(&flash), Problem::Mistakes(answers));
    }
}
