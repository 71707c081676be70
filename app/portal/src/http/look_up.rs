//! `/{slug}`: looking an order up, and leaving.

pub use crate::pages::look_up::OwnTab;

use super::{
    call::{CallDone, CallRefusal, StepResult},
    form::Fields,
    prefill::{Prefill, browser_keeps_cookies, save_and_redirect},
    shop::{HandlerResult, Framing, ShopRequest, EarlyResponse},
};
use crate::{
    calls::{
        NextPage, Problem,
        look_up::{LookUpMistake, LookUpFields},
    },
    components::{NoticeText, Tone, icons},
    money::percent,
    pages::look_up::{ProofKind, LookUp, LookUpPage, OwnTabPage, ShopPromises, action},
    words::Words,
};
use axum::{
    extract::RawQuery,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use domain::{Money, Percent, ReturnOrderId, shipping::ShippingMethod};
use leptos::prelude::*;
use returns::{Error, Proof, Shopper, view};

/// Shows the form.
pub async fn show(mut shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let proof_kind = ProofKind::by(&shop.account.policy.look_up_by);
    if let Some(prefill) = Prefill::of(&query) {
        shop.visit.typed = filled_in(proof_kind, prefill);
        shop.visit.look_up_mistakes.clear();
        if browser_keeps_cookies(&shop) {
            return save_and_redirect(&shop, "", &query).await;
        }
    }
    let mistakes = std::mem::take(&mut shop.visit.look_up_mistakes);
    if !mistakes.is_empty() {
        shop.save().await?;
    }
    let offer = shop.retour.general_offer(&shop.account, &shop.locale).await.map_err(|error| shop.failed(&error))?;
    let (offers, (least, most)) = (offer.options, offer.restocking);
    let price = |offer: &view::ShippingOptionView| offer.fare.as_ref().map(|fare| fare.price);
    let free = offers.iter().find(|offer| price(offer).is_some_and(|price| price.minor == 0));
    let policy = &shop.account.policy;
    let percent = |fee| percent(fee, shop.words.live());
    let fee = policy.request_fee.minor(shop.account.currency).filter(|fee| *fee > 0);
    let promise = ShopPromises {
        window_days: policy.return_window_days,
        free_in_store: free.is_some_and(|offer| offer.method == ShippingMethod::InStore),
        prices: offers.iter().filter_map(price).collect(),
        request_fee: fee.map(|fee| Money::new(fee, shop.account.currency)),
        restocking: (least > Percent::default()).then(|| (percent(least), percent(most))),
        resolve_on: policy.resolve_on,
        refund_days: policy.refund_days,
    };
    let status = match mistakes.first() {
        None => StatusCode::OK,
        Some(LookUpMistake::NotFound) => StatusCode::UNAUTHORIZED,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let next = query.get("next").parse::<ReturnOrderId>().ok();
    let known = known_order(&shop).await.map(|(number, _)| number);
    // A stranger's link may have filled the form in, and its text stands beside the order's number.
    let mixes = known.is_some() && shop.visit.typed != LookUpFields::default();
    let page = LookUp {
        known,
        theme: shop.theme.clone(),
        proof_kind,
        promise,
        typed: shop.visit.typed.clone(),
        notice: notice(&shop, &mistakes, query.get("notice")),
        mistakes,
        next: next.map(|id| id.to_string()),
        sends_links: shop.retour.sends_links(&shop.account),
        gift: policy.gift_returns.then(|| with_next(&shop, "gift", next)),
    };
    let framing = Framing { is_error: status != StatusCode::OK, withdraws: true, ..Framing::default() };
    let words = shop.words;
    let mut answer =
        shop.page(status, words.look_up_title, framing, &[], move || view! { <LookUpPage page words/> }.into_any());
    if mixes {
        answer.extensions_mut().insert(MixesSecrets);
    }
    Ok(answer)
}

/// An answer with a secret beside text that a stranger may have chosen. Compressed, its size would tell whether the two are alike
/// (BREACH).
#[derive(Debug, Clone, Copy)]
pub struct MixesSecrets;

/// The order that was proved here, as the shop writes its number, and what its consumer sees of themselves. A page that merely offers to go on
/// with it does without where it cannot be read.
pub async fn known_order(shop: &ShopRequest) -> Option<(String, view::Consumer)> {
    let shopper = shop.shopper()?;
    shop.retour.proved_order(&shopper).await.ok().flatten()
}

fn filled_in(proof_kind: ProofKind, prefill: Prefill) -> LookUpFields {
    let Prefill { order_number, email, postal_code } = prefill;
    let proof = match proof_kind {
        ProofKind::PostalCode => postal_code,
        ProofKind::Either if email.is_empty() => postal_code,
        ProofKind::Email | ProofKind::Either => email,
    };
    LookUpFields { order_number, proof }
}

fn notice(shop: &ShopRequest, mistakes: &[LookUpMistake], code: &str) -> Option<NoticeText> {
    let words = shop.words;
    match (mistakes, code) {
        // No field is wrong, so this is not among the mistakes that lead to one.
        ([LookUpMistake::ShopAway], _) => Some(shop_away(words)),
        ([], "away") => {
            Some(NoticeText { icon: icons::CLOCK, tone: Tone::Warn, title: words.away_title, text: words.away })
        }
        ([], "left") => {
            Some(NoticeText { icon: icons::CHECK, tone: Tone::Good, title: words.left_title, text: words.left })
        }
        _ => None,
    }
}

/// The shop's own system cannot be asked.
pub fn shop_away(words: &Words) -> NoticeText {
    NoticeText { icon: icons::CLOCK, tone: Tone::Warn, title: words.shop_away_title, text: words.shop_away }
}

/// The sign of e-mail addresses, in the widths that people type it in.
const AT: [char; 3] = ['@', '\u{fe6b}', '\u{ff20}'];

/// Proves an order.
pub async fn prove(mut shop: ShopRequest, typed: LookUpFields, next: Option<ReturnOrderId>) -> StepResult<LookUpMistake> {
    if !browser_keeps_cookies(&shop) {
        let next = next.map(|id| ("next", id.to_string()));
        let fields = [("orderNumber", typed.order_number), ("proof", typed.proof)].into_iter().chain(next);
        let page = OwnTab { action: action(&shop.theme, "call/look-up", shop.words), fields: fields.collect() };
        return Err(CallRefusal::new(Problem::SignedOut, own_tab(&shop, page)));
    }
    let mut mistakes = missing(ProofKind::by(&shop.account.policy.look_up_by), &typed);
    if mistakes.is_empty() {
        let proof = proof(ProofKind::by(&shop.account.policy.look_up_by), &typed);
        match shop.retour.identify(&shop.account, &typed.order_number, proof, shop.client).await {
            Ok(identified) => return Ok(welcome(shop, identified.shopper, next).await?),
            Err(Error::InvalidOrderCredentials) => mistakes.push(LookUpMistake::NotFound),
            Err(Error::Invalid(_)) => mistakes.push(LookUpMistake::EmailWrong),
            Err(Error::BridgeUnavailable { .. } | Error::BridgeTimedOut) => mistakes.push(LookUpMistake::ShopAway),
            Err(error) => return Err(shop.failed(&error).into()),
        }
    }
    // A shop's system may have taken its time.
    if shop.reload().await? {
        shop.visit.typed = short(typed);
        shop.visit.look_up_mistakes.clone_from(&mistakes);
        shop.save_for_visitor().await?;
    }
    let form = Redirect::to(&with_next(&shop, "", next)).into_response();
    Err(if mistakes == [LookUpMistake::NotFound] {
        CallRefusal::unproved(mistakes, form)
    } else {
        CallRefusal::mistakes(mistakes, form)
    })
}

/// What is missing, or cannot be what is asked for.
fn missing(proof_kind: ProofKind, typed: &LookUpFields) -> Vec<LookUpMistake> {
    let mut mistakes = Vec::new();
    if typed.order_number.trim().is_empty() {
        mistakes.push(LookUpMistake::OrderNumberMissing);
    }
    if typed.proof.trim().is_empty() {
        mistakes.push(LookUpMistake::ProofMissing);
    }
    if mistakes.is_empty() && proof_kind == ProofKind::Either && is_slip(&typed.proof) {
        mistakes.push(LookUpMistake::EmailWrong);
    }
    mistakes
}

fn proof(proof_kind: ProofKind, typed: &LookUpFields) -> Proof {
    match proof_kind {
        ProofKind::Email => Proof::Email(typed.proof.clone()),
        ProofKind::Either if typed.proof.contains(AT) => Proof::Email(typed.proof.clone()),
        ProofKind::PostalCode | ProofKind::Either => Proof::PostalCode(typed.proof.clone()),
    }
}

/// Whether something is neither an e-mail address nor a postal code, which has figures in it: no try is spent on it.
fn is_slip(proof: &str) -> bool {
    !proof.contains(AT) && !proof.contains(char::is_numeric)
}

/// Somebody has proved an order: on to where they were going.
pub async fn welcome(mut shop: ShopRequest, shopper: Shopper, next: Option<ReturnOrderId>) -> Result<CallDone<NextPage>, EarlyResponse> {
    shop.reload().await?; // a shop's system may have taken its time, and what was chosen in another tab stays
    shop.visit.sign_in(shopper);
    shop.save_under_new_id().await?;
    let next = match (next, shop.visit.draft) {
        (Some(id), _) => format!("returns/{id}"),
        (None, Some(id)) if shop.visit.choices.is_empty() => format!("review?draft={id}"),
        _ => "purchases".to_owned(),
    };
    Ok(CallDone::at(&shop, &next))
}

/// The address of a page that leads on to a return, if there is one to lead to.
pub fn with_next(shop: &ShopRequest, page: &str, next: Option<ReturnOrderId>) -> String {
    let query = next.map(|id| format!("?next={id}")).unwrap_or_default();
    format!("{}{query}", shop.theme.path(page))
}

/// The browser keeps no cookies of ours within a shop's page: in a tab of its own it does, and nothing is typed twice.
pub fn own_tab(shop: &ShopRequest, page: OwnTab) -> Response {
    let words = shop.words;
    let body = move || view! { <OwnTabPage page words/> }.into_any();
    shop.page(StatusCode::OK, words.own_tab_title, Framing::default(), &[], body)
}

/// No order number is longer: sessions stay small, whatever is sent.
fn short(typed: LookUpFields) -> LookUpFields {
    LookUpFields { order_number: cut(&typed.order_number), proof: cut(&typed.proof) }
}

/// So much of what was typed is kept.
pub fn cut(text: &str) -> String {
    text.chars().take(320).collect()
}

/// Forgets who was here.
pub async fn leave(shop: ShopRequest) -> StepResult<()> {
    shop.sign_out().await?;
    Ok(CallDone::led(format!("{}?notice=left", shop.theme.path(""))))
}
