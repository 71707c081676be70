//! What is due for one subscription: some exchanges at a time, one after the other within a return order.

use super::{
    exchange::{Exchanged, Receiver},
    recorder::Record,
};
use crate::{Result, Retour, detached};
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp, WebhookDeliveryId,
    webhook::{Outcome, next_attempt},
};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    due::Subscribed,
    events,
    webhook_deliveries::{self, DueDelivery, Line},
    webhook_subscriptions,
};
use tokio::{
    sync::{Notify, mpsc, oneshot, watch},
    task::JoinSet,
    time::sleep_until,
};

/// Exchanges at a time with a receiver that answers.
const WIDTH: usize = 16;
/// The same with one that does not: it is asked how it does, not flooded.
const WIDTH_WHILE_FAILING: usize = 2;
/// Deliveries that are read at once.
const READ: i64 = 128;
/// More are read when fewer than these are left.
const LOW: usize = 64;
/// An event that was read longer ago is read again before it is sent: somebody may have asked to be forgotten.
const FRESH: Duration = Duration::from_secs(1);
/// Attempts that wait to be written.
const MOST_UNWRITTEN: usize = 512;

/// One subscription's deliveries.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own: none excludes another")]
pub(super) struct Queue {
    retour: Retour,
    subscribed: Subscribed,
    records: mpsc::Sender<Record>,
    /// Deliveries in memory by return order, in the order of their events. The first of one that is not in `ready` is
    /// being sent or written.
    lines: HashMap<ReturnOrderId, VecDeque<Waiting>>,
    ready: VecDeque<ReturnOrderId>,
    known: HashSet<WebhookDeliveryId>,
    receiver: Option<Arc<Receiver>>,
    is_failing: bool,
    /// The receiver asked for patience (429 or 503 with `Retry-After`).
    not_before: Timestamp,
    /// The subscription, or what is due, may have changed.
    rung: bool,
    /// More may be due than was read.
    unread: bool,
    /// Deliveries that were done with since reading began: what was read still shows them as due.
    done_meanwhile: HashSet<WebhookDeliveryId>,
    /// An attempt failed since reading began.
    failed_meanwhile: bool,
    /// Reading takes half of the time at most: what is under way is read along, again and again.
    read_after: Instant,
}

/// A delivery in memory.
#[derive(Clone)]
struct Waiting {
    due: DueDelivery,
    read_at: Instant,
}

/// What was read of a subscription, and when that began.
struct Read {
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
    Subscription { receiver: Receiver, is_failing: bool, due: Option<Vec<DueDelivery>> },
}

/// A delivery and what came of its attempt.
struct Tried {
    order: ReturnOrderId,
    delivery: WebhookDeliveryId,
    tries: u32,
    /// Nothing, where the event could not be read.
    exchanged: Option<Exchanged>,
}

/// What is kept of it.
struct Kept {
    order: ReturnOrderId,
    delivery: WebhookDeliveryId,
    /// Whether the line goes on.
    is_over: bool,
}

impl Queue {
    pub(super) fn new(retour: Retour, subscribed: Subscribed, records: mpsc::Sender<Record>) -> Self {
        Self {
            retour,
            subscribed,
            records,
            lines: HashMap::new(),
            ready: VecDeque::new(),
            known: HashSet::new(),
            receiver: None,
            is_failing: false,
            not_before: Timestamp::from_micros(0),
            rung: true,
            unread: true,
            done_meanwhile: HashSet::new(),
            failed_meanwhile: false,
            read_after: Instant::now(),
        }
    }

    /// Delivers whenever the bell rings, until it is told to stop; then lets what is under way finish.
    pub(super) async fn run(mut self, bell: Arc<Notify>, mut stop: watch::Receiver<bool>) {
        let (mut reading, mut exchanging, mut writing) = (JoinSet::new(), JoinSet::new(), JoinSet::new());
        let mut stopped = false;
        loop {
            if !stopped {
                self.read(&mut reading);
                self.start(&mut exchanging, writing.len());
            } else if exchanging.is_empty() && writing.is_empty() {
                return;
            }
            // What panicked ends the queue: the sender begins anew.
            tokio::select! {
                Some(tried) = exchanging.join_next() => match tried {
                    Ok(tried) => self.write(tried, &mut writing),
                    Err(_) => return,
                },
                Some(kept) = writing.join_next() => match kept {
                    Ok(Some(kept)) => self.go_on(kept),
                    _ => return,
                },
                Some(read) = reading.join_next() => match read {
                    Ok(read) => self.take_in(read, &mut reading),
                    Err(_) => return,
                },
                () = bell.notified() => self.rung = true,
                () = sleep_until(self.read_after.into()), if !stopped && reading.is_empty() && self.wants_to_read() => {}
                _ = stop.changed(), if !stopped => stopped = true,
            }
        }
    }

    fn wants_to_read(&self) -> bool {
        self.rung || (self.unread && self.known.len() < LOW)
    }

    /// Begins to read what is due, beside the exchanges that are under way.
    fn read(&mut self, reading: &mut JoinSet<Read>) {
        if !reading.is_empty() || !self.wants_to_read() || Instant::now() < self.read_after {
            return;
        }
        self.rung = false;
        self.done_meanwhile.clear();
        let wanted = self.known.len() < LOW && self.retour.now() >= self.not_before;
        reading.spawn(read(self.retour.clone(), self.subscribed, wanted));
    }

    fn take_in(&mut self, read: Read, reading: &mut JoinSet<Read>) {
        self.read_after = Instant::now() + read.began.elapsed();
        match read.found {
            Found::Ended => {
                self.forget_what_is_not_under_way();
                self.unread = false;
            }
            Found::Anew => self.rung = true,
            // The sender rings again.
            Found::Nothing => self.unread = false,
            // It failed meanwhile, and may have been disabled for it.
            Found::Subscription { is_failing, .. } if self.is_failing && !is_failing && self.failed_meanwhile => {
                self.rung = true;
            }
            Found::Subscription { receiver, is_failing, due } => {
                if self.receiver.as_ref().is_some_and(|before| before.endpoint() != receiver.endpoint()) {
                    self.not_before = Timestamp::from_micros(0); // another one has not asked for patience
                    self.rung |= due.is_none();
                }
                self.receiver = Some(Arc::new(receiver));
                self.is_failing = is_failing;
                let Some(due) = due else {
                    self.unread |= self.retour.now() >= self.not_before;
                    return;
                };
                self.unread = i64::try_from(due.len()).unwrap_or(i64::MAX) >= READ;
                let waiting = self.add(due, read.began);
                if !waiting.is_empty() {
                    let lines = waiting.into_iter().map(|order| self.line(order)).collect();
                    reading.spawn(wait(self.retour.clone(), lines));
                }
            }
        }
        self.failed_meanwhile = false;
    }

    /// Puts deliveries into their lines; those return orders whose first delivery is not due yet.
    fn add(&mut self, due: Vec<DueDelivery>, read_at: Instant) -> HashSet<ReturnOrderId> {
        let mut waiting = HashSet::new();
        for (order, mut line) in by_order(due) {
            line.retain(|delivery| !self.known.contains(&delivery.id) && !self.done_meanwhile.contains(&delivery.id));
            let Some(first) = line.first() else { continue };
            let is_in_turn = first.event_seq == first.first_seq || self.lines.contains_key(&order);
            if !is_in_turn {
                waiting.insert(order);
                continue;
            }
            self.known.extend(line.iter().map(|delivery| delivery.id));
            if !self.lines.contains_key(&order) {
                self.ready.push_back(order);
            }
            let known = self.lines.entry(order).or_default();
            known.extend(line.into_iter().map(|due| Waiting { due, read_at }));
            // The first is under way, or about to be.
            if let Some((_, behind)) = known.make_contiguous().split_first_mut() {
                behind.sort_by_key(|waiting| waiting.due.event_seq);
            }
        }
        waiting
    }

    fn line(&self, order: ReturnOrderId) -> Line {
        let (account_id, subscription_id) = self.subscribed;
        Line { account_id, subscription_id, return_order_id: order }
    }

    fn start(&mut self, exchanging: &mut JoinSet<Tried>, unwritten: usize) {
        let Some(receiver) = self.receiver.clone() else { return };
        let width = if self.is_failing { WIDTH_WHILE_FAILING } else { WIDTH };
        while exchanging.len() < width && unwritten < MOST_UNWRITTEN && self.retour.now() >= self.not_before {
            let Some(order) = self.ready.pop_front() else { return };
            let Some(waiting) = self.lines.get(&order).and_then(VecDeque::front) else { continue };
            exchanging.spawn(attempt(self.retour.clone(), receiver.clone(), waiting.clone()));
        }
    }

    fn write(&mut self, tried: Tried, writing: &mut JoinSet<Option<Kept>>) {
        let Tried { order, delivery, tries, exchanged } = tried;
        let Some(exchanged) = exchanged else {
            return self.leave(order, delivery); // until the bell rings again
        };
        let attempt = exchanged.attempt;
        let now = self.retour.now();
        let is_delivered = attempt.outcome == Outcome::Delivered;
        if let (Some(429 | 503), Some(seconds)) = (attempt.status_code, exchanged.retry_after) {
            self.not_before = self.not_before.max(now.plus_seconds(seconds.clamp(0, LONGEST_PAUSE)));
        }
        let dice = u32::from_le_bytes(self.retour.source.random());
        let again = (!is_delivered && attempt.outcome != Outcome::Gone)
            .then(|| next_attempt(now, tries + 1, dice, exchanged.retry_after));
        let next = again.flatten();
        self.is_failing = !is_delivered;
        self.failed_meanwhile |= !is_delivered;
        let (kept, is_kept) = oneshot::channel();
        let record = Record { line: self.line(order), delivery, attempt, next, kept };
        let records = self.records.clone();
        writing.spawn(async move {
            let _ = records.send(record).await;
            // Nobody writes any more: the queue ends, or it would send the same again and again.
            let is_kept = is_kept.await.is_ok();
            is_kept.then_some(Kept { order, delivery, is_over: next.is_none() })
        });
    }

    /// The next one of a return order, once the one before is through. Those behind one that is tried again later were
    /// made to wait in the database.
    fn go_on(&mut self, Kept { order, delivery, is_over }: Kept) {
        self.done_meanwhile.insert(delivery);
        match self.lines.get_mut(&order) {
            Some(line) if is_over && line.len() > 1 => {
                line.pop_front();
                self.known.remove(&delivery);
                self.ready.push_back(order);
            }
            _ => self.leave(order, delivery),
        }
        self.rung |= self.is_failing; // it may have been disabled for it
    }

    /// Leaves a return order to the database.
    fn leave(&mut self, order: ReturnOrderId, delivery: WebhookDeliveryId) {
        self.known.remove(&delivery);
        for left in self.lines.remove(&order).into_iter().flatten() {
            self.known.remove(&left.due.id);
        }
    }

    /// It is disabled or deleted.
    fn forget_what_is_not_under_way(&mut self) {
        self.receiver = None;
        for order in self.ready.drain(..) {
            for left in self.lines.remove(&order).into_iter().flatten() {
                self.known.remove(&left.due.id);
            }
        }
        for behind in self.lines.values_mut().flat_map(|line| line.drain(1..)) {
            self.known.remove(&behind.due.id);
        }
    }
}

/// How long a receiver's wish for patience holds for all of its deliveries, seconds.
const LONGEST_PAUSE: i64 = 3_600;

/// Deliveries by return order, each in the order of their events; return orders in the order of their first.
fn by_order(due: Vec<DueDelivery>) -> Vec<(ReturnOrderId, Vec<DueDelivery>)> {
    let mut places = HashMap::new();
    let mut lines: Vec<(ReturnOrderId, Vec<DueDelivery>)> = Vec::new();
    for delivery in due {
        let order = delivery.event.return_order_id;
        let place = *places.entry(order).or_insert(lines.len());
        match lines.get_mut(place) {
            Some((_, line)) => line.push(delivery),
            None => lines.push((order, vec![delivery])),
        }
    }
    for (_, line) in &mut lines {
        line.sort_by_key(|delivery| delivery.event_seq);
    }
    lines
}

/// Reads the subscription as it is now, and what is due.
async fn read(retour: Retour, subscribed: Subscribed, wanted: bool) -> Read {
    let began = Instant::now();
    let found = find(&retour, subscribed, wanted).await.unwrap_or_else(|error| {
        tracing::warn!(%error, subscription = %subscribed.1, "due webhooks could not be read; it is tried again");
        Found::Nothing
    });
    Read { began, found }
}

async fn find(retour: &Retour, subscribed: Subscribed, wanted: bool) -> Result<Found> {
    let (account, id) = subscribed;
    let mut reading = retour.store.read().await?;
    let found = webhook_subscriptions::find(reading.db(), account, id).await?;
    let Some(subscription) = found.filter(|found| found.disabled.is_none()) else { return Ok(Found::Ended) };
    if subscription.catch_up.is_some() {
        drop(reading);
        retour.catch_up(subscribed, &subscription.interest).await?;
        return Ok(Found::Anew);
    }
    let receiver = retour.receiver(account, &subscription)?;
    let is_failing = subscription.health.failing_since.is_some();
    let due = if wanted {
        Some(webhook_deliveries::list_due(reading.db(), account, id, retour.now(), READ).await?)
    } else {
        None
    };
    Ok(Found::Subscription { receiver, is_failing, due })
}

/// Lets deliveries wait for the first of their return order.
async fn wait(retour: Retour, mut lines: Vec<Line>) -> Read {
    let began = Instant::now();
    lines.sort_unstable_by_key(|line| line.return_order_id);
    let waited = detached(async move {
        let mut writing = retour.store.write().await?;
        for line in lines {
            webhook_deliveries::wait_for_first(writing.db(), line, retour.now()).await?;
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
    Read { began, found }
}

async fn attempt(retour: Retour, receiver: Arc<Receiver>, waiting: Waiting) -> Tried {
    let Waiting { due, read_at } = waiting;
    let DueDelivery { id, event, attempts, tries, .. } = due;
    let order = event.return_order_id;
    let (account, event_id) = (event.account_id, event.id);
    let is_fresh = read_at.elapsed() < FRESH;
    let event = if is_fresh { Ok(Some(event)) } else { read_again(&retour, account, event_id).await };
    let exchanged = match event {
        Ok(Some(event)) => Some(retour.exchange(&receiver, event, attempts + 1).await),
        Ok(None) => None, // forgotten meanwhile, and its deliveries with it
        Err(error) => {
            tracing::warn!(%error, event = %event_id, "an event could not be read; it is tried again");
            None
        }
    };
    Tried { order, delivery: id, tries, exchanged }
}

/// Whoever it is about may have been forgotten since.
async fn read_again(retour: &Retour, account: AccountId, id: EventId) -> Result<Option<events::Event>> {
    let mut reading = retour.store.read().await?;
    Ok(events::find(reading.db(), account, id).await?.map(|(event, _)| event))
}
