//! Sends the due deliveries of one subscription: several at a time, but one after the other within a return order.

use super::{
    backpressure::Backpressure,
    concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit},
    ordered_backlog::{OrderedBacklog, WaitingDelivery},
    recorder::{Record, RecordedOutcome},
};
use crate::handle::Workers;
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp,
    webhook::{DeliveryOutcome, next_attempt},
};
use returns::{
    Result,
    internals::{Exchanged, Receiver, detached},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    due::Subscribed,
    events,
    webhook_attempts::Tried,
    webhook_deliveries::{self, DeliveryLane, DueDelivery, DuePlace, Portion},
    webhook_subscriptions,
};
use tokio::{
    sync::{Notify, mpsc, watch},
    task::JoinSet,
    time::sleep_until,
};
use tracing::Instrument as _;

/// The most exchanges at a time with a receiver that answers.
const WIDTH: usize = 16;
/// The most exchanges at a time with a failing receiver: enough to probe it without flooding it.
const WIDTH_WHILE_FAILING: usize = 2;
/// The most deliveries per read.
const PORTION: Portion = Portion { rows: 256, bytes: 1024 * 1024 };
/// The most deliveries per read while the receiver fails: few of them will be sent.
const PORTION_WHILE_FAILING: Portion = Portion { rows: 8, bytes: 64 * 1024 };
/// More deliveries are read when fewer than this are left.
const LOW: Portion = Portion { rows: 128, bytes: 512 * 1024 };
/// An event that was read longer ago is read again before it is sent, as its person may have been erased.
const FRESH: Duration = Duration::from_secs(1);
/// The pause when other queues use all permits of the instance.
const CROWDED: Duration = Duration::from_millis(20);
/// The most attempts that may wait to be recorded.
const MOST_UNWRITTEN: usize = 512;

/// The deliveries of one subscription.
pub(crate) struct Queue {
    workers: Arc<Workers>,
    subscribed: Subscribed,
    shared: SenderShared,
    kept: mpsc::UnboundedSender<RecordedOutcome>,
    lines: OrderedBacklog,
    unwritten: usize,
    receiver: Option<Arc<Receiver>>,
    rest: Backpressure,
    cursor: ReadCursor,
    /// Whether an attempt has failed since reading began.
    failed_meanwhile: bool,
    /// When to look for a free permit again.
    crowded_until: Option<Instant>,
}

/// What all queues of an instance share.
pub(crate) struct SenderShared {
    pub records: mpsc::Sender<Record>,
    /// The instance's lease. Until it ends, no other instance sends the deliveries.
    pub lease: watch::Receiver<SenderLease>,
    pub slots: ConcurrencyLimit,
}

/// The state of reading due deliveries.
struct ReadCursor {
    /// Whether the subscription or its due deliveries may have changed.
    woken: bool,
    /// Where the next read continues, if the last one did not reach the end.
    place: Option<DuePlace>,
    /// Whether to read from the start again afterwards: changes may be before that place.
    again: bool,
    /// The earliest next read. Reading takes at most half of the time, as each read includes the deliveries in
    /// progress.
    not_before: Instant,
}

/// The time until which an instance keeps its claims.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SenderLease {
    pub until: Instant,
}

/// The result of a read, and when it began.
struct ReadResult {
    began: Instant,
    found: Found,
}

enum Found {
    /// The subscription is disabled or deleted.
    Ended,
    /// The read changed the database, so it has to be repeated.
    Anew,
    /// The read failed.
    Nothing,
    /// The current subscription, with its due deliveries if they were wanted.
    Subscription { receiver: Receiver, is_failing: bool, due: Option<Due> },
}

/// The due deliveries from a place on, and whether there may be more.
type Due = (Vec<DueDelivery>, bool);

/// A delivery with the result of its attempt.
struct Exchange {
    due: DueDelivery,
    receiver: Arc<Receiver>,
    /// `None` if the event could not be read.
    exchanged: Option<Exchanged>,
}

impl Queue {
    /// A queue, and the channel on which it learns which attempts are recorded.
    pub(crate) fn new(
        workers: Arc<Workers>,
        subscribed: Subscribed,
        shared: SenderShared,
    ) -> (Self, mpsc::UnboundedReceiver<RecordedOutcome>) {
        let (kept, hears) = mpsc::unbounded_channel();
        let cursor = ReadCursor { woken: true, place: None, again: false, not_before: Instant::now() };
        let queue = Self {
            workers,
            subscribed,
            shared,
            kept,
            lines: OrderedBacklog::default(),
            unwritten: 0,
            receiver: None,
            rest: Backpressure::default(),
            cursor,
            failed_meanwhile: false,
            crowded_until: None,
        };
        (queue, hears)
    }

    /// Delivers whenever the bell rings, until `stop` changes; then finishes the exchanges in progress.
    pub(crate) async fn run(
        mut self,
        mut kept: mpsc::UnboundedReceiver<RecordedOutcome>,
        bell: Arc<Notify>,
        mut stop: watch::Receiver<bool>,
    ) {
        let (mut reads, mut exchanges) = (JoinSet::new(), JoinSet::new());
        let mut stopped = false;
        loop {
            if !stopped {
                self.begin_read(&mut reads);
                self.start(&mut exchanges);
            } else if exchanges.is_empty() && self.unwritten == 0 {
                return;
            }
            let wake = self.wakes_at(!reads.is_empty());
            // A panic of a task, or of the recorder, ends the queue, and the sender starts a new one. This queue would
            // otherwise send the same deliveries again and again.
            tokio::select! {
                Some(tried) = exchanges.join_next() => {
                    let Ok(tried) = tried else { return };
                    if self.write(tried).await.is_err() {
                        return;
                    }
                }
                Some(kept) = kept.recv() => {
                    if !kept.is_written {
                        return;
                    }
                    self.go_on(kept);
                }
                Some(read) = reads.join_next() => {
                    let Ok(read) = read else { return };
                    self.take_in(read, &mut reads);
                }
                () = bell.notified() => self.cursor.woken = true,
                () = sleep_until(wake.unwrap_or_else(Instant::now).into()), if !stopped && wake.is_some() => {}
                _ = stop.changed(), if !stopped => stopped = true,
            }
        }
    }

    /// When to repeat a failed delivery after so many attempts, including this one; `None`: never. A receiver that is
    /// gone ends the delivery only if it is still the current one.
    fn next_attempt(&self, failed: &Exchanged, tries: u32, is_current: bool) -> Option<Timestamp> {
        if failed.attempt.outcome == DeliveryOutcome::Gone && is_current {
            return None;
        }
        let dice = u32::from_le_bytes(self.workers.retour.source().random());
        next_attempt(self.workers.retour.now(), tries, dice, failed.retry_after)
    }

    fn has_room(&self) -> bool {
        self.lines.len() < LOW.rows && self.lines.bytes() < LOW.bytes
    }

    fn wants_to_read(&self) -> bool {
        self.cursor.woken || (self.cursor.place.is_some() && self.has_room())
    }

    /// When to wake up without a bell.
    fn wakes_at(&self, is_reading: bool) -> Option<Instant> {
        let read = (!is_reading && self.wants_to_read()).then_some(self.cursor.not_before);
        let rested = self.rest.ends_at().filter(|_| self.lines.has_next());
        read.into_iter().chain(rested).chain(self.crowded_until).min()
    }

    /// Begins to read due deliveries, in parallel to the exchanges.
    fn begin_read(&mut self, reads: &mut JoinSet<ReadResult>) {
        if !reads.is_empty() || !self.wants_to_read() || Instant::now() < self.cursor.not_before {
            return;
        }
        self.cursor.again |= self.cursor.woken && self.cursor.place.is_some();
        self.cursor.woken = false;
        self.lines.reading_begins();
        self.failed_meanwhile = false;
        let place = *self.cursor.place.get_or_insert(DuePlace::START);
        let wanted = self.has_room() && !self.rest.is_asked_for(self.workers.retour.now());
        let portion = if self.rest.is_failing() { PORTION_WHILE_FAILING } else { PORTION };
        reads.spawn(read(self.workers.clone(), self.subscribed, wanted.then_some((place, portion))));
    }

    fn take_in(&mut self, read: ReadResult, reads: &mut JoinSet<ReadResult>) {
        self.cursor.not_before = Instant::now() + read.began.elapsed();
        match read.found {
            Found::Ended => {
                self.lines.leave_what_is_not_under_way();
                self.receiver = None;
                self.rest = Backpressure::default();
                self.cursor.place = None;
            }
            Found::Anew => self.cursor.woken = true,
            // The sender will ring the bell again.
            Found::Nothing => self.cursor.place = None,
            // The receiver has failed since the read began, and may have been disabled for it.
            Found::Subscription { is_failing: false, .. }
                if self.rest.is_failing() && (self.failed_meanwhile || self.unwritten > 0) =>
            {
                self.cursor.woken = true;
            }
            Found::Subscription { receiver, is_failing, due } => {
                if self.receiver.as_ref().is_some_and(|before| before.endpoint() != receiver.endpoint()) {
                    self.rest = Backpressure::default(); // a new receiver has not failed or asked for a pause
                }
                self.receiver = Some(Arc::new(receiver));
                self.rest.set_failing(is_failing);
                match due {
                    Some(due) => self.add(due, read.began, reads),
                    // The sender rings the bell when the receiver's pause ends.
                    None if self.rest.is_asked_for(self.workers.retour.now()) => self.cursor.place = None,
                    None => {}
                }
            }
        }
    }

    fn add(&mut self, (due, is_more): Due, read_at: Instant, reads: &mut JoinSet<ReadResult>) {
        let last = due.last().map(DueDelivery::place);
        self.cursor.place = last.filter(|_| is_more);
        if self.cursor.place.is_none() && std::mem::take(&mut self.cursor.again) {
            self.cursor.place = Some(DuePlace::START);
        }
        let waiting = self.lines.add(due, read_at);
        if !waiting.is_empty() {
            let lines = waiting.into_iter().map(|order| self.line(order)).collect();
            reads.spawn(wait(self.workers.clone(), lines));
        }
    }

    fn line(&self, order: ReturnOrderId) -> DeliveryLane {
        let (account_id, subscription_id) = self.subscribed;
        DeliveryLane { account_id, subscription_id, return_order_id: order }
    }

    fn start(&mut self, exchanges: &mut JoinSet<Exchange>) {
        self.crowded_until = None;
        let Some(receiver) = &self.receiver else { return };
        let width = if self.rest.is_failing() { WIDTH_WHILE_FAILING } else { WIDTH };
        while exchanges.len() < width
            && self.unwritten < MOST_UNWRITTEN
            && !self.rest.is_resting(self.workers.retour.now())
            && Instant::now() < self.shared.lease.borrow().until
            && self.lines.has_next()
        {
            let Some(slot) = self.shared.slots.take(self.rest.is_failing()) else {
                self.crowded_until = Some(Instant::now() + CROWDED);
                return;
            };
            let Some(waiting) = self.lines.next() else { return };
            let attempt = attempt(self.workers.clone(), receiver.clone(), waiting, slot);
            exchanges.spawn(attempt.instrument(outbound::step!("webhook")));
        }
    }

    async fn write(
        &mut self,
        Exchange { due, receiver, exchanged }: Exchange,
    ) -> Result<(), mpsc::error::SendError<Record>> {
        let Some(exchanged) = exchanged else {
            self.lines.leave(due.event.return_order_id); // the next bell reads it again
            return Ok(());
        };
        let is_delivered = exchanged.attempt.outcome == DeliveryOutcome::Delivered;
        // The late answer of a previous receiver says nothing about the current one.
        let is_current = self.receiver.as_ref().is_none_or(|now| now.endpoint() == receiver.endpoint());
        if is_current {
            self.rest.heed(&exchanged, self.workers.retour.now());
        }
        self.failed_meanwhile |= !is_delivered;
        let next = if is_delivered { None } else { self.next_attempt(&exchanged, due.tries + 1, is_current) };
        self.unwritten += 1;
        let line = self.line(due.event.return_order_id);
        let tried = Tried { id: due.id, tries: due.tries };
        let (attempts, attempt, kept) = (due.attempts, exchanged.attempt, self.kept.clone());
        self.shared.records.send(Record { line, tried, attempts, attempt, next, receiver, kept }).await
    }

    /// Continues with the next delivery of a return order after the previous one is done. If that one is to be repeated
    /// later, the database makes those behind it wait.
    fn go_on(&mut self, kept: RecordedOutcome) {
        self.unwritten = self.unwritten.saturating_sub(1);
        if kept.is_through {
            self.lines.go_on(kept.order);
        } else {
            self.lines.leave(kept.order);
        }
        self.cursor.woken |= self.rest.is_failing(); // it may have been disabled by this failure
    }
}

/// Reads the current subscription, and its due deliveries if they are wanted.
async fn read(workers: Arc<Workers>, subscribed: Subscribed, wanted: Option<(DuePlace, Portion)>) -> ReadResult {
    let began = Instant::now();
    let found = find(&workers, subscribed, wanted).await.unwrap_or_else(|error| {
        tracing::warn!(%error, subscription = %subscribed.1, "due webhooks could not be read; Retour tries again");
        Found::Nothing
    });
    ReadResult { began, found }
}

async fn find(workers: &Workers, subscribed: Subscribed, wanted: Option<(DuePlace, Portion)>) -> Result<Found> {
    let (account, id) = subscribed;
    let mut reading = workers.retour.store().read().await?;
    // The deliveries are read before the receiver: events after a change of the URL then go to the new URL.
    let due = match wanted {
        Some((place, portion)) => {
            Some(webhook_deliveries::list_due(reading.db(), subscribed, workers.retour.now(), place, portion).await?)
        }
        None => None,
    };
    let found = webhook_subscriptions::find(reading.db(), account, id).await?;
    let Some(subscription) = found.filter(|found| found.disabled.is_none()) else { return Ok(Found::Ended) };
    if subscription.catch_up.is_some() {
        drop(reading);
        workers.catch_up(subscribed, &subscription.interest).await?;
        return Ok(Found::Anew);
    }
    let receiver = workers.retour.receiver(account, &subscription)?;
    let is_failing = subscription.health.failing_since.is_some();
    Ok(Found::Subscription { receiver, is_failing, due })
}

/// Makes deliveries wait for the first one of their return order.
async fn wait(workers: Arc<Workers>, mut lines: Vec<DeliveryLane>) -> ReadResult {
    let began = Instant::now();
    lines.sort_unstable_by_key(|line| line.return_order_id);
    let waited = detached(async move {
        let mut writing = workers.retour.store().write().await?;
        for line in lines {
            webhook_deliveries::wait_for_first(writing.db(), line, workers.retour.now()).await?;
        }
        Ok(writing.commit().await?)
    });
    let found = waited.await.map_or_else(
        |error| {
            tracing::warn!(%error, "webhooks could not be put behind those they wait for; Retour tries again");
            Found::Nothing
        },
        |()| Found::Anew,
    );
    ReadResult { began, found }
}

async fn attempt(
    workers: Arc<Workers>,
    receiver: Arc<Receiver>,
    WaitingDelivery { due, read_at }: WaitingDelivery,
    _held_until_it_ends: ConcurrencyPermit,
) -> Exchange {
    let (account, event_id) = (due.event.account_id, due.event.id);
    let is_fresh = read_at.elapsed() < FRESH;
    let event = if is_fresh { Ok(Some(due.event.clone())) } else { read_again(&workers, account, event_id).await };
    let exchanged = match event {
        Ok(Some(event)) => Some(workers.retour.exchange(&receiver, event).await),
        Ok(None) => None, // an erasure deleted the event and its deliveries
        Err(error) => {
            tracing::warn!(%error, event = %event_id, "an event could not be read; Retour tries again");
            None
        }
    };
    Exchange { due, receiver, exchanged }
}

/// Reads an event again, as its person may have been erased since.
async fn read_again(workers: &Workers, account: AccountId, id: EventId) -> Result<Option<events::Event>> {
    let mut reading = workers.retour.store().read().await?;
    Ok(events::find(reading.db(), account, id).await?.map(|(event, _)| event))
}
