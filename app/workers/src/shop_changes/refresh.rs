//! Reads stored orders again from their shop.

use super::NextAttempt;
use crate::{
    backoff::Backoff,
    handle::Workers,
    job_runner::{Job, jobs_of_table},
};
use domain::{Timestamp, account::Account};
use outbound::shops::shopify::OrderNow;
use returns::{
    Result,
    internals::{OrBroken, again_on_deadlock},
};
use std::future::Future;
use store::{
    Writing, accounts,
    order_refreshes::{self, OrderRefresh},
    orders::{self, PlacedOrder},
};
use uuid::Uuid;

/// The pauses between failed calls, seconds. After the last one, about three days after the first, the order stays as it is
/// until it changes again. If the whole shop was not available, the nightly reading has not seen this change either.
const BACK_OFF: Backoff = Backoff::new(&[30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400]);
/// An order that has changed during the reading is read again so much later, seconds.
const AGAIN_AFTER: i64 = 5;

impl Workers {
    /// Reads orders that have changed in their shop, until `stop` is ready.
    pub async fn refresh_orders(&self, stop: impl Future<Output = ()>) {
        self.run_jobs::<OrderRefresh>(stop).await;
    }

    async fn refresh_order(&self, one: &OrderRefresh) -> Result<()> {
        let mut reading = self.retour.store().read().await?;
        let account = accounts::find(reading.db(), one.account_id).await?.or_broken()?;
        let order = orders::find(reading.db(), account.id, one.order_id).await?;
        let shop = orders::shop_of(reading.db(), account.id, one.order_id).await?;
        drop(reading);
        let (Some(order), Some(shopify)) = (order, self.shopify(&account, &shop)?) else {
            // The order was deleted, or the account has another shop by now.
            return again_on_deadlock(|| self.end_refresh(one)).await;
        };
        let asked_at = self.retour.now();
        let call = Box::pin(shopify.get_order(&order.external_id, asked_at)); // a call is large
        let next = |error: &_| NextAttempt::after(error, one.tries, BACK_OFF, asked_at);
        match self.ask_shop(&account, |error| next(error).at, call).await {
            Ok(now) => again_on_deadlock(|| self.keep_order(one, &account, &order, &now, asked_at)).await,
            Err(error) => again_on_deadlock(|| self.repeat_refresh(one, next(&error))).await,
        }
    }

    /// Stores the order and ends the request, in one transaction.
    async fn keep_order(
        &self,
        one: &OrderRefresh,
        account: &Account,
        order: &PlacedOrder,
        now: &OrderNow,
        asked_at: Timestamp,
    ) -> Result<()> {
        let mut writing = self.retour.store().write().await?;
        self.retour.keep_refreshed(&mut writing, account, order, now, asked_at).await?;
        self.end(&mut writing, one).await?;
        Ok(writing.commit().await?)
    }

    async fn end_refresh(&self, one: &OrderRefresh) -> Result<()> {
        let mut writing = self.retour.store().write().await?;
        self.end(&mut writing, one).await?;
        Ok(writing.commit().await?)
    }

    /// Deletes the request, unless the order has changed since it was claimed.
    async fn end(&self, writing: &mut Writing, one: &OrderRefresh) -> Result<()> {
        if !order_refreshes::delete(writing.db(), one).await? {
            let soon = self.retour.now().plus_seconds(AGAIN_AFTER);
            order_refreshes::later(writing.db(), one, soon, 0, soon).await?;
        }
        Ok(())
    }

    async fn repeat_refresh(&self, one: &OrderRefresh, next: NextAttempt) -> Result<()> {
        let Some(at) = next.at else {
            tracing::warn!(account = %one.account_id, order = %one.order_id, "an order could not be read again: it stays as it was");
            return self.end_refresh(one).await;
        };
        let soon = self.retour.now().plus_seconds(AGAIN_AFTER);
        let mut writing = self.retour.store().write().await?;
        order_refreshes::later(writing.db(), one, at, next.tries, soon.max(at)).await?;
        Ok(writing.commit().await?)
    }
}

impl Job for OrderRefresh {
    const NAME: &'static str = "order refreshes";

    jobs_of_table!(order_refreshes);

    fn id(&self) -> Uuid {
        self.order_id.0
    }

    async fn run(&self, workers: &Workers) -> Result<()> {
        workers.refresh_order(self).await
    }

    async fn postpone(&self, workers: &Workers) -> Result<()> {
        let pause = BACK_OFF.pause(self.tries);
        let at = pause.map(|seconds| workers.retour.now().plus_seconds(seconds));
        workers.repeat_refresh(self, NextAttempt { at, tries: self.tries.saturating_add(1) }).await
    }
}
