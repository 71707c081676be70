//! A portal at the merchant's own host: its pages have no slug in their addresses.

use crate::{
    frame::render::secure,
    router,
    visit::{at_own_host::AtOwnHost, error_pages},
    words::Words,
};
use axum::{
    extract::Request,
    http::{Uri, header, uri::PathAndQuery},
    middleware::Next,
    response::Response,
};
use domain::base::host::HostName;
use returns::{Retour, SERVER_PATHS};
use std::{collections::BTreeSet, sync::LazyLock};
use ui::language::Language;

/// The first segments of the portal's pages, below the slug.
static PAGES: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let below_slug = |path: &'static str| path.split('/').nth(2).unwrap_or_default();
    router::pages().into_iter().map(|(path, _)| below_slug(path)).collect()
});

/// Leads requests at a shop's own host to that shop's pages, and to no other shop's. It runs before routing.
pub async fn by_host(retour: Retour, mut request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_ours = |host: &str| retour.own_host().is_some_and(|own| own.eq_ignore_ascii_case(host));
    let host = host.and_then(HostName::parse).filter(|host| !is_ours(host.as_str()));
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    let Some(host) = host.filter(|_| !SERVER_PATHS.contains(&first)) else { return next.run(request).await };
    let slug = match retour.shop_at(&host).await {
        Ok(Some(slug)) => slug,
        Ok(None) => return next.run(request).await,
        Err(error) => {
            tracing::error!(%error, "the shop of a host could not be looked up");
            return secure(error_pages::broken(None, false, Words::of(Language::En))).await;
        }
    };
    if PAGES.contains(first) {
        if let Some(uri) = below(&slug, request.uri()) {
            *request.uri_mut() = uri;
            request.extensions_mut().insert(AtOwnHost);
        }
    } else if first != slug {
        return error_pages::not_found(&retour, request.uri(), request.headers()).await;
    }
    next.run(request).await
}

/// The address below a slug, as the routes have it.
fn below(slug: &str, uri: &Uri) -> Option<Uri> {
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
    fn addresses_at_an_own_host_are_those_below_the_slug() {
        for (there, here) in [("/", "/fern"), ("/?lang=de", "/fern?lang=de"), ("/returns/1?a=b", "/fern/returns/1?a=b")]
        {
            assert_eq!(below("fern", &there.parse().unwrap()).unwrap().to_string(), here);
        }
    }

    #[test]
    fn every_page_is_known_by_its_first_segment() {
        let expected = [
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
        assert_eq!(*PAGES, BTreeSet::from(expected));
    }
}
