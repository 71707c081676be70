//! Notices from providers. Their content is not trusted: a notice only wakes the worker, which asks the provider.

use crate::base::{Error, Result, Retour};
use domain::{
    AccountId, ReturnOrderId,
    payment::{Payment, PaymentKind},
};
use outbound::{
    carriers::karrio,
    payments::{NoticeError, notice_of},
};
use store::{accounts, parcel_tasks, payment_tasks};

/// Why a notice is refused.
#[derive(Debug, thiserror::Error)]
pub enum NoticeRefused {
    /// The account does not exist, or has no secret for notices.
    #[error("The resource does not exist.")]
    NotFound,
    /// The signature is missing or wrong.
    #[error(transparent)]
    NotBelieved(#[from] NoticeError),
    /// Retour failed. The provider may send the notice again.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl Retour {
    /// Receives a notice from Stripe, with its `Stripe-Signature`.
    pub async fn stripe_notice(&self, account: AccountId, signature: &str, body: &[u8]) -> Result<(), NoticeRefused> {
        let mut reading = self.store.read().await.map_err(Error::from)?;
        let found = accounts::find(reading.db(), account).await.map_err(Error::from)?;
        drop(reading);
        let secret = found.as_ref().map(|account| self.signature_secret(account)).transpose()?.flatten();
        secret.ok_or(NoticeRefused::NotFound)?.verify(signature, body, self.now())?;
        let Some(order) = notice_of(body).and_then(|id| id.parse().ok()) else { return Ok(()) };
        let is_it = |payment: &Payment| payment.kind == PaymentKind::Stripe;
        Ok(self.wake_payment(account, order, is_it).await?)
    }

    /// Receives a notice from Mollie, which contains only the id of one of Mollie's payments. An id that does not
    /// belong to the return wakes no worker, and the response does not show this.
    pub async fn mollie_notice(&self, account: AccountId, order: ReturnOrderId, id: &str) -> Result<()> {
        let is_it = |payment: &Payment| {
            payment.kind == PaymentKind::Mollie && payment.checkouts.iter().any(|one| one.state.id() == Some(id))
        };
        self.wake_payment(account, order, is_it).await
    }

    async fn wake_payment(
        &self,
        account: AccountId,
        order: ReturnOrderId,
        is_it: impl Fn(&Payment) -> bool,
    ) -> Result<()> {
        let payment = match self.payment_of(account, order).await {
            Ok((_, payment)) => payment,
            Err(Error::NotFound) => return Ok(()),
            Err(error) => return Err(error),
        };
        if !is_it(&payment) || payment.provider_tasks().is_empty() {
            return Ok(());
        }
        let now = self.now();
        let mut writing = self.store.write().await?;
        payment_tasks::notice(writing.db(), account, order, now).await?;
        Ok(writing.commit().await?)
    }
}

impl Retour {
    /// Receives a notice from an account's karrio server. Only the fact that something has happened is used.
    pub async fn karrio_notice(&self, account: AccountId, body: &[u8]) -> Result<()> {
        let Some(number) = karrio::notice_of(body) else { return Ok(()) };
        if number.contains('\0') {
            return Ok(()); // Postgres would reject the query, and no tracking number contains NUL
        }
        // Anybody can send a notice, so one without a known tracking number writes nothing.
        let mut reading = self.store.read().await?;
        if !parcel_tasks::is_followed(reading.db(), account, &number).await? {
            return Ok(());
        }
        drop(reading);
        let mut writing = self.store.write().await?;
        parcel_tasks::notice(writing.db(), account, &number, self.now()).await?;
        Ok(writing.commit().await?)
    }
}
