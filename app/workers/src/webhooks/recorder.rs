//! Records the results of attempts. A commit takes longer than writing a row, so all results that arrive during one
//! commit go into the next transaction.

use crate::handle::Workers;
use domain::{
    AccountId, ReturnOrderId, Timestamp, WebhookDeliveryId,
    webhook::{DeliveryOutcome, DisabledReason, failing_since, is_given_up},
};
use returns::{
    Result,
    internals::{Receiver, again_on_deadlock},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
    time::Duration,
};
use store::{
    Writing,
    due::Subscribed,
    webhook_attempts::{self, Attempt, Tried},
    webhook_deliveries::DeliveryLane,
    webhook_subscriptions::{self, ReceiverHealth, Subscription},
};
use tokio::{sync::mpsc, time::sleep};

/// The most attempts per transaction.
const MOST: usize = 512;
/// How often a batch is tried.
const TRIES: u32 = 5;
/// The pause after a failure of the database.
const BREATH: Duration = Duration::from_millis(500);

/// The result of an attempt, and the channel for the confirmation.
#[derive(Debug)]
pub(crate) struct Record {
    pub line: DeliveryLane,
    pub tried: Tried,
    /// The number of attempts before this one.
    pub attempts: u32,
    pub attempt: Attempt,
    /// The time of the next attempt, if this one failed.
    pub next: Option<Timestamp>,
    /// The receiver that was called.
    pub receiver: Arc<Receiver>,
    pub kept: mpsc::UnboundedSender<RecordedOutcome>,
}

/// The confirmation of a record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordedOutcome {
    pub order: ReturnOrderId,
    /// `false` if it could not be written.
    pub is_written: bool,
    /// Whether the next delivery of the return order may be sent.
    pub is_through: bool,
}

/// The deliveries that remain due.
type StillDue = HashSet<WebhookDeliveryId>;

impl Record {
    fn subscribed(&self) -> Subscribed {
        (self.line.account_id, self.line.subscription_id)
    }

    fn is_delivered(&self) -> bool {
        self.attempt.outcome == DeliveryOutcome::Delivered
    }

    pub(crate) fn tell(&self, still_due: Option<&StillDue>) {
        let is_through = still_due.is_some_and(|due| !due.contains(&self.tried.id));
        let kept = RecordedOutcome { order: self.line.return_order_id, is_written: still_due.is_some(), is_through };
        let _ = self.kept.send(kept); // the queue may have ended
    }
}

/// Records attempts until all senders are dropped.
pub(crate) async fn run(workers: Workers, mut records: mpsc::Receiver<Record>) {
    let mut batch = Vec::with_capacity(MOST);
    while records.recv_many(&mut batch, MOST).await > 0 {
        let mut outcome = again_on_deadlock(|| workers.record(&batch)).await;
        for _ in 1..TRIES {
            let Err(error) = &outcome else { break };
            tracing::warn!(%error, attempts = batch.len(), "the results of webhook attempts could not be recorded; Retour tries again");
            sleep(BREATH).await;
            outcome = again_on_deadlock(|| workers.record(&batch)).await;
        }
        for record in batch.drain(..) {
            match &outcome {
                Ok(still_due) => record.tell(Some(still_due)),
                // A record that cannot be written must not block the others. Its queue ends, and a new one reads the
                // database.
                Err(_) => record.tell(workers.record(std::slice::from_ref(&record)).await.ok().as_ref()),
            }
        }
    }
}

impl Workers {
    async fn record(&self, batch: &[Record]) -> Result<StillDue> {
        let mut writing = self.retour.store().write().await?;
        let mut still_due = StillDue::new();
        let accounts: BTreeSet<AccountId> = batch.iter().map(|record| record.line.account_id).collect();
        for account in accounts {
            let ours = || batch.iter().filter(move |record| record.line.account_id == account);
            // Most plans lock deliveries in this order, so that deadlocks are rare.
            let mut first: Vec<_> = ours().filter(|record| record.is_delivered() && record.attempts == 0).collect();
            first.sort_unstable_by_key(|record| record.tried.id);
            let first: Vec<_> = first.into_iter().map(|record| (record.tried.id, &record.attempt)).collect();
            let kept = webhook_attempts::keep_first(writing.db(), account, &first).await?;
            for record in ours().filter(|record| !kept.contains(&record.tried.id)) {
                let Record { line, tried, attempt, next, .. } = record;
                if webhook_attempts::keep(writing.db(), *line, *tried, attempt, *next).await?.unwrap_or(false) {
                    still_due.insert(tried.id);
                }
            }
        }
        self.record_health(&mut writing, batch).await?;
        writing.commit().await?;
        Ok(still_due)
    }

    /// Updates the health of receivers, only if it changes.
    async fn record_health(&self, writing: &mut Writing, batch: &[Record]) -> Result<()> {
        let mut by_subscription: BTreeMap<Subscribed, Vec<&Record>> = BTreeMap::new();
        for record in batch {
            by_subscription.entry(record.subscribed()).or_default().push(record);
        }
        for ((account, id), records) in by_subscription {
            if records.iter().all(|record| record.is_delivered()) {
                let urls: BTreeSet<&str> = records.iter().map(|record| record.receiver.endpoint().as_str()).collect();
                for url in urls {
                    webhook_subscriptions::recovered(writing.db(), account, id, url).await?;
                }
                continue;
            }
            let found = webhook_subscriptions::lock(writing.db(), account, id).await?;
            let Some(mut subscription) = found.filter(|found| found.disabled.is_none()) else { continue };
            // The late answer of a previous receiver says nothing about the current one.
            let is_same = |record: &&&Record| record.receiver.endpoint().as_str() == subscription.url;
            let current: Vec<&Record> = records.iter().filter(is_same).copied().collect();
            let gone = current.iter().find(|record| record.attempt.outcome == DeliveryOutcome::Gone);
            let Some(last) = gone.or(current.last()) else { continue };
            if last.is_delivered() {
                webhook_subscriptions::recovered(writing.db(), account, id, &subscription.url).await?;
                continue;
            }
            if current.iter().any(|record| record.is_delivered()) {
                subscription.health = ReceiverHealth::default();
            }
            self.record_failure(writing, account, subscription, last.attempt.outcome).await?;
        }
        Ok(())
    }

    async fn record_failure(
        &self,
        writing: &mut Writing,
        account: AccountId,
        mut subscription: Subscription,
        outcome: DeliveryOutcome,
    ) -> Result<()> {
        let now = self.retour.now();
        let ReceiverHealth { failing_since: since, last_failed_at } = subscription.health;
        let since = failing_since(since, last_failed_at, now);
        subscription.health = ReceiverHealth { failing_since: Some(since), last_failed_at: Some(now) };
        let because = match outcome {
            DeliveryOutcome::Gone => DisabledReason::Gone,
            _ if is_given_up(since, now) => DisabledReason::Failing,
            _ => {
                let health = subscription.health;
                return Ok(webhook_subscriptions::keep_health(writing.db(), account, subscription.id, health).await?);
            }
        };
        self.retour.disable_subscription(writing, account, subscription, because, since).await
    }
}
