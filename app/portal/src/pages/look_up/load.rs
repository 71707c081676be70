//! `/{slug}`: looks an order up.

use crate::{
    forms::look_up::{LookUpFields, LookUpMistake, ProofKind},
    pages::look_up::view::{LookUp, LookUpPage, ShopPromises},
    visit::{
        prefill::{Prefill, save_and_redirect, with_next},
        response::HandlerResult,
        shop::{Framing, ShopRequest},
        visitor::known_order,
    },
    words::Words,
};
use axum::{extract::RawQuery, http::StatusCode, response::Redirect};
use domain::{Money, Percent, ReturnOrderId, shipping::ShippingMethod};
use leptos::prelude::*;
use returns::view;
use ui::{
    components::{NoticeText, Tone, icons},
    html::IntoHtml,
    money::percent,
    web::form::Fields,
};

/// Shows the form.
pub async fn show(mut shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let proof_kind = ProofKind::by(&shop.account.policy.look_up_by);
    if let Some(prefill) = Prefill::of(&query) {
        shop.visit.typed = filled_in(proof_kind, prefill);
        shop.visit.look_up_mistakes.clear();
        if shop.browser.keeps_cookies() {
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
    // A stranger's link may have filled in the form, and its text would appear beside the order number.
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
    let framing = Framing { is_error: status != StatusCode::OK, has_own_withdrawal_link: true, ..Framing::default() };
    let words = shop.words;
    let mut answer =
        shop.page(status, words.look_up_title, framing, &[], move || view! { <LookUpPage page words/> }.into_html());
    if mixes {
        answer.extensions_mut().insert(MixesSecrets);
    }
    Ok(answer)
}

/// Marks a response with a secret beside text that a stranger may have supplied. Its compressed size would reveal whether the two
/// are similar (BREACH).
#[derive(Debug, Clone, Copy)]
pub struct MixesSecrets;

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
        // No field is wrong, so this is not a mistake that links to one.
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

/// The notice that the shop's system is unavailable.
pub fn shop_away(words: &Words) -> NoticeText {
    NoticeText { icon: icons::CLOCK, tone: Tone::Warn, title: words.shop_away_title, text: words.shop_away }
}

/// Redirects to the address without the trailing slash, with its query.
pub async fn without_slash(shop: ShopRequest, RawQuery(query): RawQuery) -> Redirect {
    match query {
        Some(query) => Redirect::temporary(&format!("{}?{query}", shop.theme.path(""))),
        None => Redirect::permanent(&shop.theme.path("")),
    }
}
