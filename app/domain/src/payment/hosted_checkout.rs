//! Paying at a provider's own page: one attempt after another, and the calls that each needs.
//!
//! Only the provider knows whether it was paid. A webhook or a returning shopper only triggers a check, and reports
//! may arrive in any order and repeatedly.

use super::{
    checkout::{
        Checkout, CheckoutReport, CheckoutState, PaymentRedirect, ProviderTask, Refund, RefundOutcome, Refunding,
    },
    fee_payment::Payment,
    status::PaymentState,
};
use crate::base::timestamp::Timestamp;

/// The maximum number of attempts per payment: more than any shopper makes.
const MAX_ATTEMPTS: usize = 50;

/// A page is used only while it stays valid for this many seconds.
const MIN_SECONDS_LEFT: i64 = 60;

/// For this many seconds without an answer, Retour asks for the same page again. Then it asks for a new one: no
/// shopper has seen the first.
const SECONDS_TO_ANSWER: i64 = 600;

/// The shortest and longest validity of a page, seconds: Stripe allows 30 minutes to 24 hours from when it receives
/// the call.
const SHORTEST_VALIDITY: i64 = 2_700;
const LONGEST_VALIDITY: i64 = 82_800;

/// The interval of checks by the age of the page: (younger than, interval), seconds.
const CHECK_INTERVALS: [(i64, i64); 3] = [(600, 60), (3_600, 300), (i64::MAX, 1_800)];

/// Days after its due date that money may be under way: direct debits take two weeks at most.
const MAX_DAYS_UNDER_WAY: u32 = 14;

/// The interval of checks while money is under way for days, in either direction, seconds.
const UNDER_WAY_INTERVAL: i64 = 3_600;

impl Payment {
    /// Whether it was paid by a method that takes days. Such a payment may arrive later than its due date, within
    /// limits.
    pub fn is_on_its_way(&self, now: Timestamp) -> bool {
        let is_under_way = |one: &Checkout| matches!(one.state, CheckoutState::Processing { .. });
        self.state == PaymentState::Pending
            && now < self.due.plus_days(MAX_DAYS_UNDER_WAY)
            && self.checkouts.iter().any(is_under_way)
    }

    /// The page for a shopper who wants to pay now. There is one page at a time: a new one only if the first has
    /// expired or if the provider does not know it (`unknown`), because it was created with another account's key.
    pub fn redirect(&mut self, unknown: &[u32], now: Timestamp) -> PaymentRedirect {
        if self.state != PaymentState::Pending || self.is_on_its_way(now) {
            return PaymentRedirect::Unavailable;
        }
        for one in &self.checkouts {
            match &one.state {
                CheckoutState::Open { url, .. }
                    if one.ends_at > now.plus_seconds(MIN_SECONDS_LEFT) && !unknown.contains(&one.number) =>
                {
                    return PaymentRedirect::To(url.clone());
                }
                CheckoutState::Begun if one.begun_at.plus_seconds(SECONDS_TO_ANSWER) > now => {
                    return PaymentRedirect::NeedsPage(one.clone());
                }
                _ => {}
            }
        }
        self.checkouts.retain(|one| one.state != CheckoutState::Begun);
        if self.checkouts.len() >= MAX_ATTEMPTS {
            return PaymentRedirect::Unavailable;
        }
        let ends_at = self.due.clamp(now.plus_seconds(SHORTEST_VALIDITY), now.plus_seconds(LONGEST_VALIDITY));
        let checkout = Checkout {
            number: self.next_number(),
            begun_at: now,
            ends_at: Timestamp::from_seconds(ends_at.seconds()), // providers count in whole seconds
            state: CheckoutState::Begun,
            refunding: None,
            refunds: 0,
            refunded: 0,
        };
        self.checkouts.push(checkout.clone());
        PaymentRedirect::NeedsPage(checkout)
    }

    /// Records the page that the provider created for an attempt. If that attempt was dropped during the call, the
    /// page becomes a new attempt, so that every page is checked. Repeating it has no effect.
    pub fn page_created(&mut self, requested: &Checkout, id: String, url: String) {
        if self.checkouts.iter().any(|one| one.state.id() == Some(&id)) {
            return;
        }
        let number = self.next_number();
        let is_requested =
            |one: &&mut Checkout| one.begun_at == requested.begun_at && one.state == CheckoutState::Begun;
        let state = CheckoutState::Open { id, url };
        match self.checkouts.iter_mut().find(is_requested) {
            Some(one) => one.state = state,
            None => self.checkouts.push(Checkout { number, state, ..requested.clone() }),
        }
    }

    fn next_number(&self) -> u32 {
        self.checkouts.iter().map(|one| one.number).max().unwrap_or(0).saturating_add(1)
    }

    /// Whether a page is open, as far as is known.
    pub fn has_open_page(&self) -> bool {
        let is_open = |one: &Checkout| matches!(one.state, CheckoutState::Open { .. });
        self.state == PaymentState::Pending && self.checkouts.iter().any(is_open)
    }

    /// Records that the provider refused to create a page: Retour may ask for another one.
    pub fn page_refused(&mut self, requested: &Checkout) {
        self.checkouts.retain(|one| one.begun_at != requested.begun_at || one.state != CheckoutState::Begun);
    }

    /// Applies a report of the provider, in any order. Money that has arrived stays; the first to arrive settles the
    /// payment.
    pub fn apply_report(&mut self, number: u32, report: CheckoutReport) {
        let Some(one) = self.checkouts.iter_mut().find(|one| one.number == number) else { return };
        let Some(id) = one.state.id().map(str::to_owned) else { return };
        if matches!(one.state, CheckoutState::Paid { .. }) {
            return;
        }
        match report {
            CheckoutReport::Open => {}
            CheckoutReport::Processing => one.state = CheckoutState::Processing { id },
            CheckoutReport::Closed => one.state = CheckoutState::Closed { id },
            CheckoutReport::Paid { reference } => {
                one.state = CheckoutState::Paid { id, reference };
                if self.settled_by.is_none() {
                    self.settled_by = Some(number);
                    self.settle();
                }
            }
        }
    }

    /// The calls to the provider that are due.
    pub fn provider_tasks(&self) -> Vec<ProviderTask> {
        let task = |one: &Checkout| match &one.state {
            CheckoutState::Open { id, .. } if self.state != PaymentState::Pending => {
                Some(ProviderTask::Close(one.number, id.clone()))
            }
            CheckoutState::Open { id, .. } | CheckoutState::Processing { id } => {
                Some(ProviderTask::Check(one.number, id.clone()))
            }
            CheckoutState::Paid { .. } => self.refund_of(one).map(ProviderTask::Refund),
            CheckoutState::Begun | CheckoutState::Closed { .. } => None,
        };
        self.checkouts.iter().filter_map(task).collect()
    }

    /// When to call the provider next, after a round of calls now in which those for the attempts `failed` failed.
    /// `None`: there is nothing to call for.
    pub fn next_check(&self, failed: &[u32], now: Timestamp) -> Option<Timestamp> {
        let wait = |task: ProviderTask| {
            let one = self.checkouts.iter().find(|one| one.number == task.number() && !failed.contains(&one.number))?;
            let is_on_its_way = matches!(one.state, CheckoutState::Processing { .. })
                || one.refunding.is_some_and(|refunding| refunding.on_its_way);
            let age = now.seconds() - one.begun_at.seconds();
            let by_age =
                CHECK_INTERVALS.iter().find(|(until, _)| age < *until).map_or(UNDER_WAY_INTERVAL, |(_, every)| *every);
            Some(match task {
                _ if is_on_its_way => UNDER_WAY_INTERVAL,
                ProviderTask::Refund(_) => 0,
                ProviderTask::Check(..) | ProviderTask::Close(..) => by_age,
            })
        };
        self.provider_tasks().into_iter().filter_map(wait).min().map(|seconds| now.plus_seconds(seconds))
    }

    /// Starts a refund. It stays the same until its result is known. `None` if nothing of that attempt is to be
    /// refunded any more.
    pub fn begin_refund(&mut self, number: u32) -> Option<Refund> {
        let one = self.checkouts.iter().find(|one| one.number == number)?;
        let refund = self.refund_of(one)?;
        let one = self.checkouts.iter_mut().find(|one| one.number == number)?;
        one.refunding = Some(Refunding { minor: refund.minor, on_its_way: refund.on_its_way });
        Some(refund)
    }

    /// Records the result of a refund. Repeating it has no effect.
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

    /// The refund of an attempt: the unearned part if it settled the payment, all of it if another attempt did.
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
