//! Mollie: a payment with a hosted checkout for each attempt to pay.
//!
//! Follows Mollie's documentation: "Payments API" (create, get, cancel), "Refunds API", "API idempotency", "Webhooks". A
//! webhook contains only an id, so we ask for the payment's state.

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
    Money, Timestamp,
    payment::{CheckoutReport, RefundOutcome},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Mollie, with a merchant's key.
#[derive(Debug, Clone)]
pub struct Mollie {
    http: Http,
    url: Endpoint,
    key: ApiKey,
}

/// A payment, as far as we read it.
#[derive(Deserialize)]
struct MolliePayment {
    id: String,
    status: String,
    amount: MollieAmount,
    method: Option<String>,
    #[serde(rename = "_links")]
    links: Option<PaymentLinks>,
}

#[derive(Deserialize)]
struct MollieAmount {
    currency: String,
    value: String,
}

#[derive(Deserialize)]
struct PaymentLinks {
    checkout: Option<Link>,
}

#[derive(Deserialize)]
struct Link {
    href: String,
}

#[derive(Deserialize)]
struct MollieRefund {
    status: String,
    amount: MollieAmount,
}

impl MollieRefund {
    fn has_failed(&self) -> bool {
        matches!(self.status.as_str(), "failed" | "canceled")
    }

    fn is_pending(&self) -> bool {
        self.status != "refunded"
    }
}

#[derive(Deserialize)]
struct MollieRefundsResponse {
    #[serde(rename = "_embedded")]
    embedded: EmbeddedRefunds,
}

#[derive(Deserialize)]
struct EmbeddedRefunds {
    refunds: Vec<MollieRefund>,
}

impl Mollie {
    /// Mollie at an address, such as `https://api.mollie.com`.
    pub fn new(http: Http, url: Endpoint, key: ApiKey) -> Self {
        Self { http, url, key }
    }

    pub(super) async fn open(&self, new: &NewPaymentPage, now: Timestamp) -> Result<PaymentPage, PaymentError> {
        let body = json!({
            "amount": amount(new.amount),
            "description": new.description,
            "redirectUrl": new.done_url,
            "cancelUrl": new.back_url,
            "webhookUrl": new.notice_url,
            "metadata": {"returnOrder": new.return_order},
        });
        let payment: MolliePayment = self.post(&["payments"], &body, &new.key, now).await?;
        let url = payment.links.and_then(|links| links.checkout).map(|link| link.href);
        checked_page(payment.id, url)
    }

    pub(super) async fn look(&self, id: &str, asked: Money, now: Timestamp) -> Result<CheckoutReport, PaymentError> {
        heard(&self.request(Method::GET, &["payments", id], now).await?, asked)
    }

    /// Mollie refuses to cancel some payments. Then we read the state: such a payment ends by itself.
    pub(super) async fn close(&self, id: &str, asked: Money, now: Timestamp) -> Result<CheckoutReport, PaymentError> {
        match self.request::<MolliePayment>(Method::DELETE, &["payments", id], now).await {
            Ok(payment) => heard(&payment, asked),
            Err(PaymentError::Refused { .. }) => self.look(id, asked, now).await,
            Err(error) => Err(error),
        }
    }

    /// What has been refunded of a payment.
    pub(super) async fn refunded(&self, refund: &RefundRequest, now: Timestamp) -> Result<RefundedSoFar, PaymentError> {
        let listed: MollieRefundsResponse =
            self.request(Method::GET, &["payments", &refund.id, "refunds"], now).await?;
        let mut refunded = RefundedSoFar::default();
        for one in listed.embedded.refunds.iter().filter(|one| !one.has_failed()) {
            let minor = Money::parse(&one.amount.value, refund.amount.currency).map(|money| money.minor);
            refunded.minor = refunded.minor.saturating_add(minor.map_err(|_| PaymentError::NotUnderstood("amount"))?);
            refunded.is_pending |= one.is_pending();
        }
        Ok(refunded)
    }

    pub(super) async fn refund(
        &self,
        refund: &RefundRequest,
        missing: Money,
        now: Timestamp,
    ) -> Result<RefundOutcome, PaymentError> {
        let body = json!({"amount": amount(missing)});
        let made: MollieRefund =
            self.post(&["payments", &refund.id, "refunds"], &body, &refund.key_of(missing), now).await?;
        if made.has_failed() {
            return Err(PaymentError::RefundFailed(made.status));
        }
        Ok(if made.is_pending() { RefundOutcome::OnItsWay } else { RefundOutcome::WentBack })
    }

    async fn request<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        now: Timestamp,
    ) -> Result<T, PaymentError> {
        let to = below(&self.url, &[&["v2"], path].concat())?;
        let headers = [self.authorization()];
        let request = ProviderRequest { method, to: &to, headers: &headers, body: String::new(), error_code };
        send(&self.http, request, now).await
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &Value,
        key: &str,
        now: Timestamp,
    ) -> Result<T, PaymentError> {
        let to = below(&self.url, &[&["v2"], path].concat())?;
        let headers = [
            self.authorization(),
            ("content-type", "application/json".to_owned()),
            ("idempotency-key", key.to_owned()),
        ];
        let (method, body) = (Method::POST, body.to_string());
        send(&self.http, ProviderRequest { method, to: &to, headers: &headers, body, error_code }, now).await
    }

    fn authorization(&self) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", self.key.as_str()))
    }
}

fn amount(money: Money) -> Value {
    json!({"currency": money.currency.code(), "value": money.decimal()})
}

fn heard(payment: &MolliePayment, asked: Money) -> Result<CheckoutReport, PaymentError> {
    match payment.status.as_str() {
        // A shopper who chose a bank transfer has yet to make it. That takes days.
        "open" if payment.method.as_deref() == Some("banktransfer") => Ok(CheckoutReport::Processing),
        "open" => Ok(CheckoutReport::Open),
        "pending" | "authorized" => Ok(CheckoutReport::Processing),
        "canceled" | "expired" | "failed" => Ok(CheckoutReport::Closed),
        "paid" => {
            let MollieAmount { currency, value } = &payment.amount;
            let is_ours = currency == asked.currency.code() && Money::parse(value, asked.currency) == Ok(asked);
            if !is_ours {
                return Err(PaymentError::NotUnderstood("another amount than the requested one"));
            }
            Ok(CheckoutReport::Paid { reference: payment.id.clone() })
        }
        _ => Err(PaymentError::NotUnderstood("status")),
    }
}

/// The error code of a refusal: the name of the wrong field, or the title of the error.
fn error_code(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct MollieError {
        title: Option<String>,
        field: Option<String>,
    }
    let error = serde_json::from_slice::<MollieError>(body).ok();
    error.and_then(|error| error.field.or(error.title)).unwrap_or_default()
}
