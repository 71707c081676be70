//! Requests to a Medusa shop, and the meaning of its responses.

use super::responses::{ChangesResponse, Order, OrderChange, OrderResponse, Return, ReturnsResponse, StoresResponse};
use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, Rejected, parse, success_body_up_to},
    http::{Bytes, Call, CallError, Endpoint, Http, HttpResponse, Method},
    shops::resolution::{ChangeError, error_name},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::time::{Duration, Instant};

/// How many bytes a response may have. Medusa repeats each amount of each line: about 4 kB per line.
const MAX_RESPONSE_BYTES: usize = 4 * 1024 * 1024;
const KEY_REFUSED: &str =
    "The shop does not accept the API key. Check that it is the whole secret key (sk_…) and is not revoked.";
/// The fields of an order that a resolution reads.
const ORDER_FIELDS: &str = "id,currency_code,total,metadata,*items,*items.detail,*fulfillments,fulfillments.items.line_item_id,\
    fulfillments.items.quantity,payment_collections.refunded_amount,*payment_collections.payments,\
    *payment_collections.payments.captures,*payment_collections.payments.refunds,*credit_lines,*summary";
const RETURN_FIELDS: &str = "id,order_id,status,metadata,items.item_id,items.quantity";
/// The most returns of one order: more than anyone creates.
const MAX_RETURNS: &str = "100";

/// How to reach a shop.
#[derive(Debug, Clone)]
pub(super) struct MedusaApi {
    pub http: Http,
    /// The timeout of a whole operation, with all of its requests.
    pub timeout: Duration,
    pub key: ApiKey,
    /// The URL of the Admin API.
    pub url: Endpoint,
}

/// One operation: all of its requests share one deadline.
pub(super) struct MedusaSession<'a> {
    pub api: &'a MedusaApi,
    pub deadline: Instant,
    pub now: Timestamp,
}

/// The body of an error. Its message is not repeated: it may contain personal data.
#[derive(Deserialize)]
struct MedusaErrorResponse {
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl MedusaApi {
    pub fn session(&self, now: Timestamp) -> MedusaSession<'_> {
        MedusaSession { api: self, deadline: Instant::now() + self.timeout, now }
    }
}

impl MedusaSession<'_> {
    /// See [`super::Medusa::health`].
    pub async fn health(&self) -> Result<(), BridgeError> {
        let found: Option<StoresResponse> = self.get(&["stores"], &[("fields", "id"), ("limit", "1")]).await?;
        found.map(drop).ok_or_else(|| Rejected { status: 404 }.into())
    }

    /// An order, by the shop's id; `None` if the shop does not have it.
    pub async fn order(&self, id: &str) -> Result<Option<Order>, BridgeError> {
        let found: Option<OrderResponse<Order>> = self.get(&["orders", id], &[("fields", ORDER_FIELDS)]).await?;
        let order = found.map(|found| found.order);
        if order.as_ref().is_some_and(|order| order.id != id) {
            return Err(BridgeError::bad_field("order.id", "expected the requested order"));
        }
        Ok(order)
    }

    /// All returns of an order.
    pub async fn returns(&self, id: &str) -> Result<Vec<Return>, BridgeError> {
        let query = [("order_id", id), ("limit", MAX_RETURNS), ("fields", RETURN_FIELDS)];
        let found: Option<ReturnsResponse> = self.get(&["returns"], &query).await?;
        let Some(found) = found else { return Err(Rejected { status: 404 }.into()) };
        if found.count > found.returns.len() {
            return Err(BridgeError::bad_field("count", "expected at most 100 returns of one order"));
        }
        Ok(found.returns.into_iter().filter(|one| one.order_id == id).collect())
    }

    /// The open change of an order, which somebody started and did not finish. Medusa allows one at a time.
    pub async fn open_change(&self, id: &str) -> Result<Option<OrderChange>, BridgeError> {
        let query = [("fields", "id,status,created_at,return_id"), ("status[]", "pending"), ("status[]", "requested")];
        let found: Option<ChangesResponse> = self.get(&["orders", id, "changes"], &query).await?;
        let Some(found) = found else { return Err(Rejected { status: 404 }.into()) };
        Ok(found.order_changes.into_iter().find(|change| matches!(change.status.as_str(), "pending" | "requested")))
    }

    /// Sends a GET request; `None` if the shop answers that there is no such thing. If the connection breaks before there
    /// is an answer, the request is sent once more.
    pub async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Option<T>, BridgeError> {
        let mut to = self.url(path)?;
        for (name, value) in query {
            to = to.with(name, value).map_err(|_| BridgeError::bad_field("id", "expected shorter ids"))?;
        }
        let response = match self.send(&to, Method::GET, None).await {
            Err(CallError::BrokenOff) => self.send(&to, Method::GET, None).await?,
            result => result?,
        };
        match response.status {
            401 | 403 => Err(BridgeError::KeyRefused(KEY_REFUSED)),
            404 if error_type(&response) == "not_found" => Ok(None),
            _ => {
                let body = success_body_up_to(MAX_RESPONSE_BYTES, response, self.now)?;
                parse(&body).map(Some).map_err(BridgeError::BadAnswer)
            }
        }
    }

    /// Sends a request that changes something, once. The response's body is not read: the caller reads the new state.
    pub async fn change(&self, method: Method, path: &[&str], body: Value) -> Result<(), ChangeError> {
        let to = self.url(path).map_err(ChangeError::NotDone)?;
        if self.deadline <= Instant::now() {
            return Err(ChangeError::NotDone(CallError::TimedOut.into()));
        }
        let response = self.send(&to, method, Some(body)).await?;
        match response.status {
            200..=299 => Ok(()),
            400 | 409 | 422 => Err(ChangeError::Refused(error_type(&response))),
            401 | 403 => Err(ChangeError::NotDone(BridgeError::KeyRefused(KEY_REFUSED))),
            500 if error_type(&response) == "unknown_error" => Err(ChangeError::Crashed),
            // A proxy in front of the shop may have given up while the shop continues.
            408 | 500.. => Err(ChangeError::Unknown),
            _ => match success_body_up_to(MAX_RESPONSE_BYTES, response, self.now) {
                Ok(_) => Err(ChangeError::Unknown),
                Err(error) => Err(ChangeError::NotDone(error)),
            },
        }
    }

    /// Whether less than a third of the time is left: too little to start another refund.
    pub fn is_late(&self) -> bool {
        self.deadline.saturating_duration_since(Instant::now()) < self.api.timeout / 3
    }

    /// A URL of the API.
    fn url(&self, path: &[&str]) -> Result<Endpoint, BridgeError> {
        let url = self.api.url.below_ids(path);
        url.ok_or_else(|| BridgeError::bad_field("id", "expected letters, digits, _ and -"))
    }

    async fn send(&self, to: &Endpoint, method: Method, body: Option<Value>) -> Result<HttpResponse, CallError> {
        let credentials = BASE64_STANDARD.encode(format!("{}:", self.api.key.as_str()));
        let mut headers =
            vec![("accept", "application/json".to_owned()), ("authorization", format!("Basic {credentials}"))];
        headers.extend(body.is_some().then(|| ("content-type", "application/json".to_owned())));
        let is_repeatable = method == Method::GET;
        let body = Bytes::from(body.map(|body| body.to_string()).unwrap_or_default());
        let left = self.deadline.saturating_duration_since(Instant::now());
        let max_response_bytes = MAX_RESPONSE_BYTES + 1;
        let call = Call { to, method, headers: &headers, body, max_response_bytes, is_repeatable };
        self.api.http.clone().with_timeout(left).call(call).await
    }
}

/// The type of an error, such as `not_found`.
fn error_type(response: &HttpResponse) -> String {
    let kind = parse::<MedusaErrorResponse>(&response.body).ok().and_then(|error| error.kind).unwrap_or_default();
    error_name(&kind).to_owned()
}
