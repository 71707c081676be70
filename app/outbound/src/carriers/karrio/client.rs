//! Requests to a karrio server, and the meaning of its responses.

use super::responses::KarrioErrorResponse;
use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, Unavailable, one_line, parse, success_body_up_to},
    http::{Bytes, Call, CallError, Endpoint, Http, Method},
};
use domain::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::{Duration, Instant};

/// How many bytes a response may have: some labels are pictures, and lists contain whole shipments.
const MAX_RESPONSE_BYTES: usize = 4 * 1024 * 1024;
const KEY_REFUSED: &str = "Karrio does not accept the API key, or the key lacks a permission.";

/// How to reach a server.
#[derive(Debug, Clone)]
pub(super) struct KarrioApi {
    pub http: Http,
    /// The timeout of a whole operation, with all of its requests.
    pub timeout: Duration,
    pub key: ApiKey,
    /// The URL of the API.
    pub url: Endpoint,
}

/// One operation: all of its requests share one deadline.
pub(super) struct KarrioSession<'a> {
    pub api: &'a KarrioApi,
    pub deadline: Instant,
    pub now: Timestamp,
}

/// Karrio, or a carrier behind it, refused: nothing was done.
#[derive(Debug)]
pub(super) struct Refusal {
    /// 400: the request is wrong; 404: there is no such thing; 409: its state does not allow it any more; 424: a carrier refused.
    pub status: u16,
    /// Karrio's or the carrier's error code; may be empty.
    pub code: String,
    /// The reason, for the merchant's staff.
    pub reason: String,
}

impl KarrioApi {
    pub fn session(&self, now: Timestamp) -> KarrioSession<'_> {
        KarrioSession { api: self, deadline: Instant::now() + self.timeout, now }
    }
}

impl KarrioSession<'_> {
    /// Sends a GET request. If the connection breaks before there is an answer, the request is sent once more.
    pub async fn get<T: DeserializeOwned>(&self, to: &Endpoint) -> Result<Result<T, Refusal>, BridgeError> {
        match self.send(to, Method::GET, None).await {
            Err(BridgeError::Unavailable(Unavailable::NoAnswer(CallError::BrokenOff))) => {
                self.send(to, Method::GET, None).await
            }
            result => result,
        }
    }

    /// Sends a POST request, once.
    pub async fn post<T: DeserializeOwned>(
        &self,
        to: &Endpoint,
        body: &Value,
    ) -> Result<Result<T, Refusal>, BridgeError> {
        self.send(to, Method::POST, Some(body)).await
    }

    /// A URL of the API.
    pub fn url(&self, path: &[&str]) -> Result<Endpoint, BridgeError> {
        let url = self.api.url.below_ids(path);
        url.ok_or_else(|| BridgeError::bad_field("id", "expected letters, digits, _ and -"))
    }

    /// Whether less than half of the time is left: too little to buy a label.
    pub fn is_late(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) < self.api.timeout / 2
    }

    async fn send<T: DeserializeOwned>(
        &self,
        to: &Endpoint,
        method: Method,
        body: Option<&Value>,
    ) -> Result<Result<T, Refusal>, BridgeError> {
        let mut headers = vec![
            ("accept", "application/json".to_owned()),
            ("authorization", format!("Token {}", self.api.key.as_str())),
        ];
        headers.extend(body.is_some().then(|| ("content-type", "application/json".to_owned())));
        let is_repeatable = method == Method::GET;
        let body = Bytes::from(body.map(ToString::to_string).unwrap_or_default());
        let left = self.deadline.saturating_duration_since(Instant::now());
        let max_response_bytes = MAX_RESPONSE_BYTES + 1;
        let call = Call { to, method, headers: &headers, body, max_response_bytes, is_repeatable };
        let response = self.api.http.clone().with_timeout(left).call(call).await?;
        match response.status {
            401 | 403 => Err(BridgeError::KeyRefused(KEY_REFUSED)),
            // An error without JSON does not come from karrio: the URL is wrong.
            status @ (400 | 404 | 409 | 424) if let Ok(error) = parse::<KarrioErrorResponse>(&response.body) => {
                let (code, reason) = error.code_and_reason();
                Ok(Err(Refusal { status, code, reason: one_line(&reason) }))
            }
            _ => {
                let body = success_body_up_to(MAX_RESPONSE_BYTES, response, self.now)?;
                parse(&body).map(Ok).map_err(BridgeError::BadAnswer)
            }
        }
    }
}
