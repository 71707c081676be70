//! Saves answers that come without photos, then makes a draft.

use crate::{
    calls::{
        call::{CallDone, CallRefusal, StepResult},
        steps::send_back,
    },
    forms::{answers::AnswerMistake, problem::Problem},
    selection::{
        draft, purchases,
        questions::{AskedPurchase, answer_of, asked, short},
    },
    visit::{shop::ShopRequest, visitor::FormSender},
};
use domain::PurchaseId;
use std::collections::{BTreeMap, HashSet};

/// Saves answers that come without photos, then makes a draft.
pub async fn answer(shop: ShopRequest, given: BTreeMap<String, String>) -> StepResult<AnswerMistake> {
    let mut visitor = match FormSender::from(shop) {
        FormSender::Known(visitor) => *visitor,
        FormSender::Unknown(shop) => return Err(CallRefusal::new(Problem::SignedOut, shop.redirect_to_look_up(None))),
    };
    let purchases = purchases::load(&visitor).await?;
    let questions = asked(&visitor.shop, &purchases).into_iter().flat_map(|AskedPurchase { purchase, reason }| {
        reason.questions.iter().map(|question| (purchase.id, question.id.as_str().to_owned()))
    });
    let questions: HashSet<(PurchaseId, String)> = questions.collect();
    let answers = given.iter().filter_map(|(name, text)| {
        let (of, key) = answer_of(name)?;
        Some((of, key.to_owned(), short(text, true)))
    });
    for (of, key, answer) in answers {
        if !questions.contains(&(of, key.clone())) {
            continue;
        }
        if let Some(choice) = visitor.shop.visit.choices.get_mut(&of) {
            choice.answers.insert(key, answer);
        }
    }
    match draft::make_draft(&mut visitor, &purchases).await? {
        Ok(page) => Ok(CallDone::at(&visitor.shop, &page)),
        Err(flash) => Err(send_back::sent_back(&mut visitor.shop, flash).await?),
    }
}
