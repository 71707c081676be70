//! Random numbers in tests. Each week has its own seed, so that the tests try new cases over time, and everybody tries the same
//! cases within a week.

use fastrand::Rng;

/// Proptest reads the same variable: one setting repeats generated cases and random walks.
const VARIABLE: &str = "PROPTEST_RNG_SEED";

/// The seed of this run: the variable, or else the week.
#[derive(Debug, Clone, Copy)]
pub struct Seed(u64);

impl Seed {
    /// Reads the seed and prints how to repeat the run. Call it on the test's own thread: if the test fails, the test harness
    /// shows what that thread printed.
    pub fn of_this_run() -> Self {
        let seed = std::env::var(VARIABLE).map_or_else(
            |_| week(),
            |seed| seed.parse().unwrap_or_else(|_| panic!("{VARIABLE}: expected a whole number, not `{seed}`")),
        );
        println!("The random walk is that of {VARIABLE}={seed}. Set the variable to repeat it.");
        Self(seed)
    }

    /// A generator for one part of a test; parts with different numbers do not repeat each other.
    pub fn rng(self, part: u64) -> Rng {
        Rng::with_seed(self.0.wrapping_mul(1_000_003).wrapping_add(part))
    }
}

/// Year and week of ISO 8601 as one number: 202648.
#[expect(clippy::disallowed_methods, reason = "only the seed depends on the day")]
fn week() -> u64 {
    let (year, week, _) = time::OffsetDateTime::now_utc().to_iso_week_date();
    u64::from(year.unsigned_abs()) * 100 + u64::from(week)
}
