//! The payment providers, and the least amounts that they accept.

use crate::money::Currency;
use serde::{Deserialize, Serialize};

/// The payment provider of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PaymentProvider {
    /// None: amounts that would have to be paid are waived.
    #[default]
    None,
    /// A page of ours that moves no money, to try things out.
    Simulated,
    /// Stripe's hosted checkout.
    Stripe(Processor),
    /// Mollie's hosted checkout.
    Mollie(Processor),
}

/// The connection to a payment provider.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Processor {
    /// The base URL of the calls.
    pub url: String,
    /// The merchant's API key; encrypted.
    pub api_key: String,
    /// The secret that signs its webhooks; encrypted. `None` if it sends none, or none with a signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_secret: Option<String>,
}

/// Omits the secrets.
impl std::fmt::Debug for Processor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Processor").field("url", &self.url).finish_non_exhaustive()
    }
}

impl PaymentProvider {
    /// The kind of the provider.
    pub fn kind(&self) -> PaymentKind {
        match self {
            Self::None => PaymentKind::None,
            Self::Simulated => PaymentKind::Simulated,
            Self::Stripe(_) => PaymentKind::Stripe,
            Self::Mollie(_) => PaymentKind::Mollie,
        }
    }

    /// The connection, if there is one.
    pub fn processor(&self) -> Option<&Processor> {
        match self {
            Self::None | Self::Simulated => None,
            Self::Stripe(processor) | Self::Mollie(processor) => Some(processor),
        }
    }
}

/// The providers that can take payments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "PaymentKind")]
pub enum PaymentKind {
    /// No provider: amounts that would have to be paid are waived.
    #[default]
    None,
    /// A page of ours that moves no money, to try things out.
    Simulated,
    /// Stripe's hosted checkout.
    Stripe,
    /// Mollie's hosted checkout.
    Mollie,
}

string_enum!(PaymentKind);

/// The least amounts that Stripe charges, minor units (ISO 4217), from its documentation, "Minimum and maximum charge
/// amounts". For other currencies the least amount is unknown: Stripe refuses an amount that is too small.
const STRIPE_LEAST: [(&str, i64); 24] = [
    ("AED", 200),
    ("AUD", 50),
    ("BGN", 100),
    ("BRL", 50),
    ("CAD", 50),
    ("CHF", 50),
    ("CZK", 1_500),
    ("DKK", 250),
    ("EUR", 50),
    ("GBP", 30),
    ("HKD", 400),
    ("HUF", 17_500),
    ("INR", 50),
    ("JPY", 50),
    ("MXN", 1_000),
    ("MYR", 200),
    ("NOK", 300),
    ("NZD", 50),
    ("PLN", 200),
    ("RON", 200),
    ("SEK", 300),
    ("SGD", 50),
    ("THB", 1_000),
    ("USD", 50),
];

/// The currencies that Mollie takes, from its documentation, "Multicurrency".
const MOLLIE_CURRENCIES: [&str; 28] = [
    "AED", "AUD", "BGN", "BRL", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "ISK", "JPY", "MXN",
    "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TWD", "USD", "ZAR",
];

enum_names!(PaymentKind { None = "none", Simulated = "simulated", Stripe = "stripe", Mollie = "mollie" });

impl PaymentKind {
    /// The least amount that can be charged, minor units; `None` if nothing can.
    pub fn least(self, currency: Currency) -> Option<i64> {
        match self {
            Self::None => None,
            Self::Simulated => Some(1),
            // Stripe counts these currencies in tens or hundreds of our minor units.
            Self::Stripe if currency.exponent() > 2 || currency.code() == "MGA" => None,
            Self::Stripe => {
                Some(STRIPE_LEAST.iter().find(|(code, _)| *code == currency.code()).map_or(1, |(_, least)| *least))
            }
            Self::Mollie => MOLLIE_CURRENCIES.contains(&currency.code()).then_some(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_has_its_kind() {
        let processor = || Processor { url: "https://p".into(), api_key: "sealed".into(), webhook_secret: None };
        let (stripe, mollie) = (PaymentProvider::Stripe(processor()), PaymentProvider::Mollie(processor()));
        let kinds = [PaymentProvider::None, PaymentProvider::Simulated, stripe, mollie].map(|one| one.kind());
        assert_eq!(kinds, [PaymentKind::None, PaymentKind::Simulated, PaymentKind::Stripe, PaymentKind::Mollie]);
    }

    #[test]
    fn names_are_the_same_in_json_and_sql_and_tables_hold_currencies() {
        for kind in PaymentKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(PaymentKind::from_name(kind.name()), Some(kind));
        }
        let known = STRIPE_LEAST.map(|(code, _)| code);
        assert!(known.into_iter().chain(MOLLIE_CURRENCIES).all(|code| Currency::from_code(code).is_some()));
        let least = |kind: PaymentKind, code| kind.least(Currency::from_code(code).unwrap());
        assert_eq!((least(PaymentKind::Stripe, "EUR"), least(PaymentKind::Stripe, "GEL")), (Some(50), Some(1)));
        assert_eq!((least(PaymentKind::Stripe, "KWD"), least(PaymentKind::Mollie, "KWD")), (None, None));
        assert_eq!((least(PaymentKind::None, "EUR"), least(PaymentKind::Simulated, "KWD")), (None, Some(1)));
    }

    #[test]
    fn debug_output_has_no_secret() {
        let processor =
            Processor { url: "https://x".into(), api_key: "sealed".into(), webhook_secret: Some("s".into()) };
        let stripe = PaymentProvider::Stripe(processor);
        assert!(!format!("{stripe:?}").contains("sealed"));
        let text = serde_json::to_string(&stripe).unwrap();
        assert_eq!(text, r#"{"kind":"stripe","url":"https://x","apiKey":"sealed","webhookSecret":"s"}"#);
        assert_eq!(serde_json::from_str::<PaymentProvider>(&text).unwrap(), stripe);
        assert_eq!(serde_json::to_string(&PaymentProvider::Simulated).unwrap(), r#"{"kind":"simulated"}"#);
    }

    #[test]
    fn only_external_providers_have_a_processor() {
        let processor = Processor { url: "https://x".into(), api_key: "sealed".into(), webhook_secret: None };
        for of in [PaymentProvider::Stripe, PaymentProvider::Mollie] {
            assert_eq!(of(processor.clone()).processor(), Some(&processor));
        }
        assert_eq!(PaymentProvider::None.processor(), None);
        assert_eq!(PaymentProvider::Simulated.processor(), None);
    }
}
