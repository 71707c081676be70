//! Checks a merchant's component against the bridge contract, case by case: `retour bridge check`.
//!
//! The cases send the requests that Retour sends, and requests that an attacker might send. None of them moves or costs
//! money, unless [`CheckedOrder::resolve`] or [`CheckedOrder::label`] is set. The output is for the component's author:
//! each sentence says what was expected and what to change, and contains no personal data from the component's answers.

mod labelling;
mod look_ups;
mod outcome;
mod settling;
mod shopify;
mod shopify_return;
mod strangers;

pub use outbound::{
    api_key::{ApiKey, ApiKeyError},
    http::{Endpoint, EndpointError},
    shops::shopify::{ShopAddressError, ShopifyCredentials},
    webhook::{Secret, SecretError},
};
pub use outcome::{CheckOutcome, CheckVerdict};
pub use shopify::ShopifyCheck;

use crate::base::Source;
use domain::Locale;
use outbound::{
    bridge::{
        BridgeError, CALL_TIMEOUT, LookUp, MAX_ANSWER_BYTES, Rejected, Unavailable,
        contract::{Credentials, GetPurchases, Proof, Purchases},
    },
    http::{Bytes, Call, CallError, Http, HttpResponse, Method},
    shops::http::Bridge,
    webhook::signatures,
};
use std::{net::IpAddr, time::Instant};

/// The order that the check uses, and what the check may do with it.
#[derive(Debug, Clone)]
pub struct CheckedOrder {
    /// The account's slug.
    pub account: String,
    /// The number of an existing order.
    pub order_number: String,
    /// The e-mail address of that order.
    pub email: String,
    /// A postal code of that order, to check look-ups by postal code as well.
    pub postal_code: Option<String>,
    /// Whether to refund one unit for the smallest amount. Only for test shops.
    pub resolve: bool,
    /// Whether to create a label. Only for test contracts with the carrier.
    pub label: bool,
}

/// A component and the order to check it with.
#[derive(Debug)]
pub struct BridgeCheck {
    http: Http,
    url: Endpoint,
    secret: Secret,
    bridge: Bridge,
    asked: CheckedOrder,
    source: Source,
}

/// Why the check could not start.
#[derive(Debug, thiserror::Error)]
pub enum CannotCheck {
    /// The URL resolves to internal addresses, which the operator must allow first.
    #[error("{0}")]
    Closed(String),
    /// The component could not be reached.
    #[error("{0}")]
    NoConnection(CallError),
}

impl BridgeCheck {
    /// A component at `url` that shares `secret` with Retour. Fails if the URL is too long once the paths of the
    /// operations are appended.
    pub fn new(
        http: Http,
        url: Endpoint,
        secret: Secret,
        asked: CheckedOrder,
        source: Source,
    ) -> Result<Self, EndpointError> {
        let bridge = Bridge::new(http.clone(), &url, secret.clone(), None)?;
        Ok(Self { http, url, secret, bridge, asked, source })
    }

    /// Runs all cases and passes each result to `tell` as soon as it is known. Fails if the component cannot be
    /// reached.
    pub async fn run(&self, mut tell: impl FnMut(&'static str, CheckOutcome)) -> Result<(), CannotCheck> {
        tell("health", self.health().await?);
        let started = Instant::now();
        let (outcome, found) = self.right_order().await;
        tell("the right order", outcome);
        let Some(found) = found else {
            tell("the rest", CheckOutcome::not_tried("not meaningful before the right order is found"));
            return Ok(());
        };
        tell("response time", look_ups::time(started.elapsed()));
        self.try_look_ups(&found, &mut tell).await;
        self.try_strangers(&mut tell).await;
        self.try_settling(&found, &mut tell).await;
        self.try_labels(&found, &mut tell).await;
        Ok(())
    }

    /// The first case: whether the component can be reached.
    async fn health(&self) -> Result<CheckOutcome, CannotCheck> {
        Ok(match self.bridge.health(self.source.id(), self.source.now()).await {
            Ok(()) => CheckOutcome::passed(""),
            Err(BridgeError::Rejected(Rejected { status: 404 })) => {
                CheckOutcome::not_tried("the component does not have this optional operation (404)")
            }
            Err(BridgeError::Unavailable(Unavailable::NoAnswer(error))) => match error {
                CallError::AddressNotAllowed => return Err(self.closed().await),
                CallError::TimedOut | CallError::BrokenOff => CheckOutcome::failed(error.to_string()),
                other => return Err(CannotCheck::NoConnection(other)),
            },
            Err(error) => CheckOutcome::from(&error),
        })
    }

    async fn closed(&self) -> CannotCheck {
        let mut addresses = self.http.closed_addresses(&self.url).await;
        addresses.sort();
        addresses.dedup();
        let names = addresses.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        let networks = addresses.iter().map(opening).collect::<Vec<_>>().join(",");
        let verb = if addresses.len() == 1 { "is" } else { "are" };
        let place = if addresses.iter().all(IpAddr::is_loopback) { "on this machine" } else { "in your own network" };
        let hint = format!("add --outbound-allow {networks} to try a component {place}");
        CannotCheck::Closed(format!("{names} {verb} not on the public internet: {hint}"))
    }

    async fn try_look_ups(&self, found: &Purchases, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
        tell("the same look-up again", self.same_again(found).await);
        tell("other spellings", self.other_spellings().await);
        let (by_number, numbers) = self.wrong_number().await;
        tell("a wrong order number", by_number);
        let (by_email, emails) = self.wrong_emails().await;
        tell("wrong e-mail addresses", by_email);
        tell("wrong credentials get equal answers", self.alike(&numbers, &emails).await);
        if let Some(code) = &self.asked.postal_code {
            tell("the right postal code", self.right_postal_code(code).await);
            tell("a wrong postal code", self.wrong_postal_code(code).await);
        }
        tell("two signatures", self.two_signatures().await);
    }

    async fn try_strangers(&self, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
        tell("an unsigned look-up", self.unsigned_look_up().await);
        tell("an unsigned resolution", self.unsigned_resolution().await);
        tell("a wrong signature", self.wrong_signature().await);
        tell("a signature that is an hour old", self.old_signature().await);
        tell("an unknown path", self.unknown_path().await);
    }

    fn by_email(&self) -> Proof {
        Proof::Email(self.asked.email.clone())
    }

    fn request(&self, number: &str, proof: Proof) -> GetPurchases {
        GetPurchases {
            request_id: self.source.id(),
            account: self.asked.account.clone(),
            locale: Locale("en".to_owned()),
            credentials: Credentials { order_number: number.to_owned(), proof },
            max_age_days: None,
        }
    }

    async fn look_up(&self, number: &str, proof: Proof) -> Result<LookUp, BridgeError> {
        self.bridge.get_purchases(&self.request(number, proof), self.source.now()).await
    }

    /// Sends a body, signed or not, and returns the raw answer: [`Bridge`] would interpret it.
    async fn send(&self, operation: &str, body: String, signed: Signed<'_>) -> Result<HttpResponse, CallError> {
        let to = self.url.below(operation).map_err(|_| CallError::BadHeader)?; // longer than the paths in `new`
        let mut headers = vec![("content-type", "application/json".to_owned())];
        if let Signed::With { secret, seconds_ago } = signed {
            let (id, seconds) = (self.source.id().to_string(), self.source.now().seconds() - seconds_ago);
            headers.push(("webhook-signature", signatures(std::slice::from_ref(secret), &id, seconds, &body)));
            headers.push(("webhook-timestamp", seconds.to_string()));
            headers.push(("webhook-id", id));
        }
        let (method, body) = (Method::POST, Bytes::from(body));
        let call = Call {
            to: &to,
            method,
            headers: &headers,
            body,
            max_response_bytes: MAX_ANSWER_BYTES,
            is_repeatable: false,
        };
        self.http.clone().with_timeout(CALL_TIMEOUT).call(call).await
    }

    fn ours(&self) -> Signed<'_> {
        Signed::With { secret: &self.secret, seconds_ago: 0 }
    }

    /// A random secret, which the component cannot know.
    fn strange_secret(&self) -> Secret {
        Secret::from_random(self.source.random())
    }
}

/// How a request is signed.
#[derive(Clone, Copy)]
enum Signed<'a> {
    Not,
    With { secret: &'a Secret, seconds_ago: i64 },
}

/// The network to allow for an address: all of 127.0.0.0/8 for an IPv4 loopback address.
fn opening(address: &IpAddr) -> String {
    if address.is_loopback() && address.is_ipv4() { "127.0.0.0/8".to_owned() } else { address.to_string() }
}
