//! Requests to a Vendure shop, and the meaning of its responses.

use super::{
    graphql,
    responses::{HealthResponse, MutationResponse, MutationResult, StateResponse},
};
use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, MAX_ANSWER_BYTES, parse, success_body},
    http::{Bytes, Call, CallError, Endpoint, Http, HttpResponse, Method},
    shops::resolution::ChangeError,
};
use domain::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const KEY_REFUSED: &str = "The shop does not accept the API key. Check that it is the whole key, that its role has ReadOrder \
    and UpdateOrder, and that the shop accepts API keys (authOptions.tokenMethod with 'api-key').";
/// The error code for a wrong key and for missing permissions. It comes with status 200.
const FORBIDDEN: &str = "FORBIDDEN";
/// Error codes that mean that Vendure rejected the request before it did anything.
const REJECTED_BEFORE_EXECUTION: [&str; 4] =
    ["ENTITY_NOT_FOUND", "BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED"];

/// How to reach a shop.
#[derive(Debug, Clone)]
pub(super) struct VendureApi {
    pub http: Http,
    /// The timeout of a whole operation, with all of its requests.
    pub timeout: Duration,
    pub key: ApiKey,
    /// The URL of the Admin API.
    pub url: Endpoint,
}

/// One operation: all of its requests share one deadline.
pub(super) struct VendureSession<'a> {
    pub api: &'a VendureApi,
    pub deadline: Instant,
    pub now: Timestamp,
}

/// The envelope of every GraphQL response.
#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct GraphqlResponse<T> {
    data: Option<T>,
    errors: Option<Vec<GraphqlError>>,
}

#[derive(Deserialize)]
struct GraphqlError {
    extensions: Option<ErrorExtensions>,
}

#[derive(Deserialize)]
struct ErrorExtensions {
    code: Option<String>,
}

/// What a mutation created or changed.
pub(super) struct Mutated {
    pub id: String,
    pub state: String,
}

impl<T> GraphqlResponse<T> {
    /// The data, or the code of the first error; the code may be empty.
    fn result(self) -> Result<Option<T>, String> {
        match self.errors.into_iter().flatten().next() {
            None => Ok(self.data),
            Some(error) => Err(error.extensions.and_then(|extensions| extensions.code).unwrap_or_default()),
        }
    }
}

impl VendureApi {
    pub fn session(&self, now: Timestamp) -> VendureSession<'_> {
        VendureSession { api: self, deadline: Instant::now() + self.timeout, now }
    }
}

impl VendureSession<'_> {
    /// See [`super::Vendure::health`].
    pub async fn health(&self) -> Result<(), BridgeError> {
        self.query::<HealthResponse>(&self.api.url, graphql::HEALTH, json!({})).await.map(drop)
    }

    /// Sends a query. If the connection breaks before there is an answer, the query is sent once more.
    pub async fn query<T: DeserializeOwned>(
        &self,
        url: &Endpoint,
        document: &str,
        variables: Value,
    ) -> Result<T, BridgeError> {
        let body = Bytes::from(json!({"query": document, "variables": variables}).to_string());
        let response = match self.send(url, body.clone(), true).await {
            Err(CallError::BrokenOff) => self.send(url, body, true).await?,
            result => result?,
        };
        let envelope: GraphqlResponse<T> = parse(&self.body(response)?).map_err(BridgeError::BadAnswer)?;
        let data = envelope.result().map_err(|code| error_of(&code))?;
        data.ok_or_else(|| BridgeError::bad_field("data", "this field is missing"))
    }

    /// The state of an order, by the shop's id.
    pub async fn order(&self, id: &str) -> Result<StateResponse, BridgeError> {
        self.query(&self.api.url, graphql::STATE, json!({"id": id})).await
    }

    /// Sends a mutation, once.
    pub async fn mutate(&self, document: &str, input: Value) -> Result<Mutated, ChangeError> {
        let body = Bytes::from(json!({"query": document, "variables": {"input": input}}).to_string());
        if self.is_over() {
            return Err(ChangeError::NotDone(CallError::TimedOut.into()));
        }
        let response = self.send(&self.api.url, body, false).await?;
        // A proxy in front of the shop may have given up while the shop continues.
        if matches!(response.status, 408 | 500..) || response.body.len() > MAX_ANSWER_BYTES {
            return Err(ChangeError::Unknown);
        }
        let body = self.body(response).map_err(ChangeError::NotDone)?;
        let envelope: GraphqlResponse<MutationResponse> = parse(&body).map_err(|_| ChangeError::Unknown)?;
        match envelope.result() {
            Ok(Some(MutationResponse { done: MutationResult::Done { id, state } })) => Ok(Mutated { id, state }),
            Ok(Some(MutationResponse { done: MutationResult::Refused { error_code } })) => {
                Err(ChangeError::Refused(error_code))
            }
            Ok(None) => Err(ChangeError::Unknown),
            Err(code) if code == FORBIDDEN || REJECTED_BEFORE_EXECUTION.contains(&code.as_str()) => {
                Err(ChangeError::NotDone(error_of(&code)))
            }
            Err(_) => Err(ChangeError::Crashed),
        }
    }

    fn is_over(&self) -> bool {
        self.deadline <= Instant::now()
    }

    async fn send(&self, to: &Endpoint, body: Bytes, is_repeatable: bool) -> Result<HttpResponse, CallError> {
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json".to_owned()),
            ("vendure-api-key", self.api.key.as_str().to_owned()),
        ];
        let left = self.deadline.saturating_duration_since(Instant::now());
        let (method, max_response_bytes) = (Method::POST, MAX_ANSWER_BYTES + 1);
        let call = Call { to, method, headers: &headers, body, max_response_bytes, is_repeatable };
        self.api.http.clone().with_timeout(left).call(call).await
    }

    /// The body of a successful response.
    fn body(&self, response: HttpResponse) -> Result<Vec<u8>, BridgeError> {
        match response.status {
            400 => Err(error_of("GRAPHQL_VALIDATION_FAILED")),
            401 | 403 => Err(BridgeError::KeyRefused(KEY_REFUSED)),
            _ => success_body(response, self.now),
        }
    }
}

/// The meaning of an error code. The shop's message is not repeated: it may contain personal data.
fn error_of(code: &str) -> BridgeError {
    match code {
        FORBIDDEN => BridgeError::KeyRefused(KEY_REFUSED),
        code if REJECTED_BEFORE_EXECUTION.contains(&code) => BridgeError::bad_field(
            "errors",
            "the shop does not understand the request: check that it runs Vendure 3.6 or later",
        ),
        _ => BridgeError::bad_field("errors", "the shop failed to answer: see the shop's log for the cause"),
    }
}
