//! A portal at a host of the merchant's own: its pages are there without the shop's name in their addresses.

use super::{errors, render::secure};
use crate::words::{Language, Words};
use axum::{
    extract::Request,
    http::{Uri, header, uri::PathAndQuery},
    middleware::Next,
    response::Response,
};
use domain::host::Domain;
use returns::Retour;

/// A request that came to the shop's own host.
#[derive(Debug, Clone, Copy)]
pub struct AtHome;

/// What the pages of a portal begin with, beside the first one: as in [`super::router`].
const PAGES: [&str; 13] = [
    "",
    "call",
    "details",
    "gift",
    "leave",
    "link",
    "mail",
    "pay",
    "preview",
    "purchases",
    "returns",
    "review",
    "withdraw",
];
/// What is the same at every host.
const EVERYWHERE: [&str; 9] =
    ["api", "auth", "consumer", "demo", "embed.js", "favicon.svg", "health", "metrics", "pkg"];

/// Leads requests at a shop's own host to that shop's pages, and to no other shop's. Stands before the routes.
pub async fn by_host(retour: Retour, mut request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_ours = |host: &str| retour.own_host().is_some_and(|own| own.eq_ignore_ascii_case(host));
    let host = host.and_then(Domain::parse).filter(|host| !is_ours(host.as_str()));
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    let Some(host) = host.filter(|_| !EVERYWHERE.contains(&first)) else { return next.run(request).await };
    let slug = match retour.shop_at(&host).await {
        Ok(Some(slug)) => slug,
        Ok(None) => return next.run(request).await,
        Err(error) => {
            tracing::error!(%error, "the shop of a host could not be looked up");
            return secure(errors::broken(None, false, Words::of(Language::En))).await;
        }
    };
    if PAGES.contains(&first) {
        if let Some(uri) = within(&slug, request.uri()) {
            *request.uri_mut() = uri;
            request.extensions_mut().insert(AtHome);
        }
    } else if first != slug {
        return errors::not_found(&retour, request.uri(), request.headers()).await;
    }
    next.run(request).await
}

/// The address beneath the shop's name, as the routes know it.
fn within(slug: &str, uri: &Uri) -> Option<Uri> {
    let path = uri.path().trim_end_matches('/');
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("/{slug}{path}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_host_are_those_of_its_shop() {
        for (there, here) in [("/", "/fern"), ("/?lang=de", "/fern?lang=de"), ("/returns/1?a=b", "/fern/returns/1?a=b")]
        {
            assert_eq!(within("fern", &there.parse().unwrap()).unwrap().to_string(), here);
        }
    }
}
