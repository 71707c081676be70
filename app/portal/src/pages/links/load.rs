//! `/{slug}/link`, `/{slug}/mail/…`: asks for a link to the shopper's orders, and opens links in mail.
//!
//! A link to a return can be opened any number of times. A link to all orders is consumed when one of them is selected: programs that
//! open links before people do select nothing.

use crate::{
    forms::look_up::LookUpFields,
    pages::links::view::{AskLink, AskLinkPage, MailPreference, Orders, OrdersPage, StopPage},
    visit::{
        error_pages,
        form::Form,
        prefill::{Prefill, save_and_redirect},
        response::{EarlyResponse, HandlerResult},
        shop::{Framing, Portal, ShopRequest},
    },
};
use axum::{
    body::Bytes,
    extract::{FromRequestParts, Path, RawQuery},
    http::{StatusCode, request::Parts},
    response::Response,
};
use leptos::prelude::*;
use returns::{Error, Opened};
use std::collections::HashMap;
use ui::{
    components::{EmptyState, Link, Tone, icons},
    dates::{Calendar, day},
    html::IntoHtml,
    text::{format, isolated},
    web::form::Fields,
};

/// Shows the form, or that the link was sent.
pub async fn ask(mut shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    if !shop.retour.sends_links(&shop.account) {
        return Err(shop.failed(&Error::NotFound));
    }
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    if query.get("notice") == "sent" {
        return Ok(sent(&shop));
    }
    if let Some(Prefill { order_number, email, .. }) = Prefill::of(&query) {
        shop.visit.typed = LookUpFields { order_number, proof: email };
        if shop.browser.keeps_cookies() {
            return save_and_redirect(&shop, "link", &query).await;
        }
    }
    if let Some(wrong) = shop.visit.link.take() {
        shop.save().await?;
        return Ok(form(&shop, wrong, true));
    }
    // A look-up that found nothing may have left an address.
    let typed = Some(shop.visit.typed.proof.clone()).filter(|typed| typed.contains('@'));
    Ok(form(&shop, typed.unwrap_or_default(), false))
}

fn form(shop: &ShopRequest, email: String, is_wrong: bool) -> Response {
    let words = shop.words;
    let page = AskLink { theme: shop.theme.clone(), email, is_wrong };
    let status = if is_wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let framing = Framing { is_error: is_wrong, ..Framing::default() };
    shop.page(status, words.link_title, framing, &[], move || view! { <AskLinkPage page words/> }.into_html())
}

/// Names the address, masked. Without a session the address is unknown.
fn sent(shop: &ShopRequest) -> Response {
    let words = shop.words;
    let empty = EmptyState {
        icon: icons::CHECK,
        tone: Tone::Good,
        title: words.link_sent_title,
        text: match &shop.visit.link_sent {
            Some(email) => format(words.link_sent_to, &[&isolated(email, words)]).into(),
            None => words.link_sent.into(),
        },
        way: None,
        other_way: Some(Link { href: shop.theme.path(""), text: words.find_an_order }),
    };
    error_pages::page(StatusCode::OK, empty, Some(shop.theme.clone()), shop.is_known(), words)
}

/// A visitor who opens a link from mail.
pub struct Opener {
    shop: ShopRequest,
    token: String,
}

impl FromRequestParts<Portal> for Opener {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let shop = ShopRequest::from_request_parts(parts, portal).await?;
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let token = params.ok().and_then(|Path(mut params)| params.remove("token")).unwrap_or_default();
        Ok(Self { shop, token })
    }
}

impl Opener {
    fn path(&self) -> String {
        self.shop.theme.path(&format!("mail/{}", self.token))
    }

    /// The response to an error. Most likely the link has expired.
    fn failed(&self, error: &Error) -> EarlyResponse {
        let Error::NotFound = error else { return self.shop.failed(error) };
        let (theme, words) = (&self.shop.theme, self.shop.words);
        let again = Link { href: theme.path("link"), text: words.link_again };
        let empty = EmptyState {
            icon: icons::CLOCK,
            tone: Tone::Warn,
            title: words.link_over_title,
            text: words.link_over.into(),
            way: Some(Link { href: theme.path(""), text: words.find_an_order }),
            other_way: self.shop.retour.sends_links(&self.shop.account).then_some(again),
        };
        let known = self.shop.is_known();
        error_pages::page(StatusCode::NOT_FOUND, empty, Some(theme.clone()), known, words).into()
    }
}

/// Opens a return or a draft, or lists the orders.
pub async fn open(mut opener: Opener) -> HandlerResult {
    let opened = opener.shop.retour.open_link(&opener.shop.account, &opener.token).await;
    match opened.map_err(|error| opener.failed(&error))? {
        Opened::Return(shopper, id) => {
            opener.shop.visit.sign_in(shopper);
            opener.shop.save_under_new_id().await?;
            Ok(opener.shop.redirect(&format!("returns/{id}")))
        }
        Opened::Draft(shopper, id) => {
            opener.shop.visit.sign_in(shopper);
            opener.shop.visit.draft = Some(id);
            opener.shop.save_under_new_id().await?;
            Ok(opener.shop.redirect(&format!("review?draft={id}")))
        }
        Opened::Orders(orders) => {
            let (shop, words) = (&opener.shop, opener.shop.words);
            let calendar = Calendar { zone: &shop.account.time_zone, now: shop.retour.now() };
            let orders =
                orders.into_iter().map(|order| (order.number, day(order.ordered_at, calendar, words))).collect();
            let page = Orders { href: opener.path(), orders };
            let body = move || view! { <OrdersPage page words/> }.into_html();
            Ok(shop.page(StatusCode::OK, words.orders_title, Framing::default(), &[], body))
        }
    }
}

/// Continues with the selected order.
pub async fn choose(mut opener: Opener, Form(fields): Form) -> HandlerResult {
    let number = fields.get("orderNumber");
    let opened = opener.shop.retour.open_order(&opener.shop.account, &opener.token, number).await;
    let shopper = opened.map_err(|error| opener.failed(&error))?;
    opener.shop.visit.sign_in(shopper);
    opener.shop.save_under_new_id().await?;
    Ok(opener.shop.redirect("purchases"))
}

/// Asks whether to stop optional mail.
pub async fn ask_stop(opener: Opener) -> HandlerResult {
    match opener.shop.retour.open_link(&opener.shop.account, &opener.token).await {
        Ok(Opened::Return(..)) => Ok(stop_page(&opener, MailPreference::Asked)),
        Ok(Opened::Draft(..) | Opened::Orders(_)) => Err(opener.failed(&Error::NotFound)),
        Err(error) => Err(opener.failed(&error)),
    }
}

/// Stops optional mail. Mail programs send this too, as a form of any type (RFC 8058).
pub async fn stop(opener: Opener, body: Bytes) -> HandlerResult {
    let fields = Fields::parse(&body).unwrap_or_default();
    let declines = fields.get("resume").is_empty();
    let declined = opener.shop.retour.decline_mail(&opener.shop.account, &opener.token, declines).await;
    declined.map_err(|error| opener.failed(&error))?;
    Ok(stop_page(&opener, if declines { MailPreference::Stopped } else { MailPreference::Resumed }))
}

fn stop_page(opener: &Opener, preference: MailPreference) -> Response {
    let words = opener.shop.words;
    let href = format!("{}/stop", opener.path());
    let title = match preference {
        MailPreference::Asked => words.stop_title,
        MailPreference::Stopped => words.stopped_title,
        MailPreference::Resumed => words.resumed_title,
    };
    let body = move || view! { <StopPage href preference words/> }.into_html();
    opener.shop.page(StatusCode::OK, title, Framing::default(), &[], body)
}
