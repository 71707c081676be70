//! Requests to a shop, and what their answers mean.

use crate::shops::medusa::{
    Medusa,
    responses::{Change, Changes, Order, Return, Returns, Single},
};
use crate::{
    bridge::{BridgeError, Rejected, accepted_up_to, parse},
    http::{Answer, Bytes, Call, CallError, Endpoint, Method},
    shops::resolution::{Trouble, name_of, not_understood, unanswered},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use domain::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::time::Instant;

/// How many bytes an answer may have: Medusa says each amount of each line twice, with some 4 kB a line.
const MOST_ANSWERED: usize = 4 * 1024 * 1024;
const KEY_REFUSED: &str =
    "The shop does not accept the API key: is it the whole secret key (sk_…), and has it not been revoked?";
/// What an order's state consists of.
const STATE: &str = "id,currency_code,total,metadata,*items,*items.detail,*fulfillments,fulfillments.items.line_item_id,\
    fulfillments.items.quantity,payment_collections.refunded_amount,*payment_collections.payments,\
    *payment_collections.payments.captures,*payment_collections.payments.refunds,*credit_lines,*summary";
const RETURN: &str = "id,order_id,status,metadata,items.item_id,items.quantity";
/// More returns of one order than anyone makes.
const MOST_RETURNS: &str = "100";

/// One use of a shop: all of its requests within one time.
pub(super) struct Session<'a> {
    pub shop: &'a Medusa,
    pub until: Instant,
    pub now: Timestamp,
}

/// What the shop says of an error. Its message is not repeated: it may hold anything.
#[derive(Deserialize)]
struct Thrown {
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl Session<'_> {
    /// See [`Medusa::health`].
    pub async fn health(&self) -> Result<(), BridgeError> {
        let found: Option<super::shop::Stores> = self.ask(&["stores"], &[("fields", "id"), ("limit", "1")]).await?;
        found.map(drop).ok_or_else(|| Rejected { status: 404 }.into())
    }

    /// An order, by the shop's own id; none where it has none.
    pub async fn order(&self, id: &str) -> Result<Option<Order>, BridgeError> {
        let found: Option<Single<Order>> = self.ask(&["orders", id], &[("fields", STATE)]).await?;
        let order = found.map(|found| found.order);
        if order.as_ref().is_some_and(|order| order.id != id) {
            return Err(not_understood("order.id", "expected the order that was asked for"));
        }
        Ok(order)
    }

    /// Every return of an order.
    pub async fn returns(&self, id: &str) -> Result<Vec<Return>, BridgeError> {
        let asked = [("order_id", id), ("limit", MOST_RETURNS), ("fields", RETURN)];
        let found: Option<Returns> = self.ask(&["returns"], &asked).await?;
        let Some(found) = found else { return Err(Rejected { status: 404 }.into()) };
        if found.count > found.returns.len() {
            return Err(not_understood("count", "expected at most 100 returns of one order"));
        }
        Ok(found.returns.into_iter().filter(|one| one.order_id == id).collect())
    }

    /// What somebody has begun to change about an order: no more than one, Medusa says.
    pub async fn open_change(&self, id: &str) -> Result<Option<Change>, BridgeError> {
        let asked = [("fields", "id,status,created_at,return_id"), ("status[]", "pending"), ("status[]", "requested")];
        let found: Option<Changes> = self.ask(&["orders", id, "changes"], &asked).await?;
        let Some(found) = found else { return Err(Rejected { status: 404 }.into()) };
        Ok(found.order_changes.into_iter().find(|change| matches!(change.status.as_str(), "pending" | "requested")))
    }

    /// Asks for something; none where the shop says that there is no such thing. Where the connection breaks before
    /// there is an answer, once more.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Option<T>, BridgeError> {
        let mut to = self.at(path)?;
        for (name, value) in query {
            to = to.with(name, value).map_err(|_| not_understood("id", "expected shorter ids"))?;
        }
        let answer = match self.send(&to, Method::GET, None).await {
            Err(CallError::BrokenOff) => self.send(&to, Method::GET, None).await?,
            other => other?,
        };
        match answer.status {
            401 | 403 => Err(BridgeError::KeyRefused(KEY_REFUSED)),
            404 if kind(&answer) == "not_found" => Ok(None),
            _ => {
                let body = accepted_up_to(MOST_ANSWERED, answer, self.now)?;
                parse::parse(&body).map(Some).map_err(BridgeError::BadAnswer)
            }
        }
    }

    /// Changes something, once. What the answer says of it is not read: it is looked for.
    pub async fn change(&self, method: Method, path: &[&str], body: Value) -> Result<(), Trouble> {
        let to = self.at(path).map_err(Trouble::NotDone)?;
        if self.until <= Instant::now() {
            return Err(Trouble::NotDone(CallError::TimedOut.into()));
        }
        let answer = self.send(&to, method, Some(body)).await.map_err(unanswered)?;
        match answer.status {
            200..=299 => Ok(()),
            400 | 409 | 422 => Err(Trouble::Refused(kind(&answer))),
            401 | 403 => Err(Trouble::NotDone(BridgeError::KeyRefused(KEY_REFUSED))),
            500 if kind(&answer) == "unknown_error" => Err(Trouble::BrokenOff),
            // What stands in front of the shop may have lost its patience.
            408 | 500.. => Err(Trouble::Lost),
            _ => match accepted_up_to(MOST_ANSWERED, answer, self.now) {
                Ok(_) => Err(Trouble::Lost),
                Err(error) => Err(Trouble::NotDone(error)),
            },
        }
    }

    /// Whether most of the time is over.
    pub fn is_late(&self) -> bool {
        self.until.saturating_duration_since(Instant::now()) < self.shop.whole / 3
    }

    /// A URL of the API. Ids are the shop's, and have no business elsewhere in it.
    fn at(&self, path: &[&str]) -> Result<Endpoint, BridgeError> {
        let is_plain = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        path.iter().try_fold(self.shop.api.clone(), |url, part| {
            let below = Some(part).filter(|part| is_plain(part) && !part.is_empty()).map(|part| url.below(part));
            below.and_then(Result::ok).ok_or_else(|| not_understood("id", "expected letters, digits, _ and -"))
        })
    }

    async fn send(&self, to: &Endpoint, method: Method, body: Option<Value>) -> Result<Answer, CallError> {
        let credentials = BASE64_STANDARD.encode(format!("{}:", self.shop.key.as_str()));
        let mut headers =
            vec![("accept", "application/json".to_owned()), ("authorization", format!("Basic {credentials}"))];
        headers.extend(body.is_some().then(|| ("content-type", "application/json".to_owned())));
        let may_repeat = method == Method::GET;
        let body = Bytes::from(body.map(|body| body.to_string()).unwrap_or_default());
        let left = self.until.saturating_duration_since(Instant::now());
        let call = Call { to, method, headers: &headers, body, most_read: MOST_ANSWERED + 1, may_repeat };
        self.shop.http.clone().with_timeout(left).call(call).await
    }
}

/// The name of an error of the shop's.
fn kind(answer: &Answer) -> String {
    let kind = parse::parse::<Thrown>(&answer.body).ok().and_then(|thrown| thrown.kind).unwrap_or_default();
    name_of(&kind).to_owned()
}
