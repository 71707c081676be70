//! `/{slug}/gift`: looks the order of a gift up, in shops that accept gift returns.

use crate::{
    forms::gift::{GiftFields, GiftMistake},
    pages::{
        gift::view::{Gift, GiftPage},
        look_up::load::shop_away,
    },
    visit::{
        prefill::{Prefill, save_and_redirect, with_next},
        response::HandlerResult,
        shop::{Framing, ShopRequest},
    },
};
use axum::{
    extract::RawQuery,
    http::StatusCode,
    response::{IntoResponse, Redirect},
};
use domain::ReturnOrderId;
use leptos::prelude::*;
use ui::{html::IntoHtml, web::form::Fields};

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
        if shop.browser.keeps_cookies() {
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
    Ok(shop.page(status, words.gift_title, framing, &[], move || view! { <GiftPage page words/> }.into_html()))
}
