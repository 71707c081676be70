//! Deliveries in memory: a line for each return order, of which one is sent when the one before is through.

use domain::{ReturnOrderId, WebhookDeliveryId};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    time::Instant,
};
use store::webhook_deliveries::DueDelivery;

/// A delivery in memory.
#[derive(Clone)]
pub(super) struct Waiting {
    pub due: DueDelivery,
    pub read_at: Instant,
}

/// What was read of one subscription's deliveries and is not through.
#[derive(Default)]
pub(super) struct Lines {
    /// In the order of their events. The first of a line that is not in `ready` is being sent or written.
    by_order: HashMap<ReturnOrderId, VecDeque<Waiting>>,
    ready: VecDeque<ReturnOrderId>,
    known: HashSet<WebhookDeliveryId>,
    /// Of all events that are known.
    bytes: usize,
    /// Those that were done with since reading began: what was read still shows them as due.
    done_meanwhile: HashSet<WebhookDeliveryId>,
}

impl Lines {
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What is done with from now on may be in what is read.
    pub fn reading_begins(&mut self) {
        self.done_meanwhile.clear();
    }

    /// Puts deliveries into their lines; those return orders whose first delivery is not due yet.
    pub fn add(&mut self, due: Vec<DueDelivery>, read_at: Instant) -> HashSet<ReturnOrderId> {
        let mut waiting = HashSet::new();
        for (order, mut line) in by_order(due) {
            line.retain(|delivery| !self.known.contains(&delivery.id) && !self.done_meanwhile.contains(&delivery.id));
            let Some(first) = line.first() else { continue };
            let is_in_turn = first.event_seq == first.first_seq || self.by_order.contains_key(&order);
            if !is_in_turn {
                waiting.insert(order);
                continue;
            }
            self.known.extend(line.iter().map(|delivery| delivery.id));
            self.bytes += line.iter().map(size).sum::<usize>();
            if !self.by_order.contains_key(&order) {
                self.ready.push_back(order);
            }
            let known = self.by_order.entry(order).or_default();
            known.extend(line.into_iter().map(|due| Waiting { due, read_at }));
            // The first is under way, or about to be.
            if let Some((_, behind)) = known.make_contiguous().split_first_mut() {
                behind.sort_by_key(|waiting| waiting.due.event_seq);
            }
        }
        waiting
    }

    pub fn has_next(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The next that can be sent.
    pub fn next(&mut self) -> Option<Waiting> {
        loop {
            let order = self.ready.pop_front()?;
            if let Some(first) = self.by_order.get(&order).and_then(VecDeque::front) {
                return Some(first.clone());
            }
        }
    }

    /// The first of a line is through: the one behind it is next.
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
            self.forget(&through);
        }
    }

    /// Leaves a line to the database, its first after it was tried.
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
        let behind: Vec<Waiting> =
            self.by_order.values_mut().flat_map(|line| line.drain(line.len().min(1)..)).collect();
        for left in behind {
            self.forget(&left);
        }
    }

    fn forget(&mut self, waiting: &Waiting) {
        self.known.remove(&waiting.due.id);
        self.bytes = self.bytes.saturating_sub(size(&waiting.due));
    }
}

fn size(due: &DueDelivery) -> usize {
    due.event.data.len()
}

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
