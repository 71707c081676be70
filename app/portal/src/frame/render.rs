//! Renders a page to a response: HTML, status and security headers.

use crate::frame::{
    assets,
    document::{Document, Frame},
};
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use hydration_context::SsrSharedContext;
use leptos::{nonce::Nonce, prelude::*};
use std::sync::Arc;
use ui::{
    html::Html,
    web::policy::{PagePolicy, Scripts},
};

/// The bench answers every page with this, to measure what rendering costs.
#[cfg(feature = "bench")]
static WRITTEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Answers every page with this HTML from now on.
#[cfg(feature = "bench")]
pub fn answer_with(html: String) {
    let _ = WRITTEN.set(html);
}

/// Renders a page at once: all its data is loaded, so nothing streams.
pub fn render(frame: Frame, status: StatusCode, image_hosts: &[String], body: impl FnOnce() -> Html) -> Response {
    let assets = assets::get();
    let nonce = Nonce::new();
    let policy = content_security_policy(&nonce, &frame, image_hosts, assets.watch);
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    let html = owner.with(|| {
        provide_context(nonce);
        frame.words.live().provide();
        #[cfg(feature = "bench")]
        if let Some(written) = WRITTEN.get() {
            return written.clone();
        }
        let body = body();
        view! { <Document frame assets body/> }.to_html()
    });
    owner.unset_with_forced_cleanup();
    let mut response = (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Allows only what the page needs. A shop's page may show it in a frame.
fn content_security_policy(nonce: &Nonce, frame: &Frame, image_hosts: &[String], watch: bool) -> HeaderValue {
    let origins = frame.theme.as_ref().map(|theme| theme.embed_origins.join(" ")).unwrap_or_default();
    let is_embedded = frame.theme.as_ref().is_some_and(|theme| theme.is_embedded);
    let scripts = match (frame.islands, is_embedded) {
        (true, _) => Scripts::Islands,
        (false, true) => Scripts::Own,
        (false, false) => Scripts::None,
    };
    PagePolicy { nonce: &nonce.to_string(), ancestors: &origins, image_hosts, scripts, watch }.header()
}

/// Headers of every response. Pages belong to one person, so nothing may be cached.
pub async fn secure(mut response: Response<Body>) -> Response<Body> {
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ];
    for (name, value) in headers {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The HTML of a part of a page in English, without the marks around inserted values.
#[cfg(test)]
pub fn html(part: impl FnOnce() -> Html) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    let html = owner.with(|| {
        crate::words::EN.live().provide();
        part().to_html()
    });
    owner.unset_with_forced_cleanup();
    html.replace("<!>", "")
}

/// The start tags of a kind that contain all of these texts.
#[cfg(test)]
pub fn tags<'a>(html: &'a str, start: &str, having: &[&str]) -> Vec<&'a str> {
    let tags = html.split(start).skip(1).filter_map(|rest| rest.split('>').next());
    tags.filter(|tag| having.iter().all(|part| tag.contains(part))).collect()
}
