//! The queues of an account's staff.

use crate::{
    base::{Error, Result},
    merchant::handle::MerchantHandle,
    view,
};
use domain::stage::Queue;
use store::{accounts, queues};

/// A queue counts this many rows at most.
const MOST_COUNTED: i64 = 1_000;

impl MerchantHandle<'_> {
    /// The queues, in the order in which staff see them: how many rows wait, since when, and how many for too long.
    pub async fn queues(self) -> Result<view::List<view::QueueView>> {
        let mut reading = self.retour.store.read().await?;
        let account = accounts::find(reading.db(), self.staff.account()).await?.ok_or(Error::NotFound)?;
        let (now, by_shop) = (self.retour.now(), account.is_settled_by_its_shop());
        let targets = &account.policy.queue_targets;
        let mut all = Vec::with_capacity(Queue::ALL.len());
        for queue in Queue::ALL {
            let target = queue.over_target_before(targets, &account.time_zone, now);
            let mut waiting = queues::Waiting::default();
            for part in queue.parts(now, by_shop) {
                let more = queues::count(reading.db(), account.id, &part, target, MOST_COUNTED).await?;
                waiting = waiting.and(more, MOST_COUNTED);
            }
            if queue == Queue::Withdrawn {
                waiting = queues::count_withdrawn(reading.db(), account.id, target, MOST_COUNTED).await?;
            }
            all.push(view::QueueView::new(queue, waiting, queue.target_hours(targets)));
        }
        Ok(view::List::whole(all))
    }
}
