//! The account whose portal a shopper visits, and what it offers.

use crate::{
    base::{Error, Result, Retour},
    view,
};
use domain::{
    Locale, Percent,
    account::Account,
    policy::reason::{Fault, ReturnReason},
    shipping::ShippingOption,
};
use std::collections::HashSet;

impl Retour {
    /// Returns the account with a slug or an id.
    pub async fn account(&self, slug_or_id: &str) -> Result<Account> {
        let mut reading = self.store.read().await?;
        let found = match slug_or_id.parse() {
            Ok(id) => store::accounts::find(reading.db(), id).await?,
            Err(_) if slug_or_id.contains('\0') => None, // Postgres would reject the query
            Err(_) => store::accounts::find_by_slug(reading.db(), slug_or_id).await?,
        };
        drop(reading);
        self.found(found, store::Lookup::ForAccount, Error::UnknownAccount).await
    }
}

impl Retour {
    /// Returns the slug of the account whose portal is at a host.
    pub async fn shop_at(&self, host: &domain::base::host::HostName) -> Result<Option<String>> {
        let mut reading = self.store.read().await?;
        Ok(store::accounts::find_slug_by_domain(reading.db(), host).await?)
    }
}

impl Retour {
    /// Returns what an account offers, as far as this is known before a shopper has proved an order.
    pub async fn general_offer(&self, account: &Account, locale: &Locale) -> Result<GeneralOffer> {
        let offer = self.offers.of(&self.store, account).await?;
        let view = |option: &ShippingOption| view::ShippingOptionView::new(option, account.currency, locale);
        let options = offer.options.iter().filter_map(view).collect();
        Ok(GeneralOffer { options, restocking: restocking(&offer.reasons) })
    }
}

/// What an account offers to every shopper.
#[derive(Debug)]
pub struct GeneralOffer {
    /// The shipping options that have a price in the account's own currency.
    pub options: Vec<view::ShippingOptionView>,
    /// The part of the price that the account keeps, in percent: the lowest and the highest of its reasons.
    pub restocking: (Percent, Percent),
}

/// Only reasons that consumers can choose count, not the parents of others. Reasons with the merchant at fault count
/// only if there are no others.
fn restocking(reasons: &[ReturnReason]) -> (Percent, Percent) {
    let heads: HashSet<_> = reasons.iter().filter_map(|reason| reason.parent_id).collect();
    let chosen = reasons.iter().filter(|reason| !heads.contains(&reason.id)).map(|reason| &reason.rules);
    let (blaming, own): (Vec<_>, Vec<_>) = chosen.partition(|rules| rules.fault == Fault::Merchant);
    let counted = if own.is_empty() { blaming } else { own };
    let fees = counted.iter().map(|rules| rules.restocking_fee_percent);
    (fees.clone().min().unwrap_or_default(), fees.max().unwrap_or_default())
}
