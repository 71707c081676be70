//! The secrets of an account's systems, sealed under the operator's keys.

use super::{
    error::{Error, Result},
    retour::Retour,
    secrets::{Pseudonyms, purpose, purpose_of_bridge, purpose_of_carrier, purpose_of_payment, purpose_of_totp},
};
use domain::{AccountId, UserId, WebhookSubscriptionId};

impl Retour {
    /// Pseudonyms for one purpose. All instances with the same secret key compute the same ones; `None` without a key.
    /// While the operator replaces the key, instances with the new key compute different ones.
    pub fn pseudonyms(&self, purpose: &str) -> Option<Pseudonyms> {
        self.config.secret_keys.pseudonyms(purpose)
    }

    /// Encrypts a webhook subscription's secret.
    pub(crate) fn seal_secret(
        &self,
        account: AccountId,
        subscription: WebhookSubscriptionId,
        secret: &str,
    ) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose(account, subscription), secret)
    }

    /// Encrypts the secret of an account's bridge.
    pub(crate) fn seal_bridge_secret(&self, account: AccountId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_bridge(account), secret)
    }

    /// Decrypts the secret of an account's bridge.
    pub(crate) fn open_bridge_secret(&self, account: AccountId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_bridge(account), sealed).ok_or(Error::LostSecret)
    }

    /// Encrypts a secret of an account's payment provider.
    pub(crate) fn seal_payment_secret(&self, account: AccountId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_payment(account), secret)
    }

    /// Decrypts a secret of an account's payment provider.
    pub(crate) fn open_payment_secret(&self, account: AccountId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_payment(account), sealed).ok_or(Error::LostSecret)
    }

    /// Encrypts a secret of an account's carrier.
    pub(crate) fn seal_carrier_secret(&self, account: AccountId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_carrier(account), secret)
    }

    /// Decrypts a secret of an account's carrier.
    pub(crate) fn open_carrier_secret(&self, account: AccountId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_carrier(account), sealed).ok_or(Error::LostSecret)
    }

    /// Encrypts the secret of a user's authenticator app.
    pub(crate) fn seal_totp_secret(&self, account: AccountId, user: UserId, secret: &str) -> Result<String> {
        self.config.secret_keys.seal(self.source.random(), &purpose_of_totp(account, user), secret)
    }

    /// Decrypts the secret of a user's authenticator app.
    pub(crate) fn open_totp_secret(&self, account: AccountId, user: UserId, sealed: &str) -> Result<String> {
        self.config.secret_keys.open(&purpose_of_totp(account, user), sealed).ok_or(Error::LostSecret)
    }

    /// Decrypts a webhook subscription's secret.
    pub(crate) fn open_secret(
        &self,
        account: AccountId,
        subscription: WebhookSubscriptionId,
        sealed: &str,
    ) -> Result<String> {
        self.config.secret_keys.open(&purpose(account, subscription), sealed).ok_or(Error::LostSecret)
    }
}
