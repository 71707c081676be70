//! Renders a page to a response: HTML, status and security headers.

use crate::frame::{
    assets,
    document::{Document, Frame},
};
use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use hydration_context::SsrSharedContext;
use leptos::{nonce::Nonce, prelude::*};
use std::sync::Arc;
use ui::{
    html::Html,
    web::policy::{PagePolicy, Scripts},
};

/// Renders a page at once: all its data is loaded, so nothing streams. `image_hosts`: the hosts of the pictures on it.
pub fn render(frame: Frame, status: StatusCode, image_hosts: &[String], body: impl FnOnce() -> Html) -> Response {
    let assets = assets::get();
    let nonce = Nonce::new();
    let scripts = if frame.has_islands { Scripts::Islands } else { Scripts::None };
    let policy =
        PagePolicy { nonce: &nonce.to_string(), ancestors: "", image_hosts, scripts, watch: assets.watch }.header();
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    let html = owner.with(|| {
        provide_context(nonce);
        let body = body();
        view! { <Document frame assets body/> }.to_html()
    });
    owner.unset_with_forced_cleanup();
    let mut response = (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Headers of every response. Pages belong to one person, so nothing may be cached, framed or found by search engines.
pub async fn secure(mut response: Response<Body>) -> Response<Body> {
    const HEADERS: [(HeaderName, &str); 7] = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
