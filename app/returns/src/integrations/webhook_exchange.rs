//! One delivery attempt: an exchange with a webhook receiver.

use crate::{
    base::{OrBroken, Result, Retour},
    view,
};
use domain::{AccountId, Timestamp, webhook::DeliveryOutcome};
use outbound::{
    http::{CallError, Endpoint},
    webhook::{Secret, signatures},
};
use std::time::{Duration, Instant, UNIX_EPOCH};
use store::{events, webhook_attempts::Attempt, webhook_subscriptions::Subscription};

/// How much of a receiver's answer is kept.
const KEPT_BYTES: usize = 1_024;

/// The destination of a subscription's deliveries, and the secrets that sign them.
#[derive(Debug)]
pub struct Receiver {
    endpoint: Endpoint,
    secrets: Vec<Secret>,
}

impl Receiver {
    /// The destination of the deliveries.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

/// The result of an exchange.
#[derive(Debug)]
pub struct Exchanged {
    /// The attempt, for the log of the subscription.
    pub attempt: Attempt,
    /// The seconds of the receiver's `Retry-After`, if it sent one.
    pub retry_after: Option<i64>,
}

impl Exchanged {
    /// Whether the receiver accepted the event.
    pub fn is_delivered(&self) -> bool {
        self.attempt.outcome == DeliveryOutcome::Delivered
    }

    fn not_sent(at: Timestamp) -> Self {
        let answer = String::new();
        let attempt = Attempt { at, duration: 0, outcome: DeliveryOutcome::NotSent, status_code: None, answer };
        Self { attempt, retry_after: None }
    }
}

fn body(event: events::Event) -> Result<String> {
    serde_json::to_string(&view::Event::new(event)?).or_broken()
}

impl Retour {
    /// The receiver of a subscription's deliveries, with its current secrets.
    pub(crate) fn receiver(&self, account: AccountId, subscription: &Subscription) -> Result<Receiver> {
        let now = self.now();
        let previous = subscription.previous_secret.as_ref().filter(|(_, ends_at)| *ends_at > now);
        let sealed = std::iter::once(&subscription.secret).chain(previous.map(|(sealed, _)| sealed));
        let secret = |sealed: &String| {
            let opened = self.open_secret(account, subscription.id, sealed)?;
            Secret::parse(&opened).or_broken()
        };
        let endpoint = Endpoint::parse(&subscription.url).or_broken()?; // validated when it was saved
        Ok(Receiver { endpoint, secrets: sealed.map(secret).collect::<Result<_>>()? })
    }

    /// Sends an event to the receiver.
    pub(crate) async fn exchange(&self, receiver: &Receiver, event: events::Event) -> Exchanged {
        let at = self.now();
        let id = event.id.to_string();
        let (Some(http), Ok(body)) = (&self.config.http, body(event)) else {
            return Exchanged::not_sent(at);
        };
        let signature = signatures(&receiver.secrets, &id, at.seconds(), &body);
        let headers = [
            ("content-type", "application/json".to_owned()),
            ("webhook-id", id),
            ("webhook-timestamp", at.seconds().to_string()),
            ("webhook-signature", signature),
        ];
        let began = Instant::now();
        let answer = http.post(&receiver.endpoint, &headers, body).await;
        let took = began.elapsed();
        let duration = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
        let (outcome, status_code, answer, retry_after) = match answer {
            Ok(answer) => {
                let outcome = DeliveryOutcome::of_status(answer.status);
                let wait = answer.retry_after.and_then(|wait| seconds(&wait, at.plus_seconds(seconds_of(took))));
                (outcome, Some(answer.status), beginning(&answer.body), wait)
            }
            Err(error) => (failed(error), None, String::new(), None),
        };
        self.figures.webhook_attempts.count(outcome.name(), took);
        Exchanged { attempt: Attempt { at, duration, outcome, status_code, answer }, retry_after }
    }
}

fn seconds_of(took: Duration) -> i64 {
    i64::try_from(took.as_secs()).unwrap_or(i64::MAX)
}

fn failed(error: CallError) -> DeliveryOutcome {
    match error {
        CallError::AddressNotAllowed => DeliveryOutcome::AddressNotAllowed,
        CallError::PlainHttpNotAllowed => DeliveryOutcome::PlainHttpNotAllowed,
        CallError::UnknownHost => DeliveryOutcome::UnknownHost,
        CallError::NotConnected => DeliveryOutcome::NotConnected,
        CallError::TlsFailed => DeliveryOutcome::TlsFailed,
        CallError::TimedOut => DeliveryOutcome::TimedOut,
        CallError::BrokenOff => DeliveryOutcome::BrokenOff,
        CallError::BadHeader => DeliveryOutcome::NotSent,
    }
}

/// The beginning of a body, as text that both databases accept.
fn beginning(body: &[u8]) -> String {
    String::from_utf8_lossy(body.get(..KEPT_BYTES).unwrap_or(body)).replace('\0', "\u{fffd}")
}

/// `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
fn seconds(text: &str, now: Timestamp) -> Option<i64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(i64::try_from(seconds).unwrap_or(i64::MAX)); // the callers limit it
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let at = i64::try_from(date.duration_since(UNIX_EPOCH).ok()?.as_secs()).ok()?;
    Some(at.saturating_sub(now.seconds()).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date_and_anything_else_is_nothing() {
        let now = Timestamp::parse("2026-11-21T12:00:00Z").unwrap();
        assert_eq!(seconds("120", now), Some(120));
        assert_eq!(seconds(" 0 ", now), Some(0));
        assert_eq!(seconds("99999999999", now), Some(99_999_999_999));
        assert_eq!(seconds("Sat, 21 Nov 2026 12:10:00 GMT", now), Some(600));
        assert_eq!(seconds("Sat, 21 Nov 2026 11:00:00 GMT", now), Some(0));
        for nonsense in ["", "soon", "-1", "1.5", "99999999999999999999", "2026-11-21T12:10:00Z"] {
            assert_eq!(seconds(nonsense, now), None, "{nonsense}");
        }
    }

    #[test]
    fn an_answer_is_kept_as_text_without_what_databases_refuse() {
        assert_eq!(beginning(b"ok\0\xff"), "ok\u{fffd}\u{fffd}");
        assert_eq!(beginning(&[b'x'; 5_000]).len(), KEPT_BYTES);
    }
}
