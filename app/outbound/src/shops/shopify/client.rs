//! Requests to a Shopify shop, and the meaning of its responses.
//!
//! Shopify limits an app by the cost of its requests. It does not execute a request that costs more than is available, and
//! says how fast more becomes available. We then wait as long as the caller's time allows, and send the request again.

use super::{
    documents::Operation,
    errors::{GraphqlError, TOKEN_REFUSED},
    token::TokenSource,
};
use crate::{
    api_key::ApiKey,
    bridge::{BridgeError, MAX_ANSWER_BYTES, Unavailable, parse, success_body},
    http::{Bytes, Call, CallError, Endpoint, Http, HttpResponse, Method},
};
use domain::{
    Timestamp,
    integration::{ShopifyDuties, ShopifyVersion},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The wait if Shopify does not say how long to wait, and the least wait after a response 429.
const DEFAULT_WAIT: Duration = Duration::from_secs(1);
/// The least wait for the cost of a request.
const LEAST_WAIT: Duration = Duration::from_millis(200);
/// A call does not wait if less time than this would be left for the request itself.
const LEAST_TIME_TO_CALL: Duration = Duration::from_secs(1);

/// How to reach a shop.
#[derive(Debug, Clone)]
pub(super) struct ShopifyApi {
    pub http: Http,
    /// The timeout of a whole operation, with all of its requests and waits.
    pub timeout: Duration,
    /// The URL of the GraphQL Admin API in one version.
    pub url: Endpoint,
    pub version: ShopifyVersion,
    /// Whether look-ups read the order's returns.
    pub reads_returns: bool,
    /// Whether look-ups read what an order's lines can be exchanged for.
    pub offers_exchanges: bool,
    /// Whether duties come back with units.
    pub duties: ShopifyDuties,
    pub tokens: TokenSource,
}

/// One operation: all of its requests share one deadline.
pub(super) struct ShopifySession<'a> {
    pub api: &'a ShopifyApi,
    pub deadline: Instant,
    pub now: Timestamp,
}

/// Why a mutation did not confirm its effect.
pub(super) enum MutationError {
    /// The mutation was not executed.
    NotDone(BridgeError),
    /// The mutation may have been executed, or may still be executing.
    Unknown,
}

/// The parts of a response beside its data.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    errors: Vec<GraphqlError>,
    extensions: Option<Extensions>,
}

#[derive(Deserialize)]
struct Data<T> {
    data: Option<T>,
}

#[derive(Deserialize)]
struct Extensions {
    cost: Option<Cost>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cost {
    requested_query_cost: Option<f64>,
    throttle_status: Option<ThrottleStatus>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ThrottleStatus {
    currently_available: f64,
    /// Points in a second.
    restore_rate: f64,
}

/// A response that is no refusal of the limit or the token.
struct Received {
    body: Vec<u8>,
    errors: Vec<GraphqlError>,
}

/// Why there is no such response.
enum CallFailure {
    /// Shopify did not execute the request.
    NotExecuted(BridgeError),
    /// Shopify may have executed it.
    Unknown(BridgeError),
}

impl ShopifyApi {
    pub fn session(&self, now: Timestamp) -> ShopifySession<'_> {
        ShopifySession { api: self, deadline: Instant::now() + self.timeout, now }
    }
}

impl ShopifySession<'_> {
    /// The time until the deadline; `None` if it has passed.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }

    /// Sends a query. If the connection breaks before there is an answer, the query is sent once more.
    pub async fn query<T: DeserializeOwned>(&self, operation: Operation, variables: Value) -> Result<T, BridgeError> {
        let received = match self.call(operation, &variables, true).await {
            Err(CallFailure::Unknown(BridgeError::Unavailable(Unavailable::NoAnswer(CallError::BrokenOff)))) => {
                self.call(operation, &variables, true).await
            }
            result => result,
        };
        let received = received.map_err(|(CallFailure::NotExecuted(error) | CallFailure::Unknown(error))| error)?;
        match received.errors.first() {
            Some(error) => Err(error.meaning()),
            None => data(&received.body),
        }
    }

    /// Sends a query of which Shopify may withhold a part. `None`: the app may not read it.
    pub async fn query_if_allowed<T: DeserializeOwned>(&self, operation: Operation) -> Result<Option<T>, BridgeError> {
        let received = self.call(operation, &json!({}), true).await;
        let received = received.map_err(|(CallFailure::NotExecuted(error) | CallFailure::Unknown(error))| error)?;
        match received.errors.first() {
            Some(error) if error.is_access_denied() => Ok(None),
            Some(error) => Err(error.meaning()),
            None => data(&received.body).map(Some),
        }
    }

    /// Sends a mutation, once. Only a mutation that was certainly not executed is sent again.
    pub async fn mutate<T: DeserializeOwned>(
        &self,
        operation: Operation,
        variables: &Value,
    ) -> Result<T, MutationError> {
        let received = self.call(operation, variables, false).await.map_err(|failure| match failure {
            CallFailure::NotExecuted(error) => MutationError::NotDone(error),
            CallFailure::Unknown(_) => MutationError::Unknown,
        })?;
        match received.errors.first() {
            Some(error) if error.is_before_execution() => Err(MutationError::NotDone(error.meaning())),
            Some(_) => Err(MutationError::Unknown),
            None => data(&received.body).map_err(|_| MutationError::Unknown),
        }
    }

    /// Sends a request until Shopify has executed it, or until there is no time to wait.
    async fn call(
        &self,
        operation: Operation,
        variables: &Value,
        is_repeatable: bool,
    ) -> Result<Received, CallFailure> {
        let request = json!({"query": operation.document, "operationName": operation.name, "variables": variables});
        let body = Bytes::from(request.to_string());
        let mut refused: Option<ApiKey> = None;
        loop {
            let token = self.api.tokens.token(refused.as_ref(), self.deadline, self.now).await;
            let token = token.map_err(CallFailure::NotExecuted)?;
            let Some(token) = token else {
                return Err(CallFailure::NotExecuted(BridgeError::KeyRefused(TOKEN_REFUSED)));
            };
            let Some(left) = self.time_left() else { return Err(CallFailure::NotExecuted(CallError::TimedOut.into())) };
            let response = self.send(&token, body.clone(), is_repeatable, left).await.map_err(sent_or_not)?;
            match response.status {
                401 if refused.is_none() => refused = Some(token),
                401 | 403 => return Err(CallFailure::NotExecuted(BridgeError::KeyRefused(TOKEN_REFUSED))),
                429 => {
                    let wait = response.wait_seconds(self.now);
                    let wait = wait.map_or(DEFAULT_WAIT, Duration::from_secs).max(DEFAULT_WAIT);
                    self.wait(wait).await.map_err(CallFailure::NotExecuted)?;
                }
                _ => {
                    let received = self.received(response)?;
                    match received {
                        Ok(received) => return Ok(received),
                        Err(wait) => self.wait(wait).await.map_err(CallFailure::NotExecuted)?,
                    }
                }
            }
        }
    }

    /// The response to a request that was executed, or the time to wait.
    fn received(&self, response: HttpResponse) -> Result<Result<Received, Duration>, CallFailure> {
        let is_rejected = matches!(response.status, 300..=407 | 409..=499);
        let body = success_body(response, self.now)
            .map_err(|error| if is_rejected { CallFailure::NotExecuted(error) } else { CallFailure::Unknown(error) })?;
        let unreadable = |problems| CallFailure::Unknown(BridgeError::BadAnswer(problems));
        let Envelope { errors, extensions } = parse(&body).map_err(unreadable)?;
        if errors.iter().any(GraphqlError::is_throttled) {
            let cost = extensions.and_then(|extensions| extensions.cost);
            return Ok(Err(cost.map_or(DEFAULT_WAIT, |cost| cost.wait())));
        }
        Ok(Ok(Received { body, errors }))
    }

    /// Waits, if the deadline leaves time for the request afterwards.
    async fn wait(&self, wait: Duration) -> Result<(), BridgeError> {
        let wait = wait.max(LEAST_WAIT);
        if self.time_left().is_none_or(|left| left < wait.saturating_add(LEAST_TIME_TO_CALL)) {
            let wait_seconds = Some(wait.as_secs().max(1));
            return Err(Unavailable::Status { status: 429, wait_seconds }.into());
        }
        sleep(wait).await;
        Ok(())
    }

    async fn send(
        &self,
        token: &ApiKey,
        body: Bytes,
        is_repeatable: bool,
        left: Duration,
    ) -> Result<HttpResponse, CallError> {
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json".to_owned()),
            ("x-shopify-access-token", token.as_str().to_owned()),
        ];
        let (method, max_response_bytes) = (Method::POST, MAX_ANSWER_BYTES + 1);
        let call = Call { to: &self.api.url, method, headers: &headers, body, max_response_bytes, is_repeatable };
        self.api.http.clone().with_timeout(left).call(call).await
    }
}

impl Cost {
    /// The time until the request's cost is available, rounded up to tenths of a second.
    fn wait(&self) -> Duration {
        let Some(status) = &self.throttle_status else { return DEFAULT_WAIT };
        let missing = self.requested_query_cost.unwrap_or_default() - status.currently_available;
        let seconds = (missing / status.restore_rate * 10.0).ceil() / 10.0;
        Duration::try_from_secs_f64(seconds).ok().filter(|wait| !wait.is_zero()).unwrap_or(DEFAULT_WAIT)
    }
}

fn sent_or_not(error: CallError) -> CallFailure {
    match error {
        CallError::TimedOut | CallError::BrokenOff => CallFailure::Unknown(error.into()),
        never_sent => CallFailure::NotExecuted(never_sent.into()),
    }
}

/// The data of a response about one order.
pub(super) fn data<T: DeserializeOwned>(body: &[u8]) -> Result<T, BridgeError> {
    let whole: Value = parse(body).map_err(BridgeError::BadAnswer)?;
    let mut currency = None;
    if !is_in_one_currency(&whole, &mut currency) {
        return Err(BridgeError::bad_field("data", "expected all amounts of an order in the currency of the order"));
    }
    let Data { data } = parse(body).map_err(BridgeError::BadAnswer)?;
    data.ok_or_else(|| BridgeError::bad_field("data", "this field is missing"))
}

/// Whether all amounts that the shopper paid, and the order itself, have one currency. A response is about one order. `known` is
/// the currency so far.
fn is_in_one_currency<'a>(value: &'a Value, known: &mut Option<&'a str>) -> bool {
    match value {
        Value::Object(fields) => fields.iter().all(|(name, field)| match name.as_str() {
            "presentmentMoney" => field.get("currencyCode").is_none_or(|code| is_same(code, known)),
            "presentmentCurrencyCode" => is_same(field, known),
            _ => is_in_one_currency(field, known),
        }),
        Value::Array(items) => items.iter().all(|item| is_in_one_currency(item, known)),
        _ => true,
    }
}

fn is_same<'a>(code: &'a Value, known: &mut Option<&'a str>) -> bool {
    let Some(code) = code.as_str() else { return true };
    *known.get_or_insert(code) == code
}

#[cfg(test)]
mod tests {
    use super::{Cost, DEFAULT_WAIT, ThrottleStatus, is_in_one_currency};
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn amounts_in_several_currencies_are_found() {
        let order = |own: &str, paid: &str, refunded: &str| {
            let money = |code: &str| json!({"presentmentMoney": {"amount": "1.0", "currencyCode": code}});
            let refunds = json!([{"totalRefundedSet": money(refunded)}]);
            json!({"data": {"order": {"presentmentCurrencyCode": own, "paid": money(paid), "refunds": refunds}}})
        };
        assert!(is_in_one_currency(&order("EUR", "EUR", "EUR"), &mut None));
        for wrong in [order("JPY", "EUR", "EUR"), order("EUR", "USD", "EUR"), order("EUR", "EUR", "USD")] {
            assert!(!is_in_one_currency(&wrong, &mut None), "{wrong}");
        }
        assert!(is_in_one_currency(
            &json!({"shop": {"currencyCode": "EUR"}, "other": {"currencyCode": "USD"}}),
            &mut None
        ));
    }

    #[test]
    fn the_wait_follows_from_the_cost() {
        let wait = |cost: f64, currently_available: f64, restore_rate: f64| {
            let throttle_status = Some(ThrottleStatus { currently_available, restore_rate });
            Cost { requested_query_cost: Some(cost), throttle_status }.wait()
        };
        assert_eq!(wait(752.0, 666.0, 50.0), Duration::from_millis(1_800));
        assert_eq!(wait(10.0, 9.0, 100.0), Duration::from_millis(100));
        for (cost, available, rate) in [(10.0, 10.0, 50.0), (10.0, 5.0, 0.0), (10.0, 5.0, -1.0), (f64::NAN, 5.0, 50.0)]
        {
            assert_eq!(wait(cost, available, rate), DEFAULT_WAIT, "{cost} {available} {rate}");
        }
        assert_eq!(Cost { requested_query_cost: None, throttle_status: None }.wait(), DEFAULT_WAIT);
    }
}
