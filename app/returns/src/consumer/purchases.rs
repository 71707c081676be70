//! The consumer's purchases (`GET /consumer/<id>/purchases`).

use super::handle::ConsumerHandle;
use crate::{
    base::Result,
    drafting::{
        limits::left,
        offered::{offered, purchase_view},
        settings::Settings,
    },
    view::{self, expand::Expand},
};
use domain::{
    AccountId, Locale, OrderId, PurchaseId, ReturnOrderId, Timestamp,
    order::{IneligibleCode, Purchase},
    stage::StageGroup,
};
use std::collections::BTreeMap;
use store::{Db, page::Page};

/// More lines than any order has, so that all purchases are one page.
const ALL: Page = Page::first(10_000);

/// The returns among which the one of a purchase is searched: the newest.
const RECENT: Page = Page::first(100);

/// A consumer's purchases, from which the consumer chooses what to return.
#[derive(Debug)]
pub struct PurchasesToChoose {
    /// All purchases, as [`ConsumerHandle::all_purchases`] lists them.
    pub purchases: Vec<view::PurchaseView>,
    /// The newest return of each purchase that is already returned.
    pub returned_with: BTreeMap<PurchaseId, ReturnedWith>,
    /// The delivery of each order that is refunded if everything that is left of the order is returned. Without gifts.
    pub outbound_shipping: BTreeMap<OrderId, OutboundShipping>,
}

/// The delivery of an order, which is refunded with the return that completes the return of the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutboundShipping {
    /// What is left of its price, minor units of the order's currency.
    pub amount: i64,
    /// How many units have to be returned for it: all that are returnable.
    pub units: i64,
}

/// The return that a purchase is part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedWith {
    /// The return order.
    pub id: ReturnOrderId,
    /// The return order's number.
    pub number: String,
}

impl ConsumerHandle<'_> {
    /// The consumer's purchases, each with its eligibility, reasons, resolutions and shipping options. Without a
    /// locale, texts are in the account's language.
    pub async fn purchases(self, page: Page, locale: Option<&Locale>) -> Result<view::List<view::PurchaseView>> {
        Ok(self.list(page, locale, false).await?.0)
    }

    /// The purchases, and with `with_shipping` the outbound shipping that their orders refund.
    async fn list(
        self,
        page: Page,
        locale: Option<&Locale>,
        with_shipping: bool,
    ) -> Result<(view::List<view::PurchaseView>, BTreeMap<OrderId, OutboundShipping>)> {
        let (settings, consumer, mut reading) =
            Settings::load(self.retour, self.retour.store.read().await?, &self.shopper).await?;
        let (account, shop) = (self.shopper.account, settings.account.bridge.shop_key());
        let rows = store::purchases::list(reading.db(), account, &consumer.credentials, page, &shop).await?;
        // A list that fits on one page has all lines of its orders.
        let are_all = page.is_first() && rows.next.is_none();
        let left = left(reading.db(), account, &rows.rows, are_all).await?;
        let now = self.retour.now();
        let shipping = if with_shipping && !settings.is_gift {
            outbound_shipping(reading.db(), account, &settings, &rows.rows, now).await?
        } else {
            BTreeMap::new()
        };
        let locale = locale.unwrap_or(&settings.account.branding.locale);
        let list = view::List::new(page, rows, |purchase| {
            let eligibility = settings.judge(&purchase, now);
            let refundable = left.get(&purchase.order.id).copied();
            purchase_view(purchase, eligibility, refundable, &settings, locale)
        });
        Ok((list, shipping))
    }

    /// All of the consumer's purchases, as [`Self::purchases`] lists them.
    pub async fn all_purchases(self, locale: Option<&Locale>) -> Result<Vec<view::PurchaseView>> {
        Ok(self.purchases(ALL, locale).await?.data)
    }

    /// All of the consumer's purchases. If some are already returned, also finds out with which return.
    pub async fn purchases_to_choose(self, locale: &Locale) -> Result<PurchasesToChoose> {
        let (list, outbound_shipping) = self.list(ALL, Some(locale), true).await?;
        let purchases = list.data;
        let is_returned =
            |purchase: &view::PurchaseView| purchase.eligibility.code == Some(IneligibleCode::AlreadyReturned);
        if !purchases.iter().any(is_returned) {
            return Ok(PurchasesToChoose { purchases, returned_with: BTreeMap::new(), outbound_shipping });
        }
        let mut returned_with = BTreeMap::new();
        for order in self.return_orders(RECENT, &[Expand::ReturnRequests]).await?.data {
            let requests = order.return_requests.iter().flatten();
            for request in requests.filter(|request| request.stage.group() != StageGroup::Closed) {
                let with = || ReturnedWith { id: order.id, number: order.number.clone() };
                returned_with.entry(request.purchase_id).or_insert_with(with);
            }
        }
        returned_with.retain(|id, _| purchases.iter().any(|one| one.id == *id && is_returned(one)));
        Ok(PurchasesToChoose { purchases, returned_with, outbound_shipping })
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

/// The outbound shipping that the orders of these purchases refund once everything that is left of them is returned. An order whose
/// other units cannot be returned refunds none.
async fn outbound_shipping(
    mut db: Db<'_>,
    account: AccountId,
    settings: &Settings,
    purchases: &[Purchase],
    now: Timestamp,
) -> Result<BTreeMap<OrderId, OutboundShipping>> {
    let is_sent = |purchase: &&Purchase| purchase.requires_shipping && !purchase.order.is_partial;
    let paid: BTreeMap<OrderId, i64> =
        purchases.iter().filter(is_sent).map(|purchase| (purchase.order.id, purchase.order.shipping_left)).collect();
    let mut refunded = BTreeMap::new();
    for (order, amount) in paid.into_iter().filter(|(_, amount)| *amount > 0) {
        let awaited = store::completeness::awaited(db.reborrow(), account, order).await?;
        let returnable = |line| {
            let purchase = purchases.iter().find(|purchase| purchase.id == line);
            purchase.map_or(0, |purchase| i64::from(settings.judge(purchase, now).returnable))
        };
        let units = awaited.iter().map(|(_, units)| (*units).max(0)).sum();
        if units > 0 && awaited.iter().all(|(line, units)| returnable(*line) == (*units).max(0)) {
            refunded.insert(order, OutboundShipping { amount, units });
        }
    }
    Ok(refunded)
}
