//! The memory for bodies. Each request has a share of it. A client that uses more than its share, or sends too slowly, gets an error in place of the
//! handler's answer.
//!
//! [`charge`] puts a [`BodyShare`] into the request's extensions and charges it with every piece that arrives, so that handlers have nothing
//! to do. A handler that streams a body takes the share from there and calls [`BodyShare::keep_only`] when it has freed a part.
//!
//! A large answer stays in memory until the client has read it, so answers have a budget of their own.

use super::client::client_address;
use crate::{
    api::{self, base::path::parameter},
    app::App,
    edge::{rate_limit, static_document::SharedBytes},
};
use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware::Next,
    response::Response,
};
use hyper::body::{Frame, SizeHint};
use returns::{
    Caller, ClientNetwork,
    bodies::{BodyBudget, BodyRefusal, BodyShare, OverBudget},
};
use std::{
    error::Error,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

/// Seconds until the client should try again. A silent body holds its memory for this time.
const RETRY_AFTER_SECONDS: u32 = 10;
/// A smaller piece is copied out of its read buffer, which is often much larger than the piece.
const MIN_SHARED_BUFFER: usize = 32 * 1024;
/// A smaller answer is not charged.
const LARGE_ANSWER: u64 = 64 * 1024;
/// The size of the pieces in which a large answer is handed to the connection.
const ANSWER_PIECE: usize = 32 * 1024;

/// Charges the body of a request as it arrives. If the body is not read to its end, because of memory or throughput, the answer says so in place of
/// the handler's.
pub(crate) async fn charge(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let client = client_address(&app, &request).network();
    let uri = request.uri().clone();
    if request.body().is_end_stream() {
        let answer = next.run(request).await;
        return charge_answer(&app.answers, client, &uri, answer).await;
    }
    let headers = request.headers().clone();
    let share = app.bodies.share_of(client);
    request.extensions_mut().insert(share.clone());
    let charged = share.clone();
    let answer = next.run(request.map(|body| Body::new(ChargedRequest { body, share: charged }))).await;
    match share.refusal() {
        Some(refusal) => refuse(refusal, &uri, &headers, answer.headers()).await,
        None => charge_answer(&app.answers, client, &uri, answer).await,
    }
}

/// Charges a large answer until the client has read it, or answers with an error if the budget is used up.
async fn charge_answer(answers: &BodyBudget, client: ClientNetwork, uri: &Uri, answer: Response) -> Response {
    let is_shared = answer.extensions().get::<SharedBytes>().is_some();
    let bytes = answer.body().size_hint().exact().filter(|bytes| *bytes >= LARGE_ANSWER && !is_shared);
    let Some(bytes) = bytes else { return answer };
    let share = answers.share_of(client);
    match share.take(usize::try_from(bytes).unwrap_or(usize::MAX)) {
        Ok(()) => answer.map(|body| Body::new(ChargedAnswer { body, unread: Bytes::new(), _share: share })),
        Err(over) => refuse(BodyRefusal::Over(over), uri, &HeaderMap::new(), answer.headers()).await,
    }
}

/// Counts a body towards the account of its sender, or towards the `{account}` in the path.
pub(crate) async fn charge_account(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Some(share) = parts.extensions.get::<BodyShare>().cloned() {
        let account = match parts.extensions.get::<Caller>() {
            Some(caller) => Some(caller.account()),
            None => parameter(&mut parts, &(), "account").await.and_then(|id| id.parse().ok()),
        };
        if let Some(account) = account {
            share.belongs_to(account);
        }
    }
    next.run(Request::from_parts(parts, body)).await
}

/// A large answer that a client is reading. The connection gets copies of pieces: with the whole answer, it would hold all of it, and the
/// share would be freed too early.
struct ChargedAnswer {
    body: Body,
    /// The rest of the last frame of `body`.
    unread: Bytes,
    _share: BodyShare,
}

impl HttpBody for ChargedAnswer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Self { body, unread, .. } = self.get_mut();
        if unread.is_empty() {
            let frame = match ready!(Pin::new(body).poll_frame(cx)) {
                Some(Ok(frame)) => frame,
                other => return Poll::Ready(other),
            };
            match frame.into_data() {
                Ok(data) => *unread = data,
                Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
            }
        }
        let piece = unread.split_to(unread.len().min(ANSWER_PIECE));
        Poll::Ready(Some(Ok(Frame::data(Bytes::copy_from_slice(&piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.unread.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let unread = u64::try_from(self.unread.len()).unwrap_or(u64::MAX);
        self.body.size_hint().exact().map_or_else(SizeHint::default, |bytes| SizeHint::with_exact(bytes + unread))
    }
}

/// A request's body whose pieces are charged.
struct ChargedRequest {
    body: Body,
    share: BodyShare,
}

impl HttpBody for ChargedRequest {
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
        let compact = |data: Bytes| if data.len() < MIN_SHARED_BUFFER { Bytes::copy_from_slice(&data) } else { data };
        Poll::Ready(Some(Ok(frame.map_data(compact))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Whether a body ended because its client is below the minimum throughput ([`crate::edge`]).
fn is_too_slow(error: &axum::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::TimedOut)
}

/// The answer to a body that was not read to its end: an error of the API or a page. It keeps the rate limit's headers of the answer that
/// it replaces.
async fn refuse(refusal: BodyRefusal, uri: &Uri, headers: &HeaderMap, replaced: &HeaderMap) -> Response {
    let (status, code, message) = describe(refusal);
    let mut answer = if api::owns(uri.path()) {
        let mut answer = api::error(status, code, message, &[]);
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        answer
    } else if desk::owns(uri.path()) {
        desk::not_read(status, uri, headers).await
    } else {
        portal::not_read(status, uri, headers).await
    };
    for name in rate_limit::HEADERS {
        if let Some(value) = replaced.get(&name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    if refusal != BodyRefusal::TooSlow {
        answer.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into());
    }
    answer
}

fn describe(refusal: BodyRefusal) -> (StatusCode, &'static str, &'static str) {
    match refusal {
        BodyRefusal::TooSlow => (
            StatusCode::REQUEST_TIMEOUT,
            "RequestTimeout",
            "The body took too long: expected a byte within 10 seconds, and 4 KiB a second on average. Send it again.",
        ),
        BodyRefusal::Over(OverBudget::Client) => (
            StatusCode::TOO_MANY_REQUESTS,
            "TooManyRequests",
            "Your requests in progress have too many bytes. Send fewer bodies at a time, and try again after the seconds in \
             Retry-After.",
        ),
        BodyRefusal::Over(OverBudget::Account) => (
            StatusCode::TOO_MANY_REQUESTS,
            "TooManyRequests",
            "The requests to this account that are in progress have too many bytes. Try again after the seconds in \
             Retry-After.",
        ),
        BodyRefusal::Over(OverBudget::All) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "ServiceUnavailable",
            "The requests in progress have too many bytes. Try again after the seconds in Retry-After.",
        ),
    }
}
