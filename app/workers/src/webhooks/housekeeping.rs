//! Jobs that run in small steps, so that other writers never wait long: gathering events to deliver again, failing the
//! waiting deliveries of disabled subscriptions, deleting those of deleted ones. The recorder changes the same
//! deliveries in another order, so Postgres may detect a deadlock; the transaction it aborts begins again.

use crate::handle::Workers;
use domain::{
    EventId, WebhookDeliveryId,
    webhook::{EventFilter, EventType},
};
use returns::{
    Result,
    internals::{again_on_deadlock, detached},
};
use store::{
    due::Subscribed,
    events,
    webhook_deliveries::{self, Addressed},
    webhook_subscriptions,
};

/// The most events per step.
const EVENTS_AT_ONCE: i64 = 500;

impl Workers {
    /// One step of delivering past events: those that failed or were never sent, or all.
    pub(crate) async fn catch_up(&self, subscribed: Subscribed, interest: &EventFilter) -> Result<()> {
        let (workers, interest) = (self.clone(), interest.clone());
        detached(async move { again_on_deadlock(|| workers.catch_up_once(subscribed, &interest)).await }).await
    }

    async fn catch_up_once(&self, (account, subscription): Subscribed, interest: &EventFilter) -> Result<()> {
        let now = self.retour.now();
        let mut writing = self.retour.store().write().await?;
        // Read again under the lock: another request may have extended the range.
        let found = webhook_subscriptions::lock(writing.db(), account, subscription).await?;
        let Some(catch_up) = found.and_then(|found| found.catch_up) else { return Ok(()) };
        let range = (catch_up.after, catch_up.until);
        let (step, last) = events::list_between(writing.db(), account, range.0, range.1, EVENTS_AT_ONCE).await?;
        // A ping is for one subscription and one moment, so it is not repeated.
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

    /// Marks the waiting deliveries of a disabled subscription as failed. They stay listed and can be sent again.
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
        let mut writing = self.retour.store().write().await?;
        // Locks deliveries first, as the recorder does, to avoid deadlocks.
        let some = webhook_deliveries::give_up_some(writing.db(), account, subscription).await?;
        let found = webhook_subscriptions::lock(writing.db(), account, subscription).await?;
        if found.is_none_or(|found| found.disabled.is_none()) {
            return Ok(0); // enabled again: its deliveries continue
        }
        writing.commit().await?;
        Ok(some)
    }

    /// Deletes the deliveries of a deleted subscription, and then the subscription.
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
        let mut writing = self.retour.store().write().await?;
        let some = webhook_deliveries::delete_some(writing.db(), account, subscription).await?;
        if some == 0 {
            webhook_subscriptions::remove(writing.db(), account, subscription).await?;
        }
        writing.commit().await?;
        Ok(some)
    }
}
