//! The page of a payment provider on which the shopper pays.

use super::error::PaymentError;
use domain::{Money, Timestamp};
use url::Url;

/// The longest URL of a page.
const MAX_URL_BYTES: usize = 4096;
/// The longest id of a page.
const MAX_ID_BYTES: usize = 200;

/// A page to open.
#[derive(Debug, Clone)]
pub struct NewPaymentPage {
    /// The idempotency key: the same key leads to the same page.
    pub key: String,
    /// The amount to pay.
    pub amount: Money,
    /// What the payment is for, in the shopper's language.
    pub description: String,
    /// The id of the return order, shown in the provider's dashboard.
    pub return_order: String,
    /// When the page expires.
    pub ends_at: Timestamp,
    /// Where the provider redirects the shopper after the payment.
    pub done_url: String,
    /// Where the provider redirects the shopper without a payment.
    pub back_url: String,
    /// Where the provider sends webhooks, for providers that take a URL per page; `None` if it cannot reach us.
    pub notice_url: Option<String>,
}

/// An open page.
#[derive(Clone, PartialEq, Eq)]
pub struct PaymentPage {
    /// The provider's id.
    pub id: String,
    /// The URL.
    pub url: String,
}

/// Does not show the URL: it gives access to the payment.
impl std::fmt::Debug for PaymentPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PaymentPage").field("id", &self.id).finish_non_exhaustive()
    }
}

/// A page out of a provider's answer, if its URL is safe to redirect to.
pub(super) fn checked_page(id: String, url: Option<String>) -> Result<PaymentPage, PaymentError> {
    let is_id = (1..=MAX_ID_BYTES).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if !is_id {
        return Err(PaymentError::NotUnderstood("id"));
    }
    let parsed = url.filter(|url| url.len() <= MAX_URL_BYTES).and_then(|url| Url::parse(&url).ok());
    let parsed = parsed.filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host());
    parsed.map(|url| PaymentPage { id, url: url.into() }).ok_or(PaymentError::NotUnderstood("url"))
}
