//! Reads each night what has changed in a shop, for the notices that were lost, and creates the webhooks that are missing.

use super::{NextAttempt, WHO};
use crate::{
    backoff::Backoff,
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{Timestamp, account::Account};
use outbound::{
    bridge::BridgeError,
    shops::shopify::{ChangedOrders, Shopify},
};
use returns::{
    Result,
    internals::{OrBroken, again_on_deadlock},
};
use std::future::Future;
use store::{
    accounts,
    shop_reconciliations::{self, ShopReconciliation},
};
use uuid::Uuid;

/// The pages of 250 orders that are read under one lease.
const PAGES: usize = 10;
/// The changes of so many seconds are read twice: a shop's list may be late.
const OVERLAP: i64 = 900;
/// The pauses between failed calls, seconds. Then there is one call a day.
const BACK_OFF: Backoff = Backoff::new(&[60, 300, 900, 3_600, 10_800, 21_600, 43_200]);
const DAY: i64 = 86_400;
/// The night: from one to five o'clock in the account's time zone, seconds.
const NIGHT_BEGINS: i64 = 3_600;
const NIGHT_LASTS: u128 = 14_400;

impl Workers {
    /// Reads what has changed in shops until `stop` is ready.
    pub async fn reconcile_shops(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<ShopReconciliation>(stop).await;
    }

    async fn reconcile_shop(&self, claimed: &ShopReconciliation) -> Result<()> {
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), claimed.account_id).await?.or_broken()?;
        drop(reading);
        again_on_deadlock(|| self.retour.remove_ended_secrets(&account)).await?;
        let mut one = claimed.clone();
        let Some(shopify) = self.shopify(&account, &one.shop)? else {
            // The account has another shop since the row was claimed. That change has replaced the row.
            return self.read_again(&one, next_night(&account, self.retour.now())).await;
        };
        if one.begun_at.is_none() {
            if let Err(error) = self.create_webhooks(&account, &shopify, one.tries).await {
                return self.reading_failed(one, &error).await;
            }
            let version = account.bridge.shopify().map(|shopify| shopify.version);
            if let Some(warning) = version.and_then(|version| version.warning(self.retour.now())) {
                tracing::warn!(account = %account.id, "{warning}");
            }
            one.begun_at = Some(self.retour.now());
        }
        let mut last = None;
        for _ in 0..PAGES {
            let page = match self.read_page(&account, &shopify, &one).await {
                Ok(page) => page,
                Err(error) => return self.reading_failed(one, &error).await,
            };
            one.tries = 0;
            let is_end = page.next.is_none();
            one.list_cursor = page.next.clone().unwrap_or_default();
            if is_end {
                one.changes_read_through = one.begun_at.take().or_broken()?;
            }
            if !again_on_deadlock(|| self.keep_page(&account, &one, &page)).await? || is_end {
                return Ok(());
            }
            last = page.orders.last().map(|order| order.updated_at).or(last);
        }
        if let Some(through) = last.and_then(|last| read_through(list_start(&one), last)) {
            one.changes_read_through = through;
            one.list_cursor.clear();
        }
        self.read_again(&one, self.retour.now()).await
    }

    async fn read_page(
        &self,
        account: &Account,
        shopify: &Shopify,
        one: &ShopReconciliation,
    ) -> Result<ChangedOrders, BridgeError> {
        let (now, since) = (self.retour.now(), list_start(one));
        let after = Some(one.list_cursor.as_str()).filter(|cursor| !cursor.is_empty());
        let call = Box::pin(shopify.list_changed(since, after, now)); // a call is large
        self.ask_shop(account, |error| Some(next_attempt(error, one.tries, now).0), call).await
    }

    /// Queues the orders of a page that have changed, and stores how far the reading came. `false` if another instance has
    /// taken it over.
    async fn keep_page(&self, account: &Account, one: &ShopReconciliation, page: &ChangedOrders) -> Result<bool> {
        let mut writing = self.retour.store().write().await?;
        self.retour.refresh_changed(&mut writing, account, &page.orders).await?;
        let goes_on = if page.next.is_some() {
            shop_reconciliations::progress(writing.db(), one).await?
        } else {
            let at = next_night(account, self.retour.now());
            shop_reconciliations::later(writing.db(), one, at).await?;
            true
        };
        writing.commit().await?;
        Ok(goes_on)
    }

    /// Creates the webhooks that are missing, if the shop can reach this installation.
    async fn create_webhooks(&self, account: &Account, shopify: &Shopify, tries: u32) -> Result<(), BridgeError> {
        let shop_url = account.bridge.connection().map_or("", |connection| connection.url.as_str());
        if !is_reachable(self.retour.public_url(), shop_url) {
            return Ok(());
        }
        let (url, now) = (self.retour.notices_url(account.id), self.retour.now());
        let call = Box::pin(shopify.subscribe(&url, now));
        let subscribed = self.ask_shop(account, |error| Some(next_attempt(error, tries, now).0), call).await?;
        if !subscribed.refused.is_empty() {
            let topics = &subscribed.refused;
            tracing::warn!(account = %account.id, ?topics, "{WHO} refused to create webhooks: changes are read once a day");
        }
        Ok(())
    }

    async fn reading_failed(&self, mut one: ShopReconciliation, error: &BridgeError) -> Result<()> {
        let (at, tries) = next_attempt(error, one.tries, self.retour.now());
        one.tries = tries;
        if matches!(error, BridgeError::BadAnswer(_)) {
            // The place in the list may be the reason.
            one.begun_at = None;
            one.list_cursor.clear();
        }
        self.read_again(&one, at).await
    }

    async fn read_again(&self, one: &ShopReconciliation, at: Timestamp) -> Result<()> {
        again_on_deadlock(|| async {
            let mut writing = self.retour.store().write().await?;
            shop_reconciliations::later(writing.db(), one, at).await?;
            Ok(writing.commit().await?)
        })
        .await
    }
}

/// The time from which the changes are listed.
fn list_start(one: &ShopReconciliation) -> Timestamp {
    one.changes_read_through.plus_seconds(-OVERLAP)
}

/// What counts as read if a list begins anew at its last change: then it does not get so long that Shopify ends it, and a failure
/// repeats only a part. `None` if it would begin at the same second.
fn read_through(start: Timestamp, last: Timestamp) -> Option<Timestamp> {
    (last.seconds() > start.seconds()).then(|| last.plus_seconds(OVERLAP))
}

/// When a failed call is repeated, and the number of failures by then.
fn next_attempt(error: &BridgeError, tries: u32, now: Timestamp) -> (Timestamp, u32) {
    let next = NextAttempt::after(error, tries, BACK_OFF, now);
    (next.at.unwrap_or_else(|| now.plus_seconds(DAY)), next.tries)
}

/// The next night of an account, at another minute for each account.
fn next_night(account: &Account, now: Timestamp) -> Timestamp {
    let zone = &account.time_zone;
    let within = i64::try_from(account.id.0.as_u128() % NIGHT_LASTS).unwrap_or(0);
    let of_day = |at: Timestamp| zone.start_of_day(zone.date(at)).plus_seconds(NIGHT_BEGINS + within);
    let today = of_day(now);
    if today > now { today } else { of_day(now.plus_days(1)) }
}

/// Whether a shop can send notices to an installation at this address: Shopify demands https. A stand-in on this machine
/// does not.
fn is_reachable(public_url: &str, shop_url: &str) -> bool {
    let is_here = |url: &str| {
        ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"].iter().any(|start| url.starts_with(start))
    };
    public_url.starts_with("https://") || (is_here(public_url) && is_here(shop_url))
}

impl Job for ShopReconciliation {
    const NAME: &'static str = "reconciliations";
    /// Ten pages, and a dozen webhooks to create.
    const HELD_FOR: i64 = 300;

    jobs_of_table!(shop_reconciliations);

    fn id(&self) -> Uuid {
        self.account_id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.reconcile_shop(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        let at = workers.retour.now().plus_seconds(BACK_OFF.pause_or(self.tries, DAY));
        let mut later = self.clone();
        later.tries = later.tries.saturating_add(1);
        workers.read_again(&later, at).await
    }
}

#[cfg(test)]
mod tests {
    use super::{OVERLAP, is_reachable, read_through};
    use domain::Timestamp;

    #[test]
    fn a_list_begins_anew_at_its_last_change_unless_that_is_its_first_second() {
        let start = Timestamp::from_seconds(1_772_366_400);
        assert_eq!(read_through(start, start), None);
        let last = start.plus_seconds(1);
        assert_eq!(read_through(start, last), Some(last.plus_seconds(OVERLAP)));
    }

    #[test]
    fn a_shop_reaches_https_and_a_stand_in_its_own_machine() {
        let shop = "https://x.myshopify.com/";
        assert!(is_reachable("https://returns.example", shop));
        assert!(!is_reachable("http://returns.example", shop));
        assert!(!is_reachable("http://127.0.0.1:3000", shop));
        assert!(is_reachable("http://127.0.0.1:3000", "http://127.0.0.1:4000/"));
        assert!(!is_reachable("http://127.0.0.1.example", "http://127.0.0.1:4000/"));
    }
}
