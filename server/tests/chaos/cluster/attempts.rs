//! The attempts of clients and their results: availability, and the time to recover.

use super::faults::InjectedFault;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// One request that was sent.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    kind: &'static str,
    ended: Instant,
    succeeded: bool,
}

/// One operation that a client wanted, with the number of attempts.
#[derive(Debug, Clone, Copy)]
struct FinishedOperation {
    kind: &'static str,
    attempts: usize,
    took: Duration,
}

/// All attempts. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Attempts(Arc<Mutex<(Vec<Attempt>, Vec<FinishedOperation>)>>);

impl Attempts {
    pub fn record_attempt(&self, kind: &'static str, succeeded: bool) {
        self.0.lock().unwrap().0.push(Attempt { kind, ended: Instant::now(), succeeded });
    }

    pub fn record_operation(&self, kind: &'static str, attempts: usize, took: Duration) {
        self.0.lock().unwrap().1.push(FinishedOperation { kind, attempts, took });
    }

    /// The number of requests that were answered.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap().0.len()
    }

    /// The kinds of the requests that were not answered.
    pub fn failed(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().0.iter().filter(|one| !one.succeeded).map(|one| one.kind).collect()
    }

    /// Prints a line for each kind of request.
    pub fn print_availability(&self) {
        let known = self.0.lock().unwrap();
        let (attempts, operations) = &*known;
        println!(
            "\n{:<22} {:>8} {:>10} {:>10} {:>10} {:>9} {:>9}",
            "", "requests", "answered", "at once", "in 30 s", "p99", "longest"
        );
        let mut kinds: Vec<&str> = operations.iter().map(|operation| operation.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds.iter().copied().map(Some).chain([None]) {
            let is_it = |one: &str| kind.is_none_or(|kind| kind == one);
            let attempts: Vec<&Attempt> = attempts.iter().filter(|one| is_it(one.kind)).collect();
            let operations: Vec<&FinishedOperation> = operations.iter().filter(|one| is_it(one.kind)).collect();
            let answered = attempts.iter().filter(|one| one.succeeded).count();
            let at_once = operations.iter().filter(|operation| operation.attempts == 1).count();
            let soon = operations.iter().filter(|operation| operation.took < Duration::from_secs(30)).count();
            let mut times: Vec<Duration> = operations.iter().map(|operation| operation.took).collect();
            println!(
                "{:<22} {:>8} {:>8} % {:>8} % {:>8} % {:>9.1?} {:>9.1?}",
                kind.unwrap_or("all"),
                attempts.len(),
                share(answered, attempts.len()),
                share(at_once, operations.len()),
                share(soon, operations.len()),
                percentile(&mut times, 99),
                percentile(&mut times, 100),
            );
        }
    }

    /// Prints a line for each kind of fault: the time until the first client succeeded again, and until all did.
    pub fn print_recovery(&self, injected: &[InjectedFault]) {
        let known = self.0.lock().unwrap();
        let mut kinds: BTreeMap<&str, Recovery> = BTreeMap::new();
        for (at, fault) in injected.iter().enumerate() {
            let next = injected.get(at + 1).map(|next| next.began);
            let until = |one: &&Attempt| next.is_none_or(|next| one.ended < next);
            let during = known.0.iter().filter(|one| one.ended >= fault.began && one.ended < fault.ended);
            let after: Vec<&Attempt> = known.0.iter().filter(|one| one.ended >= fault.ended).filter(until).collect();
            let kind = kinds.entry(&fault.kind).or_default();
            kind.failed += during.filter(|one| !one.succeeded).count();
            let first = after.iter().filter(|one| one.succeeded).map(|one| one.ended).min();
            let last = after.iter().filter(|one| !one.succeeded).map(|one| one.ended).max();
            kind.first.extend(first.map(|at| at - fault.ended));
            kind.all.push(last.map_or(Duration::ZERO, |at| at - fault.ended));
        }
        println!("\n{:<44} {:>5} {:>6} {:>18} {:>18}", "", "times", "failed", "first success", "all succeed");
        println!("{:<44} {:>5} {:>6} {:>9} {:>8} {:>9} {:>8}", "", "", "", "p50", "max", "p50", "max");
        for (kind, mut of) in kinds {
            println!(
                "{kind:<44} {:>5} {:>6} {:>9.2?} {:>8.2?} {:>9.2?} {:>8.2?}",
                of.all.len(),
                of.failed,
                percentile(&mut of.first, 50),
                percentile(&mut of.first, 100),
                percentile(&mut of.all, 50),
                percentile(&mut of.all, 100),
            );
        }
    }
}

#[derive(Debug, Default)]
struct Recovery {
    failed: usize,
    first: Vec<Duration>,
    all: Vec<Duration>,
}

/// A percentage with two decimals, which is never rounded up to 100.
fn share(part: usize, whole: usize) -> String {
    let parts = (part * 10_000).checked_div(whole).unwrap_or(10_000);
    format!("{}.{:02}", parts / 100, parts % 100)
}

/// The time that this percentage did not exceed.
pub fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}
