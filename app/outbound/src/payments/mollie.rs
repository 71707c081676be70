//! Mollie: a payment with a hosted checkout for each try to pay.
//!
//! By its documentation: "Payments API" (create, get, cancel), "Refunds API", "API idempotency", "Webhooks": a notice holds
//! an id and nothing else, and what became of it is asked.

use crate::payments::{GiveBack, Given, NewPage, Page, PaymentError, below, call, page};
use crate::{
    api_key::ApiKey,
    http::{Endpoint, Http, Method},
};
use domain::{
    Money, Timestamp,
    payment::{Heard, RefundOutcome},
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
struct Payment {
    id: String,
    status: String,
    amount: Amount,
    method: Option<String>,
    #[serde(rename = "_links")]
    links: Option<Links>,
}

#[derive(Deserialize)]
struct Amount {
    currency: String,
    value: String,
}

#[derive(Deserialize)]
struct Links {
    checkout: Option<Link>,
}

#[derive(Deserialize)]
struct Link {
    href: String,
}

#[derive(Deserialize)]
struct Refund {
    status: String,
    amount: Amount,
}

impl Refund {
    fn has_failed(&self) -> bool {
        matches!(self.status.as_str(), "failed" | "canceled")
    }

    fn is_pending(&self) -> bool {
        self.status != "refunded"
    }
}

#[derive(Deserialize)]
struct Refunds {
    #[serde(rename = "_embedded")]
    embedded: Embedded,
}

#[derive(Deserialize)]
struct Embedded {
    refunds: Vec<Refund>,
}

impl Mollie {
    /// Mollie at an address, such as `https://api.mollie.com`.
    pub fn new(http: Http, url: Endpoint, key: ApiKey) -> Self {
        Self { http, url, key }
    }

    pub(super) async fn open(&self, new: &NewPage, now: Timestamp) -> Result<Page, PaymentError> {
        let body = json!({
            "amount": amount(new.amount),
            "description": new.description,
            "redirectUrl": new.done_url,
            "cancelUrl": new.back_url,
            "webhookUrl": new.notice_url,
            "metadata": {"returnOrder": new.return_order},
        });
        let payment: Payment = self.post(&["payments"], &body, &new.key, now).await?;
        let url = payment.links.and_then(|links| links.checkout).map(|link| link.href);
        page(payment.id, url)
    }

    pub(super) async fn look(&self, id: &str, asked: Money, now: Timestamp) -> Result<Heard, PaymentError> {
        heard(&self.request(Method::GET, &["payments", id], now).await?, asked)
    }

    /// What cannot be cancelled is refused, and then what it came to is asked: it ends by itself.
    pub(super) async fn close(&self, id: &str, asked: Money, now: Timestamp) -> Result<Heard, PaymentError> {
        match self.request::<Payment>(Method::DELETE, &["payments", id], now).await {
            Ok(payment) => heard(&payment, asked),
            Err(PaymentError::Refused { .. }) => self.look(id, asked, now).await,
            Err(error) => Err(error),
        }
    }

    /// What has gone back of a payment.
    pub(super) async fn given_back(&self, back: &GiveBack, now: Timestamp) -> Result<Given, PaymentError> {
        let refunds: Refunds = self.request(Method::GET, &["payments", &back.id, "refunds"], now).await?;
        let mut given = Given::default();
        for refund in refunds.embedded.refunds.iter().filter(|refund| !refund.has_failed()) {
            let minor = Money::parse(&refund.amount.value, back.amount.currency).map(|money| money.minor);
            given.minor = given.minor.saturating_add(minor.map_err(|_| PaymentError::NotUnderstood("amount"))?);
            given.is_pending |= refund.is_pending();
        }
        Ok(given)
    }

    pub(super) async fn give_back(
        &self,
        back: &GiveBack,
        missing: Money,
        now: Timestamp,
    ) -> Result<RefundOutcome, PaymentError> {
        let body = json!({"amount": amount(missing)});
        let refund: Refund = self.post(&["payments", &back.id, "refunds"], &body, &back.key_of(missing), now).await?;
        if refund.has_failed() {
            return Err(PaymentError::RefundFailed(refund.status));
        }
        Ok(if refund.is_pending() { RefundOutcome::OnItsWay } else { RefundOutcome::WentBack })
    }

    async fn request<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        now: Timestamp,
    ) -> Result<T, PaymentError> {
        let to = below(&self.url, &[&["v2"], path].concat())?;
        call(&self.http, (method, &to), (&[self.authorization()], String::new()), (now, reason)).await
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
        call(&self.http, (Method::POST, &to), (&headers, body.to_string()), (now, reason)).await
    }

    fn authorization(&self) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", self.key.as_str()))
    }
}

fn amount(money: Money) -> Value {
    json!({"currency": money.currency.code(), "value": money.decimal()})
}

fn heard(payment: &Payment, asked: Money) -> Result<Heard, PaymentError> {
    match payment.status.as_str() {
        // Whoever has chosen a transfer has to make it yet: days, until it is here.
        "open" if payment.method.as_deref() == Some("banktransfer") => Ok(Heard::Processing),
        "open" => Ok(Heard::Open),
        "pending" | "authorized" => Ok(Heard::Processing),
        "canceled" | "expired" | "failed" => Ok(Heard::Closed),
        "paid" => {
            let Amount { currency, value } = &payment.amount;
            let is_ours = currency == asked.currency.code() && Money::parse(value, asked.currency) == Ok(asked);
            if !is_ours {
                return Err(PaymentError::NotUnderstood("another amount than was asked for"));
            }
            Ok(Heard::Paid { reference: payment.id.clone() })
        }
        _ => Err(PaymentError::NotUnderstood("status")),
    }
}

/// Which field an answer is about that says no; its sentences are for people.
fn reason(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Answer {
        title: Option<String>,
        field: Option<String>,
    }
    let answer = serde_json::from_slice::<Answer>(body).ok();
    answer.and_then(|answer| answer.field.or(answer.title)).unwrap_or_default()
}
