//! Remembers the language that a visitor selected.

use crate::visit::{
    embedded::Embedded,
    headers::{partitioned, set_cookie},
};
use axum::{extract::Request, middleware::Next, response::Response};
use tower_sessions::cookie::{Cookie, SameSite, time::Duration};
use ui::language::{COOKIE, Language};

/// Sets the cookie if the address asks for a language. The cookie contains nothing else and lasts a year.
pub async fn remember(secure: bool, request: Request, next: Next) -> Response {
    let chosen = Language::asked_by_address(request.uri());
    let is_embedded = request.extensions().get::<Embedded>().is_some();
    let mut response = next.run(request).await;
    if let Some(language) = chosen {
        let cookie = Cookie::build((COOKIE, language.tag()))
            .path("/")
            .http_only(true)
            .secure(secure)
            .same_site(SameSite::Lax)
            .max_age(Duration::days(365))
            .build();
        set_cookie(response.headers_mut(), &if is_embedded { partitioned(cookie) } else { cookie });
    }
    response
}
