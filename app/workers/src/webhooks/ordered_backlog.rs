//! Deliveries in memory: a lane for each return order, in which each delivery waits for the one before it.

use domain::{ReturnOrderId, WebhookDeliveryId};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::Instant,
};
use store::webhook_deliveries::DueDelivery;

/// A delivery in memory.
#[derive(Clone)]
pub(crate) struct WaitingDelivery {
    pub due: DueDelivery,
    pub read_at: Instant,
}

/// The deliveries of one subscription that were read and are not done.
#[derive(Default)]
pub(crate) struct OrderedBacklog {
    /// In the order of their events. The first of a lane that is not in `ready` is being sent or recorded.
    by_order: HashMap<ReturnOrderId, VecDeque<WaitingDelivery>>,
    ready: VecDeque<ReturnOrderId>,
    known: HashSet<WebhookDeliveryId>,
    /// The size of all events in memory.
    bytes: usize,
    /// Deliveries that ended since reading began. The result of that read still shows them as due.
    done_meanwhile: HashSet<WebhookDeliveryId>,
    /// Their sequence numbers, if they are done: the result of that read may still name them as predecessors.
    through_meanwhile: HashSet<i64>,
}

impl OrderedBacklog {
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Starts to collect deliveries that end while the database is read.
    pub fn reading_begins(&mut self) {
        self.done_meanwhile.clear();
        self.through_meanwhile.clear();
    }

    /// Adds deliveries to their lanes, as long as each follows on a known one. Returns the return orders with
    /// deliveries that do not. Due deliveries may be read in portions, and in another order than that of their events.
    pub fn add(&mut self, due: Vec<DueDelivery>, read_at: Instant) -> HashSet<ReturnOrderId> {
        let mut waiting = HashSet::new();
        for (order, mut line) in by_order(due) {
            line.retain(|delivery| !self.known.contains(&delivery.id) && !self.done_meanwhile.contains(&delivery.id));
            let in_turn = self.in_turn(order, &line);
            if in_turn < line.len() {
                waiting.insert(order);
                line.truncate(in_turn);
            }
            if line.is_empty() {
                continue;
            }
            self.known.extend(line.iter().map(|delivery| delivery.id));
            self.bytes += line.iter().map(size).sum::<usize>();
            let is_under_way = self.by_order.contains_key(&order) && !self.ready.contains(&order);
            if !self.by_order.contains_key(&order) {
                self.ready.push_back(order);
            }
            let known = self.by_order.entry(order).or_default();
            known.extend(line.into_iter().map(|due| WaitingDelivery { due, read_at }));
            // Staff may have requested older events again: they go before all but the one that is being sent.
            if let Some(movable) = known.make_contiguous().get_mut(usize::from(is_under_way)..) {
                movable.sort_by_key(|waiting| waiting.due.event_seq);
            }
        }
        waiting
    }

    /// How many deliveries, from the first on, follow on one that is in memory or done.
    fn in_turn(&self, order: ReturnOrderId, line: &[DueDelivery]) -> usize {
        let there = self.by_order.get(&order).into_iter().flatten().map(|waiting| waiting.due.event_seq);
        let mut there: HashSet<i64> = there.chain(self.through_meanwhile.iter().copied()).collect();
        let follows = |delivery: &&DueDelivery| {
            let follows = delivery.before_seq.is_none_or(|before| there.contains(&before));
            there.insert(delivery.event_seq);
            follows
        };
        line.iter().take_while(follows).count()
    }

    pub fn has_next(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The next delivery to send.
    pub fn next(&mut self) -> Option<WaitingDelivery> {
        loop {
            let order = self.ready.pop_front()?;
            if let Some(first) = self.by_order.get(&order).and_then(VecDeque::front) {
                return Some(first.clone());
            }
        }
    }

    /// The first delivery of a lane is done, so the next one may follow.
    pub fn go_on(&mut self, order: ReturnOrderId) {
        let Some(line) = self.by_order.get_mut(&order) else { return };
        let first = line.pop_front();
        if line.is_empty() {
            self.by_order.remove(&order);
        } else {
            self.ready.push_back(order);
        }
        if let Some(through) = first {
            self.done_meanwhile.insert(through.due.id);
            self.through_meanwhile.insert(through.due.event_seq);
            self.forget(&through);
        }
    }

    /// Leaves a lane to the database, after its first delivery was tried.
    pub fn leave(&mut self, order: ReturnOrderId) {
        let line = self.by_order.remove(&order).unwrap_or_default();
        self.done_meanwhile.extend(line.front().map(|tried| tried.due.id));
        for left in line {
            self.forget(&left);
        }
    }

    pub fn leave_what_is_not_under_way(&mut self) {
        for order in std::mem::take(&mut self.ready) {
            for left in self.by_order.remove(&order).unwrap_or_default() {
                self.forget(&left);
            }
        }
        let behind: Vec<WaitingDelivery> =
            self.by_order.values_mut().flat_map(|line| line.drain(line.len().min(1)..)).collect();
        for left in behind {
            self.forget(&left);
        }
    }

    fn forget(&mut self, waiting: &WaitingDelivery) {
        self.known.remove(&waiting.due.id);
        self.bytes = self.bytes.saturating_sub(size(&waiting.due));
    }
}

fn size(due: &DueDelivery) -> usize {
    due.event.data.len()
}

/// Deliveries by return order, in the order of their events. Return orders are in the order of their first delivery.
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

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{AccountId, EventId, Timestamp, webhook::EventType};
    use store::events::Event;
    use uuid::Uuid;

    const ORDER: ReturnOrderId = ReturnOrderId(Uuid::from_u128(1));

    /// Due deliveries of one return order.
    fn due(seqs: std::ops::RangeInclusive<i64>) -> Vec<DueDelivery> {
        let first_seq = *seqs.start();
        let delivery = |seq: i64| {
            let id = Uuid::from_u64_pair(0, seq.unsigned_abs());
            let (event, at) = (EventId(id), Timestamp::from_micros(seq));
            DueDelivery {
                id: WebhookDeliveryId(id),
                event: Event {
                    id: event,
                    account_id: AccountId(id),
                    kind: EventType::Ping,
                    stage: None,
                    return_order_id: ORDER,
                    data: "{}".to_owned(),
                    created_at: at,
                },
                event_seq: seq,
                attempts: 0,
                tries: 0,
                due_at: at,
                before_seq: (seq > first_seq).then_some(seq - 1),
            }
        };
        seqs.map(delivery).collect()
    }

    fn sent(lines: &mut OrderedBacklog) -> Vec<i64> {
        let mut seqs = Vec::new();
        while let Some(next) = lines.next() {
            seqs.push(next.due.event_seq);
            lines.go_on(ORDER);
        }
        seqs
    }

    #[test]
    fn older_ones_that_are_asked_for_again_go_before_a_newer_one_that_was_not_sent() {
        let mut lines = OrderedBacklog::default();
        assert!(lines.add(due(3..=3), Instant::now()).is_empty());
        assert!(lines.add(due(1..=2), Instant::now()).is_empty());
        assert_eq!(sent(&mut lines), [1, 2, 3]);
        assert_eq!((lines.len(), lines.bytes()), (0, 0));
    }

    #[test]
    fn what_was_read_before_its_turn_waits() {
        let mut lines = OrderedBacklog::default();
        let mut read = due(1..=9);
        read.retain(|delivery| matches!(delivery.event_seq, 1 | 2 | 8 | 9)); // the others are in the next read
        assert_eq!(lines.add(read, Instant::now()), HashSet::from([ORDER]));
        assert_eq!(lines.len(), 2);
        assert_eq!(lines.add(due(1..=9), Instant::now()), HashSet::new());
        assert_eq!(sent(&mut lines), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn what_follows_on_one_that_got_through_while_it_was_read_is_in_turn() {
        let mut lines = OrderedBacklog::default();
        lines.add(due(1..=1), Instant::now());
        lines.reading_begins();
        assert_eq!(sent(&mut lines), [1]);
        assert_eq!(lines.add(due(1..=3), Instant::now()), HashSet::new());
        assert_eq!(sent(&mut lines), [2, 3]);
    }

    #[test]
    fn what_is_behind_a_failure_waits() {
        let mut lines = OrderedBacklog::default();
        lines.add(due(1..=1), Instant::now());
        lines.reading_begins();
        assert!(lines.next().is_some());
        lines.leave(ORDER);
        assert_eq!(lines.add(due(1..=3), Instant::now()), HashSet::from([ORDER]));
        assert!(!lines.has_next());
    }

    #[test]
    fn they_go_behind_one_that_is_being_sent_and_before_those_behind_it() {
        let mut lines = OrderedBacklog::default();
        lines.add(due(3..=5), Instant::now());
        assert_eq!(lines.next().map(|next| next.due.event_seq), Some(3));
        lines.add(due(1..=2), Instant::now());
        assert!(lines.next().is_none(), "only one delivery of a return order at a time");
        lines.go_on(ORDER);
        assert_eq!(sent(&mut lines), [1, 2, 4, 5]);
    }
}
