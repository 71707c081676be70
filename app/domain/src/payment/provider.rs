//! Who takes an account's payments, and the least that they take.

use crate::Currency;
use serde::{Deserialize, Serialize};

/// Who takes an account's payments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PaymentProvider {
    /// Nobody: what would have to be paid is waived.
    #[default]
    None,
    /// A page of ours that moves no money, to try things out.
    Simulated,
    /// Stripe's Checkout.
    Stripe(Processor),
    /// Mollie's hosted checkout.
    Mollie(Processor),
}

/// How a company that takes payments is reached.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Processor {
    /// The address before the names of the calls.
    pub url: String,
    /// What it knows the merchant by; encrypted.
    pub api_key: String,
    /// What signs its notices; encrypted. `None`: it sends none, or none that are signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook_secret: Option<String>,
}

/// Without the secrets.
impl std::fmt::Debug for Processor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Processor").field("url", &self.url).finish_non_exhaustive()
    }
}

impl PaymentProvider {
    /// Of what kind it is.
    pub fn kind(&self) -> PaymentKind {
        match self {
            Self::None => PaymentKind::None,
            Self::Simulated => PaymentKind::Simulated,
            Self::Stripe(_) => PaymentKind::Stripe,
            Self::Mollie(_) => PaymentKind::Mollie,
        }
    }

    /// How it is reached, where it is not here.
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

words!(PaymentKind);

/// The least that Stripe charges, minor units (ISO 4217), by its documentation, "Minimum and maximum charge amounts".
/// Of other currencies the least is not known: whoever asks for too little is told so by Stripe.
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

/// What Mollie takes, by its documentation, "Multicurrency".
const MOLLIE_CURRENCIES: [&str; 28] = [
    "AED", "AUD", "BGN", "BRL", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "ISK", "JPY", "MXN",
    "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TWD", "USD", "ZAR",
];

impl PaymentKind {
    /// Every one of them.
    pub const ALL: [Self; 4] = [Self::None, Self::Simulated, Self::Stripe, Self::Mollie];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Simulated => "simulated",
            Self::Stripe => "stripe",
            Self::Mollie => "mollie",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The least that can be asked for, minor units; `None`: nothing can.
    pub fn least(self, currency: Currency) -> Option<i64> {
        match self {
            Self::None => None,
            Self::Simulated => Some(1),
            // It counts some of them in tens or hundreds of our minor units.
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
    fn what_is_kept_tells_no_secret() {
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
    fn only_a_company_outside_has_a_processor() {
        let processor = Processor { url: "https://x".into(), api_key: "sealed".into(), webhook_secret: None };
        for of in [PaymentProvider::Stripe, PaymentProvider::Mollie] {
            assert_eq!(of(processor.clone()).processor(), Some(&processor));
        }
        assert_eq!(PaymentProvider::None.processor(), None);
        assert_eq!(PaymentProvider::Simulated.processor(), None);
    }
}
