//! Who asks, and where: what every handler starts from.

use super::{
    domains::AtHome,
    embedded::Embedded,
    errors, preview,
    render::render,
    session::{Ended, Flash, Visit, belongs_to, cookie_name, expiry},
};
use crate::{
    brand,
    components::{Contact, Frame, Theme, CustomTexts},
    words::{Language, Words},
};
use axum::{
    extract::{FromRequestParts, Path},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use domain::{Locale, ReturnOrderId, Translated, branding::Branding, order::Account};
use leptos::prelude::AnyView;
use returns::{ClientAddress, Error, ErrorCode, Retour, Shopper, bodies::BodyShare};
use std::collections::HashMap;
use tower_sessions::{Expiry, Session};

/// What handlers share.
#[derive(Debug, Clone)]
pub struct Portal {
    /// The use cases.
    pub retour: Retour,
    /// Whether cookies travel over https only.
    pub secure: bool,
}

/// What a handler answers with.
pub type HandlerResult = Result<Response, EarlyResponse>;

/// An answer that ends a handler early.
pub struct EarlyResponse(Box<Response>);

impl From<Response> for EarlyResponse {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

/// Seconds until it makes sense to ask a database again that cannot be used.
const UNAVAILABLE_SECONDS: &str = "5";

impl EarlyResponse {
    /// A page for what broke says 503 where it is the database that cannot be used for now.
    fn with_status_of(mut self, error: &Error) -> Self {
        if error.code() == ErrorCode::ServiceUnavailable {
            *self.0.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            self.0.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(UNAVAILABLE_SECONDS));
        }
        self
    }
}

impl IntoResponse for EarlyResponse {
    fn into_response(self) -> Response {
        *self.0
    }
}

/// A shop, and what this browser has done in it.
pub struct ShopRequest {
    /// The use cases.
    pub retour: Retour,
    /// The merchant.
    pub account: Account,
    /// How it looks.
    pub theme: Theme,
    /// In which language its own texts are shown.
    pub locale: Locale,
    /// The words of that.
    pub words: &'static Words,
    /// What this browser has done.
    pub visit: Visit,
    /// Where the browser is.
    pub client: ClientAddress,
    /// Whether the browser comes with a session that has ended.
    pub timed_out: bool,
    /// Whether this is shown in a frame in a shop's page.
    pub embedded: Option<Embedded>,
    /// Whether this is a telephone, as far as the browser says: there is hardly a printer beside it.
    pub on_phone: bool,
    /// Whether cookies travel over https only.
    pub secure: bool,
    session: Session,
    ended: Ended,
}

impl FromRequestParts<Portal> for ShopRequest {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        let params = Path::<HashMap<String, String>>::from_request_parts(parts, portal).await;
        let slug = params.ok().and_then(|Path(mut params)| params.remove("slug"));
        let asked = Language::asked(&parts.uri, &parts.headers);
        let mut account = match portal.retour.account(&slug.unwrap_or_default()).await {
            Ok(account) => account,
            Err(Error::UnknownAccount) => return Err(errors::no_shop(asked).into()),
            Err(error) => {
                let page = broken(&error, None, false, Words::of(asked.unwrap_or(Language::En)));
                return Err(page.with_status_of(&error));
            }
        };
        if let Some(body) = parts.extensions.get::<BodyShare>() {
            body.belongs_to(account.id);
        }
        let previewed = match preview::asked(&parts.headers) {
            Some(token) => portal.retour.previewed(account.id, &token).await,
            None => Ok(None),
        };
        let is_preview = match previewed {
            Ok(Some(branding)) => {
                account.branding = branding;
                true
            }
            Ok(None) => false,
            Err(error) => return Err(broken(&error, None, false, Words::of(asked.unwrap_or(Language::En)))),
        };
        let language = asked.unwrap_or_else(|| Language::from(&account.branding.locale));
        let words = Words::of_shop(&account, language);
        let embedded = parts.extensions.get::<Embedded>().copied();
        let locale = language.locale(&account.branding.locale);
        let mut theme = theme_of(&account, &locale, (embedded.is_some(), parts.extensions.get::<AtHome>().is_some()));
        theme.is_preview = is_preview;
        let Some(session) = parts.extensions.get::<Session>().cloned() else {
            return Err(broken(&"no session layer", Some(theme), false, words));
        };
        let visit = match session.get(&key(&account)).await {
            Ok(visit) => visit.unwrap_or_default(),
            Err(tower_sessions::session::Error::SerdeJson(_)) => Visit::default(),
            Err(error) => return Err(broken(&error, Some(theme), false, words)),
        };
        let Some(&client) = parts.extensions.get::<ClientAddress>() else {
            return Err(broken(&"no client address", Some(theme), false, words));
        };
        let name = cookie_name(portal.secure);
        let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let has_cookie =
            cookies.flat_map(|cookies| cookies.split(';')).any(|cookie| cookie.trim().split('=').next() == Some(name));
        // The session was looked for above: where there is none, it has lost its name.
        let timed_out = has_cookie && session.id().is_none();
        let retour = portal.retour.clone();
        Ok(Self {
            retour,
            account,
            theme,
            locale,
            words,
            visit,
            client,
            timed_out,
            embedded,
            on_phone: is_phone(&parts.headers),
            secure: portal.secure,
            session,
            ended: parts.extensions.get::<Ended>().cloned().unwrap_or_default(),
        })
    }
}

/// Chromium says it in a client hint, other browsers in their name.
fn is_phone(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match text("sec-ch-ua-mobile") {
        Some(hint) => hint == "?1",
        None => text("user-agent").is_some_and(|agent| agent.contains("Mobi")),
    }
}

fn key(account: &Account) -> String {
    format!("shop:{}", account.id)
}

/// How a shop looks in a language: in a frame or not, at a host of its own or not.
pub fn theme_of(account: &Account, locale: &Locale, (is_embedded, is_at_home): (bool, bool)) -> Theme {
    let Branding { logo_url, logo_dark_url, shop_url, links, terms_url, texts, embed_origins, .. } = &account.branding;
    let is_web = |url: &&String| url.starts_with("https://") || url.starts_with("http://");
    let is_here = |url: &&String| url.starts_with('/') && !url.starts_with("//");
    let said = |text: &Translated| Some(text.get(locale).to_owned()).filter(|text| !text.is_empty());
    Theme {
        home: if is_at_home { String::new() } else { format!("/{}", account.slug) },
        name: account.name.clone(),
        logo: logo_url.as_ref().filter(is_here).cloned(),
        logo_dark: logo_dark_url.as_ref().filter(is_here).cloned(),
        shop_url: shop_url.as_ref().filter(is_web).cloned(),
        contact: Contact::new(&account.branding),
        links: links
            .iter()
            .filter(|link| is_web(&&link.url))
            .map(|link| (link.text.get(locale).to_owned(), link.url.clone()))
            .collect(),
        terms_url: terms_url.as_ref().filter(is_web).cloned(),
        custom_texts: CustomTexts {
            look_up: said(&texts.look_up),
            choose: said(&texts.choose),
            review: said(&texts.review),
            follow: said(&texts.follow),
        },
        style: brand::custom_properties(&account.branding),
        embed_origins: embed_origins.clone(),
        withdraws: account.policy.withdrawal_function,
        is_embedded,
        is_preview: false,
        is_test: account.is_test,
    }
}

fn broken(error: &impl std::fmt::Display, theme: Option<Theme>, known: bool, words: &'static Words) -> EarlyResponse {
    tracing::error!(%error, "a page could not be made");
    errors::broken(theme, known, words).into()
}

/// How a page is framed, beyond what all pages of a shop have.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own, and all are answered by name")]
#[derive(Debug, Clone, Copy, Default)]
pub struct Framing {
    /// Whether the title says that something is wrong.
    pub is_error: bool,
    /// Whether something stands beside the main column.
    pub wide: bool,
    /// Whether this is the list of returns.
    pub in_returns: bool,
    /// Whether the page has islands.
    pub islands: bool,
    /// Whether the page itself leads to withdrawing from a contract, or is about it.
    pub withdraws: bool,
}

impl ShopRequest {
    /// A page of this shop.
    pub fn page(
        &self,
        status: StatusCode,
        title: &str,
        framing: Framing,
        images: &[String],
        body: impl FnOnce() -> AnyView,
    ) -> Response {
        let prefix = if framing.is_error { self.words.live().error_prefix } else { "" };
        let frame = Frame {
            title: format!("{prefix}{title}"),
            theme: Some(self.theme.clone()),
            known: self.visit.shopper.is_some(),
            wide: framing.wide,
            in_returns: framing.in_returns,
            islands: framing.islands,
            withdraws: framing.withdraws,
            words: self.words,
        };
        render(frame, status, images, body)
    }

    /// Another page of this shop, asked for anew.
    pub fn redirect(&self, page: &str) -> Response {
        Redirect::to(&self.theme.path(page)).into_response()
    }

    /// What this browser has done by now: for what took long. `false` if another tab has signed in or out since, and the session is
    /// gone: one that is kept now would take the place of that tab's.
    pub async fn reload(&mut self) -> Result<bool, EarlyResponse> {
        if self.session.id().is_none() {
            return Ok(true); // there was none before
        }
        self.session.load().await.map_err(|error| self.broken(&error))?;
        let visit = self.session.get(&key(&self.account)).await.map_err(|error| self.broken(&error))?;
        self.visit = visit.unwrap_or_default();
        // The session was looked for: where it is gone, it has lost its name.
        Ok(self.session.id().is_some())
    }

    /// Keeps what this browser has done.
    pub async fn save(&self) -> Result<(), EarlyResponse> {
        self.session.insert(&key(&self.account), &self.visit).await.map_err(|error| self.broken(&error))
    }

    /// Keeps it for an hour: for somebody who has yet to prove an order.
    pub async fn save_briefly(&self) -> Result<(), EarlyResponse> {
        self.session.set_expiry(Some(Expiry::OnInactivity(time::Duration::hours(1))));
        self.save().await
    }

    /// Keeps it for as long as the browser's owner is known, else for an hour.
    pub async fn save_for_visitor(&self) -> Result<(), EarlyResponse> {
        if self.visit.shopper.is_some() { self.save().await } else { self.save_briefly().await }
    }

    /// Who has proved an order of this shop.
    pub fn shopper(&self) -> Option<Shopper> {
        self.visit.shopper.filter(|shopper| shopper.account == self.account.id)
    }

    /// Keeps it under a new cookie, so that nobody who has put a cookie there before can follow.
    pub async fn save_under_new_id(&self) -> Result<(), EarlyResponse> {
        self.session.cycle_id().await.map_err(|error| self.broken(&error))?;
        // Said anew, because `None` is the library's own default of two weeks.
        self.session.set_expiry(Some(expiry()));
        if let Some(shopper) = self.visit.shopper {
            belongs_to(&self.session, shopper).await.map_err(|error| self.broken(&error))?;
        }
        self.save().await
    }

    /// Forgets everything that this browser has done, here and in other shops: others may use it next.
    pub async fn sign_out(&self) -> Result<(), EarlyResponse> {
        self.session.flush().await.map_err(|error| self.broken(&error))?;
        self.ended.set();
        Ok(())
    }

    /// Who asks, where they have proved an order.
    pub fn visitor(self) -> FormSender {
        match self.shopper() {
            Some(shopper) => FormSender::Known(Box::new(Visitor { shop: self, shopper })),
            None => FormSender::Unknown(Box::new(self)),
        }
    }

    /// Off to the look-up: for somebody who has not proved an order, or not any more.
    pub fn redirect_to_look_up(&self, next: Option<ReturnOrderId>) -> Response {
        let notice = self.timed_out.then(|| "notice=away".to_owned());
        let next = next.map(|id| format!("next={id}"));
        let query: Vec<String> = notice.into_iter().chain(next).collect();
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        Redirect::to(&format!("{}{query}", self.theme.path(""))).into_response()
    }

    /// What is to be said once, if this page is the one to say it.
    pub async fn take_flash(&mut self, mine: impl Fn(&Flash) -> bool) -> Result<Option<Flash>, EarlyResponse> {
        let flash = self.visit.flash.take_if(|flash| mine(flash));
        if flash.is_some() {
            self.save().await?;
        }
        Ok(flash)
    }

    /// The end of a handler that something of ours broke.
    pub fn broken(&self, error: &impl std::fmt::Display) -> EarlyResponse {
        broken(error, Some(self.theme.clone()), self.visit.shopper.is_some(), self.words)
    }

    /// The end of a handler that a use case said no to, where the page has no better answer.
    pub fn failed(&self, error: &Error) -> EarlyResponse {
        match error {
            Error::TooManyGuesses { seconds, link } => {
                errors::too_many_guesses(*seconds, link.is_some(), self.theme.clone(), self.words).into()
            }
            Error::NotFound => errors::missing(self.theme.clone(), self.visit.shopper.is_some(), self.words).into(),
            error => self.broken(error).with_status_of(error),
        }
    }
}

/// Somebody who has proved an order.
pub struct Visitor {
    /// Where.
    pub shop: ShopRequest,
    /// Who.
    pub shopper: Shopper,
}

impl FromRequestParts<Portal> for Visitor {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        match FormSender::from_request_parts(parts, portal).await? {
            FormSender::Known(visitor) => Ok(*visitor),
            // Who comes by a link to a return is led there once the order is found.
            FormSender::Unknown(shop) => Err(shop.redirect_to_look_up(next_return(parts.uri.path())).into()),
        }
    }
}

/// Somebody who sends a form, which may have been shown to them before their session ended.
pub enum FormSender {
    /// Who has proved an order.
    Known(Box<Visitor>),
    /// Who has to prove one first.
    Unknown(Box<ShopRequest>),
}

impl FromRequestParts<Portal> for FormSender {
    type Rejection = EarlyResponse;

    async fn from_request_parts(parts: &mut Parts, portal: &Portal) -> Result<Self, EarlyResponse> {
        Ok(ShopRequest::from_request_parts(parts, portal).await?.visitor())
    }
}

/// The return that an address is about.
fn next_return(path: &str) -> Option<ReturnOrderId> {
    let mut segments = path.split('/').skip_while(|segment| *segment != "returns");
    segments.nth(1)?.parse().ok()
}
