//! Decides which subscriptions this instance delivers to.
//!
//! Every instance updates its row in the database every few seconds. A hash assigns each subscription to one of the
//! present instances. Every instance computes the same owner, so no coordination is needed. The owner also claims the
//! subscription in the database, so that only one instance delivers even while they disagree about who is present.

use super::{
    concurrency_limit::ConcurrencyLimit,
    queue::{Queue, SenderLease, SenderShared},
    recorder,
};
use crate::handle::Workers;
use domain::WebhookSenderId;
use outbound::http::Http;
use returns::{
    Result,
    internals::{LOST_AFTER, detached},
};
use sha2::{Digest, Sha256};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};
use store::{DatabaseKind, due::Subscribed, webhook_subscriptions};
use tokio::{
    sync::{Notify, mpsc, watch},
    task::JoinHandle,
    time::{MissedTickBehavior, interval, timeout},
};

/// How often to poll the database. An instance learns of its own writes at once.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The interval of heartbeats.
const SAY_EVERY: Duration = Duration::from_secs(3);
/// Without a heartbeat for this long, an instance starts no exchange: others may soon take over its claims.
const LEASE: Duration = Duration::from_secs(15);
/// Rows of instances without a heartbeat for this long are deleted, seconds.
const FORGOTTEN_AFTER: i64 = 3_600;
/// How long exchanges in progress may take after `stop`.
const GRACE: Duration = Duration::from_secs(8);
/// How long the data of a deleted subscription stays, seconds: a transaction that began earlier may still write to it.
const DELETED_FOR: i64 = 60;
/// The most attempts of all queues that may wait to be recorded.
const UNWRITTEN: usize = 2_048;

struct Sender {
    workers: Arc<Workers>,
    id: WebhookSenderId,
    records: mpsc::Sender<recorder::Record>,
    recording: JoinHandle<()>,
    /// The present instances, including this one.
    present: Vec<WebhookSenderId>,
    said_at: Option<Instant>,
    lease: watch::Sender<SenderLease>,
    slots: ConcurrencyLimit,
    held: HashMap<Subscribed, ClaimedQueue>,
    tidying: Option<JoinHandle<()>>,
}

/// A subscription that this instance has claimed. Dropping it stops all deliveries.
struct ClaimedQueue {
    bell: Arc<Notify>,
    stop: watch::Sender<bool>,
    running: JoinHandle<()>,
}

impl Drop for ClaimedQueue {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl Workers {
    /// Delivers webhooks until `stop` is ready. Exchanges in progress are then completed, or sent again later.
    pub async fn deliver_webhooks(&self, stop: impl Future<Output = ()>) {
        let (records, recording) = self.begin_recording();
        let id = WebhookSenderId(self.retour.source().id());
        let mut sender = Sender {
            workers: Arc::new(self.clone()),
            id,
            records,
            recording,
            present: vec![id],
            said_at: None,
            lease: watch::Sender::new(SenderLease { until: Instant::now() }),
            slots: ConcurrencyLimit::new(self.retour.http().map_or(0, Http::max_concurrent_calls)),
            held: HashMap::new(),
            tidying: None,
        };
        if let Err(error) = sender.start_up().await {
            tracing::warn!(%error, "the claims of an earlier process could not be released; they expire");
        }
        sender.run(stop).await;
        let still_under_way = timeout(GRACE, sender.finish()).await.is_err();
        if still_under_way {
            tracing::warn!("some webhooks were still being sent and were aborted; they are sent again");
        }
        let recording = std::mem::replace(&mut sender.recording, tokio::spawn(async {}));
        drop(sender); // drops the last sender of the channel
        let _ = timeout(GRACE, recording).await;
        let leaving = self.stop(id).await;
        if let Err(error) = leaving {
            tracing::warn!(%error, "claims on webhook subscriptions could not be released; they expire");
        }
    }

    fn begin_recording(&self) -> (mpsc::Sender<recorder::Record>, JoinHandle<()>) {
        let (records, receiver) = mpsc::channel(UNWRITTEN);
        (records, tokio::spawn(recorder::run(self.clone(), receiver)))
    }

    async fn sweep(&self, id: WebhookSenderId, present: &[WebhookSenderId]) -> Result<()> {
        let mut reading = self.retour.store().read().await?;
        let stopped = webhook_subscriptions::list_stopped(reading.db()).await?;
        let before = self.retour.now().plus_seconds(-DELETED_FOR);
        let deleted = webhook_subscriptions::list_deleted(reading.db(), before).await?;
        drop(reading);
        for subscribed in stopped.into_iter().filter(|one| is_of(id, present, *one)) {
            self.give_up_waiting(subscribed).await?;
        }
        for subscribed in deleted.into_iter().filter(|one| is_of(id, present, *one)) {
            self.remove_deleted(subscribed).await?;
        }
        Ok(())
    }

    async fn stop(&self, id: WebhookSenderId) -> Result<()> {
        let mut writing = self.retour.store().write().await?;
        let before = self.retour.now().plus_seconds(-FORGOTTEN_AFTER);
        webhook_subscriptions::leave(writing.db(), id, before).await?;
        Ok(writing.commit().await?)
    }
}

impl Sender {
    /// Only one process uses a SQLite file, so all earlier claims are free, even after a crash.
    async fn start_up(&self) -> Result<()> {
        if self.workers.retour.store().kind() == DatabaseKind::Sqlite {
            let mut writing = self.workers.retour.store().write().await?;
            webhook_subscriptions::leave_all(writing.db()).await?;
            writing.commit().await?;
        }
        Ok(())
    }

    async fn run(&mut self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (due, source) = (self.workers.retour.store().due().clone(), self.workers.retour.source().clone());
        loop {
            let done = tokio::select! {
                () = &mut stop => return,
                _ = look.tick() => self.poll().await,
                () = source.moved() => self.poll().await,
                news = due.next() => self.wake(news).await,
            };
            if let Err(error) = done {
                tracing::warn!(%error, "due webhooks could not be read or claimed; Retour tries again");
            }
        }
    }

    /// Reads due subscriptions, whichever instance wrote them.
    async fn poll(&mut self) -> Result<()> {
        if self.said_at.is_none_or(|at| at.elapsed() >= SAY_EVERY) {
            self.heartbeat().await?;
            self.sweep();
        }
        if self.records.is_closed() {
            tracing::error!("the recorder of webhook results has ended; Retour starts it again");
            self.held.clear();
            (self.records, self.recording) = self.workers.begin_recording();
        }
        self.release_ended().await?;
        let mut reading = self.workers.retour.store().read().await?;
        let due = webhook_subscriptions::list_due(reading.db(), self.workers.retour.now()).await?;
        drop(reading);
        self.wake(due).await
    }

    /// Wakes the queues of due subscriptions that belong to this instance.
    async fn wake(&mut self, due: Vec<Subscribed>) -> Result<()> {
        for subscribed in due {
            if !self.is_ours(subscribed) {
                continue;
            }
            match self.held.get(&subscribed) {
                Some(held) if !held.running.is_finished() => held.bell.notify_one(),
                _ => {
                    // Other instances ignore the claims of one without a recent heartbeat.
                    if self.said_at.is_none_or(|at| at.elapsed() >= SAY_EVERY) {
                        self.heartbeat().await?;
                    }
                    if self.is_ours(subscribed) {
                        self.claim(subscribed).await?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_ours(&self, subscribed: Subscribed) -> bool {
        is_of(self.id, &self.present, subscribed)
    }

    async fn claim(&mut self, subscribed: Subscribed) -> Result<()> {
        let (store, id, alive_since) =
            (self.workers.retour.store().clone(), self.id, self.workers.retour.now().plus_seconds(-LOST_AFTER));
        let claimed = detached(async move {
            let mut writing = store.write().await?;
            let claimed = webhook_subscriptions::claim(writing.db(), subscribed, id, alive_since).await?;
            writing.commit().await?;
            Ok(claimed)
        });
        if !claimed.await? {
            return Ok(()); // its owner releases it soon, or is lost
        }
        let (bell, (stop, stopped)) = (Arc::new(Notify::new()), watch::channel(false));
        let shared =
            SenderShared { records: self.records.clone(), lease: self.lease.subscribe(), slots: self.slots.clone() };
        let (queue, kept) = Queue::new(self.workers.clone(), subscribed, shared);
        let running = tokio::spawn(queue.run(kept, bell.clone(), stopped));
        self.held.insert(subscribed, ClaimedQueue { bell, stop, running });
        Ok(())
    }

    /// Updates this instance's row, reads the present instances, and keeps the claims that are still its own.
    async fn heartbeat(&mut self) -> Result<()> {
        let (store, id, now) = (self.workers.retour.store().clone(), self.id, self.workers.retour.now());
        let said_at = Instant::now();
        let (present, claimed) = detached(async move {
            let mut writing = store.write().await?;
            webhook_subscriptions::seen(writing.db(), id, now).await?;
            let present = webhook_subscriptions::list_senders(writing.db(), now.plus_seconds(-LOST_AFTER)).await?;
            let claimed = webhook_subscriptions::list_claimed(writing.db(), id).await?;
            writing.commit().await?;
            Ok((present, claimed))
        })
        .await?;
        self.said_at = Some(Instant::now());
        self.lease.send_replace(SenderLease { until: said_at + LEASE });
        self.present = present;
        // If this instance was suspended for long, others have taken over its claims.
        let claimed: HashSet<Subscribed> = claimed.into_iter().collect();
        self.held.retain(|subscribed, _| claimed.contains(subscribed));
        // Queues of other instances' subscriptions finish their exchanges first.
        for (_, held) in self.held.iter().filter(|(subscribed, _)| !self.is_ours(**subscribed)) {
            let _ = held.stop.send(true);
        }
        // Another instance may have changed or disabled them.
        self.held.values().for_each(|held| held.bell.notify_one());
        Ok(())
    }

    /// Releases the subscriptions of other instances once their queues have ended.
    async fn release_ended(&mut self) -> Result<()> {
        let ended = self.held.iter().filter(|(_, held)| *held.stop.borrow() && held.running.is_finished());
        let ended: Vec<Subscribed> = ended.map(|(subscribed, _)| *subscribed).collect();
        for subscribed in ended {
            let (store, id) = (self.workers.retour.store().clone(), self.id);
            let released = detached(async move {
                let mut writing = store.write().await?;
                webhook_subscriptions::release(writing.db(), subscribed, id).await?;
                Ok(writing.commit().await?)
            });
            released.await?;
            self.held.remove(&subscribed);
        }
        Ok(())
    }

    /// Cleans up after disabled and deleted subscriptions in the background, as it may take long.
    fn sweep(&mut self) {
        if self.tidying.as_ref().is_none_or(JoinHandle::is_finished) {
            let (workers, id, present) = (self.workers.clone(), self.id, self.present.clone());
            self.tidying = Some(tokio::spawn(async move {
                if let Err(error) = workers.sweep(id, &present).await {
                    tracing::warn!(%error, "disabled and deleted webhook subscriptions could not be cleaned up; Retour tries again");
                }
            }));
        }
    }

    /// Starts nothing new and waits for the exchanges in progress.
    async fn finish(&mut self) {
        for held in self.held.values() {
            let _ = held.stop.send(true);
        }
        for held in self.held.values_mut() {
            let _ = (&mut held.running).await;
        }
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        if let Some(tidying) = &self.tidying {
            tidying.abort();
        }
    }
}

/// Whether this sender owns a subscription: of the present senders, it has the highest hash.
fn is_of(id: WebhookSenderId, present: &[WebhookSenderId], subscribed: Subscribed) -> bool {
    present.iter().max_by_key(|sender| weight(**sender, subscribed)) == Some(&id)
}

fn weight(sender: WebhookSenderId, (_, subscription): Subscribed) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(sender.0.as_bytes());
    hash.update(subscription.0.as_bytes());
    hash.finalize().into()
}
