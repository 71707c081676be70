//! Pages that say what went wrong, and how to continue.

use crate::{
    forms::problem::Problem,
    frame::{
        contact_links::contact_link,
        document::Frame,
        render::{render, secure},
        theme::{Placement, Theme},
    },
    visit::at_own_host::AtOwnHost,
    words::Words,
};
use axum::{
    Json,
    extract::Request,
    http::{HeaderMap, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use leptos::prelude::*;
use returns::Retour;
use tower_http::csrf::ProtectionError;
use ui::{
    components::{EmptyState, EmptyStatePage, Link, Tone, icons},
    html::IntoHtml,
    language::Language,
    web::headers::wants_json,
};

/// A page with a message, and with the shop's contact if it is about an error.
pub fn page(
    status: StatusCode,
    empty: EmptyState,
    theme: Option<Theme>,
    known: bool,
    words: &'static Words,
) -> Response {
    let helper = theme.clone().filter(|_| empty.tone != Tone::Good);
    let frame = Frame {
        title: empty.title.to_owned(),
        theme,
        known,
        wide: false,
        in_returns: false,
        islands: false,
        has_own_withdrawal_link: false,
        words,
    };
    render(frame, status, &[], move || {
        let contact = helper.and_then(|theme| contact_link(&theme, words));
        view! { <EmptyStatePage empty contact/> }.into_html()
    })
}

/// The shop around an error page, and the words of the page.
#[derive(Debug, Clone)]
pub struct Around {
    /// The shop's theme, if the address names a shop.
    pub theme: Option<Theme>,
    /// Whether the visitor has proved an order.
    pub known: bool,
    pub words: &'static Words,
}

impl Around {
    /// The shop whose slug an address begins with, for an unknown visitor.
    pub async fn at(retour: &Retour, uri: &Uri, headers: &HeaderMap, at_own_host: bool) -> Self {
        let asked = Language::asked(uri, headers);
        let account = match slug(uri) {
            Some(slug) => retour.account(slug).await.ok(),
            None => None,
        };
        let Some(account) = account else { return Self { theme: None, known: false, words: words_for(asked) } };
        let locale = &account.branding.locale;
        let language = asked.unwrap_or_else(|| Language::from(locale));
        let theme = Theme::of(&account, &language.locale(locale), Placement { at_own_host, ..Placement::default() });
        Self { theme: Some(theme), known: false, words: Words::of_shop(&account, language) }
    }

    fn page(self, status: StatusCode, empty: EmptyState) -> Response {
        page(status, empty, self.theme, self.known, self.words)
    }
}

/// A page without a shop.
fn plain(status: StatusCode, empty: EmptyState, words: &'static Words) -> Response {
    page(status, empty, None, false, words)
}

/// The words for a request outside a shop.
pub fn words_for(asked: Option<Language>) -> &'static Words {
    Words::of(asked.unwrap_or(Language::En))
}

fn back(path: &str, text: &'static str) -> Link {
    Link { href: path.to_owned(), text }
}

/// The requested path, safe as a link: `//` at its start would lead to another host.
fn here(uri: &Uri) -> String {
    format!("/{}", uri.path().trim_start_matches(['/', '\\']))
}

/// The slug that an address begins with.
fn slug(uri: &Uri) -> Option<&str> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    uri.path().split('/').find(|segment| !segment.is_empty()).filter(|slug| slug.bytes().all(plain))
}

/// The page for addresses that lead nowhere, in the theme of the shop that the address names. The server's fallback shows it.
pub async fn not_found(retour: &Retour, uri: &Uri, headers: &HeaderMap) -> Response {
    let has_more = uri.path().split('/').filter(|segment| !segment.is_empty()).count() > 1;
    if has_more && let Around { theme: Some(theme), words, .. } = Around::at(retour, uri, headers, false).await {
        return secure(missing(theme, false, words)).await;
    }
    let words = words_for(Language::asked(uri, headers));
    let (title, text) = (words.not_found_title, words.not_found);
    let empty =
        EmptyState { icon: icons::SEARCH, tone: Tone::Accent, title, text: text.into(), way: None, other_way: None };
    secure(plain(StatusCode::NOT_FOUND, empty, words)).await
}

/// The response over the server's rate limit: a page that links back, or JSON for an island. The next request is accepted after so
/// many seconds. The page has no shop around it, because a request over the limit must not cost a query.
pub async fn too_many(uri: &Uri, headers: &HeaderMap, seconds: i64) -> Response {
    if wants_json(headers) && uri.path().contains("/call/") {
        let problem = Problem::<()>::TooMany { seconds };
        return secure((StatusCode::TOO_MANY_REQUESTS, Json(problem)).into_response()).await;
    }
    let words = words_for(Language::asked(uri, headers));
    let (title, text) = (words.too_many_title, words.too_many);
    let empty = EmptyState {
        icon: icons::CLOCK,
        tone: Tone::Warn,
        title,
        text: text.into(),
        way: Some(back(&here(uri), words.try_again)),
        other_way: None,
    };
    secure(plain(StatusCode::TOO_MANY_REQUESTS, empty, words)).await
}

/// The page for a body that was not read completely, with this status and a link back. The server's limits show it. It has no shop
/// around it, because a server that is too busy must not ask its database for one.
pub async fn not_read(status: StatusCode, uri: &Uri, headers: &HeaderMap) -> Response {
    let words = words_for(Language::asked(uri, headers));
    let (title, text) = match status {
        StatusCode::REQUEST_TIMEOUT => (words.too_slow_title, words.too_slow),
        _ => (words.too_busy_title, words.too_busy),
    };
    let way = Some(back(&here(uri), words.try_again));
    let empty = EmptyState { icon: icons::CLOCK, tone: Tone::Warn, title, text: text.into(), way, other_way: None };
    secure(plain(status, empty, words)).await
}

/// The page for too many wrong guesses. If links can be sent, it offers one.
pub fn too_many_guesses(seconds: i64, sends_links: bool, theme: Theme, words: &'static Words) -> Response {
    let form = back(&theme.path(""), words.go_back);
    let (icon, tone, title) = (icons::CLOCK, Tone::Warn, words.too_many_title);
    let (text, way, other_way) = if sends_links {
        (words.too_many_guesses_link, link_by_mail(&theme, words), Some(form))
    } else {
        (words.too_many_guesses, form, None)
    };
    let empty = EmptyState { icon, tone, title, text: text.into(), way: Some(way), other_way };
    with_retry_after(seconds, empty, theme, words)
}

/// The page for too many withdrawals. It says first that nothing was sent.
pub fn too_many_withdrawals(seconds: i64, sends_links: bool, theme: Theme, words: &'static Words) -> Response {
    let form = back(&theme.path("withdraw"), words.go_back);
    let (icon, tone, title) = (icons::ALERT, Tone::Danger, words.withdraw_too_many_title);
    let (text, way, other_way) = if sends_links {
        (words.withdraw_too_many_link, link_by_mail(&theme, words), Some(form))
    } else {
        (words.withdraw_too_many, form, None)
    };
    let empty = EmptyState { icon, tone, title, text: text.into(), way: Some(way), other_way };
    with_retry_after(seconds, empty, theme, words)
}

/// A page with the time after which a request may be repeated.
fn with_retry_after(seconds: i64, empty: EmptyState, theme: Theme, words: &'static Words) -> Response {
    let mut response = page(StatusCode::TOO_MANY_REQUESTS, empty, Some(theme), false, words);
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

fn link_by_mail(theme: &Theme, words: &'static Words) -> Link {
    Link { href: theme.path("link"), text: words.link_title }
}

/// The page for errors outside the portal, such as panics. The server shows it.
pub fn sorry() -> Response {
    broken(None, false, words_for(None))
}

/// The page for a slug that no shop has.
pub fn no_shop(asked: Option<Language>) -> Response {
    let words = words_for(asked);
    let (title, text) = (words.no_shop_title, words.no_shop);
    plain(
        StatusCode::NOT_FOUND,
        EmptyState { icon: icons::STORE, tone: Tone::Accent, title, text: text.into(), way: None, other_way: None },
        words,
    )
}

/// The page for a form that could not be read.
pub fn malformed(path: &str, around: Around) -> Response {
    let Words { malformed_title: title, malformed: text, go_back, .. } = *around.words;
    let way = Some(back(path, go_back));
    let empty = EmptyState { icon: icons::ALERT, tone: Tone::Warn, title, text: text.into(), way, other_way: None };
    around.page(StatusCode::BAD_REQUEST, empty)
}

/// The page for a form that is too large.
pub fn too_large(path: &str, around: Around) -> Response {
    let Words { too_large_title: title, too_large: text, go_back, .. } = *around.words;
    let way = Some(back(path, go_back));
    let empty = EmptyState { icon: icons::BOX, tone: Tone::Warn, title, text: text.into(), way, other_way: None };
    around.page(StatusCode::PAYLOAD_TOO_LARGE, empty)
}

/// Shows a page for a form that another website has sent. The layer that refuses such forms answers without one.
pub async fn foreign(retour: Retour, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await; // it is never refused
    }
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    let at_own_host = request.extensions().get::<AtOwnHost>().is_some();
    let response = next.run(request).await;
    if response.extensions().get::<ProtectionError>().is_none() {
        return response;
    }
    let around = Around::at(&retour, &uri, &headers, at_own_host).await;
    let Words { foreign_title: title, foreign: text, find_an_order, .. } = *around.words;
    let way = around.theme.as_ref().map(|theme| Link { href: theme.path(""), text: find_an_order });
    let empty = EmptyState { icon: icons::ALERT, tone: Tone::Warn, title, text: text.into(), way, other_way: None };
    around.page(StatusCode::FORBIDDEN, empty)
}

/// The page for an error of the server.
pub fn broken(theme: Option<Theme>, known: bool, words: &'static Words) -> Response {
    let way = theme.as_ref().map(|theme| back(&theme.path(if known { "purchases" } else { "" }), words.try_again));
    let other_way =
        theme.as_ref().filter(|_| known).map(|theme| Link { href: theme.path("returns"), text: words.see_my_returns });
    let (title, text) = (words.broken_title, words.broken);
    page(
        StatusCode::INTERNAL_SERVER_ERROR,
        EmptyState { icon: icons::ALERT, tone: Tone::Danger, title, text: text.into(), way, other_way },
        theme,
        known,
        words,
    )
}

/// The page for a return or page that does not exist in this shop, or is not this shopper's.
pub fn missing(theme: Theme, known: bool, words: &'static Words) -> Response {
    let find = Link { href: theme.path(""), text: words.find_an_order };
    let mine = Link { href: theme.path("returns"), text: words.see_my_returns };
    let (way, other_way) = if known { (Some(mine), Some(find)) } else { (Some(find), None) };
    let (title, text) = (words.not_found_title, words.not_found);
    page(
        StatusCode::NOT_FOUND,
        EmptyState { icon: icons::SEARCH, tone: Tone::Accent, title, text: text.into(), way, other_way },
        Some(theme),
        known,
        words,
    )
}
