//! The rate limit's place before every handler: who sends a request, whose count it is, and the answer over the limit.

use super::{
    door::bearer,
    error::{ApiError, response},
    owns,
};
use crate::{
    App,
    http::Peer,
    limit::{Mark, Owner, Standing, Who},
};
use axum::{
    extract::{Request, State},
    http::{Extensions, Method, StatusCode},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Timestamp;
use returns::{Caller, ClientAddress, ClientNetwork, Error};
use std::net::IpAddr;

/// Counts a request and looks its credential up. The count is that of the credential's owner. A credential that nobody
/// holds counts for the network that sent it, so that nobody gets a fresh limit by making credentials up.
pub async fn limit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0.ip());
    let client = ClientAddress(app.proxies.client(peer, request.headers()));
    request.extensions_mut().insert(client);
    let is_guess = tries_to_prove(request.method(), request.uri().path());
    let token = bearer(request.headers()).map(str::to_owned);
    let sender = Sender::of(&app, token, request.extensions(), client.network(), is_guess).await;
    let standing = app.limit.count(sender.who.clone(), sender.now).await;
    let refused = standing.is_some_and(|standing| !standing.passes);
    let mut answer = if refused {
        if owns(request.uri().path()) {
            too_many(&sender, client)
        } else {
            let seconds = standing.as_ref().map_or(1, Standing::retry_after);
            portal::too_many(request.uri(), request.headers(), seconds).await
        }
    } else {
        match sender.authenticate(&app).await {
            // The database failed: nobody can tell who it is.
            Some(Err(error)) if !matches!(error, Error::Unauthorized) => ApiError::UseCase(error).into_response(),
            caller => {
                if let Some(Ok(caller)) = caller {
                    request.extensions_mut().insert(caller);
                }
                next.run(request).await
            }
        }
    };
    if let Some(standing) = standing {
        standing.write(answer.headers_mut());
    }
    answer
}

/// Who sends a request, as far as the limit has to know.
struct Sender {
    token: Option<String>,
    mark: Option<Mark>,
    /// The answer to who holds the token, where the limit had to ask.
    caller: Option<Result<Caller, Error>>,
    /// Whose count it is.
    who: Who,
    network: ClientNetwork,
    now: Timestamp,
}

impl Sender {
    /// Looks up only what was not looked up of late: over the limit, a request costs no look-up.
    async fn of(
        app: &App,
        token: Option<String>,
        extensions: &Extensions,
        network: ClientNetwork,
        is_guess: bool,
    ) -> Self {
        let now = app.retour.now();
        let session = if token.is_none() { portal::session_id(extensions) } else { None };
        let mark = match (&token, session) {
            (Some(token), _) => Some(app.limit.mark(token)),
            (None, Some(session)) => Some(app.limit.mark(&session)),
            (None, None) => None,
        };
        let mut sender = Self { token, mark, caller: None, who: Who::Network(network), network, now };
        let Some(mark) = mark.filter(|_| app.limit.is_on()) else { return sender };
        let owner = match app.limit.find_owner(mark, now) {
            Some(owner) => Some(owner),
            None if app.limit.trusts_no_credential_of(network, now) => None,
            None => sender.look_up(app, mark, extensions).await,
        };
        // Anybody with an order gets a token: it is no new count for guesses at other orders.
        if let Some(owner) = owner.filter(|owner| !(owner.is_consumer && is_guess)) {
            sender.who = Who::Owner(owner.id);
        }
        sender
    }

    /// The owner of what was sent, who is known from now on.
    async fn look_up(&mut self, app: &App, mark: Mark, extensions: &Extensions) -> Option<Owner> {
        let found = if let Some(token) = &self.token {
            let caller = app.retour.caller(token).await;
            let found = caller.as_ref().ok().map(owner);
            let is_unknown = matches!(caller, Err(Error::Unauthorized));
            self.caller = Some(caller);
            found.ok_or(is_unknown)
        } else {
            let shopper = portal::shopper(extensions).await;
            // A session that exists keeps its id, also where nobody has proved an order yet.
            shopper.map(Caller::Shopper).as_ref().map(owner).ok_or(portal::session_id(extensions).is_none())
        };
        match &found {
            Ok(owner) => app.limit.keep_owner(mark, owner.clone(), self.now),
            Err(true) => app.limit.note_unknown(mark, self.network, self.now),
            Err(false) => {}
        }
        found.ok()
    }

    /// Who holds the token, at this moment: what was revoked since it was counted opens nothing.
    async fn authenticate(self, app: &App) -> Option<Result<Caller, Error>> {
        let token = self.token?;
        let caller = match self.caller {
            Some(caller) => return Some(caller),
            None => app.retour.caller(&token).await,
        };
        if let (Err(Error::Unauthorized), Some(mark)) = (&caller, self.mark) {
            app.limit.note_unknown(mark, self.network, self.now);
        }
        Some(caller)
    }
}

fn owner(caller: &Caller) -> Owner {
    Owner { id: caller.credential_id(), is_consumer: matches!(caller, Caller::Shopper(_)) }
}

/// Whether a request tries to prove an order, or asks for a link to orders. The portal's paths begin with a shop's name.
fn tries_to_prove(method: &Method, path: &str) -> bool {
    if method != Method::POST {
        return false;
    }
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    match (segments.next(), segments.next(), segments.next(), segments.next()) {
        (Some("auth"), ..) => true,
        // Nobody writes these names with escapes but to be counted differently.
        (Some(_), Some("call"), Some(name), None) => matches!(name, "look-up" | "gift" | "link") || name.contains('%'),
        _ => false,
    }
}

/// Names the token by its last four characters, or the address.
fn too_many(sender: &Sender, client: ClientAddress) -> Response {
    let name = match (&sender.who, &sender.token) {
        (Who::Owner(_), Some(token)) => format!("the token that ends in {}", last_four(token)),
        _ => client.0.to_string(),
    };
    let message = format!("The rate limit is exceeded for {name}. Try again after the seconds in Retry-After.");
    response(StatusCode::TOO_MANY_REQUESTS, "TooManyRequests", &message, &[])
}

fn last_four(credential: &str) -> String {
    credential.chars().rev().take(4).collect::<Vec<_>>().into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_are_told_from_other_requests() {
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
            assert!(tries_to_prove(&Method::POST, path), "{path}");
            assert!(!tries_to_prove(&Method::GET, path), "{path}");
        }
        let others =
            ["/", "/fjord-fern", "/consumer/1/return-order", "/api/v0/gift", "/a/call/choose", "/a/call/gift/x"];
        for path in others {
            assert!(!tries_to_prove(&Method::POST, path), "{path}");
        }
    }
}
