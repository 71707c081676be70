//! The portal in a frame in a shop's page: cookies that a browser keeps for that page alone, and how it is told apart.

use super::session::cookie_name;
use crate::words::language;
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};
use tower_sessions::cookie::{Cookie, SameSite};

/// A request from within a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Embedded {
    /// Whether the browser keeps cookies of ours there.
    pub keeps_cookies: bool,
}

/// Says nothing but that the browser keeps cookies in frames. Scripts of the page look for it too.
const PROBE: &str = "retour-probe";

/// Stands in the query of what a page in a frame fetches: its pictures, what it sends and looks at by scripts.
pub const FETCHED: &str = "embedded";

/// What a session's cookie is called in frames.
fn embedded_name(secure: bool) -> &'static str {
    if secure { "__Host-retour-embedded" } else { "retour-embedded" }
}

/// Gives frames sessions of their own: `Partitioned` (CHIPS), so that each shop's page has its own and nobody is followed
/// from one to the next. To all that lies within, they are called as everywhere.
pub async fn sessions(secure: bool, mut request: Request, next: Next) -> Response {
    let names = (cookie_name(secure), embedded_name(secure));
    let sent: Vec<(String, String)> = cookies(request.headers());
    let has = |name: &str| sent.iter().any(|(known, _)| known == name);
    let is_frame = request.headers().get("sec-fetch-dest").is_some_and(|dest| dest == "iframe");
    // What a page in a frame fetches comes with both cookies where the shop's page is of the same site: it says so itself.
    let is_of_frame = is_frame || request.uri().query().is_some_and(|query| query.split('&').any(|one| one == FETCHED));
    if !is_of_frame && (has(names.0) || !has(names.1)) {
        return next.run(request).await;
    }
    let keeps_cookies = has(PROBE) || has(names.1);
    request.extensions_mut().insert(Embedded { keeps_cookies });
    let last = |wanted: &str| sent.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| value);
    let session = last(names.1).map(|value| format!("{}={value}", names.0));
    let language = last(language::COOKIE).map(|value| format!("{}={value}", language::COOKIE));
    let within: Vec<String> = session.into_iter().chain(language).collect();
    match Some(within.join("; ")).filter(|line| !line.is_empty()).and_then(|line| HeaderValue::try_from(line).ok()) {
        Some(cookie) => drop(request.headers_mut().insert(header::COOKIE, cookie)),
        None => drop(request.headers_mut().remove(header::COOKIE)),
    }
    let is_shown = is_frame && request.method() == Method::GET;
    let mut response = next.run(request).await;
    rename(response.headers_mut(), names);
    if is_shown && !keeps_cookies {
        let probe = partitioned(Cookie::build((PROBE, "1")).path("/").build());
        add(response.headers_mut(), &probe);
    }
    response
}

/// The cookies that a request comes with: their names and values.
pub fn cookies(headers: &HeaderMap) -> Vec<(String, String)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn rename(headers: &mut HeaderMap, (name, embedded): (&str, &'static str)) {
    let set: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for value in set {
        let parsed = value.to_str().ok().and_then(|text| Cookie::parse(text.to_owned()).ok());
        match parsed.filter(|cookie| cookie.name() == name) {
            Some(mut cookie) => {
                cookie.set_name(embedded);
                add(headers, &partitioned(cookie));
            }
            None => drop(headers.append(header::SET_COOKIE, value)),
        }
    }
}

/// As a cookie of frames.
pub fn partitioned(mut cookie: Cookie<'static>) -> Cookie<'static> {
    cookie.set_same_site(SameSite::None);
    cookie.set_secure(true);
    cookie.set_partitioned(true);
    cookie
}

/// Sets a cookie.
pub fn add(headers: &mut HeaderMap, cookie: &Cookie<'_>) {
    if let Ok(value) = HeaderValue::try_from(cookie.to_string()) {
        headers.append(header::SET_COOKIE, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_s_cookie_is_another_one_in_a_frame_and_others_stay() {
        let mut headers = HeaderMap::new();
        let set = ["retour=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=60", "other=1; Path=/"];
        for cookie in set {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        rename(&mut headers, ("retour", "retour-embedded"));
        let told: Vec<&str> = headers.get_all(header::SET_COOKIE).iter().map(|value| value.to_str().unwrap()).collect();
        let [session, other] = told[..] else { panic!("{told:?}") };
        assert!(session.starts_with("retour-embedded=abc; "), "{session}");
        for attribute in ["HttpOnly", "SameSite=None", "Secure", "Partitioned", "Path=/", "Max-Age=60"] {
            assert!(session.split("; ").any(|one| one == attribute), "{attribute}: {session}");
        }
        assert_eq!(other, set[1]);
    }
}
