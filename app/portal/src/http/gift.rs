//! `/{slug}/gift`: looking an order up that was a gift, where the shop takes gifts back.

use super::{
    call::{CallRefusal, StepResult},
    form::Fields,
    look_up::{OwnTab, cut, own_tab, shop_away, welcome, with_next},
    prefill::{Prefill, browser_keeps_cookies, save_and_redirect},
    shop::{HandlerResult, Framing, ShopRequest},
};
use crate::{
    calls::{
        Problem,
        gift::{GiftMistake, GiftFields},
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
pub async fn show(mut shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    let next = query.get("next").parse::<ReturnOrderId>().ok();
    if !shop.account.policy.gift_returns {
        return Ok(Redirect::to(&with_next(&shop, "", next)).into_response());
    }
    if let Some(Prefill { order_number, email, postal_code }) = Prefill::of(&query) {
        shop.visit.gift = GiftFields { order_number, postal_code, email };
        shop.visit.gift_mistakes.clear();
        if browser_keeps_cookies(&shop) {
            return save_and_redirect(&shop, "gift", &query).await;
        }
    }
    let mistakes = std::mem::take(&mut shop.visit.gift_mistakes);
    if !mistakes.is_empty() {
        shop.save().await?;
    }
    let status = match mistakes.first() {
        None => StatusCode::OK,
        Some(GiftMistake::NotFound) => StatusCode::UNAUTHORIZED,
        Some(_) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let page = Gift {
        theme: shop.theme.clone(),
        typed: shop.visit.gift.clone(),
        notice: mistakes.contains(&GiftMistake::ShopAway).then(|| shop_away(shop.words)),
        mistakes,
        next: next.map(|id| id.to_string()),
        look_up: with_next(&shop, "", next),
    };
    let framing = Framing { is_error: status != StatusCode::OK, ..Framing::default() };
    let words = shop.words;
    Ok(shop.page(status, words.gift_title, framing, &[], move || view! { <GiftPage page words/> }.into_any()))
}

/// Proves an order that was a gift.
pub async fn prove(mut shop: ShopRequest, typed: GiftFields, next: Option<ReturnOrderId>) -> StepResult<GiftMistake> {
    if !shop.account.policy.gift_returns {
        let form = Redirect::to(&with_next(&shop, "", next)).into_response();
        return Err(CallRefusal::new(Problem::NotThere, form));
    }
    if !browser_keeps_cookies(&shop) {
        let GiftFields { order_number, postal_code, email } = typed;
        let next = next.map(|id| ("next", id.to_string()));
        let typed = [("orderNumber", order_number), ("postalCode", postal_code), ("email", email)];
        let fields = typed.into_iter().chain(next).collect();
        let page = OwnTab { action: action(&shop.theme, "call/gift", shop.words), fields };
        return Err(CallRefusal::new(Problem::SignedOut, own_tab(&shop, page)));
    }
    let mut mistakes = missing(&typed);
    if mistakes.is_empty() {
        let proof = Proof::Gift { postal_code: typed.postal_code.clone(), recipient: typed.email.clone() };
        match shop.retour.identify(&shop.account, &typed.order_number, proof, shop.client).await {
            Ok(identified) => return Ok(welcome(shop, identified.shopper, next).await?),
            Err(Error::Invalid(_)) => mistakes.push(GiftMistake::EmailWrong),
            Err(Error::InvalidOrderCredentials) => mistakes.push(GiftMistake::NotFound),
            Err(Error::BridgeUnavailable { .. } | Error::BridgeTimedOut) => mistakes.push(GiftMistake::ShopAway),
            Err(error) => return Err(shop.failed(&error).into()),
        }
    }
    // A shop's system may have taken its time.
    if shop.reload().await? {
        let GiftFields { order_number, postal_code, email } = &typed;
        shop.visit.gift = GiftFields { order_number: cut(order_number), postal_code: cut(postal_code), email: cut(email) };
        shop.visit.gift_mistakes.clone_from(&mistakes);
        shop.save_for_visitor().await?;
    }
    let form = Redirect::to(&with_next(&shop, "gift", next)).into_response();
    Err(if mistakes == [GiftMistake::NotFound] {
        CallRefusal::unproved(mistakes, form)
    } else {
        CallRefusal::mistakes(mistakes, form)
    })
}

fn missing(typed: &GiftFields) -> Vec<GiftMistake> {
    let fields = [
        (&typed.order_number, GiftMistake::OrderNumberMissing),
        (&typed.postal_code, GiftMistake::PostalCodeMissing),
        (&typed.email, GiftMistake::EmailMissing),
    ];
    fields.into_iter().filter(|(text, _)| text.trim().is_empty()).map(|(_, mistake)| mistake).collect()
}
