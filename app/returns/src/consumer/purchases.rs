//! What a consumer may send back (`GET /consumer/<id>/purchases`).

use super::Settings;
use crate::{Page, Result, Retour, Shopper, view};
use domain::{
    Currency, Locale, Percent, Timestamp,
    eligibility::{Eligibility, IneligibleCode, judge},
    order::{Account, Product, Purchase},
    reason::{Fault, ReturnReason},
    shipping::ShippingOption,
};
use std::collections::HashSet;
use store::withdrawals::Withdrawn;

impl Retour {
    /// The consumer's purchases, each with what it can be returned for, how and why; without a locale in the account's own.
    pub async fn purchases(
        &self,
        shopper: &Shopper,
        page: Page,
        locale: Option<&Locale>,
    ) -> Result<view::List<view::PurchaseView>> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, shopper).await?;
        let (account, shop) = (shopper.account, settings.account.bridge.shop());
        let rows = store::purchases::list(reading.db(), account, &consumer.credentials, page, &shop).await?;
        // A list of one page has all lines of its orders.
        let are_all = page.is_first() && rows.next.is_none();
        let left = super::limits::left(reading.db(), account, &rows.rows, are_all).await?;
        let now = self.now();
        let locale = locale.unwrap_or(&settings.account.branding.locale);
        Ok(view::List::new(page, rows, |purchase| {
            let eligibility = settings.judge(&purchase, now);
            let refundable = left.get(&purchase.order.id).copied();
            view::purchase(purchase, (eligibility, refundable), &settings, locale)
        }))
    }

    /// What the shop offers this shopper today, as with the first of their purchases; nothing where they have none.
    pub async fn offered(&self, shopper: &Shopper, locale: &Locale) -> Result<view::Offered> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, shopper).await?;
        // Their order says the currency, and with it which ways of sending have a price.
        let (first, shop) = (Page::first(1), settings.account.bridge.shop());
        let rows =
            store::purchases::list(reading.db(), shopper.account, &consumer.credentials, first, &shop).await?.rows;
        let offered = |purchase: &Purchase| {
            let resolutions = &settings.account.policy.resolutions;
            view::Offered::new(&settings, (purchase.order.currency, resolutions), locale)
        };
        Ok(rows.first().map(offered).unwrap_or_default())
    }

    /// The number of the order that a shopper has proved, as the shop writes it, and what they see of themselves; `None` where it has no lines.
    pub async fn proved_order(&self, shopper: &Shopper) -> Result<Option<(String, view::Consumer)>> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, shopper).await?;
        let (first, shop) = (Page::first(1), settings.account.bridge.shop());
        let rows =
            store::purchases::list(reading.db(), shopper.account, &consumer.credentials, first, &shop).await?.rows;
        Ok(rows.first().map(|purchase| (purchase.order.number.clone(), view::Consumer::proved(consumer))))
    }

    /// What an account offers, as far as it can be told before anybody is known.
    pub async fn general_offer(&self, account: &Account, locale: &Locale) -> Result<GeneralOffer> {
        let offer = self.offer_of(account).await?;
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

/// Whether an order in that currency can be sent back in one of these ways.
pub(crate) fn can_be_sent(options: &[ShippingOption], currency: Currency) -> bool {
    options.iter().any(|option| option.prices.minor(currency).is_some())
}

impl Settings {
    /// Whether there is a reason to return a product with which something can be asked for.
    fn offers_anything(&self, product: &Product) -> bool {
        let offered = self.account.policy.resolutions_for(product);
        self.reasons.iter().any(|reason| offered.iter().any(|one| reason.rules.allows(*one, &offered)))
    }

    /// Whether a purchase of the shopper's can go back, also by what there is to send it with and to say of it.
    pub fn judge(&self, purchase: &Purchase, now: Timestamp) -> Eligibility {
        self.judge_withdrawn(purchase, self.withdrawn.iter(), now)
    }

    /// The same, by what its buyer has withdrawn from.
    pub fn judge_withdrawn<'a>(
        &self,
        purchase: &Purchase,
        withdrawn: impl Iterator<Item = &'a Withdrawn>,
        now: Timestamp,
    ) -> Eligibility {
        let is_from_it = |one: &&Withdrawn| one.order_numbers.contains(&purchase.order.number);
        let moments: Vec<Timestamp> = withdrawn.filter(is_from_it).map(|one| one.at).collect();
        let eligibility = judge(purchase, &self.account.policy, &self.account.time_zone, &moments, now);
        let not_set_up = if !can_be_sent(&self.options, purchase.order.currency) {
            Some(IneligibleCode::NoShippingOption)
        } else if !self.offers_anything(&purchase.product) {
            Some(IneligibleCode::NoReturnReason)
        } else {
            None
        };
        match not_set_up {
            Some(code) if eligibility.obstacle.is_none() => {
                Eligibility { returnable: 0, obstacle: Some(code), ..eligibility }
            }
            _ => eligibility,
        }
    }
}
