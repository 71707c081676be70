//! Checks that the operator's keys decrypt the stored secrets.

use super::handle::OperatorHandle;
use crate::base::{Result, Retour};
use domain::{AccountId, integration::Carrier, payment::PaymentProvider};
use store::{accounts, user_factors, webhook_subscriptions};

impl OperatorHandle<'_> {
    /// Whether the operator's keys decrypt all stored secrets.
    pub async fn can_open_secrets(self) -> Result<bool> {
        let mut reading = self.retour.store.read().await?;
        let secrets = webhook_subscriptions::list_secrets(reading.db(), self.retour.now()).await?;
        let bridges = accounts::list_bridges(reading.db()).await?;
        let processors = accounts::list_processors(reading.db()).await?;
        let carriers = accounts::list_carriers(reading.db()).await?;
        let factors = user_factors::list_secrets(reading.db()).await?;
        let mut shops = bridges.iter().flat_map(|(id, bridge)| {
            bridge.sealed_secrets(self.retour.now()).into_iter().map(move |sealed| (id, sealed))
        });
        Ok(secrets.iter().all(|((account, id), sealed)| self.retour.open_secret(*account, *id, sealed).is_ok())
            && factors
                .iter()
                .all(|(account, user, sealed)| self.retour.open_totp_secret(*account, *user, sealed).is_ok())
            && carriers.iter().all(|(id, known)| self.retour.opens_carrier_secret(*id, known))
            && processors.iter().all(|(id, known)| self.retour.opens_payment_secrets(*id, known))
            && shops.all(|(account, sealed)| self.retour.open_bridge_secret(*account, sealed).is_ok()))
    }
}

impl Retour {
    fn opens_carrier_secret(&self, account: AccountId, known: &Carrier) -> bool {
        match known {
            Carrier::Own | Carrier::Simulated | Carrier::Bridge => true, // they have no secret of their own
            Carrier::Karrio(karrio) => self.open_carrier_secret(account, &karrio.api_key).is_ok(),
        }
    }

    fn opens_payment_secrets(&self, account: AccountId, known: &PaymentProvider) -> bool {
        let sealed =
            known.processor().into_iter().flat_map(|known| [Some(&known.api_key), known.webhook_secret.as_ref()]);
        sealed.flatten().all(|sealed| self.open_payment_secret(account, sealed).is_ok())
    }
}
