//! Payments on a page of ours that moves no money.

use super::Which;
use crate::{Error, Result, Retour};
use domain::{
    AccountId, ReturnOrderId,
    payment::{Payment, PaymentKind},
};
use store::accounts;

impl Retour {
    /// The slugs of accounts whose payments move no money.
    pub async fn accounts_that_simulate_payments(&self) -> Result<Vec<String>> {
        let mut reading = self.store.read().await?;
        Ok(accounts::list_simulating(reading.db()).await?)
    }

    /// Pays on that page. Paid again, nothing happens.
    pub async fn pay_simulated(&self, account: AccountId, order: ReturnOrderId) -> Result<()> {
        let (_, payment) = self.payment_of(account, order).await?;
        if !self.is_simulated(&payment) {
            return Err(Error::NotFound);
        }
        let which = Which { account, order, wakes: false };
        self.change_payment(which, |payment, _| payment.settle()).await.map(drop)
    }

    pub(super) fn is_simulated(&self, payment: &Payment) -> bool {
        payment.kind == PaymentKind::Simulated && self.simulates_payments
    }
}
