//! Stripe: a Checkout Session for each try to pay.
//!
//! By its documentation: API reference, "Checkout Sessions", "Refunds", "Idempotent requests"; "Verify webhook signatures
//! manually"; "Currencies", "Special cases".

use crate::payments::{GiveBack, Given, NewPage, Page, PaymentError, below, call, page};
use crate::{
    api_key::ApiKey,
    http::{Endpoint, Http, Method},
};
use domain::{
    Currency, Money, Timestamp,
    payment::{Heard, RefundOutcome},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Deserialize;
use sha2::Sha256;
use url::form_urlencoded::Serializer;

/// What the answers look like does not change with the merchant's settings at Stripe.
const VERSION: &str = "2024-06-20";
/// Counted by Stripe in hundredths, which these currencies do not have.
const IN_HUNDREDTHS: [&str; 2] = ["ISK", "UGX"];
/// How many refunds of a payment are looked at.
const REFUNDS: &str = "100";

/// Stripe, with a merchant's key.
#[derive(Debug, Clone)]
pub struct Stripe {
    http: Http,
    url: Endpoint,
    key: ApiKey,
}

/// A session, as far as we read it, with its payment intent expanded.
#[derive(Deserialize)]
struct Session {
    status: Option<String>,
    payment_status: Option<String>,
    amount_total: Option<i64>,
    currency: Option<String>,
    payment_intent: Option<Intent>,
}

#[derive(Deserialize)]
struct Intent {
    status: Option<String>,
    latest_charge: Option<String>,
}

/// A session that was made.
#[derive(Deserialize)]
struct Made {
    id: String,
    url: Option<String>,
}

#[derive(Deserialize)]
struct Refund {
    amount: i64,
    status: Option<String>,
}

impl Refund {
    fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }

    fn is_pending(&self) -> bool {
        matches!(self.status.as_deref(), Some("pending" | "requires_action"))
    }
}

#[derive(Deserialize)]
struct Refunds {
    data: Vec<Refund>,
}

impl Stripe {
    /// Stripe at an address, such as `https://api.stripe.com`.
    pub fn new(http: Http, url: Endpoint, key: ApiKey) -> Self {
        Self { http, url, key }
    }

    pub(super) async fn open(&self, new: &NewPage, now: Timestamp) -> Result<Page, PaymentError> {
        let amount = in_its_units(new.amount).to_string();
        let ends_at = new.ends_at.seconds().to_string();
        let currency = new.amount.currency.code().to_ascii_lowercase();
        let fields = [
            ("mode", "payment"),
            ("client_reference_id", &new.return_order),
            ("expires_at", &ends_at),
            ("success_url", &new.done_url),
            ("cancel_url", &new.back_url),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", &currency),
            ("line_items[0][price_data][unit_amount]", &amount),
            ("line_items[0][price_data][product_data][name]", &new.description),
            ("payment_intent_data[description]", &new.description),
            ("payment_intent_data[metadata][return_order]", &new.return_order),
        ];
        let made: Made = self.post(&["checkout", "sessions"], &fields, Some(&new.key), now).await?;
        page(made.id, made.url)
    }

    pub(super) async fn look(&self, id: &str, amount: Money, now: Timestamp) -> Result<Heard, PaymentError> {
        let to = below(&self.url, &["v1", "checkout", "sessions", id])?.with("expand[]", "payment_intent");
        let to = to.map_err(|_| PaymentError::NotUnderstood("an id that makes its address too long"))?;
        heard(&self.get(&to, now).await?, amount)
    }

    /// What is complete cannot be closed: it says so, and what it came to is asked.
    pub(super) async fn close(&self, id: &str, amount: Money, now: Timestamp) -> Result<Heard, PaymentError> {
        match self.post::<serde::de::IgnoredAny>(&["checkout", "sessions", id, "expire"], &[], None, now).await {
            Ok(_) | Err(PaymentError::Refused { .. }) => self.look(id, amount, now).await,
            Err(error) => Err(error),
        }
    }

    /// What has gone back of a charge.
    pub(super) async fn given_back(&self, back: &GiveBack, now: Timestamp) -> Result<Given, PaymentError> {
        let to = below(&self.url, &["v1", "refunds"])?.with("charge", &back.reference);
        let to = to.and_then(|to| to.with("limit", REFUNDS));
        let to = to.map_err(|_| PaymentError::NotUnderstood("an id that makes its address too long"))?;
        let refunds: Refunds = self.get(&to, now).await?;
        let made = || refunds.data.iter().filter(|refund| !refund.has_failed());
        let sum = made().map(|refund| refund.amount).fold(0, i64::saturating_add);
        Ok(Given { minor: from_its_units(sum, back.amount.currency), is_pending: made().any(Refund::is_pending) })
    }

    pub(super) async fn give_back(
        &self,
        back: &GiveBack,
        missing: Money,
        now: Timestamp,
    ) -> Result<RefundOutcome, PaymentError> {
        let amount = in_its_units(missing).to_string();
        let fields = [("charge", back.reference.as_str()), ("amount", &amount)];
        let refund: Refund = self.post(&["refunds"], &fields, Some(&back.key_of(missing)), now).await?;
        if refund.has_failed() {
            return Err(PaymentError::RefundFailed(refund.status.unwrap_or_default()));
        }
        Ok(if refund.is_pending() { RefundOutcome::OnItsWay } else { RefundOutcome::WentBack })
    }

    async fn get<T: serde::de::DeserializeOwned>(&self, to: &Endpoint, now: Timestamp) -> Result<T, PaymentError> {
        let headers = [self.authorization(), ("stripe-version", VERSION.to_owned())];
        call(&self.http, (Method::GET, to), (&headers, String::new()), (now, code)).await
    }

    async fn post<T: serde::de::DeserializeOwned>(
        &self,
        path: &[&str],
        fields: &[(&str, &str)],
        key: Option<&str>,
        now: Timestamp,
    ) -> Result<T, PaymentError> {
        let to = below(&self.url, &[&["v1"], path].concat())?;
        let mut headers = vec![
            self.authorization(),
            ("stripe-version", VERSION.to_owned()),
            ("content-type", "application/x-www-form-urlencoded".to_owned()),
        ];
        headers.extend(key.map(|key| ("idempotency-key", key.to_owned())));
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        call(&self.http, (Method::POST, &to), (&headers, body), (now, code)).await
    }

    fn authorization(&self) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", self.key.as_str()))
    }
}

/// Minor units as Stripe counts them.
fn in_its_units(amount: Money) -> i64 {
    if IN_HUNDREDTHS.contains(&amount.currency.code()) { amount.minor.saturating_mul(100) } else { amount.minor }
}

fn from_its_units(minor: i64, currency: Currency) -> i64 {
    if IN_HUNDREDTHS.contains(&currency.code()) { minor / 100 } else { minor }
}

fn heard(session: &Session, amount: Money) -> Result<Heard, PaymentError> {
    match (session.status.as_deref(), session.payment_status.as_deref()) {
        (Some("expired"), _) => Ok(Heard::Closed),
        (Some("complete"), Some("paid")) => {
            let currency = session.currency.as_deref().unwrap_or_default();
            let is_ours = currency.eq_ignore_ascii_case(amount.currency.code());
            if !is_ours || session.amount_total != Some(in_its_units(amount)) {
                return Err(PaymentError::NotUnderstood("another amount than was asked for"));
            }
            let charge = session.payment_intent.as_ref().and_then(|intent| intent.latest_charge.clone());
            let reference = charge.ok_or(PaymentError::NotUnderstood("payment_intent.latest_charge"))?;
            Ok(Heard::Paid { reference })
        }
        (Some("complete"), Some("unpaid")) => {
            let status = session.payment_intent.as_ref().and_then(|intent| intent.status.as_deref());
            let has_failed = matches!(status, Some("requires_payment_method" | "canceled"));
            Ok(if has_failed { Heard::Closed } else { Heard::Processing })
        }
        (Some("open"), _) => Ok(Heard::Open),
        _ => Err(PaymentError::NotUnderstood("status")),
    }
}

/// The name of the reason in an answer that says no.
fn code(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Answer {
        error: Reason,
    }
    #[derive(Deserialize)]
    struct Reason {
        code: Option<String>,
        r#type: Option<String>,
    }
    let reason = serde_json::from_slice::<Answer>(body).ok().map(|answer| answer.error);
    reason.and_then(|reason| reason.code.or(reason.r#type)).unwrap_or_default()
}

/// How old a notice may be, seconds: what Stripe's own libraries allow.
const TOLERANCE: i64 = 300;

/// What Stripe signs its notices with: `whsec_…`.
#[derive(Clone)]
pub struct SignatureSecret(String);

/// Nothing of it.
impl std::fmt::Debug for SignatureSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignatureSecret")
    }
}

/// Why a notice is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// The field is missing or cannot be read.
    #[error("expected the field Stripe-Signature: t=…,v1=…")]
    NoSignature,
    /// It was not signed with this secret, or was changed on the way.
    #[error("the signature is not one of this secret for this body")]
    OtherSignature,
    /// It is too old, or from the future.
    #[error("the signature is older than five minutes, or from the future")]
    TooOld,
}

impl SignatureSecret {
    /// Reads a secret: 10 to 200 letters, digits and signs behind `whsec_`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let rest = text.strip_prefix("whsec_")?;
        let is_secret = (10..=200).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_graphic());
        is_secret.then(|| Self(text.to_owned()))
    }

    /// As it is kept, encrypted.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a notice is Stripe's, whole and new: HMAC with SHA-256 over timestamp and body, with a full stop between.
    pub fn verify(&self, signature: &str, body: &[u8], now: Timestamp) -> Result<(), NoticeError> {
        let parts = || signature.split(',').filter_map(|part| part.trim().split_once('='));
        let at = parts().find(|(name, _)| *name == "t").map(|(_, at)| at).ok_or(NoticeError::NoSignature)?;
        let seconds: i64 = at.parse().map_err(|_| NoticeError::NoSignature)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).map_err(|_| NoticeError::NoSignature)?;
        mac.update(at.as_bytes());
        mac.update(b".");
        mac.update(body);
        let mut given = parts().filter(|(name, _)| *name == "v1").filter_map(|(_, hex)| hex::decode(hex).ok());
        if !given.any(|given| mac.clone().verify_slice(&given).is_ok()) {
            return Err(NoticeError::OtherSignature);
        }
        if now.seconds().abs_diff(seconds) > TOLERANCE.unsigned_abs() { Err(NoticeError::TooOld) } else { Ok(()) }
    }
}

/// Which return order a notice is about: the session's `client_reference_id`. `None`: it is about something else.
pub fn notice_of(body: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Event {
        data: Data,
    }
    #[derive(Deserialize)]
    struct Data {
        object: Object,
    }
    #[derive(Deserialize)]
    struct Object {
        object: String,
        client_reference_id: Option<String>,
    }
    let Object { object, client_reference_id } = serde_json::from_slice::<Event>(body).ok()?.data.object;
    client_reference_id.filter(|_| object == "checkout.session")
}
