//! The consumer's purchases (`GET /consumer/<id>/purchases`).

use super::handle::ConsumerHandle;
use crate::{
    base::Result,
    drafting::{
        limits::left,
        offered::{offered, purchase_view},
        settings::Settings,
    },
    view,
};
use domain::{Locale, order::Purchase};
use store::page::Page;

impl ConsumerHandle<'_> {
    /// The consumer's purchases, each with its eligibility, reasons, resolutions and shipping options. Without a
    /// locale, texts are in the account's language.
    pub async fn purchases(self, page: Page, locale: Option<&Locale>) -> Result<view::List<view::PurchaseView>> {
        let (settings, consumer, mut reading) =
            Settings::load(self.retour, self.retour.store.read().await?, &self.shopper).await?;
        let (account, shop) = (self.shopper.account, settings.account.bridge.shop_key());
        let rows = store::purchases::list(reading.db(), account, &consumer.credentials, page, &shop).await?;
        // A list that fits on one page has all lines of its orders.
        let are_all = page.is_first() && rows.next.is_none();
        let left = left(reading.db(), account, &rows.rows, are_all).await?;
        let now = self.retour.now();
        let locale = locale.unwrap_or(&settings.account.branding.locale);
        Ok(view::List::new(page, rows, |purchase| {
            let eligibility = settings.judge(&purchase, now);
            let refundable = left.get(&purchase.order.id).copied();
            purchase_view(purchase, eligibility, refundable, &settings, locale)
        }))
    }

    /// What the shop offers this shopper today, as for the first of their purchases; empty if they have none.
    pub async fn offered(self, locale: &Locale) -> Result<view::Offered> {
        let (settings, consumer, mut reading) =
            Settings::load(self.retour, self.retour.store.read().await?, &self.shopper).await?;
        // The order decides the currency, and so which shipping options have a price.
        let (first, shop) = (Page::first(1), settings.account.bridge.shop_key());
        let rows =
            store::purchases::list(reading.db(), self.shopper.account, &consumer.credentials, first, &shop).await?.rows;
        let shown = |purchase: &Purchase| {
            let resolutions = &settings.account.policy.resolutions;
            offered(&settings, purchase.order.currency, resolutions, locale)
        };
        Ok(rows.first().map(shown).unwrap_or_default())
    }

    /// The number of the order that the shopper has proved, in the shop's spelling, and the consumer as they see
    /// themselves; `None` if the order has no lines.
    pub async fn proved_order(self) -> Result<Option<(String, view::Consumer)>> {
        let (settings, consumer, mut reading) =
            Settings::load(self.retour, self.retour.store.read().await?, &self.shopper).await?;
        let (first, shop) = (Page::first(1), settings.account.bridge.shop_key());
        let rows =
            store::purchases::list(reading.db(), self.shopper.account, &consumer.credentials, first, &shop).await?.rows;
        Ok(rows.first().map(|purchase| (purchase.order.number.clone(), view::Consumer::proved(consumer))))
    }
}
