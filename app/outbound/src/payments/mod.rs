//! Companies that take payments: a page of theirs to pay on, what became of it, and giving money back.
//!
//! Each is asked by its own API at an address that is a setting. Whatever is asked twice under one key is done once, as
//! long as the company remembers the key.

mod error;
mod mollie;
mod stripe;

pub use error::PaymentError;
pub use mollie::Mollie;
pub use stripe::{NoticeError, SignatureSecret, Stripe, notice_of};

use crate::http::{Answer, Bytes, Call, Endpoint, Http, Method};
use domain::{
    Money, Timestamp,
    payment::{Heard, RefundOutcome},
};
use serde::de::DeserializeOwned;
use std::time::Duration;
use url::Url;

/// For one request: shoppers wait for some of them.
pub const WHOLE: Duration = Duration::from_secs(10);
/// How many bytes an answer may have.
const MOST_ANSWERED: usize = 256 * 1024;
/// The longest address of a page to pay on.
const MOST_URL: usize = 4096;

/// A company that takes payments.
#[derive(Debug, Clone)]
pub enum Processor {
    /// Stripe.
    Stripe(Stripe),
    /// Mollie.
    Mollie(Mollie),
}

/// A page that is asked for.
#[derive(Debug, Clone)]
pub struct NewPage {
    /// What tells it from others: the same, the same page.
    pub key: String,
    /// How much is to be paid.
    pub amount: Money,
    /// What for, in the shopper's language.
    pub description: String,
    /// The id of the return, for whoever looks at the company's own pages.
    pub return_order: String,
    /// Until when it can be used.
    pub ends_at: Timestamp,
    /// Where the shopper is led when they have paid.
    pub done_url: String,
    /// Where they are led when they have not.
    pub back_url: String,
    /// Where the company tells us that something has happened, where it is told so with each page; `None`: it cannot.
    pub notice_url: Option<String>,
}

/// A page that is there.
#[derive(Clone, PartialEq, Eq)]
pub struct Page {
    /// The company's own id.
    pub id: String,
    /// Its address.
    pub url: String,
}

/// Without the address: whoever has it sees what is to be paid.
impl std::fmt::Debug for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Money that is to go back.
#[derive(Debug, Clone)]
pub struct GiveBack {
    /// What tells it from others: the same, the same refund.
    pub key: String,
    /// The company's own id of what was paid.
    pub id: String,
    /// By which it is given back.
    pub reference: String,
    /// How much.
    pub amount: Money,
    /// How much of the same payment went back before, minor units. What was given back beyond that, by an answer that was
    /// lost or by a person on the company's own pages, counts.
    pub before: i64,
    /// Whether the company had it when it was asked last.
    pub was_seen: bool,
}

/// What a company has given back of a payment, minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Given {
    /// All that it has taken in hand, and that has not come to nothing.
    minor: i64,
    /// Whether some of it may still come to nothing.
    is_pending: bool,
}

impl GiveBack {
    /// What is to be asked for yet, once it is known what was given; or what came of it.
    fn missing(&self, given: Given) -> Result<Money, Result<RefundOutcome, PaymentError>> {
        let missing = self.before.saturating_add(self.amount.minor).saturating_sub(given.minor).min(self.amount.minor);
        match (missing > 0, given.is_pending) {
            (false, false) => Err(Ok(RefundOutcome::WentBack)),
            (false, true) => Err(Ok(RefundOutcome::OnItsWay)),
            // It had it, and has it no more.
            (true, false) if self.was_seen => Err(Err(PaymentError::RefundFailed("failed".to_owned()))),
            (true, _) => Ok(Money::new(missing, self.amount.currency)),
        }
    }

    /// The same amount under the same key.
    fn key_of(&self, amount: Money) -> String {
        format!("{}-{}", self.key, amount.minor)
    }
}

impl Processor {
    /// Asks for a page to pay on.
    pub async fn open(&self, page: &NewPage, now: Timestamp) -> Result<Page, PaymentError> {
        match self {
            Self::Stripe(stripe) => stripe.open(page, now).await,
            Self::Mollie(mollie) => mollie.open(page, now).await,
        }
    }

    /// Asks what became of a page where so much was to be paid.
    pub async fn look(&self, id: &str, amount: Money, now: Timestamp) -> Result<Heard, PaymentError> {
        match self {
            Self::Stripe(stripe) => stripe.look(id, amount, now).await,
            Self::Mollie(mollie) => mollie.look(id, amount, now).await,
        }
    }

    /// Asks that nobody can pay there any more, and what became of it.
    pub async fn close(&self, id: &str, amount: Money, now: Timestamp) -> Result<Heard, PaymentError> {
        match self {
            Self::Stripe(stripe) => stripe.close(id, amount, now).await,
            Self::Mollie(mollie) => mollie.close(id, amount, now).await,
        }
    }

    /// Gives money back, once: what has gone back is looked at first, since companies forget keys.
    /// [`PaymentError::is_refusal`]: it did not go back.
    pub async fn give_back(&self, back: &GiveBack, now: Timestamp) -> Result<RefundOutcome, PaymentError> {
        let given = match self {
            Self::Stripe(stripe) => stripe.given_back(back, now).await,
            Self::Mollie(mollie) => mollie.given_back(back, now).await,
        };
        let missing = match back.missing(given.map_err(PaymentError::of_looking)?) {
            Ok(missing) => missing,
            Err(outcome) => return outcome,
        };
        match self {
            Self::Stripe(stripe) => stripe.give_back(back, missing, now).await,
            Self::Mollie(mollie) => mollie.give_back(back, missing, now).await,
        }
    }
}

/// Makes a request of a company, and reads what it says. `refused` finds the name of the reason in an answer that says no.
async fn call<T: DeserializeOwned>(
    http: &Http,
    (method, to): (Method, &Endpoint),
    (headers, body): (&[(&'static str, String)], String),
    (now, refused): (Timestamp, fn(&[u8]) -> String),
) -> Result<T, PaymentError> {
    // What bears a key, ends a page or changes nothing may be seen twice.
    let call = Call { to, method, headers, body: Bytes::from(body), most_read: MOST_ANSWERED + 1, may_repeat: true };
    let answer = http.clone().with_timeout(WHOLE).call(call).await.map_err(PaymentError::NoAnswer)?;
    let Answer { status, body, .. } = &answer;
    match status {
        200..=299 if body.len() <= MOST_ANSWERED => {
            serde_json::from_slice(body).map_err(|_| PaymentError::NotUnderstood("its answer"))
        }
        200..=299 => Err(PaymentError::NotUnderstood("an answer that is too long")),
        401 | 403 => Err(PaymentError::KeyRefused),
        404 => Err(PaymentError::Unknown),
        // 409: something with this key is under way.
        408 | 409 | 429 | 500.. => {
            Err(PaymentError::Unavailable { status: *status, wait_seconds: answer.wait_seconds(now) })
        }
        status => Err(PaymentError::Refused { status: *status, code: name(&refused(body)) }),
    }
}

/// What may be a name for programs, and nothing else.
fn name(text: &str) -> String {
    let is_name = text.len() <= 60 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte));
    if is_name { text.to_owned() } else { String::new() }
}

/// A page's address, as browsers can be led to.
fn page(id: String, url: Option<String>) -> Result<Page, PaymentError> {
    let is_id =
        (1..=200).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if !is_id {
        return Err(PaymentError::NotUnderstood("id"));
    }
    let parsed = url.filter(|url| url.len() <= MOST_URL).and_then(|url| Url::parse(&url).ok());
    let parsed = parsed.filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
    parsed.map(|url| Page { id, url: url.into() }).ok_or(PaymentError::NotUnderstood("url"))
}

/// An address below a company's, where it has one.
fn below(base: &Endpoint, segments: &[&str]) -> Result<Endpoint, PaymentError> {
    let url = segments.iter().try_fold(base.clone(), |url, segment| url.below(segment));
    url.map_err(|_| PaymentError::NotUnderstood("an id that makes its address too long"))
}
