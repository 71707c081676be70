//! Stripe: a Checkout Session for each attempt to pay.
//!
//! Follows Stripe's documentation: API reference, "Checkout Sessions", "Refunds", "Idempotent requests"; "Currencies",
//! "Special cases".

use super::{
    error::PaymentError,
    page::{NewPaymentPage, PaymentPage, checked_page},
    refund::{RefundRequest, RefundedSoFar},
    request::{ProviderRequest, below, send},
};
use crate::{
    api_key::ApiKey,
    http::{Endpoint, Http, Method},
};
use domain::{
    Currency, Money, Timestamp,
    payment::{CheckoutReport, RefundOutcome},
};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

/// The API version. A fixed one keeps the responses independent of the merchant's settings at Stripe.
const API_VERSION: &str = "2024-06-20";
/// Currencies without decimals for which Stripe nevertheless uses hundredths.
const IN_HUNDREDTHS: [&str; 2] = ["ISK", "UGX"];
/// How many refunds of a payment are read: the most that Stripe returns at once.
const MAX_REFUNDS: &str = "100";

/// Stripe, with a merchant's key.
#[derive(Debug, Clone)]
pub struct Stripe {
    http: Http,
    url: Endpoint,
    key: ApiKey,
}

/// The parts of a session that we read, with its payment intent expanded.
#[derive(Deserialize)]
struct CheckoutSession {
    status: Option<String>,
    payment_status: Option<String>,
    amount_total: Option<i64>,
    currency: Option<String>,
    payment_intent: Option<PaymentIntent>,
}

#[derive(Deserialize)]
struct PaymentIntent {
    status: Option<String>,
    latest_charge: Option<String>,
}

/// A session that was created.
#[derive(Deserialize)]
struct CreatedSession {
    id: String,
    url: Option<String>,
}

#[derive(Deserialize)]
struct StripeRefund {
    amount: i64,
    status: Option<String>,
}

impl StripeRefund {
    fn has_failed(&self) -> bool {
        matches!(self.status.as_deref(), Some("failed" | "canceled"))
    }

    fn is_pending(&self) -> bool {
        matches!(self.status.as_deref(), Some("pending" | "requires_action"))
    }
}

#[derive(Deserialize)]
struct StripeRefundsResponse {
    data: Vec<StripeRefund>,
}

impl Stripe {
    /// Stripe at an address, such as `https://api.stripe.com`.
    pub fn new(http: Http, url: Endpoint, key: ApiKey) -> Self {
        Self { http, url, key }
    }

    pub(super) async fn open(&self, new: &NewPaymentPage, now: Timestamp) -> Result<PaymentPage, PaymentError> {
        let amount = to_stripe_units(new.amount).to_string();
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
        let created: CreatedSession = self.post(&["checkout", "sessions"], &fields, Some(&new.key), now).await?;
        checked_page(created.id, created.url)
    }

    pub(super) async fn look(&self, id: &str, amount: Money, now: Timestamp) -> Result<CheckoutReport, PaymentError> {
        let to = below(&self.url, &["v1", "checkout", "sessions", id])?.with("expand[]", "payment_intent");
        let to = to.map_err(|_| PaymentError::NotUnderstood("an id that makes the URL too long"))?;
        heard(&self.get(&to, now).await?, amount)
    }

    /// Stripe refuses to expire a completed session. In any case we read its state.
    pub(super) async fn close(&self, id: &str, amount: Money, now: Timestamp) -> Result<CheckoutReport, PaymentError> {
        match self.post::<serde::de::IgnoredAny>(&["checkout", "sessions", id, "expire"], &[], None, now).await {
            Ok(_) | Err(PaymentError::Refused { .. }) => self.look(id, amount, now).await,
            Err(error) => Err(error),
        }
    }

    /// What has been refunded of a charge.
    pub(super) async fn refunded(&self, refund: &RefundRequest, now: Timestamp) -> Result<RefundedSoFar, PaymentError> {
        let to = below(&self.url, &["v1", "refunds"])?.with("charge", &refund.reference);
        let to = to.and_then(|to| to.with("limit", MAX_REFUNDS));
        let to = to.map_err(|_| PaymentError::NotUnderstood("an id that makes the URL too long"))?;
        let listed: StripeRefundsResponse = self.get(&to, now).await?;
        let not_failed = || listed.data.iter().filter(|one| !one.has_failed());
        let sum = not_failed().map(|one| one.amount).fold(0, i64::saturating_add);
        let minor = from_stripe_units(sum, refund.amount.currency);
        Ok(RefundedSoFar { minor, is_pending: not_failed().any(StripeRefund::is_pending) })
    }

    pub(super) async fn refund(
        &self,
        refund: &RefundRequest,
        missing: Money,
        now: Timestamp,
    ) -> Result<RefundOutcome, PaymentError> {
        let amount = to_stripe_units(missing).to_string();
        let fields = [("charge", refund.reference.as_str()), ("amount", &amount)];
        let made: StripeRefund = self.post(&["refunds"], &fields, Some(&refund.key_of(missing)), now).await?;
        if made.has_failed() {
            return Err(PaymentError::RefundFailed(made.status.unwrap_or_default()));
        }
        Ok(if made.is_pending() { RefundOutcome::OnItsWay } else { RefundOutcome::WentBack })
    }

    async fn get<T: serde::de::DeserializeOwned>(&self, to: &Endpoint, now: Timestamp) -> Result<T, PaymentError> {
        let headers = [self.authorization(), ("stripe-version", API_VERSION.to_owned())];
        let (method, body) = (Method::GET, String::new());
        send(&self.http, ProviderRequest { method, to, headers: &headers, body, error_code }, now).await
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
            ("stripe-version", API_VERSION.to_owned()),
            ("content-type", "application/x-www-form-urlencoded".to_owned()),
        ];
        headers.extend(key.map(|key| ("idempotency-key", key.to_owned())));
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        let method = Method::POST;
        send(&self.http, ProviderRequest { method, to: &to, headers: &headers, body, error_code }, now).await
    }

    fn authorization(&self) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", self.key.as_str()))
    }
}

/// Minor units in Stripe's unit.
fn to_stripe_units(amount: Money) -> i64 {
    if IN_HUNDREDTHS.contains(&amount.currency.code()) { amount.minor.saturating_mul(100) } else { amount.minor }
}

fn from_stripe_units(minor: i64, currency: Currency) -> i64 {
    if IN_HUNDREDTHS.contains(&currency.code()) { minor / 100 } else { minor }
}

fn heard(session: &CheckoutSession, amount: Money) -> Result<CheckoutReport, PaymentError> {
    match (session.status.as_deref(), session.payment_status.as_deref()) {
        (Some("expired"), _) => Ok(CheckoutReport::Closed),
        (Some("complete"), Some("paid")) => {
            let currency = session.currency.as_deref().unwrap_or_default();
            let is_ours = currency.eq_ignore_ascii_case(amount.currency.code());
            if !is_ours || session.amount_total != Some(to_stripe_units(amount)) {
                return Err(PaymentError::NotUnderstood("another amount than the requested one"));
            }
            let charge = session.payment_intent.as_ref().and_then(|intent| intent.latest_charge.clone());
            let reference = charge.ok_or(PaymentError::NotUnderstood("payment_intent.latest_charge"))?;
            Ok(CheckoutReport::Paid { reference })
        }
        (Some("complete"), Some("unpaid")) => {
            let status = session.payment_intent.as_ref().and_then(|intent| intent.status.as_deref());
            let has_failed = matches!(status, Some("requires_payment_method" | "canceled"));
            Ok(if has_failed { CheckoutReport::Closed } else { CheckoutReport::Processing })
        }
        (Some("open"), _) => Ok(CheckoutReport::Open),
        _ => Err(PaymentError::NotUnderstood("status")),
    }
}

/// The error code of a refusal.
fn error_code(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct StripeErrorResponse {
        error: StripeError,
    }
    #[derive(Deserialize)]
    struct StripeError {
        code: Option<String>,
        r#type: Option<String>,
    }
    let error = serde_json::from_slice::<StripeErrorResponse>(body).ok().map(|response| response.error);
    error.and_then(|error| error.code.or(error.r#type)).unwrap_or_default()
}
