//! The rate limit in front of every handler: it finds out who sends a request, counts the request, and refuses it over the limit.

use super::client::client_address;
use crate::{
    api::{
        self,
        base::{auth_extractors::bearer, error::ApiError, resource::AUTH_ROOT},
    },
    app::App,
    edge::rate_limit::{CredentialHash, CredentialOwner, RateLimitKey, RateLimitStatus},
};
use axum::{
    extract::{Request, State},
    http::{Extensions, HeaderMap, Method, StatusCode, Uri},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Timestamp;
use returns::{Caller, ClientAddress, ClientNetwork, Error, Origin, RequestId};

/// People who work at the desk have so many times the limit: an action there is two requests, and scanners are quick.
const AT_DESK: u32 = 5;

/// Counts a request towards the owner of its credential, and looks the credential up. An unknown credential counts towards the network that
/// sent it, so that made-up credentials do not give a fresh limit.
pub(crate) async fn limit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let client = client_address(&app, &request);
    let origin = Origin::new(client, request.extensions().get::<RequestId>().copied());
    request.extensions_mut().insert(client);
    request.extensions_mut().insert(origin);
    let token = bearer(request.headers()).map(str::to_owned);
    let at_door = tries_to_sign_in(request.method(), request.uri().path());
    let is_guess = at_door || tries_to_prove_an_order(request.method(), request.uri().path());
    // At the door of the desk, a session gives no fresh limit either.
    let desk = desk_token(&request).filter(|_| !at_door);
    let sender = Sender::identify(&app, token, desk, request.extensions(), client.network(), is_guess).await;
    let status = app.limit.count_up_to(sender.times(), sender.key.clone(), sender.now).await;
    let mut answer = match status {
        Some(status) if !status.is_within => {
            refuse(sender.name(client), request.uri(), request.headers(), status).await
        }
        _ => {
            let caller = sender.authenticate(&app).await;
            answer_as(caller, request, next).await
        }
    };
    if let Some(status) = status {
        status.write(answer.headers_mut());
    }
    answer
}

/// Runs the handler with the caller in the request's extensions. An unknown credential is no error here, because some routes need none.
async fn answer_as(caller: Option<Result<Caller, Error>>, mut request: Request, next: Next) -> Response {
    match caller {
        Some(Ok(caller)) => drop(request.extensions_mut().insert(caller)),
        None | Some(Err(Error::Unauthorized)) => {}
        Some(Err(error)) => return ApiError::UseCase(error).into_response(), // the database failed
    }
    next.run(request).await
}

/// Who sends a request, as far as the limit has to know.
struct Sender {
    token: Option<String>,
    /// The token of a session of the desk.
    desk: Option<String>,
    credential: Option<CredentialHash>,
    /// The result of looking the token up, if counting the request required it.
    caller: Option<Result<Caller, Error>>,
    key: RateLimitKey,
    network: ClientNetwork,
    now: Timestamp,
}

impl Sender {
    /// Finds out whose limit the request counts towards. Only an owner who is not cached is looked up, so that a request over the limit costs no query.
    /// `is_guess`: whether the request tries to prove an order, or to sign in.
    async fn identify(
        app: &App,
        token: Option<String>,
        desk: Option<String>,
        extensions: &Extensions,
        network: ClientNetwork,
        is_guess: bool,
    ) -> Self {
        let now = app.retour.now();
        let credential = match token.as_ref().or(desk.as_ref()) {
            Some(token) => Some(app.limit.hash(token)),
            None => portal::session_id(extensions).map(|session| app.limit.hash(&session)),
        };
        let mut sender =
            Self { token, desk, credential, caller: None, key: RateLimitKey::Network(network), network, now };
        let Some(credential) = credential.filter(|_| app.limit.is_on()) else { return sender };
        let owner = match app.limit.find_owner(credential, now) {
            Some(owner) => Some(owner),
            None if app.limit.distrusts(network, now) => None,
            None => sender.look_up(app, credential, extensions).await,
        };
        // Everybody with an order gets a consumer's token, so such a token gives no fresh limit for guessing other orders.
        if let Some(owner) = owner.filter(|owner| !(owner.is_consumer && is_guess)) {
            sender.key = RateLimitKey::Owner(owner.id);
        }
        sender
    }

    /// Looks up the owner of the token or session, and caches the result.
    async fn look_up(
        &mut self,
        app: &App,
        credential: CredentialHash,
        extensions: &Extensions,
    ) -> Option<CredentialOwner> {
        let (owner, is_unknown) = match (&self.token, &self.desk) {
            (Some(token), _) => {
                let caller = app.retour.caller(token).await;
                let found = caller.as_ref().ok().map(owner_of);
                let is_unknown = matches!(caller, Err(Error::Unauthorized));
                self.caller = Some(caller);
                (found, is_unknown)
            }
            (None, Some(token)) => {
                let caller = desk::caller(&app.retour, token).await;
                let is_unknown = matches!(caller, Ok(None));
                (caller.ok().flatten().as_ref().map(owner_of), is_unknown)
            }
            (None, None) => {
                let shopper = portal::shopper(extensions).await.map(Caller::Shopper);
                // An existing session keeps its id, even if nobody has proved an order in it.
                (shopper.as_ref().map(owner_of), portal::session_id(extensions).is_none())
            }
        };
        match &owner {
            Some(owner) => app.limit.keep_owner(credential, owner.clone(), self.now),
            None if is_unknown => app.limit.note_unknown(credential, self.network, self.now),
            None => {}
        }
        owner
    }

    /// Looks the token up, unless counting has just done so. The cache is not asked: a token may have been revoked since.
    async fn authenticate(self, app: &App) -> Option<Result<Caller, Error>> {
        let token = self.token?;
        if self.caller.is_some() {
            return self.caller;
        }
        let caller = app.retour.caller(&token).await;
        if let (Err(Error::Unauthorized), Some(credential)) = (&caller, self.credential) {
            app.limit.note_unknown(credential, self.network, self.now);
        }
        Some(caller)
    }

    /// How many times the limit they have.
    fn times(&self) -> u32 {
        match (&self.key, &self.desk) {
            (RateLimitKey::Owner(_), Some(_)) => AT_DESK,
            _ => 1,
        }
    }

    /// The name of the sender in the error over the limit: the end of the token, or the address.
    fn name(&self, client: ClientAddress) -> String {
        match (&self.key, &self.token) {
            (RateLimitKey::Owner(_), Some(token)) => format!("the token that ends in {}", last_four(token)),
            _ => client.0.to_string(),
        }
    }
}

/// The token of a session of the desk, for its pages only: elsewhere the cookie says nothing.
fn desk_token(request: &Request) -> Option<String> {
    desk::session_token(request.headers()).filter(|_| desk::owns(request.uri().path()))
}

fn owner_of(caller: &Caller) -> CredentialOwner {
    CredentialOwner { id: caller.credential_id(), is_consumer: matches!(caller, Caller::Shopper(_)) }
}

/// The forms of the desk that try a password or a code, or ask for a mail to set one.
const AT_DOOR: [&str; 4] = ["sign-in", "code", "forgotten", "set-password"];

/// Whether a request tries to sign in at the desk.
fn tries_to_sign_in(method: &Method, path: &str) -> bool {
    let name = path.strip_prefix("/desk/call/").map(|name| name.trim_end_matches('/'));
    // Only a client that wants to avoid being counted escapes these names.
    *method == Method::POST && name.is_some_and(|name| AT_DOOR.contains(&name) || name.contains('%'))
}

/// Whether a request tries to prove an order, or asks for a link to orders. The portal's paths begin with the slug of a shop.
fn tries_to_prove_an_order(method: &Method, path: &str) -> bool {
    if method != Method::POST {
        return false;
    }
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    match (segments.next(), segments.next(), segments.next(), segments.next()) {
        (Some(first), ..) if first == AUTH_ROOT.trim_start_matches('/') => true,
        // Only a client that wants to avoid being counted escapes these names.
        (Some(_), Some("call"), Some(name), None) => matches!(name, "look-up" | "gift" | "link") || name.contains('%'),
        _ => false,
    }
}

/// The answer to a request over the limit: an error of the API or a page.
async fn refuse(name: String, uri: &Uri, headers: &HeaderMap, status: RateLimitStatus) -> Response {
    if desk::owns(uri.path()) {
        return desk::too_many(uri, headers, status.retry_after()).await;
    }
    if !api::owns(uri.path()) {
        return portal::too_many(uri, headers, status.retry_after()).await;
    }
    let message = format!("The rate limit is exceeded for {name}. Try again after the seconds in Retry-After.");
    api::error(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", &message, &[])
}

fn last_four(credential: &str) -> String {
    credential.chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_try_to_prove_an_order_or_to_sign_in_are_recognized() {
        let guesses = [
            "/auth/consumer",
            "/auth/user",
            "/fjord-fern/call/look-up",
            "/a/call/gift",
            "/a/call/link/",
            "/a/call/look%2Dup",
            "/a/call/%67ift",
        ];
        for path in guesses {
            assert!(tries_to_prove_an_order(&Method::POST, path), "{path}");
            assert!(!tries_to_prove_an_order(&Method::GET, path), "{path}");
        }
        for path in ["/desk/call/sign-in", "/desk/call/code", "/desk/call/set-password/", "/desk/call/sign%2Din"] {
            assert!(tries_to_sign_in(&Method::POST, path), "{path}");
            assert!(!tries_to_sign_in(&Method::GET, path), "{path}");
        }
        for path in ["/desk/call/choices", "/desk", "/fjord-fern/call/sign-in"] {
            assert!(!tries_to_sign_in(&Method::POST, path), "{path}");
        }
        let others =
            ["/", "/fjord-fern", "/consumer/1/return-order", "/api/v0/gift", "/a/call/choose", "/a/call/gift/x"];
        for path in others {
            assert!(!tries_to_prove_an_order(&Method::POST, path), "{path}");
        }
    }
}
