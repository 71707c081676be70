//! `/{slug}/review`: what it costs, and sending it.

use super::{
    form::Fields,
    purchases::{self, choose_again, image_hosts},
    selection,
    session::Flash,
    shop::{Answer, Caller, Framing, Shop, Stop, Visitor},
};
use crate::{
    choice::Mistake,
    components::{NoticeText, Thing, Tone, icons},
    money,
    pages::review::{Item, Offer, Outcome, Review, ReviewPage, Way},
    receipt::{Receipt, Sending},
    words::{Words, fill},
};
use axum::{extract::RawQuery, http::StatusCode};
use domain::{
    DraftReturnOrderId, Money, PurchaseId, RefusalCode, ShippingOptionId,
    costs::{CostBreakdown, LineKind},
    order::ExchangeOption,
    policy::{Resolution, ResolveOn},
    question,
    reason::Evidence,
    returning::Source,
    shipping::ShippingMethod,
    status::DraftStatus,
};
use leptos::prelude::*;
use returns::{Done, Error, Offers, Page, Selection, Sent, view};

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
    let flash = visitor.shop.take_flash(|flash| *flash == Flash::OptionMissing).await?;
    let shop = &visitor.shop;
    let page = page(shop, &draft, before.as_ref(), &purchases, offers, flash.is_some());
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

fn page(
    shop: &Shop,
    draft: &view::Draft,
    before: Option<&view::Draft>,
    purchases: &[view::PurchaseView],
    Offers { ways: offers, stopped_by_customs }: Offers,
    way_missing: bool,
) -> Review {
    let words = shop.words;
    let kept = draft.selected_purchases.iter().all(|selected| selected.keep_item);
    let thing = |id: PurchaseId| {
        purchases.iter().find(|purchase| purchase.id == id).map(|purchase| Thing::new(&purchase.product))
    };
    let name = |id: PurchaseId| thing(id).map(|thing| thing.name).unwrap_or_default();
    let is_exchange =
        draft.selected_purchases.iter().any(|selected| selected.requested_resolution == Resolution::Exchange);
    let waits = waits(shop, draft, purchases);
    let way = |option: Option<&view::ShippingOptionView>, costs: &view::Costs| {
        let sending = option.map_or(Sending::None, |option| Sending::Chosen(&option.name));
        let fare = option.and_then(|option| option.fare.as_ref());
        let offer = option.map(|option| Offer {
            id: option.id,
            name: option.name.clone(),
            description: option.description.clone(),
            method: option.method,
            price: costs.breakdown().zip(fare).map(|(costs, fare)| charged(costs, fare.price, words)),
        });
        Way {
            option: offer,
            receipt: costs.breakdown().map(|costs| Receipt::new(costs, &sending, name, words.live())),
            outcome: Outcome::of(costs, is_exchange, words),
            when: when(shop.account.policy.resolve_on, words, option.map(|option| option.method), kept),
            button: button(option.map(|option| option.method), (waits, pays(costs)), words),
        }
    };
    let ways: Vec<Way> = if kept || offers.is_empty() {
        vec![way(None, &draft.costs)]
    } else {
        offers.iter().map(|(option, costs)| way(Some(option), costs)).collect()
    };
    let offered = |id: Option<ShippingOptionId>| offers.iter().position(|(option, _)| Some(option.id) == id);
    let chosen = offered(shop.visit.option).or(offered(draft.shipping_option_id)).filter(|_| !kept);
    let item = |selected: &view::SelectedPurchase| {
        let position =
            purchases.iter().position(|purchase| purchase.id == selected.purchase_id).map_or(0, |index| index + 1);
        let purchase = purchases.iter().find(|purchase| purchase.id == selected.purchase_id);
        let reason = purchase
            .and_then(|purchase| purchase.return_reasons.iter().find(|reason| reason.id == selected.return_reason_id));
        Item {
            thing: thing(selected.purchase_id).unwrap_or(Thing {
                name: String::new(),
                image: None,
                attributes: Vec::new(),
            }),
            what: what(
                selected.quantity,
                purchase.map_or(1, |purchase| purchase.quantity),
                (selected.requested_resolution, selected.exchange_for.as_ref()),
                words,
            ),
            why: reason.map(|reason| reason.description.clone()).unwrap_or_default(),
            answers: selected.answers.iter().map(|answer| answered(answer, shop)).collect(),
            comment: selected.return_reason_comment.clone(),
            change: shop.look.path(&format!("purchases#p{position}-row")),
        }
    };
    let notice = before.map(|_| NoticeText {
        icon: icons::ALERT,
        tone: Tone::Warn,
        title: words.changed_title,
        text: if draft.costs.breakdown().is_some() { words.changed } else { words.gift_changed },
    });
    Review {
        look: shop.look.clone(),
        draft: draft.id,
        items: draft.selected_purchases.iter().map(item).collect(),
        kept,
        chosen: chosen.unwrap_or(0),
        way_missing,
        cannot_go: !kept && offers.is_empty(),
        stopped_by_customs: stopped_by_customs.into_iter().map(name).collect(),
        ways,
        notice,
        changes: before
            .and_then(|before| before.costs.breakdown())
            .zip(draft.costs.breakdown())
            .map(|(before, now)| changes(before, now, draft.shipping_option_id.is_some(), words))
            .unwrap_or_default(),
    }
}

/// A question and what was answered to it.
fn answered(answer: &question::Answer, shop: &Shop) -> (String, String) {
    (answer.question.get(&shop.locale).to_owned(), answer.words(&shop.locale).to_owned())
}

/// Whether something is to be paid first.
fn pays(costs: &view::Costs) -> bool {
    costs.breakdown().is_some_and(|costs| costs.payable_now.minor > 0)
}

/// "2 of 3, refund".
pub fn what(
    quantity: u32,
    bought: u32,
    (resolution, exchange_for): (Resolution, Option<&ExchangeOption>),
    words: &Words,
) -> String {
    let named = exchange_for.map(|wanted| if wanted.name.is_empty() { &wanted.sku } else { &wanted.name });
    let wanted = match (resolution, named) {
        (Resolution::Refund, _) => words.for_refund.to_owned(),
        (Resolution::Exchange, Some(named)) => fill(words.for_exchange_for, &[named]),
        (Resolution::Exchange, None) => words.for_exchange.to_owned(),
        (Resolution::StoreCredit, _) => words.for_store_credit.to_owned(),
    };
    let wanted = wanted.as_str();
    let count = |number| money::count(number, words.live());
    if bought > 1 {
        fill(words.n_of_m, &[&count(quantity), &count(bought), wanted])
    } else {
        fill(words.n, &[&count(quantity), wanted])
    }
}

/// What a way of sending costs this shopper with what they return: free where the shop is to blame.
fn charged(costs: &CostBreakdown, price: Money, words: &Words) -> String {
    let is_charged = price.minor > 0 && costs.total(LineKind::ReturnShipping) != 0;
    if is_charged { money::format(price, words.live()) } else { words.live().free.to_owned() }
}

/// Whether somebody looks at the return before it can be sent.
fn waits(shop: &Shop, draft: &view::Draft, purchases: &[view::PurchaseView]) -> bool {
    let asks_photo = |selected: &view::SelectedPurchase| {
        let reasons = purchases
            .iter()
            .filter(|purchase| purchase.id == selected.purchase_id)
            .flat_map(|purchase| &purchase.return_reasons);
        reasons.clone().any(|reason| reason.id == selected.return_reason_id && reason.evidence == Evidence::Required)
    };
    !shop.account.policy.auto_approve || draft.selected_purchases.iter().any(asks_photo)
}

/// What pressing the button gives.
fn button(method: Option<ShippingMethod>, (waits, pays): (bool, bool), words: &Words) -> &'static str {
    match method {
        _ if pays && !waits => words.go_pay,
        None => words.keep_and_refund,
        Some(_) if waits => words.ask_return,
        Some(ShippingMethod::Label | ShippingMethod::PickUp) => words.get_label,
        Some(ShippingMethod::Paperless | ShippingMethod::DropOff) => words.get_code,
        Some(ShippingMethod::InStore) => words.get_shop_code,
        Some(ShippingMethod::OwnCarrier) => words.send_return,
    }
}

/// When what comes back comes back.
pub fn when(resolve_on: ResolveOn, words: &'static Words, method: Option<ShippingMethod>, kept: bool) -> &'static str {
    match resolve_on {
        _ if kept => words.after_submission,
        ResolveOn::Submission => words.after_submission,
        ResolveOn::FirstScan => words.after_first_scan,
        _ if method == Some(ShippingMethod::InStore) => words.after_in_store,
        _ => words.after_receipt,
    }
}

/// Which sums are others now.
fn changes(
    before: &CostBreakdown,
    now: &CostBreakdown,
    is_way_known: bool,
    words: &'static Words,
) -> Vec<(&'static str, String, String)> {
    let live = words.live();
    let kinds = [
        (LineKind::ItemRefund, words.goes_back),
        (LineKind::ExchangeValue, live.exchange_value),
        (LineKind::StoreCreditBonus, live.credit_bonus),
        (LineKind::OutboundShippingRefund, live.outbound_shipping),
        (LineKind::RestockingFee, live.restocking),
        (LineKind::RequestFee, live.request_fee),
        (LineKind::ReturnShipping, live.return_shipping),
        (LineKind::FeeWaiver, live.waiver),
    ];
    let change = |(kind, label): (LineKind, &'static str)| {
        let figure = |costs: &CostBreakdown| money::format(Money::new(costs.total(kind), costs.currency), live);
        // Where none is offered any more it is asked for anew, which is no news about its price.
        let is_told = kind != LineKind::ReturnShipping || is_way_known;
        (is_told && before.total(kind) != now.total(kind)).then(|| (label, figure(before), figure(now)))
    };
    kinds.into_iter().filter_map(change).collect()
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
    let sent = Sent { source: Source::Portal, language: visitor.shop.words.tag.to_owned() };
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
    let selection = |selected: &view::SelectedPurchase| Selection {
        purchase_id: selected.purchase_id,
        quantity: i64::from(selected.quantity),
        return_reason_id: Some(selected.return_reason_id),
        comment: selected.return_reason_comment.clone(),
        answers: selected.answers.iter().map(question::Answer::given).collect(),
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
            let wrong = fewer(visitor, selection::refused(&errors, &ids)).await?;
            choose_again(&mut visitor.shop, draft, Flash::Fewer(wrong)).await
        }
        Err(error) => Err(shop.stop(&error)),
    }
}
