//! Setting cookies.

use axum::http::{HeaderMap, HeaderValue, header};
use tower_sessions::cookie::{Cookie, SameSite};

/// Makes a cookie one for frames.
pub fn partitioned(mut cookie: Cookie<'static>) -> Cookie<'static> {
    cookie.set_same_site(SameSite::None);
    cookie.set_secure(true);
    cookie.set_partitioned(true);
    cookie
}

/// Sets a cookie.
pub fn set_cookie(headers: &mut HeaderMap, cookie: &Cookie<'_>) {
    if let Ok(value) = HeaderValue::try_from(cookie.to_string()) {
        headers.append(header::SET_COOKIE, value);
    }
}

/// The value that a response sets a cookie to. Empty if it deletes the cookie.
pub fn cookie_set_to<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let set = headers.get_all(header::SET_COOKIE).iter().filter_map(name_and_value);
    set.filter(|(known, _)| *known == name).map(|(_, value)| value).next_back()
}

/// Removes a cookie from those that a response sets.
pub fn remove_set_cookie(headers: &mut HeaderMap, name: &str) {
    let set: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for value in set.into_iter().filter(|set| name_and_value(set).is_none_or(|(known, _)| known != name)) {
        headers.append(header::SET_COOKIE, value);
    }
}

/// The name and the value of a `Set-Cookie` header.
fn name_and_value(set: &HeaderValue) -> Option<(&str, &str)> {
    set.to_str().ok()?.split(';').next()?.trim().split_once('=')
}
