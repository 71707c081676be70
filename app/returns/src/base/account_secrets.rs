//! The secrets of an account's systems, sealed under the operator's keys.

use super::{
    error::{Error, Result},
    retour::Retour,
    secrets::{Pseudonyms, purpose, purpose_of_bridge, purpose_of_carrier, purpose_of_payment},
};
use domain::{AccountId, WebhookSubscriptionId};

impl Retour {
    /// Names for one purpose, which all instances with the same secret key make alike; `None` without a key. While a key
    /// is replaced, those that have the new one already make others.
    pub fn pseudonyms(&self, purpose: &str) -> Option<Pseudonyms> {
        self.config.secret_keys.pseudonyms(purpose)
    }

    /// A subscription's secret as it is kept.
    pub(crate) fn seal_secret(
        &self,
        account: AccountId,
        subscription: WebhookSubscriptionId,
        secret: &str,
    ) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose(account, subscription), secret)
    }

    /// The secret of an account's shop as it is kept.
    pub(crate) fn seal_bridge_secret(&self, account: AccountId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_bridge(account), secret)
    }

    /// The same, from how it is kept.
    pub(crate) fn open_bridge_secret(&self, account: AccountId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_bridge(account), sealed).ok_or(Error::LostSecret)
    }

    /// A secret of whoever takes an account's payments, as it is kept.
    pub(crate) fn seal_payment_secret(&self, account: AccountId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_payment(account), secret)
    }

    /// The same, from how it is kept.
    pub(crate) fn open_payment_secret(&self, account: AccountId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_payment(account), sealed).ok_or(Error::LostSecret)
    }

    /// A secret of whoever makes an account's labels, as it is kept.
    pub(crate) fn seal_carrier_secret(&self, account: AccountId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_carrier(account), secret)
    }

    /// The same, from how it is kept.
    pub(crate) fn open_carrier_secret(&self, account: AccountId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_carrier(account), sealed).ok_or(Error::LostSecret)
    }

    /// A subscription's secret, from how it is kept.
    pub(crate) fn open_secret(
        &self,
        account: AccountId,
        subscription: WebhookSubscriptionId,
        sealed: &str,
    ) -> Result<String> {
        self.config.secret_keys.open(&purpose(account, subscription), sealed).ok_or(Error::LostSecret)
    }
}
