//! What clients tried and what came of it: availability, and how long it took to recover.

use super::knocks::Struck;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// One request that was sent.
#[derive(Debug, Clone, Copy)]
struct Try {
    kind: &'static str,
    ended: Instant,
    succeeded: bool,
}

/// One thing that a client wanted, with as many tries as it took.
#[derive(Debug, Clone, Copy)]
struct Wish {
    kind: &'static str,
    tries: usize,
    took: Duration,
}

/// Everything that was tried. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Tries(Arc<Mutex<(Vec<Try>, Vec<Wish>)>>);

impl Tries {
    pub fn tried(&self, kind: &'static str, succeeded: bool) {
        self.0.lock().unwrap().0.push(Try { kind, ended: Instant::now(), succeeded });
    }

    pub fn got(&self, kind: &'static str, tries: usize, took: Duration) {
        self.0.lock().unwrap().1.push(Wish { kind, tries, took });
    }

    /// Requests that were answered.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap().0.len()
    }

    /// What was asked by requests that were not answered.
    pub fn failed(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().0.iter().filter(|one| !one.succeeded).map(|one| one.kind).collect()
    }

    /// A line for each kind of request.
    pub fn print_availability(&self) {
        let known = self.0.lock().unwrap();
        let (tries, wishes) = &*known;
        println!(
            "\n{:<22} {:>8} {:>10} {:>10} {:>10} {:>9} {:>9}",
            "", "requests", "answered", "at once", "in 30 s", "p99", "longest"
        );
        let mut kinds: Vec<&str> = wishes.iter().map(|wish| wish.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds.iter().copied().map(Some).chain([None]) {
            let is_it = |one: &str| kind.is_none_or(|kind| kind == one);
            let tries: Vec<&Try> = tries.iter().filter(|one| is_it(one.kind)).collect();
            let wishes: Vec<&Wish> = wishes.iter().filter(|one| is_it(one.kind)).collect();
            let answered = tries.iter().filter(|one| one.succeeded).count();
            let at_once = wishes.iter().filter(|wish| wish.tries == 1).count();
            let soon = wishes.iter().filter(|wish| wish.took < Duration::from_secs(30)).count();
            let mut times: Vec<Duration> = wishes.iter().map(|wish| wish.took).collect();
            println!(
                "{:<22} {:>8} {:>8} % {:>8} % {:>8} % {:>9.1?} {:>9.1?}",
                kind.unwrap_or("all"),
                tries.len(),
                share(answered, tries.len()),
                share(at_once, wishes.len()),
                share(soon, wishes.len()),
                percentile(&mut times, 99),
                percentile(&mut times, 100),
            );
        }
    }

    /// A line for each kind of knock: how long it took until somebody succeeded again, and until everybody did.
    pub fn print_recovery(&self, struck: &[Struck]) {
        let known = self.0.lock().unwrap();
        let mut kinds: BTreeMap<&str, Recovery> = BTreeMap::new();
        for (at, knock) in struck.iter().enumerate() {
            let next = struck.get(at + 1).map(|next| next.began);
            let until = |one: &&Try| next.is_none_or(|next| one.ended < next);
            let during = known.0.iter().filter(|one| one.ended >= knock.began && one.ended < knock.ended);
            let after: Vec<&Try> = known.0.iter().filter(|one| one.ended >= knock.ended).filter(until).collect();
            let kind = kinds.entry(&knock.kind).or_default();
            kind.failed += during.filter(|one| !one.succeeded).count();
            let first = after.iter().filter(|one| one.succeeded).map(|one| one.ended).min();
            let last = after.iter().filter(|one| !one.succeeded).map(|one| one.ended).max();
            kind.first.extend(first.map(|at| at - knock.ended));
            kind.all.push(last.map_or(Duration::ZERO, |at| at - knock.ended));
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

/// So many of a hundred, to two digits, never rounded up to all.
fn share(part: usize, whole: usize) -> String {
    let parts = (part * 10_000).checked_div(whole).unwrap_or(10_000);
    format!("{}.{:02}", parts / 100, parts % 100)
}

/// The time that so many of a hundred did not exceed.
pub fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}
