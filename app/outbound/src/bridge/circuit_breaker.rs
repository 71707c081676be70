//! A bridge that is down fails at once, rather than after ten seconds for everyone.

use crate::bridge::{BridgeError, Unavailable};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Failures in a row that open a breaker.
const FAILURES: u32 = 5;
/// How long an open one lets nothing through.
const REST: Duration = Duration::from_secs(30);

/// One breaker for each bridge, by whatever tells bridges apart. Only what failed of late takes any room.
///
/// Five failures in a row ([`Unavailable`]; everything else is an answer) open a breaker. For 30 seconds nothing is
/// called; then one call goes through. If that fails, another 30 seconds; any answer closes the breaker.
#[derive(Debug)]
pub struct Breakers<K>(Mutex<HashMap<K, Failing>>);

/// Where a breaker stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// Calls go through.
    Closed,
    /// Nothing goes through.
    Open {
        /// The failure that opened it.
        since: Instant,
        /// When a call may go through again.
        until: Instant,
    },
    /// One call is under way, and decides.
    HalfOpen {
        /// The failure that opened it.
        since: Instant,
    },
}

/// What is known of a bridge that failed and did not answer since.
#[derive(Debug)]
enum Failing {
    /// Fewer than [`FAILURES`] times.
    Few(u32),
    Open {
        since: Instant,
        until: Instant,
        is_probed: bool,
    },
}

impl<K> Default for Breakers<K> {
    fn default() -> Self {
        Self(Mutex::new(HashMap::new()))
    }
}

impl<K: Eq + Hash + Clone> Breakers<K> {
    /// Makes a call, unless its bridge is left alone; then nothing of it is run. `clock` tells the moment, before and
    /// after. A call that is dropped on its way counts as none.
    pub fn run<T>(
        &self,
        bridge: &K,
        clock: impl Fn() -> Instant,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> impl Future<Output = Result<T, BridgeError>> {
        self.run_counting(bridge, clock, |_| true, call)
    }

    /// The same, where not every failure says something of the bridge: `counts` is told whether the call failed, and
    /// says of a failure whether it does. One that does not leaves everything as it was.
    pub async fn run_counting<T>(
        &self,
        bridge: &K,
        clock: impl Fn() -> Instant,
        counts: impl FnOnce(bool) -> bool,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> Result<T, BridgeError> {
        let probe = self.enter(bridge, clock())?; // to the end: dropped earlier, it gives way to another
        let result = call.await;
        let failed = matches!(result, Err(BridgeError::Unavailable(_)));
        if counts(failed) || !failed {
            self.settle(bridge, failed.then(&clock), probe.is_some());
        }
        result
    }

    /// Where a bridge's breaker stands.
    pub fn state(&self, bridge: &K) -> BreakerState {
        self.lock().get(bridge).map_or(BreakerState::Closed, Failing::state)
    }

    /// The bridges whose breakers are not closed.
    pub fn not_closed(&self) -> Vec<(K, BreakerState)> {
        let states = self.lock();
        let all = states.iter().map(|(bridge, failing)| (bridge.clone(), failing.state()));
        all.filter(|(_, state)| *state != BreakerState::Closed).collect()
    }

    /// Lets a call through: as the one that decides, where the breaker was open.
    fn enter<'a>(&'a self, bridge: &'a K, now: Instant) -> Result<Option<Probe<'a, K>>, Unavailable> {
        match self.lock().get_mut(bridge) {
            None | Some(Failing::Few(_)) => Ok(None),
            Some(Failing::Open { until, is_probed, .. }) => {
                if *is_probed || now < *until {
                    return Err(Unavailable::LeftAlone { wait: until.saturating_duration_since(now) });
                }
                *is_probed = true;
                Ok(Some(Probe { breakers: self, bridge }))
            }
        }
    }

    /// Takes down what came of a call: when it failed, if it did.
    fn settle(&self, bridge: &K, failed_at: Option<Instant>, was_probe: bool) {
        let mut states = self.lock();
        let Some(now) = failed_at else {
            states.remove(bridge);
            return;
        };
        let failing = states.entry(bridge.clone()).or_insert(Failing::Few(0));
        match failing {
            Failing::Few(count) if *count + 1 < FAILURES => *count += 1,
            Failing::Few(_) => *failing = Failing::Open { since: now, until: now + REST, is_probed: false },
            Failing::Open { until, is_probed, .. } if was_probe => (*until, *is_probed) = (now + REST, false),
            Failing::Open { .. } => {} // it began before the breaker opened and says nothing new
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Failing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Failing {
    fn state(&self) -> BreakerState {
        match *self {
            Self::Few(_) => BreakerState::Closed,
            Self::Open { since, until, is_probed: false } => BreakerState::Open { since, until },
            Self::Open { since, is_probed: true, .. } => BreakerState::HalfOpen { since },
        }
    }
}

/// The one call that decides. Dropped before it did, it leaves its place to the next.
struct Probe<'a, K: Eq + Hash> {
    breakers: &'a Breakers<K>,
    bridge: &'a K,
}

impl<K: Eq + Hash> Drop for Probe<'_, K> {
    fn drop(&mut self) {
        let mut states = self.breakers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Failing::Open { is_probed, .. }) = states.get_mut(self.bridge) {
            *is_probed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::CallError;
    use std::cell::Cell;

    /// Breakers of two bridges, and a clock that stands.
    struct Scene {
        breakers: Breakers<&'static str>,
        now: Cell<Instant>,
        calls: Cell<u32>,
    }

    impl Scene {
        fn new() -> Self {
            Self { breakers: Breakers::default(), now: Cell::new(Instant::now()), calls: Cell::new(0) }
        }

        async fn call(&self, bridge: &'static str, answer: Result<(), BridgeError>) -> Result<(), BridgeError> {
            let call = async {
                self.calls.set(self.calls.get() + 1);
                answer
            };
            self.breakers.run(&bridge, || self.now.get(), call).await
        }

        async fn fail(&self, times: u32) {
            for _ in 0..times {
                self.call("a", Err(down())).await.unwrap_err();
            }
        }

        fn pass(&self, seconds: u64) {
            self.now.set(self.now.get() + Duration::from_secs(seconds));
        }
    }

    fn down() -> BridgeError {
        CallError::NotConnected.into()
    }

    #[tokio::test]
    async fn five_failures_in_a_row_open_it_for_thirty_seconds() {
        let scene = Scene::new();
        scene.fail(4).await;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        scene.fail(1).await;
        let since = scene.now.get();
        let until = since + REST;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until });
        assert_eq!(scene.breakers.not_closed(), [("a", BreakerState::Open { since, until })]);
        scene.pass(20);
        let left_alone = Err(Unavailable::LeftAlone { wait: Duration::from_secs(10) }.into());
        assert_eq!(scene.call("a", Ok(())).await, left_alone);
        assert_eq!(scene.calls.get(), 5, "nothing was called");
        assert_eq!(scene.call("b", Ok(())).await, Ok(()), "another bridge has nothing to do with it");

        // One goes through and fails: another thirty seconds, of the same outage.
        scene.pass(10);
        scene.fail(1).await;
        let until = scene.now.get() + REST;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until });
        // One goes through and is answered.
        scene.pass(30);
        assert_eq!(scene.call("a", Ok(())).await, Ok(()));
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        assert!(scene.breakers.not_closed().is_empty() && scene.breakers.lock().is_empty());
        scene.fail(4).await;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed, "it counts from the beginning");
    }

    #[tokio::test]
    async fn answers_of_every_kind_are_answers() {
        let bad = BridgeError::BadAnswer(domain::Problems::default());
        for answer in [Ok(()), Err(bad), Err(super::super::Rejected { status: 401 }.into())] {
            let scene = Scene::new();
            for _ in 0..3 {
                scene.fail(4).await;
                assert_eq!(scene.call("a", answer.clone()).await, answer);
            }
            assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        }
    }

    #[tokio::test]
    async fn failures_that_do_not_count_leave_everything_as_it_was() {
        let scene = Scene::new();
        let uncounted = async |answer: Result<(), BridgeError>| {
            scene.breakers.run_counting(&"a", || scene.now.get(), |_| false, async { answer }).await
        };
        scene.fail(4).await;
        for _ in 0..9 {
            assert_eq!(uncounted(Err(down())).await, Err(down()));
        }
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        scene.fail(1).await;
        let since = scene.now.get();
        scene.pass(30);
        assert_eq!(uncounted(Err(down())).await, Err(down()));
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until: since + REST }, "it decides nothing");
        assert_eq!(uncounted(Ok(())).await, Ok(()));
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed, "an answer is an answer");
    }

    #[tokio::test]
    async fn one_call_decides_and_leaves_its_place_when_it_is_dropped() {
        let scene = Scene::new();
        scene.fail(5).await;
        let since = scene.now.get();
        scene.pass(30);
        let hanging = scene.breakers.run(&"a", || scene.now.get(), std::future::pending::<Result<(), BridgeError>>());
        let mut hanging = Box::pin(hanging);
        assert!(
            std::future::poll_fn(|context| std::task::Poll::Ready(hanging.as_mut().poll(context).is_pending())).await
        );
        assert_eq!(scene.breakers.state(&"a"), BreakerState::HalfOpen { since });
        let left_alone = Err(Unavailable::LeftAlone { wait: Duration::ZERO }.into());
        assert_eq!(scene.call("a", Ok(())).await, left_alone);
        drop(hanging);
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until: since + REST });
        assert_eq!(scene.call("a", Ok(())).await, Ok(()));
    }

    #[tokio::test]
    async fn calls_from_before_it_opened_do_not_keep_it_open() {
        let scene = Scene::new();
        let before = scene.breakers.enter(&"a", scene.now.get()).unwrap();
        assert!(before.is_none());
        scene.fail(5).await;
        let since = scene.now.get();
        scene.pass(9);
        scene.breakers.settle(&"a", Some(scene.now.get()), false);
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until: since + REST });
        scene.breakers.settle(&"a", None, false);
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed, "an answer is an answer");
    }
}
