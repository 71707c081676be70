//! Calls to a merchant's component.

use super::answers;
use crate::{
    bridge::{
        BridgeError, CALL_TIMEOUT, Labelled, LookUp, MAX_ANSWER_BYTES, Resolved,
        contract::{GetLabel, GetPurchases, ResolveReturn},
        success_body,
    },
    http::{Bytes, Call, CallError, Endpoint, EndpointError, Http, HttpResponse, Method},
    webhook::{Secret, signatures},
};
use domain::Timestamp;
use serde::Serialize;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// A merchant's component. Cheap to create for each call: clients share their connections.
#[derive(Debug, Clone)]
pub struct Bridge {
    http: Http,
    timeout: Duration,
    secrets: Vec<Secret>,
    get_purchases: Endpoint,
    resolve_return: Endpoint,
    get_label: Endpoint,
    health: Endpoint,
}

/// A request to the component.
struct BridgeRequest<'a> {
    to: &'a Endpoint,
    method: Method,
    body: String,
    /// The `webhook-id`.
    id: Uuid,
    /// Whether it only reads, so that it may be sent twice.
    is_repeatable: bool,
}

impl Bridge {
    /// The component at a URL; the operations are below it. Requests are signed with `secret`, and also with the
    /// `previous` one during a rotation. An error if an operation's URL would be too long.
    pub fn new(http: Http, url: &Endpoint, secret: Secret, previous: Option<Secret>) -> Result<Self, EndpointError> {
        Ok(Self {
            http,
            timeout: CALL_TIMEOUT,
            secrets: [secret].into_iter().chain(previous).collect(),
            get_purchases: url.below("get-purchases")?,
            resolve_return: url.below("resolve-return")?,
            get_label: url.below("get-label")?,
            health: url.below("health")?,
        })
    }

    /// The same component with another timeout than [`CALL_TIMEOUT`]: for tests.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Looks up an order. If the connection breaks before there is an answer, the request is sent once more. `now` is
    /// part of the signature: receivers reject signatures that are some minutes old.
    pub async fn get_purchases(&self, asked: &GetPurchases, now: Timestamp) -> Result<LookUp, BridgeError> {
        let (to, id) = (&self.get_purchases, asked.request_id);
        let request = BridgeRequest { to, method: Method::POST, body: json(asked), id, is_repeatable: true };
        answers::look_up(self.send(request, now).await?, &asked.credentials, now)
    }

    /// Settles a return request. The request is sent once: after an error we do not know whether it was settled. To find
    /// out, ask again with the same `transactionId`.
    pub async fn resolve_return(&self, asked: &ResolveReturn, now: Timestamp) -> Result<Resolved, BridgeError> {
        let (to, id) = (&self.resolve_return, asked.transaction_id);
        let request = BridgeRequest { to, method: Method::POST, body: json(asked), id, is_repeatable: false };
        answers::resolution(self.send(request, now).await?, asked, now)
    }

    /// Asks for a shipment's label. The request is sent once: after an error we do not know whether the label was made. To
    /// find out, ask again with the same `transactionId`. [`BridgeError::Rejected`] with 404 means that the component does
    /// not make labels.
    pub async fn get_label(&self, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
        let (to, id) = (&self.get_label, asked.transaction_id);
        let request = BridgeRequest { to, method: Method::POST, body: json(asked), id, is_repeatable: false };
        answers::label(self.send(request, now).await?, asked, now)
    }

    /// Checks the component's health. [`BridgeError::Rejected`] with 404 means that it is reachable but has no health check.
    pub async fn health(&self, id: Uuid, now: Timestamp) -> Result<(), BridgeError> {
        let (to, body) = (&self.health, String::new());
        let request = BridgeRequest { to, method: Method::GET, body, id, is_repeatable: true };
        success_body(self.send(request, now).await?, now).map(drop)
    }

    async fn send(&self, request: BridgeRequest<'_>, now: Timestamp) -> Result<HttpResponse, CallError> {
        let BridgeRequest { to, method, body, id, is_repeatable } = request;
        let (id, seconds) = (id.to_string(), now.seconds());
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json".to_owned()),
            ("webhook-signature", signatures(&self.secrets, &id, seconds, &body)),
            ("webhook-id", id),
            ("webhook-timestamp", seconds.to_string()),
        ];
        let body = Bytes::from(body);
        let (headers, max_response_bytes) = (&headers, MAX_ANSWER_BYTES + 1);
        let call =
            || Call { to, method: method.clone(), headers, body: body.clone(), max_response_bytes, is_repeatable };
        let started = Instant::now();
        let first = self.http.clone().with_timeout(self.timeout).call(call()).await;
        if !(is_repeatable && first == Err(CallError::BrokenOff)) {
            return first;
        }
        let left = self.timeout.saturating_sub(started.elapsed());
        self.http.clone().with_timeout(left).call(call()).await
    }
}

/// Serializes a request. Our own types cannot fail: all map keys are texts.
fn json(asked: &impl Serialize) -> String {
    serde_json::to_string(asked).unwrap_or_default()
}
