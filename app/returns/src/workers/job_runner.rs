//! Work of every account that waits in the database, some of it at a time: however much or slow one account's is, the
//! others' goes on.

use super::handle::Workers;
use crate::base::{Result, detached};
use domain::{AccountId, Timestamp};
use std::{collections::HashMap, future::Future, time::Duration};
use store::{Db, IsEnough};
use tokio::{
    task::{self, JoinSet},
    time::{MissedTickBehavior, interval, timeout},
};
use tracing::Instrument as _;
use uuid::Uuid;

/// How often it is looked for what is due.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long most work is held, seconds.
pub(crate) const HELD_FOR: i64 = 30;

/// Pieces of work at a time.
const WIDTH: usize = 32;
/// Those of them that one account may have.
const OF_ACCOUNT: usize = 8;
/// More of an account are claimed when no more than these are under way.
const LOW: usize = OF_ACCOUNT / 2;
/// How long work that is under way may take when the program is told to stop.
const GRACE: Duration = Duration::from_secs(12);

/// So much of each account at most, and so much in all.
pub(crate) type JobShares<'a> = (&'a [(AccountId, usize)], usize);

/// A piece of work that waits in the database.
pub(crate) trait Job: Send + Sync + Sized + 'static {
    /// What it is, in the plural: for the log.
    const NAME: &'static str;
    /// How long a piece is held when it is claimed, seconds: whoever takes longer says so.
    const HELD_FOR: i64 = HELD_FOR;
    /// Whether Postgres is asked for it by one statement, which needs no transaction around it.
    const CLAIMED_IN_ONE: bool = false;
    /// The account that the job belongs to.
    fn account(&self) -> AccountId;
    /// What identifies the job in the log.
    fn id(&self) -> Uuid;
    /// Accounts that have some that is due.
    fn waiting(
        db: Db<'_>,
        now: Timestamp,
        is_enough: IsEnough<'_>,
    ) -> impl Future<Output = store::Result<Vec<AccountId>>> + Send;
    /// What is due, held until a moment.
    fn claim(
        db: Db<'_>,
        now: Timestamp,
        until: Timestamp,
        shares: JobShares<'_>,
    ) -> impl Future<Output = store::Result<Vec<Self>>> + Send;
    /// Does the job. An error means that something of ours is broken.
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
            shares: crate::workers::job_runner::JobShares<'_>,
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
    tracing::warn!(%account, %id, job = J::NAME, %error, "a job failed; it is tried again");
    // If this fails as well, the job's lease ends by itself, and the job is due then.
    if let Err(error) = detached(async move { job.postpone(&workers).await }).await {
        tracing::warn!(%account, %id, job = J::NAME, %error, "a job could not be postponed");
    }
}

impl Workers {
    /// Does work of a kind until it is told to stop. What is under way then is finished, or done again by the next program.
    pub(crate) async fn run_jobs<W: Job>(&self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut turns = RunningJobs::default();
        loop {
            let claimed = self.claim_jobs::<W>(&turns).await.unwrap_or_else(|error| {
                tracing::warn!(%error, work = W::NAME, "what is due could not be read; it is tried again");
                Vec::new()
            });
            for one in claimed {
                turns.begin(one.account(), carry_out(one, self.clone()).instrument(outbound::step!(W::NAME)));
            }
            tokio::select! {
                () = &mut stop => break,
                _ = look.tick() => {}
                () = self.retour.source.moved() => {}
                () = turns.next_end() => {}
            }
        }
        if !turns.finish().await {
            tracing::warn!(work = W::NAME, "some of it was still under way and was cut off; it is done again");
        }
    }

    /// What is due, beside what is under way. Where another program took what was seen, there may be more behind it.
    async fn claim_jobs<W: Job>(&self, turns: &RunningJobs) -> Result<Vec<W>> {
        let claimed = match self.claim_once(turns).await? {
            Some(none) if none.is_empty() => self.claim_once(turns).await?,
            claimed => claimed,
        };
        Ok(claimed.unwrap_or_default())
    }

    /// `None`: nothing that could begin was seen.
    async fn claim_once<W: Job>(&self, turns: &RunningJobs) -> Result<Option<Vec<W>>> {
        let most = turns.room();
        if most == 0 {
            return Ok(None);
        }
        let mut reading = self.retour.store.read().await?;
        let waiting = W::waiting(reading.db(), self.retour.now(), &|due| turns.are_filled_by(due)).await?;
        drop(reading);
        let shares = turns.shares(waiting);
        if shares.is_empty() {
            return Ok(None);
        }
        let workers = self.clone();
        let claim = async move {
            let now = workers.retour.now();
            let store = &workers.retour.store;
            let mut writing = if W::CLAIMED_IN_ONE { store.write_in_one().await? } else { store.write().await? };
            let claimed = W::claim(writing.db(), now, now.plus_seconds(W::HELD_FOR), (&shares, most)).await?;
            writing.commit().await?;
            Ok(claimed)
        };
        detached(claim).await.map(Some)
    }
}

/// Work that is under way.
#[derive(Debug, Default)]
struct RunningJobs {
    tasks: JoinSet<()>,
    accounts: HashMap<task::Id, AccountId>,
}

impl RunningJobs {
    /// How much more may begin.
    fn room(&self) -> usize {
        WIDTH.saturating_sub(self.accounts.len())
    }

    /// How much of an account may begin: nothing, if it has enough.
    fn share(&self, account: AccountId) -> usize {
        let under_way = self.accounts.values().filter(|known| **known == account).count();
        if under_way <= LOW { OF_ACCOUNT - under_way } else { 0 }
    }

    /// What may begin of each of these accounts; those that have enough are left out.
    fn shares(&self, waiting: Vec<AccountId>) -> Vec<(AccountId, usize)> {
        waiting.into_iter().map(|account| (account, self.share(account))).filter(|(_, share)| *share > 0).collect()
    }

    /// Whether what is due of these accounts, of each up to its share, takes all the room.
    fn are_filled_by(&self, due: &[(AccountId, usize)]) -> bool {
        due.iter().map(|(account, due)| self.share(*account).min(*due)).sum::<usize>() >= self.room()
    }

    /// Begins a piece of an account's work.
    fn begin(&mut self, account: AccountId, work: impl Future<Output = ()> + Send + 'static) {
        self.accounts.insert(self.tasks.spawn(work).id(), account);
    }

    /// Waits for the next piece to end; for ever, where there is none.
    async fn next_end(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => {
                self.accounts.remove(&ended.map_or_else(|error| error.id(), |(id, ())| id));
            }
            None => std::future::pending().await,
        }
    }

    /// Waits for what is under way; `false` where it took too long and was cut off.
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
