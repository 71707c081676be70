//! Limits how often one caller makes Retour ask shops for orders, and how many look-ups run at a time.
//!
//! Anybody may look up orders, including invented ones. If a shop fails for one caller several times in a row, Retour
//! stops asking it for that caller for a while. This counts once towards the shop's circuit breaker, which concerns all
//! callers. A caller with many look-ups at a slow shop leaves room for others.

use super::client_address::{ClientAddress, ClientNetwork};
use domain::AccountId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// The maximum number of look-ups in progress at one account's shop.
const OF_ACCOUNT: usize = 32;
/// The maximum number of look-ups in progress for one caller at one account's shop.
const OF_CALLER: usize = 8;
/// When the caller may retry after the limit was reached.
const ROOM_IN: Duration = Duration::from_secs(5);
/// Failures in a row after which a caller must wait.
const FAILURES: u32 = 5;
/// How long a caller waits after that many failures.
const REST: Duration = Duration::from_secs(30);
/// Older failures do not count.
const REMEMBERED: Duration = Duration::from_mins(10);
/// The maximum number of callers in memory. At this number, callers with old failures are removed first, then all
/// without a look-up in progress.
const MOST: usize = 10_000;

/// Callers with look-ups in progress or recent failures. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallerLimits(Arc<Mutex<Known>>);

type CallerKey = (AccountId, ClientNetwork);

#[derive(Debug, Default)]
struct Known {
    under_way: usize,
    accounts: HashMap<AccountId, usize>,
    callers: HashMap<CallerKey, State>,
}

#[derive(Debug, Default)]
struct State {
    under_way: usize,
    failures: u32,
    failed_at: Option<Instant>,
}

impl State {
    fn has_failed(&self, now: Instant) -> bool {
        self.failed_at.is_some_and(|at| now.saturating_duration_since(at) < REMEMBERED)
    }

    /// The remaining time during which shops are not asked for this caller.
    fn rest(&self, now: Instant) -> Option<Duration> {
        let at = self.failed_at.filter(|_| self.failures >= FAILURES)?;
        (at + REST).checked_duration_since(now).filter(|rest| !rest.is_zero())
    }
}

/// Why Retour does not ask a shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotNow {
    /// The shop failed several times in a row for this caller.
    LeftAlone(Duration),
    /// Too many look-ups are in progress.
    Busy(Duration),
}

/// A look-up in progress. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct UnderWay {
    all: CallerLimits,
    caller: CallerKey,
}

impl CallerLimits {
    /// Starts a look-up, if fewer than `most` are in progress in this process.
    pub fn begin(
        &self,
        account: AccountId,
        from: ClientAddress,
        most: usize,
        now: Instant,
    ) -> Result<UnderWay, NotNow> {
        let caller = (account, from.network());
        let mut known = self.lock();
        known.make_room(now);
        let of_account = known.accounts.get(&account).copied().unwrap_or(0);
        let is_full = known.under_way >= most || of_account >= OF_ACCOUNT;
        let state = known.callers.get(&caller);
        if let Some(rest) = state.and_then(|state| state.rest(now)) {
            return Err(NotNow::LeftAlone(rest));
        }
        if is_full || state.is_some_and(|state| state.under_way >= OF_CALLER) {
            return Err(NotNow::Busy(ROOM_IN));
        }
        known.under_way += 1;
        *known.accounts.entry(account).or_default() += 1;
        known.callers.entry(caller).or_default().under_way += 1;
        Ok(UnderWay { all: self.clone(), caller })
    }

    /// The accounts whose shops failed several times in a row for some caller.
    pub fn left_alone(&self, now: Instant) -> Vec<AccountId> {
        let known = self.lock();
        let resting = known.callers.iter().filter(|(_, state)| state.rest(now).is_some());
        resting.map(|((account, _), _)| *account).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn make_room(&mut self, now: Instant) {
        if self.callers.len() < MOST {
            return;
        }
        self.callers.retain(|_, state| state.under_way > 0 || state.has_failed(now));
        if self.callers.len() >= MOST {
            self.callers.retain(|_, state| state.under_way > 0);
        }
    }
}

impl UnderWay {
    /// Records that the shop answered.
    pub fn answered(&self) {
        if let Some(state) = self.all.lock().callers.get_mut(&self.caller) {
            (state.failures, state.failed_at) = (0, None);
        }
    }

    /// Records that the shop did not answer. Returns whether this is the first recent failure for this caller.
    pub fn failed(&self, now: Instant) -> bool {
        let mut known = self.all.lock();
        let state = known.callers.entry(self.caller).or_default();
        let is_first = !state.has_failed(now);
        state.failures = if is_first { 1 } else { state.failures.saturating_add(1) };
        state.failed_at = Some(now);
        is_first
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut known = self.all.lock();
        known.under_way = known.under_way.saturating_sub(1);
        if let Some(count) = known.accounts.get_mut(&self.caller.0) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                known.accounts.remove(&self.caller.0);
            }
        }
        if let Some(state) = known.callers.get_mut(&self.caller) {
            state.under_way = state.under_way.saturating_sub(1);
            if state.under_way == 0 && state.failures == 0 {
                known.callers.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use uuid::Uuid;

    fn at(place: u32) -> ClientAddress {
        ClientAddress(Ipv4Addr::from_bits(place).into())
    }

    const OURS: AccountId = AccountId(Uuid::from_u128(1));
    const THEIRS: AccountId = AccountId(Uuid::from_u128(2));
    const BUSY: NotNow = NotNow::Busy(ROOM_IN);

    #[test]
    fn a_caller_an_account_and_a_program_have_so_many_under_way() {
        let (callers, now) = (CallerLimits::default(), Instant::now());
        let begin = |account, place, most| callers.begin(account, at(place), most, now);
        let mut all: Vec<_> = (0..OF_CALLER).map(|_| begin(OURS, 1, 99).unwrap()).collect();
        assert_eq!(begin(OURS, 1, 99).unwrap_err(), BUSY);
        all.extend(
            (0..OF_ACCOUNT - OF_CALLER).map(|place| begin(OURS, 2 + u32::try_from(place).unwrap(), 99).unwrap()),
        );
        assert_eq!(begin(OURS, 99, 99).unwrap_err(), BUSY);
        assert_eq!(begin(THEIRS, 1, OF_ACCOUNT).unwrap_err(), BUSY);
        drop(begin(THEIRS, 1, 99).unwrap());
        all.clear();
        drop(begin(OURS, 1, 1).unwrap());
        let known = callers.lock();
        assert_eq!((known.under_way, known.accounts.len(), known.callers.len()), (0, 0, 0));
    }

    #[test]
    fn who_makes_a_shop_fail_counts_once_and_is_left_alone() {
        let (callers, now) = (CallerLimits::default(), Instant::now());
        let fail = |now| callers.begin(OURS, at(1), 9, now).map(|under_way| under_way.failed(now));
        let counted: Vec<_> = (0..FAILURES).map(|_| fail(now).unwrap()).collect();
        assert_eq!(counted, [true, false, false, false, false]);
        assert_eq!(fail(now), Err(NotNow::LeftAlone(REST)));
        assert_eq!((callers.left_alone(now), callers.left_alone(now + REST)), (vec![OURS], vec![]));
        assert!(callers.begin(OURS, at(2), 9, now).unwrap().failed(now), "another one");
        assert_eq!(fail(now + REST), Ok(false));
        assert_eq!(fail(now + REST), Err(NotNow::LeftAlone(REST)));
        callers.begin(OURS, at(1), 9, now + REST * 2).unwrap().answered();
        assert_eq!(fail(now + REST * 2), Ok(true));
        assert_eq!(fail(now + REST * 2 + REMEMBERED), Ok(true));
    }

    #[test]
    fn many_callers_are_not_kept_for_ever() {
        let (callers, now) = (CallerLimits::default(), Instant::now());
        for place in 0..u32::try_from(MOST).unwrap() * 2 {
            callers.begin(OURS, at(place), 9, now).unwrap().failed(now);
        }
        assert!(callers.lock().callers.len() <= MOST);
    }
}
