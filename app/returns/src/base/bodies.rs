//! Limits the memory of request bodies in progress: in total, by account and by client.
//!
//! Every body has a [`BodyShare`], and each piece that arrives is charged to that share. A client that declares a large
//! body and sends nothing holds nothing. A share releases everything when its request ends. A handler that streams
//! releases earlier what it no longer holds ([`BodyShare::keep_only`]).

use super::client_address::ClientNetwork;
use domain::AccountId;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

/// Bodies up to this size, in bytes, may use the last quarter of each limit, so that large uploads never block small
/// forms.
const SMALL: usize = 64 * 1024;
/// The overhead of one piece: its entry in the list of pieces, and the smallest allocation for it.
const PER_PIECE: usize = 64;

/// The maximum number of bytes in request bodies in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLimits {
    /// For all requests together.
    pub all: usize,
    /// For the requests to one account, if the account is known before the body is read.
    pub account: usize,
    /// For the requests from one client.
    pub client: usize,
}

impl Default for BodyLimits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self { all: 128 * MIB, account: 64 * MIB, client: 48 * MIB }
    }
}

/// The limit that a body has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OverBudget {
    /// The limit for all requests.
    #[error("the bodies of all requests use too much memory")]
    All,
    /// The limit for one account.
    #[error("the bodies of requests to this account use too much memory")]
    Account,
    /// The limit for one client.
    #[error("the bodies of requests from this client use too much memory")]
    Client,
}

/// Why a body was not read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyRefusal {
    /// The client sent too slowly, or nothing at all.
    TooSlow,
    /// A memory limit was reached.
    Over(OverBudget),
}

/// The memory budget of all bodies. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct BodyBudget(Arc<BudgetState>);

#[derive(Debug, Default)]
struct BudgetState {
    limits: BodyLimits,
    held: Mutex<HeldBytes>,
    refused: Refused,
}

/// The number of refused bodies since the program started.
#[derive(Debug, Default)]
struct Refused {
    too_slow: AtomicU64,
    all: AtomicU64,
    account: AtomicU64,
    client: AtomicU64,
}

/// Bytes in use. Only clients and accounts that hold something have an entry.
#[derive(Debug, Default)]
struct HeldBytes {
    all: usize,
    by_account: HashMap<AccountId, usize>,
    by_client: HashMap<ClientNetwork, usize>,
}

impl BodyBudget {
    /// Creates a budget with these limits.
    pub fn new(limits: BodyLimits) -> Self {
        Self(Arc::new(BudgetState { limits, ..BudgetState::default() }))
    }

    /// Returns an empty share for a new request from this client.
    pub fn share_of(&self, client: ClientNetwork) -> BodyShare {
        let state = Mutex::new(ShareState { account: None, bytes: 0, refusal: None });
        BodyShare(Arc::new(Share { budget: self.clone(), client, state }))
    }

    /// The bytes that all bodies hold now.
    pub fn held(&self) -> usize {
        self.lock().all
    }

    /// The number of refused bodies since the program started, by reason.
    pub fn refused(&self) -> [(&'static str, u64); 4] {
        let Refused { too_slow, all, account, client } = &self.0.refused;
        let read = |count: &AtomicU64| count.load(Relaxed);
        [("slow", read(too_slow)), ("all", read(all)), ("account", read(account)), ("client", read(client))]
    }

    fn count(&self, refusal: BodyRefusal) {
        let Refused { too_slow, all, account, client } = &self.0.refused;
        let count = match refusal {
            BodyRefusal::TooSlow => too_slow,
            BodyRefusal::Over(OverBudget::All) => all,
            BodyRefusal::Over(OverBudget::Account) => account,
            BodyRefusal::Over(OverBudget::Client) => client,
        };
        count.fetch_add(1, Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, HeldBytes> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The part of the budget that one request's body holds. Clones are the same share, and the last clone releases
/// everything.
#[derive(Debug, Clone)]
pub struct BodyShare(Arc<Share>);

#[derive(Debug)]
struct Share {
    budget: BodyBudget,
    client: ClientNetwork,
    state: Mutex<ShareState>,
}

#[derive(Debug)]
struct ShareState {
    account: Option<AccountId>,
    bytes: usize,
    refusal: Option<BodyRefusal>,
}

impl BodyShare {
    /// Charges this body to an account too, including what it already holds. Call it before reading the body.
    pub fn belongs_to(&self, account: AccountId) {
        let mut state = self.lock();
        if state.account == Some(account) {
            return;
        }
        let mut held = self.0.budget.lock();
        if let Some(before) = state.account {
            subtract(&mut held.by_account, before, state.bytes);
        }
        add(&mut held.by_account, account, state.bytes);
        state.account = Some(account);
    }

    /// Charges a piece of this many bytes that has arrived. The error names the limit that refuses it. The caller must
    /// then drop the piece and stop reading; every later piece is refused too.
    pub fn take(&self, bytes: usize) -> Result<(), OverBudget> {
        let mut state = self.lock();
        if let Some(BodyRefusal::Over(over)) = state.refusal {
            return Err(over);
        }
        let more = bytes.saturating_add(PER_PIECE);
        let of_body = state.bytes.saturating_add(more);
        let taken = self.0.budget.lock().take(&self.0.budget.0.limits, self.0.client, state.account, more, of_body);
        match taken {
            Ok(()) => state.bytes = of_body,
            Err(over) => self.set(&mut state, BodyRefusal::Over(over)),
        }
        taken
    }

    /// Declares that the handler holds only this many bytes of what has arrived. A handler that streams calls it after
    /// it drops a part. A number larger than what is held has no effect.
    pub fn keep_only(&self, bytes: usize) {
        let mut state = self.lock();
        let less = state.bytes.saturating_sub(bytes);
        state.bytes -= less;
        self.0.budget.lock().give_back(self.0.client, state.account, less);
    }

    /// Records why the body was not read to its end. The first reason stays.
    pub fn refuse(&self, refusal: BodyRefusal) {
        self.set(&mut self.lock(), refusal);
    }

    /// Why the body was not read to its end. The client gets this error, regardless of the handler's response.
    pub fn refusal(&self) -> Option<BodyRefusal> {
        self.lock().refusal
    }

    fn set(&self, state: &mut ShareState, refusal: BodyRefusal) {
        if state.refusal.is_none() {
            state.refusal = Some(refusal);
            self.0.budget.count(refusal);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ShareState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if state.bytes > 0 {
            self.budget.lock().give_back(self.client, state.account, state.bytes);
        }
    }
}

impl HeldBytes {
    fn take(
        &mut self,
        limits: &BodyLimits,
        client: ClientNetwork,
        account: Option<AccountId>,
        more: usize,
        of_body: usize,
    ) -> Result<(), OverBudget> {
        let fits = |held: usize, limit: usize| {
            let allowed = if of_body <= SMALL { limit } else { limit / 4 * 3 };
            held.saturating_add(more) <= allowed
        };
        let of_client = self.by_client.get(&client).copied().unwrap_or(0);
        let of_account = account.and_then(|account| self.by_account.get(&account)).copied().unwrap_or(0);
        // The narrowest limit comes first: blame the client before the account, and the account before everybody.
        if !fits(of_client, limits.client) {
            return Err(OverBudget::Client);
        }
        if account.is_some() && !fits(of_account, limits.account) {
            return Err(OverBudget::Account);
        }
        if !fits(self.all, limits.all) {
            return Err(OverBudget::All);
        }
        self.all += more;
        add(&mut self.by_client, client, more);
        if let Some(account) = account {
            add(&mut self.by_account, account, more);
        }
        Ok(())
    }

    fn give_back(&mut self, client: ClientNetwork, account: Option<AccountId>, bytes: usize) {
        self.all = self.all.saturating_sub(bytes);
        subtract(&mut self.by_client, client, bytes);
        if let Some(account) = account {
            subtract(&mut self.by_account, account, bytes);
        }
    }
}

fn add<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K, bytes: usize) {
    if bytes > 0 {
        *counts.entry(key).or_insert(0) += bytes;
    }
}

fn subtract<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K, bytes: usize) {
    if let std::collections::hash_map::Entry::Occupied(mut known) = counts.entry(key) {
        let left = known.get().saturating_sub(bytes);
        if left == 0 {
            known.remove();
        } else {
            known.insert(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::client_address::ClientAddress;
    use proptest::prelude::*;
    use uuid::Uuid;

    const LIMITS: BodyLimits = BodyLimits { all: 1 << 20, account: 512 << 10, client: 384 << 10 };

    fn client(number: u8) -> ClientNetwork {
        ClientAddress([192, 0, 2, number].into()).network()
    }

    fn account(number: u8) -> AccountId {
        AccountId(Uuid::from_u128(number.into()))
    }

    /// An action on the body of a request.
    #[derive(Debug, Clone)]
    enum Step {
        Begins(u8, Option<u8>),
        Arrives(usize, usize),
        KeepsOnly(usize, usize),
        IsOf(usize, u8),
        Ends(usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..4_u8, proptest::option::of(0..3_u8)).prop_map(|(client, account)| Step::Begins(client, account)),
            (any::<usize>(), 0..200_000_usize).prop_map(|(body, bytes)| Step::Arrives(body, bytes)),
            (any::<usize>(), 0..200_000_usize).prop_map(|(body, bytes)| Step::KeepsOnly(body, bytes)),
            (any::<usize>(), 0..3_u8).prop_map(|(body, account)| Step::IsOf(body, account)),
            any::<usize>().prop_map(Step::Ends),
        ]
    }

    proptest! {
        #[test]
        fn no_limit_is_ever_passed_and_everything_comes_back(steps in proptest::collection::vec(step(), 1..200)) {
            let budget = BodyBudget::new(LIMITS);
            let mut bodies: Vec<BodyShare> = Vec::new();
            for step in steps {
                let at = |chosen: usize| chosen.checked_rem(bodies.len());
                match step {
                    Step::Begins(of, to) => {
                        let share = budget.share_of(client(of));
                        if let Some(to) = to {
                            share.belongs_to(account(to));
                        }
                        bodies.push(share);
                    }
                    Step::Arrives(body, bytes) => {
                        if let Some(body) = at(body) {
                            let _ = bodies[body].take(bytes);
                        }
                    }
                    Step::KeepsOnly(body, bytes) => {
                        if let Some(body) = at(body) {
                            bodies[body].keep_only(bytes);
                        }
                    }
                    // Only while the body is empty: later it may hold more than the account has room for.
                    Step::IsOf(body, to) => {
                        if let Some(body) = at(body).filter(|body| bodies[*body].lock().bytes == 0) {
                            bodies[body].belongs_to(account(to));
                        }
                    }
                    Step::Ends(body) => {
                        if let Some(body) = at(body) {
                            bodies.swap_remove(body);
                        }
                    }
                }
                let held = budget.lock();
                prop_assert!(held.all <= LIMITS.all);
                prop_assert!(held.by_account.values().all(|bytes| *bytes <= LIMITS.account));
                prop_assert!(held.by_client.values().all(|bytes| *bytes <= LIMITS.client));
                prop_assert_eq!(held.all, bodies.iter().map(|body| body.lock().bytes).sum::<usize>());
                prop_assert_eq!(held.all, held.by_client.values().sum::<usize>());
            }
            drop(bodies);
            let held = budget.lock();
            prop_assert_eq!((held.all, held.by_account.len(), held.by_client.len()), (0, 0, 0));
        }
    }

    #[test]
    fn each_limit_is_named_and_the_narrowest_first() {
        let budget = BodyBudget::new(LIMITS);
        let fill = |of: u8, to: u8| {
            let share = budget.share_of(client(of));
            share.belongs_to(account(to));
            while share.take(8 << 10).is_ok() {}
            share
        };
        let first = fill(1, 1);
        assert_eq!(first.refusal(), Some(BodyRefusal::Over(OverBudget::Client)));
        let second = fill(2, 1);
        assert_eq!(second.refusal(), Some(BodyRefusal::Over(OverBudget::Account)));
        let others = [fill(3, 2), fill(4, 3)];
        assert_eq!(others[1].refusal(), Some(BodyRefusal::Over(OverBudget::All)));
        // A small body from the same client and account is still accepted.
        let small = budget.share_of(client(1));
        small.belongs_to(account(1));
        assert_eq!(small.take(2_000), Ok(()));
        assert_eq!(budget.refused(), [("slow", 0), ("all", 1), ("account", 1), ("client", 2)]);
        drop(first);
        let again = budget.share_of(client(1));
        assert_eq!(again.take(100_000), Ok(()));
    }

    #[test]
    fn a_body_that_streams_holds_what_its_handler_holds() {
        let budget = BodyBudget::new(LIMITS);
        let share = budget.share_of(client(1));
        for _ in 0..1_000 {
            share.take(64 << 10).unwrap();
            share.keep_only(10_000);
            assert_eq!(budget.held(), 10_000);
        }
        let tiny = budget.share_of(client(2));
        let pieces = (0..LIMITS.client).take_while(|_| tiny.take(1).is_ok()).count();
        assert!(pieces < LIMITS.client / PER_PIECE, "a piece costs more than its bytes");
    }
}
