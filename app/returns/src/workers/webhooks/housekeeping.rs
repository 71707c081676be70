//! What is done in small steps, so that nobody waits long for the database: gathering events that are to be delivered
//! again, giving up what a disabled subscription had waiting, deleting what a deleted one left. Attempts are recorded
//! meanwhile, and those deliveries are changed in another order: whoever Postgres makes give way begins again.

use crate::base::{Result, again_on_deadlock, detached};
use crate::workers::handle::Workers;
use domain::{
    EventId, WebhookDeliveryId,
    webhook::{EventFilter, EventType},
};
use store::{
    due::Subscribed,
    events,
    webhook_deliveries::{self, Addressed},
    webhook_subscriptions,
};

/// Events of one step.
const EVENTS_AT_ONCE: i64 = 500;

impl Workers {
    /// One step of delivering events of before: those that failed or were never sent, or all.
    pub(crate) async fn catch_up(&self, subscribed: Subscribed, interest: &EventFilter) -> Result<()> {
        let (workers, interest) = (self.clone(), interest.clone());
        detached(async move { again_on_deadlock(|| workers.catch_up_once(subscribed, &interest)).await }).await
    }

    async fn catch_up_once(&self, (account, subscription): Subscribed, interest: &EventFilter) -> Result<()> {
        let now = self.retour.now();
        let mut writing = self.retour.store.write().await?;
        // As it is now: somebody may have asked for more since it was read.
        let found = webhook_subscriptions::lock(writing.db(), account, subscription).await?;
        let Some(catch_up) = found.and_then(|found| found.catch_up) else { return Ok(()) };
        let range = (catch_up.after, catch_up.until);
        let (step, last) = events::list_between(writing.db(), account, range.0, range.1, EVENTS_AT_ONCE).await?;
        // A ping was for one moment, and for one subscription.
        let wanted = step.into_iter().filter(|event| event.kind != EventType::Ping);
        let wanted: Vec<Addressed> = wanted
            .filter(|event| interest.covers(event.kind, event.stage))
            .map(|event| Addressed::new(&event, subscription))
            .collect();
        let held: Vec<EventId> = wanted.iter().map(|addressed| addressed.event_id).collect();
        events::hold(writing.db(), account, &held).await?;
        let ids: Vec<WebhookDeliveryId> = wanted.iter().map(Addressed::id).collect();
        webhook_deliveries::again_some(writing.db(), account, &ids, !catch_up.all, now).await?;
        webhook_deliveries::insert(writing.db(), &wanted).await?;
        webhook_subscriptions::keep_catch_up(writing.db(), account, subscription, last).await?;
        Ok(writing.commit().await?)
    }

    /// Marks what a disabled subscription had waiting as failed: it is listed, and can be asked for again.
    pub(crate) async fn give_up_waiting(&self, subscribed: Subscribed) -> Result<()> {
        loop {
            let workers = self.clone();
            let some = detached(async move { again_on_deadlock(|| workers.give_up_some(subscribed)).await });
            if some.await? == 0 {
                return Ok(());
            }
        }
    }

    async fn give_up_some(&self, (account, subscription): Subscribed) -> Result<u64> {
        let mut writing = self.retour.store.write().await?;
        // Deliveries first, as whoever records attempts does: of two that begin at either end one would have to give way.
        let some = webhook_deliveries::give_up_some(writing.db(), account, subscription).await?;
        let found = webhook_subscriptions::lock(writing.db(), account, subscription).await?;
        if found.is_none_or(|found| found.disabled.is_none()) {
            return Ok(0); // enabled again meanwhile: it goes on
        }
        writing.commit().await?;
        Ok(some)
    }

    /// Deletes what a deleted subscription left, and then the subscription.
    pub(crate) async fn remove_deleted(&self, subscribed: Subscribed) -> Result<()> {
        loop {
            let workers = self.clone();
            let some = detached(async move { again_on_deadlock(|| workers.remove_some(subscribed)).await });
            if some.await? == 0 {
                return Ok(());
            }
        }
    }

    async fn remove_some(&self, (account, subscription): Subscribed) -> Result<u64> {
        let mut writing = self.retour.store.write().await?;
        let some = webhook_deliveries::delete_some(writing.db(), account, subscription).await?;
        if some == 0 {
            webhook_subscriptions::remove(writing.db(), account, subscription).await?;
        }
        writing.commit().await?;
        Ok(some)
    }
}
