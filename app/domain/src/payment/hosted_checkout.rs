//! Paying at a provider's own page: one try after the other, and what is to be done about each of them.
//!
//! The provider alone knows whether it was paid. Whatever reaches us, a notice or a shopper who comes back, makes us
//! ask, and what it says is taken in in any order and as often as it likes.

use super::{
    checkout::{Checkout, CheckoutState, Heard, Leads, Refund, RefundOutcome, Refunding, Todo},
    fee_payment::Payment,
    status::PaymentState,
};
use crate::base::timestamp::Timestamp;

/// Tries of one payment: more than anybody makes.
const MOST: usize = 50;

/// A page is given out only while it can be used for so long yet, seconds.
const LEAST_LEFT: i64 = 60;

/// For so long it is asked for the same page when there was no answer, seconds; then for another one, since nobody was led
/// to that one.
const BEGUN_FOR: i64 = 600;

/// A page can be used for so long at least, and at most, seconds: Stripe has 30 minutes and 24 hours, from when it hears of it.
const SHORTEST: i64 = 2_700;

const LONGEST: i64 = 82_800;

/// How often the provider is asked, seconds: by how long it is since the page was made.
const LOOKS: [(i64, i64); 3] = [(600, 60), (3_600, 300), (i64::MAX, 1_800)];

/// How long after it was due money may be on its way: direct debits take two weeks at most.
const DAYS_ON_ITS_WAY: u32 = 14;

/// Where money is on its way for days, here or back.
const LOOK_AT_PROCESSING: i64 = 3_600;

impl Payment {
    /// Whether it was paid in a way that takes days: then it is waited for longer than until it is due, within reason.
    pub fn is_on_its_way(&self, now: Timestamp) -> bool {
        let is_under_way = |one: &Checkout| matches!(one.state, CheckoutState::Processing { .. });
        self.state == PaymentState::Pending
            && now < self.due.plus_days(DAYS_ON_ITS_WAY)
            && self.checkouts.iter().any(is_under_way)
    }

    /// Where somebody is led who wants to pay now. One page at a time: another one only when the first is of no more use,
    /// or when the provider does not know it, `unknown`: then it was asked for with another account's key.
    pub fn lead(&mut self, unknown: &[u32], now: Timestamp) -> Leads {
        if self.state != PaymentState::Pending || self.is_on_its_way(now) {
            return Leads::Nowhere;
        }
        for one in &self.checkouts {
            match &one.state {
                CheckoutState::Open { url, .. }
                    if one.ends_at > now.plus_seconds(LEAST_LEFT) && !unknown.contains(&one.number) =>
                {
                    return Leads::To(url.clone());
                }
                CheckoutState::Begun if one.begun_at.plus_seconds(BEGUN_FOR) > now => return Leads::Asks(one.clone()),
                _ => {}
            }
        }
        self.checkouts.retain(|one| one.state != CheckoutState::Begun);
        if self.checkouts.len() >= MOST {
            return Leads::Nowhere;
        }
        let ends_at = self.due.clamp(now.plus_seconds(SHORTEST), now.plus_seconds(LONGEST));
        let checkout = Checkout {
            number: self.next_number(),
            begun_at: now,
            ends_at: Timestamp::from_seconds(ends_at.seconds()), // providers know no less
            state: CheckoutState::Begun,
            refunding: None,
            refunds: 0,
            refunded: 0,
        };
        self.checkouts.push(checkout.clone());
        Leads::Asks(checkout)
    }

    /// The provider made a page: it is among the tries from now on, whatever became of the one that it was asked for with
    /// meanwhile, so that nobody is led to a page that is not asked about. Said again, nothing happens.
    pub fn opened(&mut self, asked: &Checkout, (id, url): (String, String)) {
        if self.checkouts.iter().any(|one| one.state.id() == Some(&id)) {
            return;
        }
        let number = self.next_number();
        let is_it = |one: &&mut Checkout| one.begun_at == asked.begun_at && one.state == CheckoutState::Begun;
        let state = CheckoutState::Open { id, url };
        match self.checkouts.iter_mut().find(is_it) {
            Some(one) => one.state = state,
            None => self.checkouts.push(Checkout { number, state, ..asked.clone() }),
        }
    }

    fn next_number(&self) -> u32 {
        self.checkouts.iter().map(|one| one.number).max().unwrap_or(0).saturating_add(1)
    }

    /// Whether somebody may pay yet, as far as is known.
    pub fn has_open_page(&self) -> bool {
        let is_open = |one: &Checkout| matches!(one.state, CheckoutState::Open { .. });
        self.state == PaymentState::Pending && self.checkouts.iter().any(is_open)
    }

    /// The provider made no page, and says so: another one may be asked for.
    pub fn not_opened(&mut self, asked: &Checkout) {
        self.checkouts.retain(|one| one.begun_at != asked.begun_at || one.state != CheckoutState::Begun);
    }

    /// What the provider says of a try, in whatever order. Money that is here stays so; the first settles the payment.
    pub fn hear(&mut self, number: u32, heard: Heard) {
        let Some(one) = self.checkouts.iter_mut().find(|one| one.number == number) else { return };
        let Some(id) = one.state.id().map(str::to_owned) else { return };
        if matches!(one.state, CheckoutState::Paid { .. }) {
            return;
        }
        match heard {
            Heard::Open => {}
            Heard::Processing => one.state = CheckoutState::Processing { id },
            Heard::Closed => one.state = CheckoutState::Closed { id },
            Heard::Paid { reference } => {
                one.state = CheckoutState::Paid { id, reference };
                if self.settled_by.is_none() {
                    self.settled_by = Some(number);
                    self.settle();
                }
            }
        }
    }

    /// What is to be asked of the provider.
    pub fn todos(&self) -> Vec<Todo> {
        let todo = |one: &Checkout| match &one.state {
            CheckoutState::Open { id, .. } if self.state != PaymentState::Pending => {
                Some(Todo::Close(one.number, id.clone()))
            }
            CheckoutState::Open { id, .. } | CheckoutState::Processing { id } => {
                Some(Todo::Look(one.number, id.clone()))
            }
            CheckoutState::Paid { .. } => self.refund_of(one).map(Todo::Refund),
            CheckoutState::Begun | CheckoutState::Closed { .. } => None,
        };
        self.checkouts.iter().filter_map(todo).collect()
    }

    /// When the provider is to be asked next, once it has been asked now, but for the tries where that failed; `None`: there
    /// is nothing to ask.
    pub fn next_look(&self, failed: &[u32], now: Timestamp) -> Option<Timestamp> {
        let wait = |todo: Todo| {
            let one = self.checkouts.iter().find(|one| one.number == todo.number() && !failed.contains(&one.number))?;
            let is_on_its_way = matches!(one.state, CheckoutState::Processing { .. })
                || one.refunding.is_some_and(|refunding| refunding.on_its_way);
            let age = now.seconds() - one.begun_at.seconds();
            let by_age = LOOKS.iter().find(|(until, _)| age < *until).map_or(LOOK_AT_PROCESSING, |(_, every)| *every);
            Some(match todo {
                _ if is_on_its_way => LOOK_AT_PROCESSING,
                Todo::Refund(_) => 0,
                Todo::Look(..) | Todo::Close(..) => by_age,
            })
        };
        self.todos().into_iter().filter_map(wait).min().map(|seconds| now.plus_seconds(seconds))
    }

    /// A refund is being asked for: it stays this one until it is known how it ended. `None` where there is nothing to give
    /// back of that try any more.
    pub fn begin_refund(&mut self, number: u32) -> Option<Refund> {
        let one = self.checkouts.iter().find(|one| one.number == number)?;
        let refund = self.refund_of(one)?;
        let one = self.checkouts.iter_mut().find(|one| one.number == number)?;
        one.refunding = Some(Refunding { minor: refund.minor, on_its_way: refund.on_its_way });
        Some(refund)
    }

    /// What came of a refund. Said again, nothing happens.
    pub fn end_refund(&mut self, refund: &Refund, outcome: RefundOutcome) {
        let Some(one) = self.checkouts.iter_mut().find(|one| one.number == refund.number) else { return };
        if one.refunds != refund.before {
            return;
        }
        if outcome == RefundOutcome::OnItsWay {
            one.refunding = Some(Refunding { minor: refund.minor, on_its_way: true });
            return;
        }
        one.refunds = one.refunds.saturating_add(1);
        one.refunding = None;
        if outcome == RefundOutcome::WentBack {
            one.refunded = one.refunded.saturating_add(refund.minor);
            if self.settled_by == Some(refund.number) {
                self.refunded = one.refunded;
            }
        }
    }

    /// What is to go back of a try: what was not earned, where it settled the payment, and all of it where another did.
    fn refund_of(&self, one: &Checkout) -> Option<Refund> {
        let CheckoutState::Paid { id, reference } = &one.state else { return None };
        let due = if self.settled_by == Some(one.number) { self.refund_due } else { self.amount.minor };
        let minor = one.refunding.map_or(due.saturating_sub(one.refunded), |refunding| refunding.minor);
        (minor > 0).then(|| Refund {
            number: one.number,
            before: one.refunds,
            id: id.clone(),
            reference: reference.clone(),
            minor,
            refunded: one.refunded,
            on_its_way: one.refunding.is_some_and(|refunding| refunding.on_its_way),
        })
    }
}

#[cfg(test)]
mod tests;
