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
use std::{fmt::Write as _, sync::Arc};

/// With more hosts of pictures, any host over https is allowed: headers must stay short.
const MAX_HOSTS: usize = 10;

/// Renders a page at once: all its data is loaded, so nothing streams. `image_hosts`: the hosts of the pictures on it.
pub fn render(frame: Frame, status: StatusCode, image_hosts: &[String], body: impl FnOnce() -> AnyView) -> Response {
    let assets = assets::get();
    let nonce = Nonce::new();
    let policy = content_security_policy(&nonce, frame.has_islands, image_hosts, assets.watch);
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

/// Allows only what a page needs, and only from this host. Scripts are allowed by nonce; `strict-dynamic` extends that to what they
/// load.
fn content_security_policy(nonce: &Nonce, has_islands: bool, image_hosts: &[String], watch: bool) -> HeaderValue {
    let mut policy = format!(
        "default-src 'none'; style-src 'self' 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; \
         frame-ancestors 'none'; img-src 'self'"
    );
    if image_hosts.len() > MAX_HOSTS {
        policy.push_str(" https:");
    } else {
        for host in image_hosts {
            let _ = write!(policy, " {host}");
        }
    }
    if has_islands || watch {
        let _ = write!(policy, "; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'");
    }
    policy.push_str("; connect-src 'self'");
    if watch {
        policy.push_str(" ws://127.0.0.1:* ws://localhost:*");
    }
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
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
