//! The connection to an account's payment provider.

use super::health::CallResult;
use crate::base::{OrBroken, Result, Retour, figures::Figures};
use domain::{
    account::Account,
    payment::{PaymentKind, PaymentProvider},
};
use outbound::{
    api_key::ApiKey,
    http::Endpoint,
    payments::{Mollie, PaymentError, Processor, SignatureSecret, Stripe},
};
use std::{future::Future, time::Instant};

impl Retour {
    /// The account's provider if it is of this kind, or `None` if the account has another one now, or none. The
    /// settings were validated when they were saved, so an invalid one here is a bug.
    pub(crate) fn processor(&self, account: &Account, kind: PaymentKind) -> Result<Option<Processor>> {
        let Some(known) = account.payment.processor().filter(|_| account.payment.kind() == kind) else {
            return Ok(None);
        };
        let http = self.config.http.clone().or_broken()?;
        let url = Endpoint::parse(&known.url).or_broken()?;
        let opened = self.open_payment_secret(account.id, &known.api_key)?;
        let key = ApiKey::parse(&opened).or_broken()?;
        Ok(match account.payment {
            PaymentProvider::None | PaymentProvider::Simulated => None,
            PaymentProvider::Stripe(_) => Some(Processor::Stripe(Stripe::new(http, url, key))),
            PaymentProvider::Mollie(_) => Some(Processor::Mollie(Mollie::new(http, url, key))),
        })
    }

    /// The secret with which the account's Stripe signs its webhooks.
    pub(crate) fn signature_secret(&self, account: &Account) -> Result<Option<SignatureSecret>> {
        let PaymentProvider::Stripe(known) = &account.payment else { return Ok(None) };
        let Some(sealed) = &known.webhook_secret else { return Ok(None) };
        let opened = self.open_payment_secret(account.id, sealed)?;
        SignatureSecret::parse(&opened).map(Some).or_broken()
    }
}

/// The reason for the merchant why a payment does not progress after a change of provider.
pub const OTHER_PROVIDER: &str = "The account now has another payment provider than the one that created this \
    payment: set that provider again. Refunds on its own pages count too.";

/// The result of a call to a provider. A refund that failed at the provider is a usable answer.
pub fn result_of<T>(answer: &Result<T, PaymentError>) -> CallResult {
    match answer {
        Ok(_) | Err(PaymentError::RefundFailed(_)) => CallResult::Succeeded,
        Err(error) => CallResult::Failed(error.to_string()),
    }
}

/// Awaits a provider's answer and counts it in the metrics.
pub async fn asked_about<T>(
    figures: &Figures,
    what: &'static str,
    call: impl Future<Output = Result<T, PaymentError>>,
) -> Result<T, PaymentError> {
    let began = Instant::now();
    let answer = call.await;
    let outcome = match &answer {
        Ok(_) => what,
        Err(error) => error.name(),
    };
    figures.payments.count(outcome, began.elapsed());
    answer
}
