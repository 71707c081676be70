//! The desk on a host of its own: there, addresses have no `/desk` at their start.

use crate::visit::{error_pages, guest::AtDeskHost};
use axum::{
    extract::Request,
    http::{Uri, header, uri::PathAndQuery},
    middleware::Next,
    response::Response,
};
use returns::SERVER_PATHS;
use std::sync::Arc;

/// The host of the desk, if it has one of its own.
#[derive(Debug, Clone, Default)]
pub struct DeskHost(Option<Arc<str>>);

impl DeskHost {
    /// A host such as `desk.example.com`. Empty: the desk is at `/desk` of every host that is not a shop's own.
    pub fn new(host: &str) -> Self {
        let host = host.trim().to_ascii_lowercase();
        Self((!host.is_empty()).then(|| host.into()))
    }

    /// The host, if the desk has one of its own.
    pub fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// Whether a path is one of the desk, as the routes have it.
pub fn owns(path: &str) -> bool {
    path.strip_prefix("/desk").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Leads requests at the desk's own host to its pages. It runs before routing. At other hosts `/desk` leads nowhere then, so that
/// sessions and passkeys belong to one host.
pub async fn by_host(host: DeskHost, mut request: Request, next: Next) -> Response {
    let Some(own) = host.name() else { return next.run(request).await };
    let asked = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let asked = asked
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(asked, |(name, _)| name);
    let first = request.uri().path().split('/').nth(1).unwrap_or_default();
    let is_here = asked.eq_ignore_ascii_case(own);
    if is_here && !SERVER_PATHS.contains(&first) {
        if first != "desk"
            && let Some(uri) = below_desk(request.uri())
        {
            *request.uri_mut() = uri;
        }
        request.extensions_mut().insert(AtDeskHost);
    } else if !is_here && first == "desk" {
        return error_pages::not_found(request.uri(), request.headers()).await;
    }
    next.run(request).await
}

/// The address below `/desk`, as the routes have it.
fn below_desk(uri: &Uri) -> Option<Uri> {
    let path = uri.path().trim_end_matches('/');
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(format!("/desk{path}{query}")).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_at_the_own_host_are_those_below_desk() {
        for (there, here) in
            [("/", "/desk"), ("/?lang=de", "/desk?lang=de"), ("/returns/R-1?a=b", "/desk/returns/R-1?a=b")]
        {
            assert_eq!(below_desk(&there.parse().unwrap()).unwrap().to_string(), here);
        }
    }
}
