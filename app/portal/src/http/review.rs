//! `/{slug}/review`: what it costs, and sending it.

mod shown;

pub use shown::{asked_for, replacement, what, within};

use super::{
    call::{CallDone, CallRefusal, StepResult},
    details,
    form::Fields,
    purchases::{self, answer_again, choose_again, image_hosts},
    selection,
    session::Flash,
    shop::{HandlerResult, FormSender, Framing, ShopRequest, EarlyResponse, Visitor},
};
use crate::{
    calls::{Changed, Problem, RowMistake, ShipMistake, Shipped},
    choice::ChoiceMistake,
    pages::review::ReviewPage,
};
use axum::{extract::RawQuery, http::StatusCode};
use domain::{DraftReturnOrderId, PurchaseId, RefusalCode, ShippingOptionId, returning::Source, status::DraftStatus};
use leptos::prelude::*;
use returns::{Error, Sent, view};

/// Shows what a draft comes to.
pub async fn show(mut visitor: Visitor, RawQuery(query): RawQuery) -> HandlerResult {
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
        visitor.shop.save().await?;
    }
    let before = match query.get("was").parse::<DraftReturnOrderId>() {
        Ok(id) => find(&visitor, id).await?,
        Err(_) => None,
    };
    let purchases = purchases::load(&visitor).await?;
    let shop = &visitor.shop;
    let mut offers =
        shop.retour.compare_shipping(&visitor.shopper, id, &shop.locale).await.map_err(|error| shop.failed(&error))?;
    if shop.on_phone {
        offers.ways.sort_by_key(|(option, _)| option.method.needs_printer()); // stable: else as the shop orders them
    }
    let laid = shop.retour.pending_evidence(&visitor.shopper).await.map_err(|error| shop.failed(&error))?;
    let flash = visitor.shop.take_flash(|flash| *flash == Flash::OptionMissing).await?;
    let shop = &visitor.shop;
    let mut page = shown::page(shop, &draft, before.as_ref(), &purchases, offers, flash.is_some());
    shown::add_photos(&mut page, shop, &draft, (&purchases, &laid));
    let status = match (flash.is_some(), before.is_some()) {
        (true, _) => StatusCode::UNPROCESSABLE_ENTITY,
        (_, true) => StatusCode::CONFLICT,
        _ => StatusCode::OK,
    };
    let framing = Framing { is_error: flash.is_some(), wide: true, islands: true, ..Framing::default() };
    let words = shop.words;
    Ok(shop.page(status, words.review_title, framing, &image_hosts(&purchases), move || {
        view! { <ReviewPage page words/> }.into_any()
    }))
}

async fn find(visitor: &Visitor, id: DraftReturnOrderId) -> Result<Option<view::Draft>, EarlyResponse> {
    match visitor.shop.retour.find_draft(&visitor.shopper, id).await {
        Ok(draft) => Ok(Some(draft)),
        Err(Error::NotFound) => Ok(None),
        Err(error) => Err(visitor.shop.failed(&error)),
    }
}

/// The page of the return that was made of a draft.
async fn sent(visitor: &Visitor, draft: DraftReturnOrderId) -> Result<String, EarlyResponse> {
    let shop = &visitor.shop;
    let order = shop.retour.return_of_draft(visitor.shopper, draft).await.map_err(|error| shop.failed(&error))?;
    Ok(order.map_or_else(|| "returns".to_owned(), |id| format!("returns/{id}")))
}

/// The draft does not hold any more: choose again, from where one was.
async fn over(shop: &mut ShopRequest, draft: Option<&view::Draft>) -> HandlerResult {
    shop.visit.draft = None;
    match draft {
        Some(draft) => choose_again(shop, draft, Flash::DraftOver).await,
        None => {
            shop.visit.flash = Some(Flash::DraftOver);
            shop.save().await?;
            Ok(shop.redirect("purchases"))
        }
    }
}

/// What a call is about: an open draft of somebody who is signed in.
struct OpenDraft {
    visitor: Visitor,
    draft: view::Draft,
}

impl OpenDraft {
    /// Finds the draft; else says where the form goes on. What was chosen before a session ended is kept.
    async fn new<M>(
        shop: ShopRequest,
        draft: Option<DraftReturnOrderId>,
        option: Option<ShippingOptionId>,
    ) -> Result<Self, CallRefusal<M>> {
        let mut visitor = match shop.visitor() {
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
        match find(&visitor, id).await? {
            Some(draft) => Ok(Self { visitor, draft }),
            None => Err(CallRefusal::changed(Changed::DraftOver, over(&mut visitor.shop, None).await?)),
        }
    }

    /// Whether nothing of it is sent.
    fn is_kept(&self) -> bool {
        self.draft.selected_purchases.iter().all(|selected| selected.keep_item)
    }

    async fn ask_option(mut self) -> CallRefusal<ShipMistake> {
        let shop = &mut self.visitor.shop;
        shop.visit.flash = Some(Flash::OptionMissing);
        match shop.save().await {
            Ok(()) => {
                let form = shop.redirect(&format!("review?draft={}", self.draft.id));
                CallRefusal::mistakes(vec![ShipMistake::OptionMissing], form)
            }
            Err(stop) => stop.into(),
        }
    }
}

/// Sets the way of sending, and shows what the draft comes to with it.
pub async fn ship(
    shop: ShopRequest,
    draft: Option<DraftReturnOrderId>,
    option: Option<ShippingOptionId>,
) -> Result<CallDone<Shipped>, CallRefusal<ShipMistake>> {
    let mut open = OpenDraft::new(shop, draft, option).await?;
    let Some(option) = option else { return Err(open.ask_option().await) };
    let OpenDraft { visitor, draft } = &mut open;
    let id = draft.id;
    match visitor.shop.retour.set_shipping_option(visitor.shopper, id, option, None).await {
        Ok(_) => {}
        Err(Error::Invalid(_)) => return Err(open.ask_option().await),
        Err(Error::Refused(refusal)) => return Err(refused(visitor, draft, refusal.code).await?),
        Err(error) => return Err(visitor.shop.failed(&error).into()),
    }
    visitor.shop.visit.option = Some(option);
    visitor.shop.save().await?;
    let purchases = purchases::load(visitor).await?;
    let shop = &visitor.shop;
    let offers = shop.retour.compare_shipping(&visitor.shopper, id, &shop.locale).await;
    let offers = offers.map_err(|error| shop.failed(&error))?;
    let way = offers.ways.iter().find(|(offered, _)| offered.id == option);
    let receipt =
        way.and_then(|(option, costs)| shown::receipt_of(costs, option, (draft, &purchases), shop.words.live()));
    Ok(CallDone { value: Shipped { receipt }, form: shop.redirect(&format!("review?draft={id}")) })
}

/// Submits a draft with a way of sending. The same draft submitted twice is one return.
pub async fn submit(
    shop: ShopRequest,
    draft: Option<DraftReturnOrderId>,
    option: Option<ShippingOptionId>,
) -> StepResult<ShipMistake> {
    let mut open = OpenDraft::new(shop, draft, option).await?;
    if option.is_none() && open.draft.shipping_option_id.is_none() && !open.is_kept() {
        return Err(open.ask_option().await);
    }
    let OpenDraft { visitor, draft } = &mut open;
    let language = visitor.shop.words.tag.to_owned();
    let sent = Sent { source: Source::Portal, language, shipping_option: option };
    match visitor.shop.retour.submit(visitor.shopper, draft.id, sent, None).await {
        Ok(returns::Done::Fresh { value: order, .. }) => {
            let visit = &mut visitor.shop.visit;
            visit.choices.retain(|id, _| !draft.selected_purchases.iter().any(|selected| selected.purchase_id == *id));
            visit.draft = visit.draft.filter(|kept| *kept != draft.id);
            visitor.shop.save().await?;
            Ok(CallDone::at(&visitor.shop, &format!("returns/{}", order.id)))
        }
        Ok(returns::Done::Replayed(_)) => Err(visitor.shop.broken(&"a submission without a key was replayed").into()),
        Err(Error::Outdated { refusal, details, .. }) if refusal.code == RefusalCode::QuantityExceeded => {
            let ids: Vec<PurchaseId> = draft.selected_purchases.iter().map(|selected| selected.purchase_id).collect();
            let wrong = fewer(visitor, selection::refused(&details, &ids)).await?;
            let form = choose_again(&mut visitor.shop, draft, Flash::Fewer(wrong)).await?;
            Err(CallRefusal::changed(Changed::Quantities, form))
        }
        Err(Error::Outdated { refusal, .. } | Error::Refused(refusal)) => {
            Err(refused(visitor, draft, refusal.code).await?)
        }
        Err(Error::Invalid(_)) => Err(open.ask_option().await),
        Err(error) => Err(visitor.shop.failed(&error).into()),
    }
}

/// What nothing is left of cannot be corrected, only taken out.
async fn fewer(visitor: &Visitor, wrong: Vec<RowMistake>) -> Result<Vec<RowMistake>, EarlyResponse> {
    let purchases = purchases::load(visitor).await?;
    let can = |id: PurchaseId| purchases.iter().any(|purchase| purchase.id == id && purchase.eligibility.returnable);
    Ok(wrong.into_iter().map(|(id, mistake)| (id, if can(id) { mistake } else { ChoiceMistake::NotReturnable })).collect())
}

/// A draft that does not hold any more: the same again at today's figures, beside the old ones; or choose again.
async fn refused<M>(visitor: &mut Visitor, draft: &view::Draft, code: RefusalCode) -> Result<CallRefusal<M>, EarlyResponse> {
    if code == RefusalCode::DraftRejected {
        return Ok(CallRefusal::changed(Changed::DraftOver, over(&mut visitor.shop, Some(draft)).await?));
    }
    match visitor.shop.retour.renew_draft(visitor.shopper, draft.id).await {
        Ok(new) => {
            let shop = &mut visitor.shop;
            shop.visit.draft = Some(new.id);
            shop.save().await?;
            let form = shop.redirect(&format!("review?draft={}&was={}", new.id, draft.id));
            Ok(CallRefusal::changed(Changed::Amounts, form))
        }
        Err(Error::Invalid(errors)) => {
            let ids: Vec<PurchaseId> = draft.selected_purchases.iter().map(|selected| selected.purchase_id).collect();
            let answers = details::refused(&errors, &ids);
            if !answers.is_empty() {
                // Other questions are asked by now.
                let form = answer_again(&mut visitor.shop, draft, answers).await?;
                return Ok(CallRefusal::changed(Changed::DraftOver, form));
            }
            let wrong = fewer(visitor, selection::refused(&errors, &ids)).await?;
            let form = choose_again(&mut visitor.shop, draft, Flash::Fewer(wrong)).await?;
            Ok(CallRefusal::changed(Changed::Quantities, form))
        }
        Err(error) => Err(visitor.shop.failed(&error)),
    }
}
