//! What is due for one subscription: some exchanges at a time, one after the other within a return order.

use super::{
    backpressure::Backpressure,
    concurrency_limit::{ConcurrencyLimit, ConcurrencyPermit},
    ordered_backlog::{OrderedBacklog, WaitingDelivery},
    recorder::{Record, RecordedOutcome},
};
use crate::base::{Result, detached};
use crate::integrations::webhook_exchange::{Exchanged, Receiver};
use crate::workers::handle::Workers;
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp,
    webhook::{DeliveryOutcome, next_attempt},
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

/// Exchanges at a time with a receiver that answers.
const WIDTH: usize = 16;
/// The same with one that does not: it is asked how it does, not flooded.
const WIDTH_WHILE_FAILING: usize = 2;
/// What is read at once.
const PORTION: Portion = Portion { rows: 256, bytes: 1024 * 1024 };
/// The same while the receiver fails: little of it will be sent.
const PORTION_WHILE_FAILING: Portion = Portion { rows: 8, bytes: 64 * 1024 };
/// More is read when less than this is left.
const LOW: Portion = Portion { rows: 128, bytes: 512 * 1024 };
/// An event that was read longer ago is read again before it is sent: somebody may have asked to be forgotten.
const FRESH: Duration = Duration::from_secs(1);
/// When all of the program's exchanges are others', it is looked again after so long.
const CROWDED: Duration = Duration::from_millis(20);
/// Attempts that wait to be written.
const MOST_UNWRITTEN: usize = 512;

/// One subscription's deliveries.
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
    /// An attempt failed since reading began.
    failed_meanwhile: bool,
    /// All slots were taken: when to look again.
    crowded_until: Option<Instant>,
}

/// What all queues of a program have in common.
pub(crate) struct SenderShared {
    pub records: mpsc::Sender<Record>,
    /// When this program last said that it is there: for a while after, nobody else sends.
    pub lease: watch::Receiver<SenderLease>,
    pub slots: ConcurrencyLimit,
}

/// How far what is due was read.
struct ReadCursor {
    /// The subscription, or what is due, may have changed.
    woken: bool,
    /// From where on more may be due, if it was not read to the end.
    place: Option<DuePlace>,
    /// It is to be read from the start again then: what changed may stand before that place.
    again: bool,
    /// Reading takes half of the time at most: what is under way is read along, again and again.
    not_before: Instant,
}

/// Until when a program that says that it is there keeps its claims.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SenderLease {
    pub until: Instant,
}

/// What was read of a subscription, and when that began.
struct ReadResult {
    began: Instant,
    found: Found,
}

enum Found {
    /// It is disabled or deleted.
    Ended,
    /// Something was done in the database: it is to be read anew.
    Anew,
    /// It could not be read.
    Nothing,
    /// As it is now, with what is due if that was wanted.
    Subscription { receiver: Receiver, is_failing: bool, due: Option<Due> },
}

/// What is due from a place on, and whether there may be more.
type Due = (Vec<DueDelivery>, bool);

/// A delivery and what came of its attempt.
struct Exchange {
    due: DueDelivery,
    receiver: Arc<Receiver>,
    /// Nothing, where the event could not be read.
    exchanged: Option<Exchanged>,
}

impl Queue {
    /// A queue, and where it hears what was kept.
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

    /// Delivers whenever the bell rings, until it is told to stop; then lets what is under way finish.
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
            // What panicked, and what nobody writes any more, ends the queue: the sender begins anew. Otherwise it would
            // send the same again and again.
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

    /// When a failed delivery is repeated, after so many attempts with this one; `None`: never. A receiver that is gone ends it
    /// only if it is still the one to be told.
    fn next_attempt(&self, failed: &Exchanged, tries: u32, is_current: bool) -> Option<Timestamp> {
        if failed.attempt.outcome == DeliveryOutcome::Gone && is_current {
            return None;
        }
        let dice = u32::from_le_bytes(self.workers.retour.source.random());
        next_attempt(self.workers.retour.now(), tries, dice, failed.retry_after)
    }

    fn has_room(&self) -> bool {
        self.lines.len() < LOW.rows && self.lines.bytes() < LOW.bytes
    }

    fn wants_to_read(&self) -> bool {
        self.cursor.woken || (self.cursor.place.is_some() && self.has_room())
    }

    /// When there is something to do again that nobody rings for.
    fn wakes_at(&self, is_reading: bool) -> Option<Instant> {
        let read = (!is_reading && self.wants_to_read()).then_some(self.cursor.not_before);
        let rested = self.rest.ends_at().filter(|_| self.lines.has_next());
        read.into_iter().chain(rested).chain(self.crowded_until).min()
    }

    /// Begins to read what is due, beside the exchanges that are under way.
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
            // The sender rings again.
            Found::Nothing => self.cursor.place = None,
            // It failed meanwhile, and may have been disabled for it.
            Found::Subscription { is_failing: false, .. }
                if self.rest.is_failing() && (self.failed_meanwhile || self.unwritten > 0) =>
            {
                self.cursor.woken = true;
            }
            Found::Subscription { receiver, is_failing, due } => {
                if self.receiver.as_ref().is_some_and(|before| before.endpoint() != receiver.endpoint()) {
                    self.rest = Backpressure::default(); // another one has neither failed nor asked for patience
                }
                self.receiver = Some(Arc::new(receiver));
                self.rest.set_failing(is_failing);
                match due {
                    Some(due) => self.add(due, read.began, reads),
                    // The sender rings when the receiver has rested.
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
            self.lines.leave(due.event.return_order_id); // until the bell rings again
            return Ok(());
        };
        let is_delivered = exchanged.attempt.outcome == DeliveryOutcome::Delivered;
        // What another one says late, which was called before this one was put in its place, is not for this one.
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

    /// The next one of a return order, once the one before is through. Those behind one that is tried again later were
    /// made to wait in the database.
    fn go_on(&mut self, kept: RecordedOutcome) {
        self.unwritten = self.unwritten.saturating_sub(1);
        if kept.is_through {
            self.lines.go_on(kept.order);
        } else {
            self.lines.leave(kept.order);
        }
        self.cursor.woken |= self.rest.is_failing(); // it may have been disabled for it
    }
}

/// Reads the subscription as it is now, and what is due if that is wanted.
async fn read(workers: Arc<Workers>, subscribed: Subscribed, wanted: Option<(DuePlace, Portion)>) -> ReadResult {
    let began = Instant::now();
    let found = find(&workers, subscribed, wanted).await.unwrap_or_else(|error| {
        tracing::warn!(%error, subscription = %subscribed.1, "due webhooks could not be read; it is tried again");
        Found::Nothing
    });
    ReadResult { began, found }
}

async fn find(workers: &Workers, subscribed: Subscribed, wanted: Option<(DuePlace, Portion)>) -> Result<Found> {
    let (account, id) = subscribed;
    let mut reading = workers.retour.store.read().await?;
    // What is due goes before whom it is for: an event that came after a change of the address goes to the new one.
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

/// Lets deliveries wait for the first of their return order.
async fn wait(workers: Arc<Workers>, mut lines: Vec<DeliveryLane>) -> ReadResult {
    let began = Instant::now();
    lines.sort_unstable_by_key(|line| line.return_order_id);
    let waited = detached(async move {
        let mut writing = workers.retour.store.write().await?;
        for line in lines {
            webhook_deliveries::wait_for_first(writing.db(), line, workers.retour.now()).await?;
        }
        Ok(writing.commit().await?)
    });
    let found = waited.await.map_or_else(
        |error| {
            tracing::warn!(%error, "webhooks that wait for others could not be put behind them; it is tried again");
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
        Ok(None) => None, // forgotten meanwhile, and its deliveries with it
        Err(error) => {
            tracing::warn!(%error, event = %event_id, "an event could not be read; it is tried again");
            None
        }
    };
    Exchange { due, receiver, exchanged }
}

/// Whoever it is about may have been forgotten since.
async fn read_again(workers: &Workers, account: AccountId, id: EventId) -> Result<Option<events::Event>> {
    let mut reading = workers.retour.store.read().await?;
    Ok(events::find(reading.db(), account, id).await?.map(|(event, _)| event))
}
