//! Triggering events in a test account.

use super::handle::OperatorHandle;
use crate::{
    base::Result,
    simulation::{Trigger, Triggered},
};
use domain::account::Account;

impl OperatorHandle<'_> {
    /// Triggers an event in a test account.
    pub async fn trigger(self, account: &Account, trigger: &Trigger) -> Result<Triggered> {
        self.retour.trigger(account, trigger).await
    }
}
