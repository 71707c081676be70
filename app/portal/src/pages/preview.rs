//! `/{slug}/preview`: begins and ends the preview of a theme.

use crate::visit::{headers::set_cookie, preview::COOKIE, response::HandlerResult, shop::ShopRequest};
use axum::extract::RawQuery;
use tower_sessions::cookie::{Cookie, SameSite, time::Duration};
use ui::web::form::Fields;

/// Begins a preview by the link that the API returned. If it has expired, the live portal is shown.
pub async fn begin(shop: ShopRequest, RawQuery(query): RawQuery) -> HandlerResult {
    let query = Fields::parse(query.unwrap_or_default().as_bytes()).unwrap_or_default();
    Ok(with_cookie(&shop, query.get("token").to_owned(), Duration::days(1)))
}

/// Ends the preview.
pub async fn end(shop: ShopRequest) -> HandlerResult {
    Ok(with_cookie(&shop, String::new(), Duration::ZERO))
}

fn with_cookie(shop: &ShopRequest, token: String, max_age: Duration) -> axum::response::Response {
    let is_token = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let cookie = Cookie::build((COOKIE, if is_token { token } else { String::new() }))
        .path("/")
        .http_only(true)
        .secure(shop.secure)
        .same_site(SameSite::Lax)
        .max_age(max_age)
        .build();
    let mut response = shop.redirect("");
    set_cookie(response.headers_mut(), &cookie);
    response
}
