//! `/{slug}/gift`: looking an order up that was a gift, where the shop takes gifts back.

use super::{
    call::{Refusal, Step},
    form::Fields,
    look_up::{OwnTab, cut, own_tab, shop_away, welcome, with_next},
    prefill::{Prefill, can_keep, keep_and_lead_on},
    shop::{Answer, Framing, Shop},
};
use crate::{
    calls::{
        Problem,
        gift::{Mistake, Typed},
    },
    pages::{
        gift::{Gift, GiftPage},
        look_up::action,
    },
};
use axum::{
    extract::RawQuery,
    http::StatusCode,
    response::{IntoResponse, Redirect},
};
use domain::ReturnOrderId;
use leptos::prelude::*;
use returns::{Error, Proof};

/// Shows the form.
pub async fn show(mut shop: Shop, RawQuery(query): RawQuery) -> Answer {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let next = query.get("next").parse::<ReturnOrderId>().ok();
    if !shop.account.policy.gift_returns {
        return Ok(Redirect::to(&with_next(&shop, "", next)).into_response());
    }
    if let Some(Prefill { order_number, email, postal_code }) = Prefill::of(&query) {
        shop.visit.gift = Typed { order_number, postal_code, email };
        shop.visit.gift_mistakes.clear();
        if can_keep(&shop) {
            return keep_and_lead_on(&shop, "gift", &query).await;
        }
    }
    let mistakes = std::mem::take(&mut shop.visit.gift_mistakes);
    if !mistakes.is_empty() {
        shop.keep().await?;
    }
    let status = match mistakes.first() {
        None => StatusCode::OK,
        Some(Mistake::NotFound) => StatusCode::UNAUTHORIZED,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = Gift {
        look: shop.look.clone(),
        typed: shop.visit.gift.clone(),
        notice: mistakes.contains(&Mistake::ShopAway).then(|| shop_away(shop.words)),
        mistakes,
        next: next.map(|id| id.to_string()),
        look_up: with_next(&shop, "", next),
    };
    let framing = Framing { is_error: status != StatusCode::OK, ..Framing::default() };
    let words = shop.words;
    Ok(shop.page(status, words.gift_title, framing, &[], move || view! { <GiftPage page words/> }.into_any()))
}

/// Proves an order that was a gift.
pub async fn prove(mut shop: Shop, typed: Typed, next: Option<ReturnOrderId>) -> Step<Mistake> {
    if !shop.account.policy.gift_returns {
        let form = Redirect::to(&with_next(&shop, "", next)).into_response();
        return Err(Refusal::new(Problem::NotThere, form));
    }
    if !can_keep(&shop) {
        let Typed { order_number, postal_code, email } = typed;
        let next = next.map(|id| ("next", id.to_string()));
        let typed = [("orderNumber", order_number), ("postalCode", postal_code), ("email", email)];
        let fields = typed.into_iter().chain(next).collect();
        let page = OwnTab { action: action(&shop.look, "call/gift", shop.words), fields };
        return Err(Refusal::new(Problem::SignedOut, own_tab(&shop, page)));
    }
    let mut mistakes = missing(&typed);
    if mistakes.is_empty() {
        let proof = Proof::Gift { postal_code: typed.postal_code.clone(), recipient: typed.email.clone() };
        match shop.retour.identify(&shop.account, &typed.order_number, proof, shop.client).await {
            Ok(identified) => return Ok(welcome(shop, identified.shopper, next).await?),
            Err(Error::Invalid(_)) => mistakes.push(Mistake::EmailWrong),
            Err(Error::InvalidOrderCredentials) => mistakes.push(Mistake::NotFound),
            Err(Error::BridgeUnavailable { .. } | Error::BridgeTimedOut) => mistakes.push(Mistake::ShopAway),
            Err(error) => return Err(shop.stop(&error).into()),
        }
    }
    // A shop's system may have taken its time.
    if shop.reload().await? {
        let Typed { order_number, postal_code, email } = &typed;
        shop.visit.gift = Typed { order_number: cut(order_number), postal_code: cut(postal_code), email: cut(email) };
        shop.visit.gift_mistakes.clone_from(&mistakes);
        shop.keep_as_known().await?;
    }
    let form = Redirect::to(&with_next(&shop, "gift", next)).into_response();
    Err(if mistakes == [Mistake::NotFound] {
        Refusal::unproved(mistakes, form)
    } else {
        Refusal::mistakes(mistakes, form)
    })
}

fn missing(typed: &Typed) -> Vec<Mistake> {
    let fields = [
        (&typed.order_number, Mistake::OrderNumberMissing),
        (&typed.postal_code, Mistake::PostalCodeMissing),
        (&typed.email, Mistake::EmailMissing),
    ];
    fields.into_iter().filter(|(text, _)| text.trim().is_empty()).map(|(_, mistake)| mistake).collect()
}
