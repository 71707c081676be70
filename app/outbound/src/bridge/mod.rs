//! The `http` bridge: a merchant's own component, which knows what was bought and settles what comes back.
//!
//! A bridge is called at a URL of the merchant's, with what stands in [`contract`], signed as our webhooks are. It is
//! somebody else's program: whatever it answers, a call ends within [`WHOLE`], holds [`MOST_ANSWERED`] at most, and
//! comes to what was asked for or to a [`BridgeError`] that says what is to be mended. [`Breakers`] keep a bridge that
//! is down from costing everyone that time. [`document`] is the contract as an OpenAPI document.

mod check;
mod circuit_breaker;
pub mod contract;
mod error;
mod examples;
mod label;
mod missing_fields;
mod openapi;
pub(crate) mod parse;
#[cfg(test)]
mod tests;

pub use circuit_breaker::{BreakerState, Breakers};
pub use error::{BridgeError, Rejected, Unavailable};
pub(crate) use label::decoded;
pub use label::{Labelled, Made};
pub use openapi::document;

use crate::{
    http::{Answer, Bytes, Call, CallError, Endpoint, EndpointError, Http, Method},
    webhook::{Secret, signatures},
};
use contract::{Credentials, GetLabel, GetPurchases, Purchases, Resolution, ResolutionStatus, ResolveReturn};
use domain::{Problems, RefusalCode, Timestamp};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// For all of a call: looking up the name, connecting, the answer to its end, and the second try of a look-up.
pub const WHOLE: Duration = Duration::from_secs(10);
/// How many bytes an answer may have.
pub const MOST_ANSWERED: usize = 1024 * 1024;

/// A merchant's component. Cheap to make for each call: the client shares its connections.
#[derive(Debug, Clone)]
pub struct Bridge {
    http: Http,
    whole: Duration,
    secrets: Vec<Secret>,
    get_purchases: Endpoint,
    resolve_return: Endpoint,
    get_label: Endpoint,
    health: Endpoint,
}

/// What came of looking an order up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookUp {
    /// It is there and theirs: at least one line.
    Found(Purchases),
    /// There is no such order, or it is somebody else's.
    NotFound,
    /// The bridge answered with another order or another person's. To whoever asked it is [`LookUp::NotFound`]; to the
    /// merchant it is a mistake of their component.
    NotTheirs(Problems),
}

/// What came of a resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// It is done, all of it, now or before.
    Completed {
        /// The shop's own id of what it did.
        external_reference: Option<String>,
    },
    /// It will be done: ask again with the same id.
    Pending {
        /// The shop's own id of what it does.
        external_reference: Option<String>,
    },
    /// It was not done.
    Failed {
        /// The shop's own id of what it tried.
        external_reference: Option<String>,
        /// Why not, for the merchant's people: 1 to 500 characters on one line.
        reason: String,
    },
    /// All of it or a part may have been done, and asking does not tell: a person has to look. It is asked again only when
    /// they say so. A component of a merchant's never leads here: it knows by the id.
    Unclear {
        /// The shop's own id of what it did, as far as that is known.
        external_reference: Option<String>,
        /// What to look at, for the merchant's people: as with [`Resolved::Failed`].
        reason: String,
    },
}

impl Bridge {
    /// A bridge at a URL, under which the operations lie. What is sent is signed with `secret`, and also with the one
    /// before it while that is still good. An error if the URL gets too long with what is put behind it.
    pub fn new(http: Http, url: &Endpoint, secret: Secret, before: Option<Secret>) -> Result<Self, EndpointError> {
        Ok(Self {
            http,
            whole: WHOLE,
            secrets: [secret].into_iter().chain(before).collect(),
            get_purchases: url.below("get-purchases")?,
            resolve_return: url.below("resolve-return")?,
            get_label: url.below("get-label")?,
            health: url.below("health")?,
        })
    }

    /// The same bridge, with another time than [`WHOLE`]: for tests.
    #[must_use]
    pub fn with_timeout(self, whole: Duration) -> Self {
        Self { whole, ..self }
    }

    /// Asks for an order's purchases. Where the connection breaks before there is an answer, once more. `now` goes into
    /// the signature: receivers refuse what is minutes old.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        let exchange = Exchange { to: &self.get_purchases, method: Method::POST, body: json(asked), may_repeat: true };
        looked_up(self.exchange(exchange, asked.request_id, now).await?, &asked.credentials, now)
    }

    /// Asks to settle a return request, once: after an error nobody knows whether that was done, and asking again with
    /// the same `transactionId` is how to find out.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        let exchange =
            Exchange { to: &self.resolve_return, method: Method::POST, body: json(asked), may_repeat: false };
        resolved(self.exchange(exchange, asked.transaction_id, now).await?, asked, now)
    }

    /// Asks for a parcel's label, once: after an error nobody knows whether it was made, and asking again with the same
    /// `transactionId` is how to find out. [`Rejected`] with 404: it does not know this operation.
    pub async fn get_label(&self, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
        let exchange = Exchange { to: &self.get_label, method: Method::POST, body: json(asked), may_repeat: false };
        label::labelled(self.exchange(exchange, asked.transaction_id, now).await?, asked, now)
    }

    /// Asks whether it is there. [`Rejected`] with 404: there is something, which does not know this operation.
    pub async fn health(&self, id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        let exchange = Exchange { to: &self.health, method: Method::GET, body: String::new(), may_repeat: true };
        accepted(self.exchange(exchange, id, now).await?, now).map(drop)
    }

    async fn exchange(&self, exchange: Exchange<'_>, id: Uuid, now: Timestamp) -> Result<Answer, CallError> {
        let Exchange { to, method, body, may_repeat } = exchange;
        let (id, seconds) = (id.to_string(), now.seconds());
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json".to_owned()),
            ("webhook-signature", signatures(&self.secrets, &id, seconds, &body)),
            ("webhook-id", id),
            ("webhook-timestamp", seconds.to_string()),
        ];
        let body = Bytes::from(body);
        let (headers, most_read) = (&headers, MOST_ANSWERED + 1);
        let call = || Call { to, method: method.clone(), headers, body: body.clone(), most_read, may_repeat };
        let started = Instant::now();
        let first = self.http.clone().with_timeout(self.whole).call(call()).await;
        if !(may_repeat && first == Err(CallError::BrokenOff)) {
            return first;
        }
        let left = self.whole.saturating_sub(started.elapsed());
        self.http.clone().with_timeout(left).call(call()).await
    }
}

/// A request to a bridge.
struct Exchange<'a> {
    to: &'a Endpoint,
    method: Method,
    body: String,
    /// Whether it only reads, so that it may be sent twice.
    may_repeat: bool,
}

/// Our own types become JSON: keys are texts, and nothing else can fail.
fn json(asked: &impl Serialize) -> String {
    serde_json::to_string(asked).unwrap_or_default()
}

fn looked_up(answer: Answer, asked: &Credentials, now: Timestamp) -> Result<LookUp, BridgeError> {
    if answer.status == 404 {
        return Ok(LookUp::NotFound);
    }
    let found: Purchases = understood(&accepted(answer, now)?)?;
    checked(found, asked)
}

/// Whether what was found is what was asked for, and whether it can be true.
pub(crate) fn checked(found: Purchases, asked: &Credentials) -> Result<LookUp, BridgeError> {
    if found.purchases.is_empty() {
        return Ok(LookUp::NotFound);
    }
    // First of all: what is wrong with somebody else's order tells that there is one.
    let problems = check::not_theirs(&found, asked);
    if !problems.0.is_empty() {
        return Ok(LookUp::NotTheirs(problems));
    }
    none(check::purchases(&found))?;
    Ok(LookUp::Found(found))
}

fn resolved(answer: Answer, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
    let answer: Resolution = understood(&accepted(answer, now)?)?;
    let reason = answer.reason.as_deref().map(one_line).unwrap_or_default();
    none(match answer.status {
        ResolutionStatus::Completed => check::completed(&answer, asked),
        ResolutionStatus::Pending => check::reference(&answer),
        ResolutionStatus::Failed => check::failed(&answer, &reason),
    })?;
    let external_reference = answer.external_reference.filter(|text| !text.trim().is_empty());
    Ok(match answer.status {
        ResolutionStatus::Completed => Resolved::Completed { external_reference },
        ResolutionStatus::Pending => Resolved::Pending { external_reference },
        ResolutionStatus::Failed => Resolved::Failed { external_reference, reason },
    })
}

/// Parses an answer of the contract. The error also names every missing field.
fn understood<T: DeserializeOwned + JsonSchema>(body: &[u8]) -> Result<T, BridgeError> {
    parse::parse(body).map_err(|Problems(mut problems)| {
        let Problems(missing) = missing_fields::missing::<T>(body);
        problems.retain(|(field, _)| missing.iter().all(|(known, _)| known != field));
        problems.extend(missing);
        BridgeError::BadAnswer(check::shortened(Problems(problems)))
    })
}

/// The body of an answer that says yes.
pub(crate) fn accepted(answer: Answer, now: Timestamp) -> Result<Vec<u8>, BridgeError> {
    accepted_up_to(MOST_ANSWERED, answer, now)
}

/// The body of an answer that says yes, and may have so many bytes.
pub(crate) fn accepted_up_to(most: usize, answer: Answer, now: Timestamp) -> Result<Vec<u8>, BridgeError> {
    let status = answer.status;
    match status {
        200..=299 if answer.body.len() > most => {
            let mut problems = Problems::default();
            problems.add("", RefusalCode::OutOfRange, format!("expected at most {most} bytes"));
            Err(BridgeError::BadAnswer(problems))
        }
        200..=299 => Ok(answer.body),
        408 | 429 | 500.. => Err(Unavailable::Status { status, wait_seconds: answer.wait_seconds(now) }.into()),
        _ => Err(Rejected { status }.into()),
    }
}

fn none(problems: Problems) -> Result<(), BridgeError> {
    if problems.0.is_empty() { Ok(()) } else { Err(BridgeError::BadAnswer(problems)) }
}

/// A reason as we keep it: words of whoever wrote it, but on one line and no longer than they are read.
pub(crate) fn one_line(reason: &str) -> String {
    domain::integration::bounded(reason)
}
