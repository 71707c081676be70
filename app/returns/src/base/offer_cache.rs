//! What accounts offer, kept from one request to the next.
//!
//! Nearly every request of a shopper needs all shipping options and return reasons of the account. They change rarely, and to read
//! them takes two statements and much JSON. The account's row, which each request reads, counts their changes
//! ([`Account::settings_version`]): what is kept is never older than that row.

use super::error::Result;
use domain::{AccountId, Currency, account::Account, policy::reason::ReturnReason, shipping::ShippingOption};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use store::{Db, Store, return_reasons, shipping_options};

/// How many accounts' offers are kept: some tens of kilobytes each, a few megabytes at the most that is allowed of settings.
const KEPT: usize = 256;

/// Shipping options and return reasons of an account, in its order, without archived ones.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub options: Arc<Vec<ShippingOption>>,
    pub reasons: Arc<Vec<ReturnReason>>,
}

/// The offers that were read last, each with the version of its settings.
#[derive(Debug, Clone, Default)]
pub(crate) struct OfferCache(Arc<Mutex<HashMap<AccountId, (i64, Offer)>>>);

impl OfferCache {
    pub(crate) fn get(&self, account: &Account) -> Option<Offer> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&account.id)
            .filter(|(version, _)| *version == account.settings_version)
            .map(|(_, offer)| offer.clone())
    }

    fn keep(&self, account: &Account, offer: Offer) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT && !kept.contains_key(&account.id) {
            kept.clear();
        }
        kept.insert(account.id, (account.settings_version, offer));
    }
}

impl OfferCache {
    /// What an account offers, which was read from this database before. A transaction that changes settings must not ask: what
    /// it would keep may be undone.
    pub(crate) async fn read(&self, mut db: Db<'_>, account: &Account) -> Result<Offer> {
        if let Some(offer) = self.get(account) {
            return Ok(offer);
        }
        let options = shipping_options::list_offered(db.reborrow(), account.id).await?;
        let reasons = return_reasons::list_offered(db, account.id).await?;
        let offer = Offer { options: Arc::new(options), reasons: Arc::new(reasons) };
        self.keep(account, offer.clone());
        Ok(offer)
    }

    /// The same without a connection, which most of the time it needs none of.
    pub(crate) async fn of(&self, store: &Store, account: &Account) -> Result<Offer> {
        match self.get(account) {
            Some(offer) => Ok(offer),
            None => self.read(store.read().await?.db(), account).await,
        }
    }
}

/// Whether an order in that currency can be sent back in one of these ways.
pub(crate) fn can_be_sent(options: &[ShippingOption], currency: Currency) -> bool {
    options.iter().any(|option| option.prices.minor(currency).is_some())
}
