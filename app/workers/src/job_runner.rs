//! Runs the jobs that wait in the database, a limited number at a time and per account, so that an account with many or
//! slow jobs does not delay the others.

use super::handle::Workers;
use domain::{AccountId, Timestamp};
use returns::{Result, internals::detached};
use std::{collections::HashMap, future::Future, time::Duration};
use store::{Db, IsEnough};
use tokio::{
    task::{self, JoinSet},
    time::{MissedTickBehavior, interval, timeout},
};
use tracing::Instrument as _;
use uuid::Uuid;

/// How often to look for due jobs.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The lease of most jobs, seconds.
pub(crate) const HELD_FOR: i64 = 30;

/// The most jobs at a time.
const WIDTH: usize = 32;
/// The most jobs of one account at a time.
const OF_ACCOUNT: usize = 8;
/// More jobs of an account are claimed when it has at most this many in progress.
const LOW: usize = OF_ACCOUNT / 2;
/// How long jobs in progress may take after `stop`.
const GRACE: Duration = Duration::from_secs(12);

/// The most jobs to claim of each account, and in total.
pub(crate) type JobShares<'a> = (&'a [(AccountId, usize)], usize);

/// A job that waits in the database.
pub(crate) trait Job: Send + Sync + Sized + 'static {
    /// The plural name of the kind of job, for the log.
    const NAME: &'static str;
    /// The lease of a claimed job, seconds. Jobs that may take longer override it.
    const HELD_FOR: i64 = HELD_FOR;
    /// Whether Postgres claims the job in one statement, which needs no transaction around it.
    const CLAIMED_IN_ONE: bool = false;
    /// The account that the job belongs to.
    fn account(&self) -> AccountId;
    /// What identifies the job in the log.
    fn id(&self) -> Uuid;
    /// The accounts with due jobs.
    fn waiting(
        db: Db<'_>,
        now: Timestamp,
        is_enough: IsEnough<'_>,
    ) -> impl Future<Output = store::Result<Vec<AccountId>>> + Send;
    /// Claims due jobs until a time.
    fn claim(
        db: Db<'_>,
        now: Timestamp,
        until: Timestamp,
        shares: JobShares<'_>,
    ) -> impl Future<Output = store::Result<Vec<Self>>> + Send;
    /// Runs the job. An error means a fault of Retour.
    fn run(&self, workers: &Workers) -> impl Future<Output = Result<()>> + Send;
    /// Makes the job due again later, after [`Self::run`] has failed.
    fn postpone(&self, workers: &Workers) -> impl Future<Output = Result<()>> + Send;
}

/// The methods of [`Job`] that read and claim a table's rows.
macro_rules! jobs_of_table {
    ($table:ident) => {
        fn account(&self) -> domain::AccountId {
            self.account_id
        }

        fn waiting(
            db: store::Db<'_>,
            now: domain::Timestamp,
            is_enough: store::IsEnough<'_>,
        ) -> impl Future<Output = store::Result<Vec<domain::AccountId>>> + Send {
            $table::waiting(db, now, is_enough)
        }

        fn claim(
            db: store::Db<'_>,
            now: domain::Timestamp,
            until: domain::Timestamp,
            shares: crate::job_runner::JobShares<'_>,
        ) -> impl Future<Output = store::Result<Vec<Self>>> + Send {
            $table::claim(db, now, until, shares)
        }
    };
}
pub(crate) use jobs_of_table;

/// Runs a job, and makes it due again later if that fails.
async fn carry_out<J: Job>(job: J, workers: Workers) {
    let Err(error) = Box::pin(job.run(&workers)).await else { return };
    let (account, id) = (job.account(), job.id());
    tracing::warn!(%account, %id, job = J::NAME, %error, "a job failed; Retour tries again");
    // If this fails as well, the job's lease ends by itself, and the job is due then.
    if let Err(error) = detached(async move { job.postpone(&workers).await }).await {
        tracing::warn!(%account, %id, job = J::NAME, %error, "a job could not be postponed");
    }
}

impl Workers {
    /// Runs jobs of a kind until `stop` is ready. Jobs in progress are then completed, or run again by another
    /// instance.
    pub(crate) async fn run_jobs<W: Job>(&self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut turns = RunningJobs::default();
        loop {
            let claimed = self.claim_jobs::<W>(&turns).await.unwrap_or_else(|error| {
                tracing::warn!(%error, work = W::NAME, "due jobs could not be read; Retour tries again");
                Vec::new()
            });
            for one in claimed {
                turns.begin(one.account(), carry_out(one, self.clone()).instrument(outbound::step!(W::NAME)));
            }
            tokio::select! {
                () = &mut stop => break,
                _ = look.tick() => {}
                () = self.retour.source().moved() => {}
                () = turns.next_end() => {}
            }
        }
        if !turns.finish().await {
            tracing::warn!(work = W::NAME, "some jobs were still in progress and were aborted; they run again");
        }
    }

    /// Claims due jobs. If another instance took all that were seen, there may be more behind them, so it looks again.
    async fn claim_jobs<W: Job>(&self, turns: &RunningJobs) -> Result<Vec<W>> {
        let claimed = match self.claim_once(turns).await? {
            Some(none) if none.is_empty() => self.claim_once(turns).await?,
            claimed => claimed,
        };
        Ok(claimed.unwrap_or_default())
    }

    /// `None` if there is nothing that could start.
    async fn claim_once<W: Job>(&self, turns: &RunningJobs) -> Result<Option<Vec<W>>> {
        let most = turns.room();
        if most == 0 {
            return Ok(None);
        }
        let mut reading = self.retour.store().read().await?;
        let waiting = W::waiting(reading.db(), self.retour.now(), &|due| turns.are_filled_by(due)).await?;
        drop(reading);
        let shares = turns.shares(waiting);
        if shares.is_empty() {
            return Ok(None);
        }
        let workers = self.clone();
        let claim = async move {
            let now = workers.retour.now();
            let store = &workers.retour.store();
            let mut writing = if W::CLAIMED_IN_ONE { store.write_in_one().await? } else { store.write().await? };
            let claimed = W::claim(writing.db(), now, now.plus_seconds(W::HELD_FOR), (&shares, most)).await?;
            writing.commit().await?;
            Ok(claimed)
        };
        detached(claim).await.map(Some)
    }
}

/// The jobs in progress.
#[derive(Debug, Default)]
struct RunningJobs {
    tasks: JoinSet<()>,
    accounts: HashMap<task::Id, AccountId>,
}

impl RunningJobs {
    /// How many more jobs may start.
    fn room(&self) -> usize {
        WIDTH.saturating_sub(self.accounts.len())
    }

    /// How many jobs of an account may start; 0 if it has enough.
    fn share(&self, account: AccountId) -> usize {
        let under_way = self.accounts.values().filter(|known| **known == account).count();
        if under_way <= LOW { OF_ACCOUNT - under_way } else { 0 }
    }

    /// How many jobs of each account may start. Accounts with enough jobs are left out.
    fn shares(&self, waiting: Vec<AccountId>) -> Vec<(AccountId, usize)> {
        waiting.into_iter().map(|account| (account, self.share(account))).filter(|(_, share)| *share > 0).collect()
    }

    /// Whether the due jobs of these accounts, each up to its share, take all the room.
    fn are_filled_by(&self, due: &[(AccountId, usize)]) -> bool {
        due.iter().map(|(account, due)| self.share(*account).min(*due)).sum::<usize>() >= self.room()
    }

    /// Starts a job of an account.
    fn begin(&mut self, account: AccountId, work: impl Future<Output = ()> + Send + 'static) {
        self.accounts.insert(self.tasks.spawn(work).id(), account);
    }

    /// Waits for the next job to end. Without jobs, it waits forever.
    async fn next_end(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => {
                self.accounts.remove(&ended.map_or_else(|error| error.id(), |(id, ())| id));
            }
            None => std::future::pending().await,
        }
    }

    /// Waits for the jobs in progress. `false` if they took too long and were aborted.
    async fn finish(mut self) -> bool {
        timeout(GRACE, async { while self.tasks.join_next().await.is_some() {} }).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn others_are_asked_for_unless_what_was_seen_fills_all_room() {
        let account = |number| AccountId(uuid::Uuid::from_u128(number));
        let mut turns = RunningJobs::default();
        let of_four = [1, 2, 3, 4].map(|number| (account(number), 100));
        assert!(turns.are_filled_by(&of_four));
        assert!(!turns.are_filled_by(&of_four[..3]), "one account has no more than its share");
        assert!(!turns.are_filled_by(&[(account(1), 100), (account(2), 8), (account(3), 8), (account(4), 7)]));
        (0..=LOW).for_each(|_| turns.begin(account(1), std::future::pending()));
        assert!(!turns.are_filled_by(&of_four), "the first has enough");
        assert_eq!(turns.shares(vec![account(1), account(2)]), [(account(2), OF_ACCOUNT)]);
    }
}
