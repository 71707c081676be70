//! `/{slug}/pay/{id}`: redirects to the provider's page. For payments that move no money, a page of ours replaces it. Anybody with the
//! address may pay, as at the provider's.

use crate::{
    calls::steps::pay::pay,
    pages::pay::view::{Pay, PayPage},
    progress::headline::pay_for,
    visit::{
        error_pages,
        response::{EarlyResponse, HandlerResult},
        shop::{Framing, Portal, ShopRequest},
    },
};
use axum::{
    extract::{FromRequestParts, Path},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use domain::ReturnOrderId;
use leptos::prelude::*;
use returns::{Error, Pays};
use std::collections::HashMap;
use ui::{
    components::{EmptyState, Link, Tone, icons},
    html::IntoHtml,
    money,
    text::format,
};

/// A visitor who pays for a return.
pub struct Payer {
    shop: ShopRequest,
    id: ReturnOrderId,
}

impl FromRequestParts<Portal> for Payer {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let shop = ShopRequest::from_request_parts(parts, portal).await?;
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let id = params.ok().and_then(|Path(params)| params.get("id")?.parse().ok());
        let Some(id) = id else { return Err(shop.missing()) };
        Ok(Self { shop, id })
    }
}

/// Redirects to the provider's page, or shows ours. If nothing is due, redirects to the return.
pub async fn show(Payer { shop, id }: Payer) -> HandlerResult {
    let there = format!("returns/{id}");
    let pays = match shop.retour.pay(shop.account.id, id, shop.theme.home.is_empty()).await {
        Err(Error::PaymentUnavailable) => return Ok(unavailable(&shop, id)),
        pays => pays.map_err(|error| shop.failed(&error))?,
    };
    let (number, amount, method) = match pays {
        Pays::Nothing => return Ok(shop.redirect(&there)),
        // Links lead here, and `form-action 'self'` does not restrict links.
        Pays::There(url) => return Ok(Redirect::to(&url).into_response()),
        Pays::Here { number, amount, method } => (number, amount, method),
    };
    let words = shop.words;
    let amount = money::format(amount, words.live());
    let title = format(pay_for(method, words), &[&amount]);
    let (action, back) = (shop.theme.path("call/pay"), shop.theme.path(&there));
    let page = Pay { action, id: id.to_string(), back, number, title: title.clone(), amount };
    Ok(shop.page(StatusCode::OK, &title, Framing::default(), &[], move || view! { <PayPage page words/> }.into_html()))
}

/// The shopper returns from the provider's page. The page of the return shows the result.
pub async fn done(Payer { shop, id }: Payer) -> HandlerResult {
    shop.retour.came_back(shop.account.id, id).await.map_err(|error| shop.failed(&error))?;
    Ok(back(&shop, id))
}

/// Redirects to the return if the visitor may see it.
fn back(shop: &ShopRequest, id: ReturnOrderId) -> Response {
    let there = format!("returns/{id}");
    if shop.is_known() {
        return shop.redirect(&there);
    }
    // In a frame on the shop's page the visitor may be signed in, but not here.
    let words = shop.words;
    let way = Some(Link { href: shop.theme.path(&there), text: words.paid_elsewhere_go });
    let (title, text) = (words.paid_elsewhere_title, words.paid_elsewhere);
    let empty = EmptyState { icon: icons::CHECK, tone: Tone::Good, title, text: text.into(), way, other_way: None };
    error_pages::page(StatusCode::OK, empty, Some(shop.theme.clone()), false, words)
}

/// The page for a provider that is unavailable.
fn unavailable(shop: &ShopRequest, id: ReturnOrderId) -> Response {
    let (words, path) = (shop.words, |rest: &str| shop.theme.path(&format!("{rest}/{id}")));
    let empty = EmptyState {
        icon: icons::ALERT,
        tone: Tone::Warn,
        title: words.pay_unavailable_title,
        text: words.pay_unavailable.into(),
        way: Some(Link { href: path("pay"), text: words.try_again }),
        other_way: Some(Link { href: path("returns"), text: words.pay_not_now }),
    };
    error_pages::page(StatusCode::BAD_GATEWAY, empty, Some(shop.theme.clone()), shop.is_known(), words)
}

/// Pays for programs, which send no form (docs/payments.md).
pub async fn send(Payer { shop, id }: Payer) -> HandlerResult {
    match pay(shop, Some(id)).await {
        Ok(done) => Ok(done.form),
        Err(refusal) => Ok(refusal.into_form()),
    }
}
