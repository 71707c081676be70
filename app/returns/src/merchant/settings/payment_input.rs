//! The payment provider of an account, as the merchant sets it.

use crate::base::{OrBroken, Result, Retour, error::check};
use domain::{
    AccountId, Problems, RefusalCode,
    payment::{PaymentKind, PaymentProvider, Processor},
};
use outbound::{api_key::ApiKey, http::Endpoint, payments::SignatureSecret};
use schemars::JsonSchema;
use serde::Deserialize;
use std::fmt;

/// The usual base URLs of the providers.
const STRIPE_URL: &str = "https://api.stripe.com/";
const MOLLIE_URL: &str = "https://api.mollie.com/";

/// The provider that takes payments. Replaces the whole setting.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "PaymentInput")]
pub struct PaymentInput {
    /// `none`: no provider; amounts that a consumer would have to pay are waived. `simulated`: a page of Retour that
    /// moves no money. `stripe`, `mollie`: those companies.
    pub kind: PaymentKind,
    /// The merchant's key at the provider: Stripe's `sk_…` or `rk_…`, Mollie's `live_…` or `test_…`. May be left out if
    /// kind and URL stay.
    #[schemars(extend("examples" = ["rk_live_51H8sO2eZvKYlo2C"]))]
    pub api_key: Option<String>,
    /// The secret that signs Stripe's webhooks: `whsec_…`. Without it, Retour queries Stripe for the status of a
    /// payment, which takes up to a minute. May be left out if kind, URL and key stay.
    #[schemars(extend("examples" = ["whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z"]))]
    pub webhook_secret: Option<String>,
    /// The base URL of the provider's API, if it is not the usual one.
    #[schemars(extend("examples" = ["https://api.stripe.com"]))]
    pub url: Option<String>,
}

/// Omits the secrets.
impl fmt::Debug for PaymentInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaymentInput").field("kind", &self.kind).field("url", &self.url).finish_non_exhaustive()
    }
}

impl Retour {
    /// The provider to store, with its secrets encrypted.
    pub(crate) fn payment_provider_of(
        &self,
        account: AccountId,
        input: &PaymentInput,
        before: &PaymentProvider,
    ) -> Result<PaymentProvider> {
        let mut problems = Problems::default();
        let provider = match input.kind {
            PaymentKind::None | PaymentKind::Simulated => {
                let given = [("apiKey", &input.api_key), ("webhookSecret", &input.webhook_secret), ("url", &input.url)];
                for (field, _) in given.into_iter().filter(|(_, given)| given.is_some()) {
                    let message = "expected nothing: such payments have no provider to call";
                    problems.add(format!("payment.{field}"), RefusalCode::NotAllowed, message);
                }
                Some(if input.kind == PaymentKind::None { PaymentProvider::None } else { PaymentProvider::Simulated })
            }
            PaymentKind::Stripe => {
                self.processor_of(account, input, STRIPE_URL, before, &mut problems)?.map(PaymentProvider::Stripe)
            }
            PaymentKind::Mollie => {
                if input.webhook_secret.is_some() {
                    let message =
                        "expected nothing: Mollie does not sign its notices, and Retour does not trust their content";
                    problems.add("payment.webhookSecret", RefusalCode::NotAllowed, message);
                }
                self.processor_of(account, input, MOLLIE_URL, before, &mut problems)?.map(PaymentProvider::Mollie)
            }
        };
        check(problems)?;
        provider.or_broken() // without problems there is one
    }

    fn processor_of(
        &self,
        account: AccountId,
        input: &PaymentInput,
        usual: &str,
        before: &PaymentProvider,
        problems: &mut Problems,
    ) -> Result<Option<Processor>> {
        let url = self.checked_url(input.url.as_deref().unwrap_or(usual), "payment.url", problems);
        // A caller who may change the URL but does not know the key must not redirect it to another server.
        let same = before.processor().filter(|known| before.kind() == input.kind && url.as_ref() == Some(&known.url));
        let api_key = match (input.api_key.as_deref().map(ApiKey::parse), same) {
            (Some(Ok(key)), _) => Some(self.seal_payment_secret(account, key.as_str())?),
            (Some(Err(error)), _) => {
                problems.add("payment.apiKey", RefusalCode::NotAllowed, error.to_string());
                None
            }
            (None, Some(known)) => Some(known.api_key.clone()),
            (None, None) => {
                problems.add("payment.apiKey", RefusalCode::Required, "expected the API key of your payment provider");
                None
            }
        };
        let webhook_secret = match input.webhook_secret.as_deref().map(SignatureSecret::parse) {
            Some(Some(secret)) => Some(self.seal_payment_secret(account, secret.as_str())?),
            Some(None) => {
                problems.add(
                    "payment.webhookSecret",
                    RefusalCode::NotAllowed,
                    "expected a secret that begins with whsec_",
                );
                None
            }
            // A new key may belong to another Stripe account or to its test mode, where the old secret is not valid.
            None => same.filter(|_| input.api_key.is_none()).and_then(|known| known.webhook_secret.clone()),
        };
        Ok(url.zip(api_key).map(|(url, api_key)| Processor { url, api_key, webhook_secret }))
    }

    /// The normalized form of a URL that may be called.
    pub(crate) fn checked_url(&self, url: &str, field: &str, problems: &mut Problems) -> Option<String> {
        let parsed = Endpoint::parse(url.trim()).map_err(|error| error.to_string()).and_then(|endpoint| {
            let checked = self.config.http.as_ref().map_or(Ok(()), |http| http.check(&endpoint));
            checked.map(|()| endpoint).map_err(|error| error.to_string())
        });
        parsed
            .map_err(|message| problems.add(field, RefusalCode::NotAllowed, message))
            .ok()
            .map(|url| url.as_str().to_owned())
    }
}
