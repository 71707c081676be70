//! `/{slug}/gift`: looking an order up that was a gift, where the shop takes gifts back.

use super::{
    form::Fields,
    look_up::{OwnTab, cut, own_tab, shop_away, welcome, with_next},
    prefill::{Prefill, can_keep, keep_and_lead_on},
    shop::{Answer, Framing, Shop},
};
use crate::pages::{
    gift::{Gift, GiftPage, Mistake, Typed},
    look_up::action,
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
pub async fn send(mut shop: Shop, fields: Fields) -> Answer {
    let typed = Typed {
        order_number: fields.get("orderNumber").to_owned(),
        postal_code: fields.get("postalCode").to_owned(),
        email: fields.get("email").to_owned(),
    };
    let next = fields.get("next").parse::<ReturnOrderId>().ok();
    if !shop.account.policy.gift_returns {
        return Ok(Redirect::to(&with_next(&shop, "", next)).into_response());
    }
    if shop.embedded.is_some_and(|embedded| !embedded.keeps_cookies) {
        let Typed { order_number, postal_code, email } = typed;
        let next = next.map(|id| ("next", id.to_string()));
        let typed = [("orderNumber", order_number), ("postalCode", postal_code), ("email", email)];
        let fields = typed.into_iter().chain(next).collect();
        return Ok(own_tab(&shop, OwnTab { action: action(&shop.look, "gift", shop.words), fields }));
    }
    let mut mistakes = missing(&typed);
    if mistakes.is_empty() {
        let proof = Proof::Gift { postal_code: typed.postal_code.clone(), recipient: typed.email.clone() };
        match shop.retour.identify(&shop.account, &typed.order_number, proof, shop.client).await {
            Ok(identified) => return welcome(shop, identified.shopper, next).await,
            Err(Error::Invalid(_)) => mistakes.push(Mistake::EmailWrong),
            Err(Error::InvalidOrderCredentials) => mistakes.push(Mistake::NotFound),
            Err(Error::BridgeUnavailable { .. } | Error::BridgeTimedOut) => mistakes.push(Mistake::ShopAway),
            Err(error) => return Err(shop.stop(&error)),
        }
    }
    let Typed { order_number, postal_code, email } = &typed;
    shop.visit.gift = Typed { order_number: cut(order_number), postal_code: cut(postal_code), email: cut(email) };
    shop.visit.gift_mistakes = mistakes;
    if shop.visit.shopper.is_some() {
        shop.keep().await?;
    } else {
        shop.keep_a_while().await?;
    }
    Ok(Redirect::to(&with_next(&shop, "gift", next)).into_response())
}

fn missing(typed: &Typed) -> Vec<Mistake> {
    let fields = [
        (&typed.order_number, Mistake::OrderNumberMissing),
        (&typed.postal_code, Mistake::PostalCodeMissing),
        (&typed.email, Mistake::EmailMissing),
    ];
    fields.into_iter().filter(|(text, _)| text.trim().is_empty()).map(|(_, mistake)| mistake).collect()
}
