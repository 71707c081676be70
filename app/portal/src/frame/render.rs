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
use std::{fmt::Write as _, sync::Arc};

/// With more hosts of pictures, any host over https is allowed: headers must stay short.
const MAX_HOSTS: usize = 10;

/// The bench answers every page with this, to measure what rendering costs.
#[cfg(feature = "bench")]
static WRITTEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();

/// Answers every page with this HTML from now on.
#[cfg(feature = "bench")]
pub fn answer_with(html: String) {
    let _ = WRITTEN.set(html);
}

/// Renders a page at once: all its data is loaded, so nothing streams.
pub fn render(frame: Frame, status: StatusCode, image_hosts: &[String], body: impl FnOnce() -> AnyView) -> Response {
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

/// Allows only what a page needs, and only from this host. Scripts are allowed by nonce; `strict-dynamic` extends that to what they
/// load.
fn content_security_policy(nonce: &Nonce, frame: &Frame, image_hosts: &[String], watch: bool) -> HeaderValue {
    let origins = frame.theme.as_ref().map(|theme| theme.embed_origins.join(" ")).filter(|origins| !origins.is_empty());
    let ancestors = origins.as_deref().unwrap_or("'none'");
    let mut policy = format!(
        "default-src 'none'; style-src 'self' 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; \
         frame-ancestors {ancestors}; img-src 'self'"
    );
    if image_hosts.len() > MAX_HOSTS {
        policy.push_str(" https:");
    } else {
        for host in image_hosts {
            let _ = write!(policy, " {host}");
        }
    }
    let is_embedded = frame.theme.as_ref().is_some_and(|theme| theme.is_embedded);
    if frame.islands || watch {
        let _ = write!(policy, "; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'");
    } else if is_embedded {
        let _ = write!(policy, "; script-src 'nonce-{nonce}'");
    }
    policy.push_str("; connect-src 'self'");
    if watch {
        policy.push_str(" ws://127.0.0.1:* ws://localhost:*");
    }
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
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
