//! Caches what accounts offer.
//!
//! Nearly every request of a shopper needs all shipping options and return reasons of the account. They rarely change,
//! and reading them takes two statements and much JSON. Each request reads the account's row, which counts changes of
//! settings ([`Account::settings_version`]), so the cache is never older than that row.

use super::error::Result;
use domain::{AccountId, Currency, account::Account, policy::reason::ReturnReason, shipping::ShippingOption};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use store::{Db, Store, return_reasons, shipping_options};

/// The number of accounts whose offers are cached. An offer takes some tens of kilobytes; the limits on settings allow
/// a few megabytes.
const KEPT: usize = 256;

/// The shipping options and return reasons of an account, in its order, without archived ones.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub options: Arc<Vec<ShippingOption>>,
    pub reasons: Arc<Vec<ReturnReason>>,
}

/// The offers that were read last, each with its settings version.
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
    /// Returns what an account offers. `account` must have been read from the same database. Never call it in a
    /// transaction that changes settings: it would cache changes that may be rolled back.
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

    /// The same without a connection. It opens one only if the offer is not cached.
    pub(crate) async fn of(&self, store: &Store, account: &Account) -> Result<Offer> {
        match self.get(account) {
            Some(offer) => Ok(offer),
            None => self.read(store.read().await?.db(), account).await,
        }
    }
}

/// Whether an order in this currency can be returned with one of these options.
pub(crate) fn can_be_sent(options: &[ShippingOption], currency: Currency) -> bool {
    options.iter().any(|option| option.prices.minor(currency).is_some())
}
