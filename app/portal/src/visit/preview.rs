//! Previews of a theme that is not live yet: a cookie names the preview.

use axum::http::HeaderMap;
use ui::web::headers::cookies;

/// The cookie with the preview's token. It says nothing about who looks.
pub const COOKIE: &str = "retour-preview";

/// The token of the preview that a request asks for.
pub fn token(headers: &HeaderMap) -> Option<String> {
    let tokens = cookies(headers).into_iter().filter(|(name, _)| name == COOKIE).map(|(_, token)| token);
    tokens.into_iter().next().filter(|token| !token.is_empty())
}
