//! The portal in a frame on a shop's page: how a request from a frame is recognised, and the cookies that the browser keeps for
//! that page alone.

use crate::visit::{
    headers::{partitioned, set_cookie},
    session::cookie_name,
};
use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};
use tower_sessions::cookie::Cookie;
use ui::{language::COOKIE, web::headers::cookies};

/// Marks a request from a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Embedded {
    /// Whether the browser keeps our cookies in the frame.
    pub keeps_cookies: bool,
}

/// This cookie shows only that the browser keeps cookies in frames. The script of a frame looks for it too.
const PROBE: &str = "retour-probe";

/// Marks the address of everything that a page in a frame fetches: pictures, and what its scripts send and read.
pub const FETCHED: &str = "embedded";

/// The names of a session's cookie, outside frames and in them.
#[derive(Debug, Clone, Copy)]
struct SessionCookies {
    outside: &'static str,
    embedded: &'static str,
}

impl SessionCookies {
    fn of(secure: bool) -> Self {
        let embedded = if secure { "__Host-retour-embedded" } else { "retour-embedded" };
        Self { outside: cookie_name(secure), embedded }
    }
}

/// Gives frames sessions of their own. Their cookies are `Partitioned` (CHIPS): each shop's page has its own, and nobody can be
/// followed from one to the next. Handlers see them under the names that they have outside frames.
pub async fn sessions(secure: bool, mut request: Request, next: Next) -> Response {
    let names = SessionCookies::of(secure);
    let sent = cookies(request.headers());
    let has = |name: &str| sent.iter().any(|(known, _)| known == name);
    let is_frame = request.headers().get("sec-fetch-dest").is_some_and(|dest| dest == "iframe");
    // If the shop's page is of the same site, what a frame fetches comes with both cookies. So its address says that it is the frame's.
    let is_of_frame = is_frame || request.uri().query().is_some_and(|query| query.split('&').any(|one| one == FETCHED));
    if !is_of_frame && (has(names.outside) || !has(names.embedded)) {
        return next.run(request).await;
    }
    let keeps_cookies = has(PROBE) || has(names.embedded);
    request.extensions_mut().insert(Embedded { keeps_cookies });
    match cookies_inside(&sent, names) {
        Some(cookie) => drop(request.headers_mut().insert(header::COOKIE, cookie)),
        None => drop(request.headers_mut().remove(header::COOKIE)),
    }
    let is_shown = is_frame && request.method() == Method::GET;
    let mut response = next.run(request).await;
    rename(response.headers_mut(), names);
    if is_shown && !keeps_cookies {
        let probe = partitioned(Cookie::build((PROBE, "1")).path("/").build());
        set_cookie(response.headers_mut(), &probe);
    }
    response
}

/// The `Cookie` header for handlers: the frame's session under its name outside frames, and the language.
fn cookies_inside(sent: &[(String, String)], names: SessionCookies) -> Option<HeaderValue> {
    let last = |wanted: &str| sent.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| value);
    let session = last(names.embedded).map(|value| format!("{}={value}", names.outside));
    let language = last(COOKIE).map(|value| format!("{COOKIE}={value}"));
    let inside: Vec<String> = session.into_iter().chain(language).collect();
    if inside.is_empty() { None } else { HeaderValue::try_from(inside.join("; ")).ok() }
}

/// Renames the session cookie that a response sets to its name in frames.
fn rename(headers: &mut HeaderMap, names: SessionCookies) {
    let set: Vec<HeaderValue> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for value in set {
        let parsed = value.to_str().ok().and_then(|text| Cookie::parse(text.to_owned()).ok());
        match parsed.filter(|cookie| cookie.name() == names.outside) {
            Some(mut cookie) => {
                cookie.set_name(names.embedded);
                set_cookie(headers, &partitioned(cookie));
            }
            None => drop(headers.append(header::SET_COOKIE, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_frame_the_session_cookie_has_another_name_and_others_stay() {
        let mut headers = HeaderMap::new();
        let set = ["retour=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=60", "other=1; Path=/"];
        for cookie in set {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        rename(&mut headers, SessionCookies::of(false));
        let set_now: Vec<&str> =
            headers.get_all(header::SET_COOKIE).iter().map(|value| value.to_str().unwrap()).collect();
        let [session, other] = set_now[..] else { panic!("{set_now:?}") };
        assert!(session.starts_with("retour-embedded=abc; "), "{session}");
        for attribute in ["HttpOnly", "SameSite=None", "Secure", "Partitioned", "Path=/", "Max-Age=60"] {
            assert!(session.split("; ").any(|one| one == attribute), "{attribute}: {session}");
        }
        assert_eq!(other, set[1]);
    }
}
