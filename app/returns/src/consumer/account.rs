//! The account whose portal somebody visits, and what it offers.

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
    /// The account behind a slug or an id.
    pub async fn account(&self, slug_or_id: &str) -> Result<Account> {
        let mut reading = self.store.read().await?;
        let found = match slug_or_id.parse() {
            Ok(id) => store::accounts::find(reading.db(), id).await?,
            Err(_) if slug_or_id.contains('\0') => None, // Postgres would refuse the query
            Err(_) => store::accounts::find_by_slug(reading.db(), slug_or_id).await?,
        };
        drop(reading);
        self.found(found, store::Lookup::ForAccount, Error::UnknownAccount).await
    }
}

impl Retour {
    /// The slug of the account whose portal is shown at a host.
    pub async fn shop_at(&self, host: &domain::base::host::HostName) -> Result<Option<String>> {
        let mut reading = self.store.read().await?;
        Ok(store::accounts::find_slug_by_domain(reading.db(), host).await?)
    }
}

impl Retour {
    /// What an account offers, as far as it can be told before anybody is known.
    pub async fn general_offer(&self, account: &Account, locale: &Locale) -> Result<GeneralOffer> {
        let offer = self.offers.of(&self.store, account).await?;
        let view = |option: &ShippingOption| view::ShippingOptionView::new(option, account.currency, locale);
        let options = offer.options.iter().filter_map(view).collect();
        Ok(GeneralOffer { options, restocking: restocking(&offer.reasons) })
    }
}

/// What an account offers to everybody.
#[derive(Debug)]
pub struct GeneralOffer {
    /// Its ways of sending that have a price in its own currency.
    pub options: Vec<view::ShippingOptionView>,
    /// What it keeps of the price of what goes back, from the least to the most by reason.
    pub restocking: (Percent, Percent),
}

/// Of reasons that can be chosen: not those that only head others. Reasons that blame the merchant do not count, unless there
/// are no others.
fn restocking(reasons: &[ReturnReason]) -> (Percent, Percent) {
    let heads: HashSet<_> = reasons.iter().filter_map(|reason| reason.parent_id).collect();
    let chosen = reasons.iter().filter(|reason| !heads.contains(&reason.id)).map(|reason| &reason.rules);
    let (blaming, own): (Vec<_>, Vec<_>) = chosen.partition(|rules| rules.fault == Fault::Merchant);
    let counted = if own.is_empty() { blaming } else { own };
    let fees = counted.iter().map(|rules| rules.restocking_fee_percent);
    (fees.clone().min().unwrap_or_default(), fees.max().unwrap_or_default())
}
