//! A request to a shop's portal: what every handler starts from.

use crate::{
    frame::{
        document::Frame,
        render::render,
        theme::{Placement, Theme},
    },
    visit::{
        at_own_host::AtOwnHost,
        browser::Browser,
        error_pages::{self, Around},
        preview,
        response::EarlyResponse,
        state::{Flash, Visit},
        visit_session::{VisitSession, shopper_of},
    },
    words::Words,
};
use axum::{
    extract::{FromRequestParts, Path},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use domain::{Locale, ReturnOrderId, account::Account};
use returns::{Error, Retour, Shopper, bodies::BodyShare};
use std::{collections::HashMap, fmt::Display};
use ui::{html::Html, language::Language};

/// What handlers share.
#[derive(Debug, Clone)]
pub struct Portal {
    /// The use cases.
    pub retour: Retour,
    /// Whether cookies are sent over https only.
    pub secure: bool,
}

/// A request to a shop, and what its browser has done there.
pub struct ShopRequest {
    /// The use cases.
    pub retour: Retour,
    /// The merchant.
    pub account: Account,
    /// How the shop looks.
    pub theme: Theme,
    /// The locale of the merchant's own texts.
    pub locale: Locale,
    /// The words of the page.
    pub words: &'static Words,
    /// What the browser has done in this shop.
    pub visit: Visit,
    /// The browser.
    pub browser: Browser,
    /// Whether cookies are sent over https only.
    pub secure: bool,
    session: VisitSession,
    /// Whether the browser's session has ended.
    timed_out: bool,
}

impl FromRequestParts<Portal> for ShopRequest {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let asked = Language::asked(&parts.uri, &parts.headers);
        let (account, is_preview) = shop_account(parts, portal, asked).await?;
        if let Some(body) = parts.extensions.get::<BodyShare>() {
            body.belongs_to(account.id);
        }
        let language = asked.unwrap_or_else(|| Language::from(&account.branding.locale));
        let words = Words::of_shop(&account, language);
        let locale = language.locale(&account.branding.locale);
        let browser = Browser::of(parts, portal.secure);
        let placement = Placement {
            embedded: browser.is_some_and(|browser| browser.embedded.is_some()),
            at_own_host: parts.extensions.get::<AtOwnHost>().is_some(),
            preview: is_preview,
        };
        let theme = Theme::of(&account, &locale, placement);
        let broken = |error: &dyn Display| broken(error, Some(theme.clone()), false, words);
        let browser = browser.ok_or_else(|| broken(&"no client address"))?;
        let session = VisitSession::of(&parts.extensions, account.id).ok_or_else(|| broken(&"no session layer"))?;
        let visit = session.visit().await.map_err(|error| broken(&error))?;
        // A session that was looked up and not found has no id.
        let timed_out = browser.has_session_cookie && !session.has_id();
        let (retour, secure) = (portal.retour.clone(), portal.secure);
        Ok(Self { retour, account, theme, locale, words, visit, browser, secure, session, timed_out })
    }
}

/// The account that the address names, and whether the browser previews a theme of it.
async fn shop_account(
    parts: &mut Parts,
    portal: &Portal,
    asked: Option<Language>,
) -> Result<(Account, bool), EarlyResponse> {
    let broken = |error: &Error| broken(error, None, false, Words::of(asked.unwrap_or(Language::En)));
    let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
    let slug = params.ok().and_then(|Path(mut params)| params.remove("slug")).unwrap_or_default();
    let account = match portal.retour.account(&slug).await {
        Ok(account) => account,
        Err(Error::UnknownAccount) => return Err(error_pages::no_shop(asked).into()),
        Err(error) => return Err(broken(&error).with_status_of(&error)),
    };
    let Some(token) = preview::token(&parts.headers) else { return Ok((account, false)) };
    let previewed = portal.retour.previewed(account.id, &token).await.map_err(|error| broken(&error))?;
    Ok(match previewed {
        Some(branding) => (Account { branding, ..account }, true),
        None => (account, false),
    })
}

fn broken(error: &dyn Display, theme: Option<Theme>, known: bool, words: &'static Words) -> EarlyResponse {
    tracing::error!(%error, "a page could not be made");
    error_pages::broken(theme, known, words).into()
}

/// How a page is framed, beyond what all pages of a shop have.
#[expect(clippy::struct_excessive_bools, reason = "independent questions, each answered by name")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Framing {
    /// Whether the title says that something is wrong.
    pub is_error: bool,
    /// Whether there is a column beside the main one.
    pub wide: bool,
    /// Whether this is the list of returns.
    pub in_returns: bool,
    /// Whether the page has islands.
    pub islands: bool,
    /// Whether the page itself links to the withdrawal or is about it, so that the footer has no such link.
    pub has_own_withdrawal_link: bool,
}

impl ShopRequest {
    /// A page of this shop.
    pub fn page(
        &self,
        status: StatusCode,
        title: &str,
        framing: Framing,
        images: &[String],
        body: impl FnOnce() -> Html,
    ) -> Response {
        let prefix = if framing.is_error { self.words.live().error_prefix } else { "" };
        let frame = Frame {
            title: format!("{prefix}{title}"),
            theme: Some(self.theme.clone()),
            known: self.is_known(),
            wide: framing.wide,
            in_returns: framing.in_returns,
            islands: framing.islands,
            has_own_withdrawal_link: framing.has_own_withdrawal_link,
            words: self.words,
        };
        render(frame, status, images, body)
    }

    /// This shop around an error page.
    pub fn around(&self) -> Around {
        Around { theme: Some(self.theme.clone()), known: self.is_known(), words: self.words }
    }

    /// Redirects to a page of this shop.
    pub fn redirect(&self, page: &str) -> Response {
        Redirect::to(&self.theme.path(page)).into_response()
    }

    /// Redirects a visitor who has not proved an order, or whose session has ended, to the look-up.
    pub fn redirect_to_look_up(&self, next: Option<ReturnOrderId>) -> Response {
        let notice = self.timed_out.then(|| "notice=away".to_owned());
        let next = next.map(|id| format!("next={id}"));
        let query: Vec<String> = notice.into_iter().chain(next).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        Redirect::to(&format!("{}{query}", self.theme.path(""))).into_response()
    }

    /// Whether the visitor has proved an order.
    pub fn is_known(&self) -> bool {
        self.visit.shopper.is_some()
    }

    /// The shopper, if they have proved an order of this shop.
    pub fn shopper(&self) -> Option<Shopper> {
        shopper_of(&self.visit, self.account.id)
    }

    /// Reloads the visit after slow work. `false` if another tab has signed in or out and the session is gone: saving now would replace
    /// the session of that tab.
    pub async fn reload(&mut self) -> Result<bool, EarlyResponse> {
        if !self.session.has_id() {
            return Ok(true); // there was no session before
        }
        self.visit = self.session.reloaded().await.map_err(|error| self.broken(&error))?;
        Ok(self.session.has_id())
    }

    /// Saves the visit.
    pub async fn save(&self) -> Result<(), EarlyResponse> {
        self.session.save(&self.visit).await.map_err(|error| self.broken(&error))
    }

    /// Saves the visit for an hour: for a visitor who has not proved an order yet.
    pub async fn save_briefly(&self) -> Result<(), EarlyResponse> {
        self.session.save_briefly(&self.visit).await.map_err(|error| self.broken(&error))
    }

    /// Saves the visit for as long as this visitor's sessions last.
    pub async fn save_for_visitor(&self) -> Result<(), EarlyResponse> {
        if self.is_known() { self.save().await } else { self.save_briefly().await }
    }

    /// Saves the visit under a new session id. An attacker who has planted a cookie cannot follow.
    pub async fn save_under_new_id(&self) -> Result<(), EarlyResponse> {
        self.session.save_under_new_id(&self.visit).await.map_err(|error| self.broken(&error))
    }

    /// Forgets everything that this browser has done, in all shops: somebody else may use it next.
    pub async fn sign_out(&self) -> Result<(), EarlyResponse> {
        self.session.end().await.map_err(|error| self.broken(&error))
    }

    /// Takes the message for this page, if it is `mine` to show.
    pub async fn take_flash(&mut self, mine: impl Fn(&Flash) -> bool) -> Result<Option<Flash>, EarlyResponse> {
        let flash = self.visit.flash.take_if(|flash| mine(flash));
        if flash.is_some() {
            self.save().await?;
        }
        Ok(flash)
    }

    /// The response to an error of the server.
    pub fn broken(&self, error: &dyn Display) -> EarlyResponse {
        broken(error, Some(self.theme.clone()), self.is_known(), self.words)
    }

    /// The page for addresses that lead nowhere in this shop.
    pub fn missing(&self) -> EarlyResponse {
        error_pages::missing(self.theme.clone(), self.is_known(), self.words).into()
    }

    /// The response to an error of a use case for which the page has no better answer.
    pub fn failed(&self, error: &Error) -> EarlyResponse {
        match error {
            Error::TooManyGuesses { seconds, link } => {
                error_pages::too_many_guesses(*seconds, link.is_some(), self.theme.clone(), self.words).into()
            }
            Error::NotFound => self.missing(),
            error => self.broken(error).with_status_of(error),
        }
    }
}
