//! Pages that say what went wrong, and how to continue.

use crate::{
    frame::{
        document::{Frame, Person, address},
        preferences::Preferences,
        render::{render, secure},
    },
    problem::Problem,
    words::Words,
};
use axum::{
    Json,
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use leptos::prelude::*;
use returns::RequestId;
use std::borrow::Cow;
use tower_http::csrf::ProtectionError;
use ui::{
    components::{EmptyState, EmptyStatePage, Link, Tone, icons},
    html::IntoHtml,
    language::Language,
    web::headers::wants_json,
};

/// When to retry while the database is unavailable, seconds.
const UNAVAILABLE_SECONDS: &str = "5";

/// What an error page knows of the request.
#[derive(Debug, Clone)]
pub struct Around {
    /// Where the desk's pages begin.
    pub home: &'static str,
    pub words: &'static Words,
    /// Who is signed in, if that is known.
    pub person: Option<Person>,
    /// The id of the request, which errors of the server show.
    pub request: Option<RequestId>,
}

impl Around {
    /// A request of which nothing is known but its headers.
    fn unknown(uri: &Uri, headers: &HeaderMap) -> Self {
        Self { home: "/desk", words: words_for(uri, headers), person: None, request: None }
    }

    /// The link to the first page.
    fn start(&self) -> Link {
        Link { href: address(self.home, ""), text: self.words.common.to_the_start }
    }
}

fn words_for(uri: &Uri, headers: &HeaderMap) -> &'static Words {
    Words::of(Preferences::of(headers).language(uri, headers))
}

/// A page with a message.
fn page(
    status: StatusCode,
    icon: &'static str,
    tone: Tone,
    texts: (&'static str, &'static str),
    way: Link,
    around: Around,
) -> Response {
    let (title, text) = texts;
    let text: Cow<'static, str> = match around.request.filter(|_| status.is_server_error()) {
        Some(id) => format!("{text} {}", ui::text::format(around.words.common.request_number, &[id.as_str()])).into(),
        None => text.into(),
    };
    let frame = Frame {
        title: title.to_owned(),
        home: around.home,
        has_islands: around.person.is_some(),
        person: around.person,
        section: None,
        flash: None,
        preferences: Preferences::default(),
        words: around.words,
    };
    let empty = EmptyState { icon, tone, title, text, way: Some(way), other_way: None };
    render(frame, status, &[], move || view! { <EmptyStatePage empty/> }.into_html())
}

/// The page for addresses that lead nowhere, or to what belongs to another account.
pub fn missing(around: Around) -> Response {
    let common = around.words.common;
    let start = around.start();
    page(StatusCode::NOT_FOUND, icons::SEARCH, Tone::Accent, (common.not_found_title, common.not_found), start, around)
}

/// The page for what the person's role does not allow.
pub fn forbidden(around: Around) -> Response {
    let common = around.words.common;
    let start = around.start();
    page(StatusCode::FORBIDDEN, icons::ALERT, Tone::Warn, (common.forbidden_title, common.forbidden), start, around)
}

/// The page for an error of the server. `is_unavailable`: the database cannot be reached.
pub fn failed(around: Around, is_unavailable: bool) -> Response {
    let common = around.words.common;
    let start = around.start();
    let status = if is_unavailable { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::INTERNAL_SERVER_ERROR };
    let mut response = page(status, icons::ALERT, Tone::Danger, (common.broken_title, common.broken), start, around);
    if is_unavailable {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(UNAVAILABLE_SECONDS));
    }
    response
}

/// The page for too many attempts. The next one is accepted after so many seconds.
pub fn too_many_attempts(around: Around, seconds: i64, here: String) -> Response {
    let common = around.words.common;
    let way = Link { href: here, text: common.try_again };
    let texts = (common.too_many_title, common.too_many);
    let mut response = page(StatusCode::TOO_MANY_REQUESTS, icons::CLOCK, Tone::Warn, texts, way, around);
    response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    response
}

/// The page for a form that could not be read.
pub fn malformed(around: Around, here: String) -> Response {
    let common = around.words.common;
    let way = Link { href: here, text: common.go_back };
    page(StatusCode::BAD_REQUEST, icons::ALERT, Tone::Warn, (common.malformed_title, common.malformed), way, around)
}

/// The page for a form that is too large.
pub fn too_large(around: Around, here: String) -> Response {
    let common = around.words.common;
    let way = Link { href: here, text: common.go_back };
    let texts = (common.too_large_title, common.too_large);
    page(StatusCode::PAYLOAD_TOO_LARGE, icons::BOX, Tone::Warn, texts, way, around)
}

/// The page for addresses of the desk that lead nowhere. It is shown outside the desk's own routes.
pub async fn not_found(uri: &Uri, headers: &HeaderMap) -> Response {
    secure(missing(Around::unknown(uri, headers))).await
}

/// The response over the server's rate limit: a page, or JSON for an island.
pub async fn too_many(uri: &Uri, headers: &HeaderMap, seconds: i64) -> Response {
    if wants_json(headers) {
        let problem = Problem::TooMany { seconds };
        return secure((StatusCode::TOO_MANY_REQUESTS, Json(problem)).into_response()).await;
    }
    let around = Around::unknown(uri, headers);
    secure(too_many_attempts(around, seconds, here(uri))).await
}

/// The page for a body that was not read completely, with this status. The server's limits show it.
pub async fn not_read(status: StatusCode, uri: &Uri, headers: &HeaderMap) -> Response {
    let around = Around::unknown(uri, headers);
    let common = around.words.common;
    let texts = match status {
        StatusCode::REQUEST_TIMEOUT => (common.too_slow_title, common.too_slow),
        _ => (common.busy_title, common.busy),
    };
    let way = Link { href: here(uri), text: common.try_again };
    secure(page(status, icons::CLOCK, Tone::Warn, texts, way, around)).await
}

/// The page for errors outside the desk, such as panics. The server shows it.
pub fn sorry() -> Response {
    failed(Around { home: "/desk", words: Words::of(Language::En), person: None, request: None }, false)
}

/// Shows a page for a form that another website has sent. The layer that refuses such forms answers without one.
pub async fn foreign(uri: Uri, request: Request, next: Next) -> Response {
    let around = Around::unknown(&uri, request.headers());
    let response = next.run(request).await;
    if response.extensions().get::<ProtectionError>().is_none() {
        return response;
    }
    let common = around.words.common;
    let start = around.start();
    page(StatusCode::FORBIDDEN, icons::ALERT, Tone::Warn, (common.foreign_title, common.foreign), start, around)
}

/// The requested path, safe as a link: `//` at its start would lead to another host.
fn here(uri: &Uri) -> String {
    format!("/{}", uri.path().trim_start_matches(['/', '\\']))
}
