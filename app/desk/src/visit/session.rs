//! Who is signed in: a cookie with the token of a session.

use axum::http::HeaderMap;
use domain::AccountId;
use returns::{Caller, Error, Retour, view};
use ui::web::headers::cookies;

/// A session of the desk.
#[derive(Debug, Clone)]
pub struct DeskSession {
    pub account: AccountId,
    pub user: view::User,
    caller: Caller,
}

impl DeskSession {
    /// The person as the sender of requests.
    pub fn caller(&self) -> Caller {
        self.caller.clone()
    }
}

/// Finds the session of a token. `None` if it has ended.
pub async fn find(retour: &Retour, token: &str) -> Result<Option<DeskSession>, Error> {
    match retour.caller(token).await {
        Ok(Caller::User(me)) => {
            let user = retour.own_user(&me).await?;
            Ok(Some(DeskSession { account: me.account, user, caller: Caller::User(me) }))
        }
        Ok(_) | Err(Error::Unauthorized) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The name of the cookie. The prefix makes browsers refuse a cookie that another host has set.
pub fn cookie_name(is_secure: bool) -> &'static str {
    if is_secure { "__Host-retour-desk" } else { "retour-desk" }
}

/// The token in a request's cookie, by either of its names: for the server's rate limit. The session may have ended.
pub fn session_token(headers: &HeaderMap) -> Option<String> {
    token(headers, true).or_else(|| token(headers, false))
}

/// Who a token belongs to: for the server's rate limit.
pub async fn caller(retour: &Retour, token: &str) -> Result<Option<Caller>, Error> {
    Ok(find(retour, token).await?.map(|session| session.caller()))
}

/// The token in a request's cookie. The session may have ended.
pub fn token(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    let name = cookie_name(is_secure);
    cookies(headers)
        .into_iter()
        .find(|(known, _)| known == name)
        .map(|(_, token)| token)
        .filter(|token| !token.is_empty())
}

/// The `Set-Cookie` of a session. It ends with the browser or by the server, whichever is first. An empty token deletes the cookie.
pub fn session_cookie(token: &str, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    let ends = if token.is_empty() { "; Max-Age=0" } else { "" };
    format!("{}={token}; Path=/; HttpOnly; SameSite=Lax{ends}{secure}", cookie_name(is_secure))
}

/// Ends the session of a token.
pub async fn end(retour: &Retour, token: &str) -> Result<(), Error> {
    match retour.caller(token).await {
        Ok(Caller::User(me)) => retour.sign_out(&me, token).await,
        Ok(_) | Err(Error::Unauthorized) => Ok(()),
        Err(error) => Err(error),
    }
}
