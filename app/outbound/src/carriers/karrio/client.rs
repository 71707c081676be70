//! Requests to a karrio server, and what their answers mean.

use crate::carriers::karrio::{Karrio, responses::Refused};
use crate::{
    bridge::{BridgeError, accepted_up_to, one_line, parse},
    http::{Bytes, Call, CallError, Endpoint, Method},
    shops::resolution::not_understood,
};
use domain::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Instant;

/// How many bytes an answer may have: some labels are pictures, and each shipment is told whole.
const MOST_ANSWERED: usize = 4 * 1024 * 1024;
const KEY_REFUSED: &str = "Karrio does not accept the API key, or the key may not do this.";

/// One use of a server: all of its requests within one time.
pub(super) struct Session<'a> {
    pub karrio: &'a Karrio,
    pub until: Instant,
    pub now: Timestamp,
}

/// Karrio, or a carrier behind it, says no: nothing was done.
#[derive(Debug)]
pub(super) struct No {
    /// 400: the request; 404: there is no such thing; 409: not any more; 424: a carrier.
    pub status: u16,
    /// Its own name for why, or a carrier's; may be empty.
    pub code: String,
    /// Why, for the merchant's people.
    pub reason: String,
}

impl Session<'_> {
    /// Asks for something. Where the connection breaks before there is an answer, once more.
    pub async fn get<T: DeserializeOwned>(&self, to: &Endpoint) -> Result<Result<T, No>, BridgeError> {
        match self.send(to, Method::GET, None).await {
            Err(BridgeError::Unavailable(crate::bridge::Unavailable::NoAnswer(CallError::BrokenOff))) => {
                self.send(to, Method::GET, None).await
            }
            other => other,
        }
    }

    /// Has something done, once.
    pub async fn post<T: DeserializeOwned>(&self, to: &Endpoint, body: &Value) -> Result<Result<T, No>, BridgeError> {
        self.send(to, Method::POST, Some(body)).await
    }

    /// A URL of the API. Ids are karrio's, and have no business elsewhere in it.
    pub fn at(&self, path: &[&str]) -> Result<Endpoint, BridgeError> {
        let is_plain = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        path.iter().try_fold(self.karrio.api.clone(), |url, part| {
            let below = Some(part).filter(|part| is_plain(part) && !part.is_empty()).map(|part| url.below(part));
            below.and_then(Result::ok).ok_or_else(|| not_understood("id", "expected letters, digits, _ and -"))
        })
    }

    /// Whether most of the time is over.
    pub fn is_late(&self) -> bool {
        self.until.saturating_duration_since(Instant::now()) < self.karrio.whole / 2
    }

    async fn send<T: DeserializeOwned>(
        &self,
        to: &Endpoint,
        method: Method,
        body: Option<&Value>,
    ) -> Result<Result<T, No>, BridgeError> {
        let mut headers = vec![
            ("accept", "application/json".to_owned()),
            ("authorization", format!("Token {}", self.karrio.key.as_str())),
        ];
        headers.extend(body.is_some().then(|| ("content-type", "application/json".to_owned())));
        let may_repeat = method == Method::GET;
        let body = Bytes::from(body.map(ToString::to_string).unwrap_or_default());
        let left = self.until.saturating_duration_since(Instant::now());
        let call = Call { to, method, headers: &headers, body, most_read: MOST_ANSWERED + 1, may_repeat };
        let answer = self.karrio.http.clone().with_timeout(left).call(call).await?;
        match answer.status {
            401 | 403 => Err(BridgeError::KeyRefused(KEY_REFUSED)),
            // What is no JSON is not karrio's: it is not where it is looked for.
            status @ (400 | 404 | 409 | 424) if let Ok(refused) = parse::parse::<Refused>(&answer.body) => {
                let (code, reason) = refused.why();
                Ok(Err(No { status, code, reason: one_line(&reason) }))
            }
            _ => {
                let body = accepted_up_to(MOST_ANSWERED, answer, self.now)?;
                parse::parse(&body).map(Ok).map_err(BridgeError::BadAnswer)
            }
        }
    }
}
