//! Saves a selection, then searches or makes a draft.

use crate::{
    calls::{
        call::{CallDone, CallRefusal, StepResult},
        steps::send_back::sent_back,
    },
    forms::{choice::RowMistake, problem::Problem},
    selection::{draft::make_draft, purchases::load, questions, rows},
    visit::{shop::ShopRequest, state::Flash, visitor::FormSender},
};
use domain::PurchaseId;
use std::collections::BTreeMap;
use ui::web::form::encoded;

/// The fields of the form.
pub struct Chosen {
    /// `find` searches, `all` selects everything, `none` selects nothing.
    pub go: String,
    /// The search text.
    pub search: String,
    /// Whether only returnable items are shown: not empty if so.
    pub only: String,
    /// The reason for rows without one of their own.
    pub reason: String,
    /// The fields of all rows.
    pub rows: BTreeMap<String, String>,
}

/// Saves the fields. Then searches, selects everything or nothing, or makes a draft.
pub async fn choose(shop: ShopRequest, chosen: Chosen) -> StepResult<RowMistake> {
    let rows = rows::rows(&chosen.rows);
    let mut visitor = match FormSender::from(shop) {
        FormSender::Known(visitor) => *visitor,
        FormSender::Unknown(mut shop) => {
            shop.visit.choices.clear(); // an unknown visitor can save one form, not any number of them
            shop.visit.choose(rows::for_unknown_visitor(rows));
            shop.visit.give_reason(&chosen.reason);
            shop.save_briefly().await?;
            return Err(CallRefusal::new(Problem::SignedOut, shop.redirect_to_look_up(None)));
        }
    };
    let purchases = load(&visitor).await?;
    let shop = &mut visitor.shop;
    let is_theirs = |id: PurchaseId| purchases.iter().any(|purchase| purchase.id == id);
    shop.visit.choose(rows.into_iter().filter(|&(id, _)| is_theirs(id)));
    match chosen.go.as_str() {
        "all" => {
            let returnable = purchases.iter().filter(|one| one.eligibility.returnable);
            shop.visit.choose_all(returnable.map(|one| (one.id, one.returnable_quantity)));
        }
        "none" => shop.visit.choose_nothing(),
        _ => {}
    }
    shop.visit.give_reason(&chosen.reason);
    if matches!(chosen.go.as_str(), "find" | "all" | "none") {
        shop.save().await?;
        return Ok(CallDone::at_address(found(shop, &chosen.search, !chosen.only.is_empty())));
    }
    match rows::select(&shop.visit.choices, &purchases) {
        Ok(_) if rows::is_unasked(&shop.visit.choices) => return Err(sent_back(shop, Flash::Asking).await?),
        Ok(selections) if selections.is_empty() => return Err(sent_back(shop, Flash::NothingChosen).await?),
        Ok(_) if questions::is_anything_asked(shop, &purchases) => {
            shop.save().await?;
            return Ok(CallDone::at(shop, "details"));
        }
        Ok(_) => {}
        Err(wrong) => return Err(sent_back(shop, Flash::Mistakes(wrong)).await?),
    }
    match make_draft(&mut visitor, &purchases).await? {
        Ok(page) => Ok(CallDone::at(&visitor.shop, &page)),
        Err(flash) => Err(sent_back(&mut visitor.shop, flash).await?),
    }
}

/// The address of the list with a search.
fn found(shop: &ShopRequest, search: &str, only: bool) -> String {
    let search = search.trim();
    let mut query: Vec<String> = Vec::new();
    if !search.is_empty() {
        query.push(format!("q={}", encoded(search)));
    }
    if only {
        query.push("only=1".to_owned());
    }
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    format!("{}{query}", shop.theme.path("purchases"))
}
