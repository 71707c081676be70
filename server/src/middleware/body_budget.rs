//! Bodies of requests: each has a share of the memory that all may hold, and a client that is over its share, or too slow, is
//! told so, whatever the handler says.
//!
//! [`within_budget`] puts a [`BodyShare`] into the request's extensions and charges it with every piece that arrives, so no
//! handler has to do anything. A handler that streams takes the share from there and calls [`BodyShare::keep_only`] whenever it
//! has let go of a part.
//!
//! A large answer is held in memory until the client has taken it, so answers have a budget of their own.

use crate::{App, api, http::Peer};
use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{FromRequestParts as _, RawPathParams, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header, request::Parts},
    middleware::Next,
    response::Response,
};
use domain::AccountId;
use hyper::body::{Frame, SizeHint};
use returns::{
    Caller, ClientAddress, ClientNetwork,
    bodies::{BodyBudget, BodyRefusal, BodyShare, OverBudget},
};
use std::{
    error::Error,
    io,
    net::IpAddr,
    pin::Pin,
    task::{Context, Poll, ready},
};

/// Seconds until it makes sense to come back: so long a silent body holds its memory.
const RETRY_AFTER_SECONDS: u32 = 10;
/// A smaller piece is copied out of the buffer that it was read into, which is often far larger than the piece.
const WORTH_A_BUFFER: usize = 32 * 1024;
/// A smaller answer is not charged.
const LARGE_ANSWER: u64 = 64 * 1024;
/// What the limit of requests says on every answer.
const STANDING: [HeaderName; 3] = [
    HeaderName::from_static("ratelimit-limit"),
    HeaderName::from_static("ratelimit-remaining"),
    HeaderName::from_static("ratelimit-reset"),
];

/// Charges the body of a request as it arrives. Where it is not read to its end for lack of memory or patience, the answer says
/// so in place of the handler's.
pub(crate) async fn within_budget(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0.ip());
    let client = ClientAddress(app.proxies.client(peer, request.headers())).network();
    if request.body().is_end_stream() {
        let uri = request.uri().clone();
        return held_while_taken((&app.answers, client), &uri, next.run(request).await).await;
    }
    let share = app.bodies.share_of(client);
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    request.extensions_mut().insert(share.clone());
    let charged = share.clone();
    let answer = next.run(request.map(|body| Body::new(Charged { body, share: charged }))).await;
    match share.refusal() {
        Some(refusal) => refused(refusal, (&uri, &headers), answer.headers()).await,
        None => held_while_taken((&app.answers, client), &uri, answer).await,
    }
}

/// Marks an answer whose bytes are there once for all clients.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedByAll;

/// Charges a large answer until it is taken, or gives another one where there is no room for it.
async fn held_while_taken((answers, client): (&BodyBudget, ClientNetwork), uri: &Uri, answer: Response) -> Response {
    let bytes = answer.body().size_hint().exact().filter(|bytes| *bytes >= LARGE_ANSWER);
    let Some(bytes) = bytes.filter(|_| answer.extensions().get::<SharedByAll>().is_none()) else { return answer };
    let share = answers.share_of(client);
    match share.take(usize::try_from(bytes).unwrap_or(usize::MAX)) {
        Ok(()) => answer.map(|body| Body::new(Taken { body, waits: Bytes::new(), _share: share })),
        Err(over) => refused(BodyRefusal::Over(over), (uri, &HeaderMap::new()), answer.headers()).await,
    }
}

/// A piece of an answer that the connection holds at a time.
const PIECE: usize = 32 * 1024;

/// An answer that is being taken. The connection gets copies of its pieces: it would hold all of it otherwise, and say that it
/// was taken.
struct Taken {
    body: Body,
    /// What came out of the body, and is still to be taken.
    waits: Bytes,
    _share: BodyShare,
}

impl HttpBody for Taken {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Self { body, waits, .. } = self.get_mut();
        if waits.is_empty() {
            let frame = match ready!(Pin::new(body).poll_frame(cx)) {
                Some(Ok(frame)) => frame,
                other => return Poll::Ready(other),
            };
            match frame.into_data() {
                Ok(data) => *waits = data,
                Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
            }
        }
        let piece = waits.split_to(waits.len().min(PIECE));
        Poll::Ready(Some(Ok(Frame::data(Bytes::copy_from_slice(&piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.waits.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let waits = u64::try_from(self.waits.len()).unwrap_or(u64::MAX);
        self.body.size_hint().exact().map_or_else(SizeHint::default, |bytes| SizeHint::with_exact(bytes + waits))
    }
}

/// Counts a body towards the account of its sender, or the `{account}` in the path, before anybody reads it.
pub(crate) async fn of_account(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Some(share) = parts.extensions.get::<BodyShare>().cloned() {
        let account = match parts.extensions.get::<Caller>() {
            Some(caller) => Some(caller.account()),
            None => named(&mut parts).await,
        };
        if let Some(account) = account {
            share.belongs_to(account);
        }
    }
    next.run(Request::from_parts(parts, body)).await
}

async fn named(parts: &mut Parts) -> Option<AccountId> {
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    params.iter().find(|(name, _)| *name == "account").and_then(|(_, id)| id.parse().ok())
}

/// A body whose pieces are charged.
struct Charged {
    body: Body,
    share: BodyShare,
}

impl HttpBody for Charged {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Self { body, share } = self.get_mut();
        let frame = match ready!(Pin::new(body).poll_frame(cx)) {
            Some(Ok(frame)) => frame,
            Some(Err(error)) => {
                if is_too_slow(&error) {
                    share.refuse(BodyRefusal::TooSlow);
                }
                return Poll::Ready(Some(Err(error.into())));
            }
            None => return Poll::Ready(None),
        };
        if let Err(over) = share.take(frame.data_ref().map_or(0, Bytes::len)) {
            return Poll::Ready(Some(Err(over.into())));
        }
        let compact = |data: Bytes| if data.len() < WORTH_A_BUFFER { Bytes::copy_from_slice(&data) } else { data };
        Poll::Ready(Some(Ok(frame.map_data(compact))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Whether a body ended because the client was given up ([`crate::pace`]).
fn is_too_slow(error: &axum::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::TimedOut)
}

/// The answer to a body that was not read to its end: as the API's envelope or as a page. It keeps what the headers of the
/// answer that it replaces say about the limit of requests.
async fn refused(refusal: BodyRefusal, (uri, headers): (&Uri, &HeaderMap), instead_of: &HeaderMap) -> Response {
    let (status, code, message) = match refusal {
        BodyRefusal::TooSlow => (
            StatusCode::REQUEST_TIMEOUT,
            "RequestTimeout",
            "The body took too long: expected a byte within 10 seconds, and 4 KiB a second on average. Send it again.",
        ),
        BodyRefusal::Over(OverBudget::Client) => (
            StatusCode::TOO_MANY_REQUESTS,
            "TooManyRequests",
            "Too many bytes of your requests are under way at once. Send fewer bodies at a time; try again after the seconds in \
             Retry-After.",
        ),
        BodyRefusal::Over(OverBudget::Account) => (
            StatusCode::TOO_MANY_REQUESTS,
            "TooManyRequests",
            "Too many bytes of requests to this account are under way at once. Try again after the seconds in Retry-After.",
        ),
        BodyRefusal::Over(OverBudget::All) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "ServiceUnavailable",
            "Too many bytes of requests are under way at once. Try again after the seconds in Retry-After.",
        ),
    };
    let is_api = api::owns(uri.path());
    let mut answer =
        if is_api { api::refusal(status, code, message) } else { portal::not_read(status, uri, headers).await };
    if is_api {
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    for name in STANDING {
        if let Some(value) = instead_of.get(&name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    if refusal != BodyRefusal::TooSlow {
        answer.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into());
    }
    answer
}
