//! Requests to a shop, and what their answers mean.

use crate::shops::vendure::{
    Vendure, documents,
    responses::{Changed, Outcome, Stood},
};
use crate::{
    bridge::{BridgeError, MOST_ANSWERED, accepted, parse},
    http::{Answer, Bytes, Call, CallError, Endpoint, Method},
    shops::resolution::{Trouble, not_understood, unanswered},
};
use domain::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::time::Instant;

const KEY_REFUSED: &str = "The shop does not accept the API key: is it the whole key, does its role have ReadOrder and \
    UpdateOrder, and does the shop take API keys at all (authOptions.tokenMethod with 'api-key')?";
/// What Vendure says of such a key, wrong or with too few permissions, with status 200.
const FORBIDDEN: &str = "FORBIDDEN";
/// Codes of errors that are found before anything is done.
const FOUND_BEFORE: [&str; 4] =
    ["ENTITY_NOT_FOUND", "BAD_USER_INPUT", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED"];

/// One use of a shop: all of its requests within one time.
pub(super) struct Session<'a> {
    pub shop: &'a Vendure,
    pub until: Instant,
    pub now: Timestamp,
}

/// What stands in every answer.
#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Reply<T> {
    data: Option<T>,
    errors: Option<Vec<Thrown>>,
}

#[derive(Deserialize)]
struct Thrown {
    extensions: Option<Extensions>,
}

#[derive(Deserialize)]
struct Extensions {
    code: Option<String>,
}

impl<T> Reply<T> {
    /// What was asked for, or the code of the first error: empty where it has none.
    fn result(self) -> Result<Option<T>, String> {
        match self.errors.into_iter().flatten().next() {
            None => Ok(self.data),
            Some(thrown) => Err(thrown.extensions.and_then(|extensions| extensions.code).unwrap_or_default()),
        }
    }
}

impl Session<'_> {
    /// Asks for something. Where the connection breaks before there is an answer, once more.
    pub async fn ask<T: DeserializeOwned>(&self, to: &Endpoint, document: &str, with: Value) -> Result<T, BridgeError> {
        let body = Bytes::from(json!({"query": document, "variables": with}).to_string());
        let answer = match self.send(to, body.clone(), true).await {
            Err(CallError::BrokenOff) => self.send(to, body, true).await?,
            other => other?,
        };
        let reply: Reply<T> = parse::parse(&self.body(answer)?).map_err(BridgeError::BadAnswer)?;
        let data = reply.result().map_err(|code| error(&code))?;
        data.ok_or_else(|| not_understood("data", "this field is missing"))
    }

    /// An order, by the shop's own id.
    pub async fn order(&self, id: &str) -> Result<Stood, BridgeError> {
        self.ask(&self.shop.api, documents::STATE, json!({"id": id})).await
    }

    /// Changes something, once: the id and the state of what came of it.
    pub async fn change(&self, document: &str, input: Value) -> Result<(String, String), Trouble> {
        let body = Bytes::from(json!({"query": document, "variables": {"input": input}}).to_string());
        if self.is_over() {
            return Err(Trouble::NotDone(CallError::TimedOut.into()));
        }
        let answer = self.send(&self.shop.api, body, false).await.map_err(unanswered)?;
        // What stands in front of the shop may have lost its patience.
        if matches!(answer.status, 408 | 500..) || answer.body.len() > MOST_ANSWERED {
            return Err(Trouble::Lost);
        }
        let body = self.body(answer).map_err(Trouble::NotDone)?;
        let reply: Reply<Changed> = parse::parse(&body).map_err(|_| Trouble::Lost)?;
        match reply.result() {
            Ok(Some(Changed { done: Outcome::Done { id, state } })) => Ok((id, state)),
            Ok(Some(Changed { done: Outcome::Refused { error_code } })) => Err(Trouble::Refused(error_code)),
            Ok(None) => Err(Trouble::Lost),
            Err(code) if code == FORBIDDEN || FOUND_BEFORE.contains(&code.as_str()) => {
                Err(Trouble::NotDone(error(&code)))
            }
            Err(_) => Err(Trouble::BrokenOff),
        }
    }

    fn is_over(&self) -> bool {
        self.until <= Instant::now()
    }

    async fn send(&self, to: &Endpoint, body: Bytes, may_repeat: bool) -> Result<Answer, CallError> {
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json".to_owned()),
            ("vendure-api-key", self.shop.key.as_str().to_owned()),
        ];
        let left = self.until.saturating_duration_since(Instant::now());
        let call = Call { to, method: Method::POST, headers: &headers, body, most_read: MOST_ANSWERED + 1, may_repeat };
        self.shop.http.clone().with_timeout(left).call(call).await
    }

    /// The body of an answer that is the shop's.
    fn body(&self, answer: Answer) -> Result<Vec<u8>, BridgeError> {
        match answer.status {
            400 => Err(error("GRAPHQL_VALIDATION_FAILED")),
            401 | 403 => Err(BridgeError::KeyRefused(KEY_REFUSED)),
            _ => accepted(answer, self.now),
        }
    }
}

/// What an error of the shop's comes to. Its message is not repeated: it may hold anything.
fn error(code: &str) -> BridgeError {
    match code {
        FORBIDDEN => BridgeError::KeyRefused(KEY_REFUSED),
        code if FOUND_BEFORE.contains(&code) => {
            not_understood("errors", "the shop does not understand the request: is it Vendure 3.6 or later?")
        }
        _ => not_understood("errors", "the shop failed to answer: its own log says why"),
    }
}
