//! `/{slug}/review`: what it costs, and sending it.

mod shown;

pub use shown::{what, when};

use super::{
    details,
    form::Fields,
    purchases::{self, answer_again, choose_again, image_hosts},
    selection,
    session::Flash,
    shop::{Answer, Caller, Framing, Shop, Stop, Visitor},
};
use crate::{choice::Mistake, pages::review::ReviewPage};
use axum::{extract::RawQuery, http::StatusCode};
use domain::{DraftReturnOrderId, PurchaseId, RefusalCode, question, returning::Source, status::DraftStatus};
use leptos::prelude::*;
use returns::{Done, Error, Page, Selection, Sent, view};

/// Shows what a draft comes to.
pub async fn show(mut visitor: Visitor, RawQuery(query): RawQuery) -> Answer {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let id = query.get("draft").parse::<DraftReturnOrderId>().ok().or(visitor.shop.visit.draft);
    let Some(id) = id else { return Ok(visitor.shop.redirect("purchases")) };
    let Some(draft) = find(&visitor, id).await? else { return over(&mut visitor.shop, None).await };
    match draft.status {
        DraftStatus::Accepted => return Ok(visitor.shop.redirect(&sent(&visitor, id).await?)),
        DraftStatus::Open if draft.expires_at > visitor.shop.retour.now() => {}
        _ => return over(&mut visitor.shop, Some(&draft)).await,
    }
    if visitor.shop.visit.choices.is_empty() {
        // Their session ended meanwhile: what the draft holds is what they would change.
        visitor.shop.visit.choices = selection::choices(&draft);
        visitor.shop.keep().await?;
    }
    let before = match query.get("was").parse::<DraftReturnOrderId>() {
        Ok(id) => find(&visitor, id).await?,
        Err(_) => None,
    };
    let purchases = purchases::load(&visitor).await?;
    let shop = &visitor.shop;
    let offers =
        shop.retour.compare_shipping(&visitor.shopper, id, &shop.locale).await.map_err(|error| shop.stop(&error))?;
    let laid = shop.retour.pending_evidence(&visitor.shopper).await.map_err(|error| shop.stop(&error))?;
    let flash = visitor.shop.take_flash(|flash| *flash == Flash::OptionMissing).await?;
    let shop = &visitor.shop;
    let mut page = shown::page(shop, &draft, before.as_ref(), &purchases, offers, flash.is_some());
    shown::count_photos(&mut page, &draft, (&purchases, &laid), shop.words);
    let status = match (flash.is_some(), before.is_some()) {
        (true, _) => StatusCode::UNPROCESSABLE_ENTITY,
        (_, true) => StatusCode::CONFLICT,
        _ => StatusCode::OK,
    };
    let framing = Framing { is_error: flash.is_some(), wide: true, islands: true, in_returns: false };
    let words = shop.words;
    Ok(shop.page(status, words.review_title, framing, &image_hosts(&purchases), move || {
        view! { <ReviewPage page words/> }.into_any()
    }))
}

async fn find(visitor: &Visitor, id: DraftReturnOrderId) -> Result<Option<view::Draft>, Stop> {
    match visitor.shop.retour.find_draft(&visitor.shopper, id).await {
        Ok(draft) => Ok(Some(draft)),
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(visitor.shop.stop(&error)),
    }
}

/// The page of the return that was made of a draft.
async fn sent(visitor: &Visitor, draft: DraftReturnOrderId) -> Result<String, Stop> {
    let shop = &visitor.shop;
    let mut page = Page { after: None, limit: 100 };
    loop {
        let orders =
            shop.retour.own_return_orders(&visitor.shopper, page, &[]).await.map_err(|error| shop.stop(&error))?;
        if let Some(order) = orders.data.iter().find(|order| order.draft_return_order_id.id() == draft) {
            return Ok(format!("returns/{}", order.id));
        }
        match orders.next_page {
            Some(_) => page.after = orders.next_page,
            None => return Ok("returns".to_owned()),
        }
    }
}

/// The draft does not hold any more: choose again, from where one was.
async fn over(shop: &mut Shop, draft: Option<&view::Draft>) -> Answer {
    shop.visit.draft = None;
    match draft {
        Some(draft) => choose_again(shop, draft, Flash::DraftOver).await,
        None => {
            shop.visit.flash = Some(Flash::DraftOver);
            shop.keep().await?;
            Ok(shop.redirect("purchases"))
        }
    }
}

/// Sends it. The same draft sent twice is one return.
pub async fn send(caller: Caller, fields: Fields) -> Answer {
    let draft = fields.get("draft").parse::<DraftReturnOrderId>().ok();
    let mut visitor = match caller {
        Caller::Known(visitor) => *visitor,
        Caller::Unknown(mut shop) => {
            shop.visit.draft = draft;
            shop.visit.option = fields.get("shippingOption").parse().ok();
            shop.keep_a_while().await?;
            return Ok(shop.ask_order(None));
        }
    };
    let Some(id) = draft else { return Ok(visitor.shop.redirect("purchases")) };
    let Some(mut draft) = find(&visitor, id).await? else { return over(&mut visitor.shop, None).await };
    if draft.status != DraftStatus::Accepted {
        let option = fields.get("shippingOption").parse().ok();
        let kept = draft.selected_purchases.iter().all(|selected| selected.keep_item);
        match option {
            None if kept || draft.shipping_option_id.is_some() => {}
            None => return ask_option(&mut visitor.shop, id).await,
            Some(option) if draft.shipping_option_id == Some(option) => {}
            Some(option) => match visitor.shop.retour.set_shipping_option(visitor.shopper, id, option, None).await {
                Ok(_) => (draft.shipping_option_id, visitor.shop.visit.option) = (Some(option), Some(option)),
                Err(Error::Invalid(_)) => return ask_option(&mut visitor.shop, id).await,
                // Submitted meanwhile, by a second click: submitting again gives the same return.
                Err(Error::Refused(refusal)) if refusal.code == RefusalCode::DraftOutdated => {}
                Err(Error::Refused(refusal)) => return refused(&mut visitor, &draft, refusal.code).await,
                Err(error) => return Err(visitor.shop.stop(&error)),
            },
        }
    }
    let sent = Sent { source: Source::Portal, language: visitor.shop.words.tag.to_owned(), shipping_option: None };
    match visitor.shop.retour.submit(visitor.shopper, id, sent, None).await {
        Ok(Done::Fresh { value: order, .. }) => {
            let visit = &mut visitor.shop.visit;
            visit.choices.retain(|id, _| !draft.selected_purchases.iter().any(|selected| selected.purchase_id == *id));
            visit.draft = visit.draft.filter(|kept| *kept != id);
            visitor.shop.keep().await?;
            Ok(visitor.shop.redirect(&format!("returns/{}", order.id)))
        }
        Ok(Done::Replayed(_)) => Err(visitor.shop.broken(&"a submission without a key was replayed")),
        Err(Error::Outdated { refusal, details, .. }) if refusal.code == RefusalCode::QuantityExceeded => {
            let ids: Vec<PurchaseId> = draft.selected_purchases.iter().map(|selected| selected.purchase_id).collect();
            let wrong = fewer(&visitor, selection::refused(&details, &ids)).await?;
            choose_again(&mut visitor.shop, &draft, Flash::Fewer(wrong)).await
        }
        Err(Error::Outdated { refusal, .. } | Error::Refused(refusal)) => {
            refused(&mut visitor, &draft, refusal.code).await
        }
        Err(Error::Invalid(_)) => ask_option(&mut visitor.shop, id).await,
        Err(error) => Err(visitor.shop.stop(&error)),
    }
}

/// What nothing is left of cannot be corrected, only taken out.
async fn fewer(visitor: &Visitor, wrong: Vec<(PurchaseId, Mistake)>) -> Result<Vec<(PurchaseId, Mistake)>, Stop> {
    let purchases = purchases::load(visitor).await?;
    let can = |id: PurchaseId| purchases.iter().any(|purchase| purchase.id == id && purchase.eligibility.returnable);
    Ok(wrong.into_iter().map(|(id, mistake)| (id, if can(id) { mistake } else { Mistake::NotReturnable })).collect())
}

async fn ask_option(shop: &mut Shop, draft: DraftReturnOrderId) -> Answer {
    shop.visit.flash = Some(Flash::OptionMissing);
    shop.keep().await?;
    Ok(shop.redirect(&format!("review?draft={draft}")))
}

/// A draft that does not hold any more: the same again at today's figures, beside the old ones; or choose again.
async fn refused(visitor: &mut Visitor, draft: &view::Draft, code: RefusalCode) -> Answer {
    if code == RefusalCode::DraftRejected {
        return over(&mut visitor.shop, Some(draft)).await;
    }
    // Answers to what the shop has stopped asking are let go of.
    let purchases = purchases::load(visitor).await?;
    let is_asked = |selected: &view::SelectedPurchase, answer: &question::Answer| {
        let purchase = purchases.iter().find(|purchase| purchase.id == selected.purchase_id);
        let mut reasons = purchase.into_iter().flat_map(|purchase| &purchase.return_reasons);
        let reason = reasons.find(|reason| reason.id == selected.return_reason_id);
        reason.is_some_and(|reason| reason.questions.iter().any(|question| question.id == answer.question_id))
    };
    let selection = |selected: &view::SelectedPurchase| Selection {
        purchase_id: selected.purchase_id,
        quantity: i64::from(selected.quantity),
        return_reason_id: Some(selected.return_reason_id),
        comment: selected.return_reason_comment.clone(),
        answers: selected.answers.iter().filter(|one| is_asked(selected, one)).map(question::Answer::given).collect(),
        resolution: selected.requested_resolution,
        exchange_for: selected.exchange_for.as_ref().map(|wanted| wanted.sku.clone()),
    };
    let selections: Vec<Selection> = draft.selected_purchases.iter().map(selection).collect();
    let ids: Vec<PurchaseId> = selections.iter().map(|selection| selection.purchase_id).collect();
    let shop = &mut visitor.shop;
    let mut made = shop.retour.draft(visitor.shopper, selections.clone(), draft.shipping_option_id, None).await;
    if matches!(&made, Err(Error::Invalid(errors)) if errors.iter().any(|error| error.field == "shippingOptionId")) {
        made = shop.retour.draft(visitor.shopper, selections, None, None).await;
    }
    match made {
        Ok(Done::Fresh { value: new, .. }) => {
            shop.visit.draft = Some(new.id);
            shop.keep().await?;
            Ok(shop.redirect(&format!("review?draft={}&was={}", new.id, draft.id)))
        }
        Ok(Done::Replayed(_)) => Err(shop.broken(&"a draft without a key was replayed")),
        Err(Error::Invalid(errors)) => {
            let answers = details::refused(&errors, &ids);
            if !answers.is_empty() {
                return answer_again(&mut visitor.shop, draft, answers).await; // other questions are asked by now
            }
            let wrong = fewer(visitor, selection::refused(&errors, &ids)).await?;
            choose_again(&mut visitor.shop, draft, Flash::Fewer(wrong)).await
        }
        Err(error) => Err(shop.stop(&error)),
    }
}
