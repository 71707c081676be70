//! Who is signed in: a cookie with the token of a session.

use axum::http::HeaderMap;
use domain::sign_in::SignInStep;
use returns::{Caller, Error, Retour};
use ui::web::headers::cookies;

/// The name of the cookie. The prefix makes browsers refuse a cookie that another host has set.
pub fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { "__Host-retour-desk" } else { "retour-desk" }
}

/// The token in a request's cookie, by either of its names: for the server's rate limit. The session may have ended.
pub fn session_token(headers: &HeaderMap) -> Option<String> {
    token(headers, true).or_else(|| token(headers, false))
}

/// Who a token belongs to: for the server's rate limit. Nobody yet while the sign-in still needs a code: a stranger who knows
/// a password must not use up the requests of its owner.
pub async fn caller(retour: &Retour, token: &str) -> Result<Option<Caller>, Error> {
    let session = retour.desk_session(token).await?.filter(|session| session.step != SignInStep::SecondFactor);
    Ok(session.map(|session| session.caller()))
}

/// The token in a request's cookie. The session may have ended.
pub fn token(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    let name = cookie_name(is_secure);
    let token = cookies(headers).into_iter().find(|(known, _)| known == name).map(|(_, token)| token);
    token.filter(|token| !token.is_empty())
}

/// The `Set-Cookie` of a session. It ends with the browser or by the server. An empty token deletes the cookie.
pub fn session_cookie(token: &str, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    let ends = if token.is_empty() { "; Max-Age=0" } else { "" };
    format!("{}={token}; Path=/; HttpOnly; SameSite=Lax{ends}{secure}", cookie_name(is_secure))
}
