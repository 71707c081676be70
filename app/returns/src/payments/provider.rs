//! The company that takes an account's payments, as it is reached.

use crate::{Error, Result, Retour};
use domain::{
    order::Account,
    payment::{PaymentKind, PaymentProvider},
};
use outbound::{
    bridge::ApiKey,
    http::Endpoint,
    payment::{Mollie, Processor, SignatureSecret, Stripe},
};

impl Retour {
    /// The company of that kind; `None` where the account has another one by now, or none. What is broken here was checked
    /// when it was kept.
    pub(super) fn processor(&self, account: &Account, kind: PaymentKind) -> Result<Option<Processor>> {
        let Some(known) = account.payment.processor().filter(|_| account.payment.kind() == kind) else {
            return Ok(None);
        };
        let http = self.http.clone().ok_or(Error::Broken)?;
        let url = Endpoint::parse(&known.url).map_err(|_| Error::Broken)?;
        let opened = self.open_payment_secret(account.id, &known.api_key)?;
        let key = ApiKey::parse(&opened).map_err(|_| Error::Broken)?;
        Ok(match account.payment {
            PaymentProvider::None | PaymentProvider::Simulated => None,
            PaymentProvider::Stripe(_) => Some(Processor::Stripe(Stripe::new(http, url, key))),
            PaymentProvider::Mollie(_) => Some(Processor::Mollie(Mollie::new(http, url, key))),
        })
    }

    /// What an account's Stripe signs its notices with.
    pub(super) fn signature_secret(&self, account: &Account) -> Result<Option<SignatureSecret>> {
        let PaymentProvider::Stripe(known) = &account.payment else { return Ok(None) };
        let Some(sealed) = &known.webhook_secret else { return Ok(None) };
        let opened = self.open_payment_secret(account.id, sealed)?;
        SignatureSecret::parse(&opened).map(Some).ok_or(Error::Broken)
    }
}
