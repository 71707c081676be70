//! Delivering events to those who want to be told (design 4). At least once, in order for each return order, whatever
//! receivers and machines do.
//!
//! An event and its deliveries are written in the transaction of the change ([`store::Writing::tell`]). Here they are
//! sent:
//!
//! - [`sender`]: which subscriptions this program delivers to. Each is claimed by one program, so that nothing is sent
//!   twice for no reason and the order holds; the claims of a program that was not seen for a while are anybody's.
//! - [`queue`]: what is due for one subscription, some exchanges at a time, never two of one return order.
//! - [`lines`]: what was read of it and waits for its turn.
//! - [`rest`]: when a receiver is left alone.
//! - [`slots`]: how many exchanges are under way in all.
//! - [`exchange`]: one signed POST and what came of it.
//! - [`recorder`]: writes what came of attempts, as many as there are in one transaction.
//! - [`housekeeping`]: what is left of disabled and deleted subscriptions, and events that are to be delivered again.

pub(crate) mod exchange;
mod housekeeping;
mod lines;
mod queue;
mod recorder;
mod rest;
mod sender;
mod slots;

pub(crate) use sender::LOST_AFTER;

use crate::{Result, Retour};
use domain::{AccountId, payment::PaymentProvider};
use store::{accounts, webhook_subscriptions};

impl Retour {
    /// Whether the secrets that are kept can be read with the operator's keys.
    pub async fn can_open_secrets(&self) -> Result<bool> {
        let mut reading = self.store.read().await?;
        let secrets = webhook_subscriptions::list_secrets(reading.db(), self.now()).await?;
        let bridges = accounts::list_bridges(reading.db()).await?;
        let processors = accounts::list_processors(reading.db()).await?;
        let carriers = accounts::list_carriers(reading.db()).await?;
        let mut shops =
            bridges.iter().filter_map(|(id, bridge)| Some((id, bridge.connection()?))).flat_map(|(id, shop)| {
                let sealed = [Some(shop.secret.as_str()), shop.previous_secret(self.now())];
                sealed.into_iter().flatten().map(move |sealed| (id, sealed))
            });
        Ok(secrets.iter().all(|((account, id), sealed)| self.open_secret(*account, *id, sealed).is_ok())
            && carriers.iter().all(|(id, known)| {
                known.karrio().is_none_or(|karrio| self.open_carrier_secret(*id, &karrio.api_key).is_ok())
            })
            && processors.iter().all(|(id, known)| self.opens(*id, known))
            && shops.all(|(account, sealed)| self.open_bridge_secret(*account, sealed).is_ok()))
    }

    fn opens(&self, account: AccountId, known: &PaymentProvider) -> bool {
        let sealed =
            known.processor().into_iter().flat_map(|known| [Some(&known.api_key), known.webhook_secret.as_ref()]);
        sealed.flatten().all(|sealed| self.open_payment_secret(account, sealed).is_ok())
    }
}
