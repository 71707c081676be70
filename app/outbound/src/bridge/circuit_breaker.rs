//! Circuit breakers: calls to a system that is down fail at once, instead of after ten seconds each.

use super::error::{BridgeError, Unavailable};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How many consecutive failures open a breaker.
const MAX_FAILURES: u32 = 5;
/// How long an open breaker rejects calls.
const OPEN_FOR: Duration = Duration::from_secs(30);

/// One breaker per system, by a key `K`. Only systems that failed recently use memory.
///
/// Five consecutive failures open a breaker. Only [`Unavailable`] is a failure; every other error is an answer. For 30 seconds
/// the breaker rejects all calls, then it lets one call through: the probe. If the probe fails, the breaker stays open for
/// another 30 seconds. Any answer closes it.
#[derive(Debug)]
pub struct Breakers<K>(Mutex<HashMap<K, Failing>>);

/// The state of a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerState {
    /// Calls pass.
    Closed,
    /// Calls are rejected.
    Open {
        /// The time of the failure that opened it.
        since: Instant,
        /// The time of the next probe.
        until: Instant,
    },
    /// The probe is running.
    HalfOpen {
        /// The time of the failure that opened it.
        since: Instant,
    },
}

/// What we remember about a system that failed and has not answered since.
#[derive(Debug)]
enum Failing {
    /// Fewer than [`MAX_FAILURES`] failures.
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
    /// Makes a call, unless the breaker is open; then `call` is not polled. `clock` is read before and after the call. A call
    /// that is dropped before it ends does not count.
    pub fn run<T>(
        &self,
        bridge: &K,
        clock: impl Fn() -> Instant,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> impl Future<Output = Result<T, BridgeError>> {
        self.run_counting(bridge, clock, |_| true, call)
    }

    /// The same, for callers with failures that say nothing about the system. `counts` receives whether the call failed, and
    /// returns whether a failure counts. A failure that does not count changes nothing.
    pub async fn run_counting<T>(
        &self,
        bridge: &K,
        clock: impl Fn() -> Instant,
        counts: impl FnOnce(bool) -> bool,
        call: impl Future<Output = Result<T, BridgeError>>,
    ) -> Result<T, BridgeError> {
        let probe = self.enter(bridge, clock())?; // held to the end: dropping it lets another call probe
        let result = call.await;
        let failed = matches!(result, Err(BridgeError::Unavailable(_)));
        if counts(failed) || !failed {
            self.record(bridge, failed.then(&clock), probe.is_some());
        }
        result
    }

    /// The state of a system's breaker.
    pub fn state(&self, bridge: &K) -> BreakerState {
        self.lock().get(bridge).map_or(BreakerState::Closed, Failing::state)
    }

    /// The systems whose breakers are not closed.
    pub fn not_closed(&self) -> Vec<(K, BreakerState)> {
        let states = self.lock();
        let all = states.iter().map(|(bridge, failing)| (bridge.clone(), failing.state()));
        all.filter(|(_, state)| *state != BreakerState::Closed).collect()
    }

    /// Admits a call; as the probe, if the breaker was open.
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

    /// Records the result of a call: the time of its failure, or `None`.
    fn record(&self, bridge: &K, failed_at: Option<Instant>, was_probe: bool) {
        let mut states = self.lock();
        let Some(now) = failed_at else {
            states.remove(bridge);
            return;
        };
        let failing = states.entry(bridge.clone()).or_insert(Failing::Few(0));
        match failing {
            Failing::Few(count) if *count + 1 < MAX_FAILURES => *count += 1,
            Failing::Few(_) => *failing = Failing::Open { since: now, until: now + OPEN_FOR, is_probed: false },
            Failing::Open { until, is_probed, .. } if was_probe => (*until, *is_probed) = (now + OPEN_FOR, false),
            Failing::Open { .. } => {} // the call started before the breaker opened
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

/// The probe of an open breaker. If it is dropped before it has a result, the next call becomes the probe.
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

    /// Breakers of two systems, and a clock that stands still.
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

        fn advance(&self, seconds: u64) {
            self.now.set(self.now.get() + Duration::from_secs(seconds));
        }
    }

    fn down() -> BridgeError {
        CallError::NotConnected.into()
    }

    #[tokio::test]
    async fn five_consecutive_failures_open_a_breaker_for_thirty_seconds() {
        let scene = Scene::new();
        scene.fail(4).await;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        scene.fail(1).await;
        let since = scene.now.get();
        let until = since + OPEN_FOR;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until });
        assert_eq!(scene.breakers.not_closed(), [("a", BreakerState::Open { since, until })]);
        scene.advance(20);
        let left_alone = Err(Unavailable::LeftAlone { wait: Duration::from_secs(10) }.into());
        assert_eq!(scene.call("a", Ok(())).await, left_alone);
        assert_eq!(scene.calls.get(), 5, "an open breaker does not call");
        assert_eq!(scene.call("b", Ok(())).await, Ok(()), "the breaker of another system is closed");

        // The probe fails: the breaker stays open for another 30 seconds, and the outage has the same start.
        scene.advance(10);
        scene.fail(1).await;
        let until = scene.now.get() + OPEN_FOR;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until });
        // The probe succeeds.
        scene.advance(30);
        assert_eq!(scene.call("a", Ok(())).await, Ok(()));
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        assert!(scene.breakers.not_closed().is_empty() && scene.breakers.lock().is_empty());
        scene.fail(4).await;
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed, "the count starts again at 0");
    }

    #[tokio::test]
    async fn an_error_that_is_an_answer_closes_the_breaker() {
        let bad = BridgeError::BadAnswer(domain::Problems::default());
        for answer in [Ok(()), Err(bad), Err(super::super::error::Rejected { status: 401 }.into())] {
            let scene = Scene::new();
            for _ in 0..3 {
                scene.fail(4).await;
                assert_eq!(scene.call("a", answer.clone()).await, answer);
            }
            assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed);
        }
    }

    #[tokio::test]
    async fn a_failure_that_does_not_count_changes_nothing() {
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
        scene.advance(30);
        assert_eq!(uncounted(Err(down())).await, Err(down()));
        assert_eq!(
            scene.breakers.state(&"a"),
            BreakerState::Open { since, until: since + OPEN_FOR },
            "an uncounted failure does not extend the pause"
        );
        assert_eq!(uncounted(Ok(())).await, Ok(()));
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed, "an answer closes the breaker");
    }

    #[tokio::test]
    async fn a_dropped_probe_lets_the_next_call_probe() {
        let scene = Scene::new();
        scene.fail(5).await;
        let since = scene.now.get();
        scene.advance(30);
        let hanging = scene.breakers.run(&"a", || scene.now.get(), std::future::pending::<Result<(), BridgeError>>());
        let mut hanging = Box::pin(hanging);
        assert!(
            std::future::poll_fn(|context| std::task::Poll::Ready(hanging.as_mut().poll(context).is_pending())).await
        );
        assert_eq!(scene.breakers.state(&"a"), BreakerState::HalfOpen { since });
        let left_alone = Err(Unavailable::LeftAlone { wait: Duration::ZERO }.into());
        assert_eq!(scene.call("a", Ok(())).await, left_alone);
        drop(hanging);
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until: since + OPEN_FOR });
        assert_eq!(scene.call("a", Ok(())).await, Ok(()));
    }

    #[tokio::test]
    async fn a_call_from_before_the_opening_does_not_extend_it() {
        let scene = Scene::new();
        let before = scene.breakers.enter(&"a", scene.now.get()).unwrap();
        assert!(before.is_none());
        scene.fail(5).await;
        let since = scene.now.get();
        scene.advance(9);
        scene.breakers.record(&"a", Some(scene.now.get()), false);
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Open { since, until: since + OPEN_FOR });
        scene.breakers.record(&"a", None, false);
        assert_eq!(scene.breakers.state(&"a"), BreakerState::Closed, "an answer closes the breaker");
    }
}
