//! Work of every account, some of it at a time: however much or slow one account's is, the others' goes on.

use domain::AccountId;
use std::{collections::HashMap, future::Future, time::Duration};
use tokio::{
    task::{self, JoinSet},
    time::timeout,
};

/// Pieces of work at a time.
const WIDTH: usize = 32;
/// Those of them that one account may have.
const OF_ACCOUNT: usize = 8;
/// More of an account are claimed when no more than these are under way.
const LOW: usize = OF_ACCOUNT / 2;
/// How long work that is under way may take when the program is told to stop.
const GRACE: Duration = Duration::from_secs(12);

/// Work that is under way.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    tasks: JoinSet<()>,
    accounts: HashMap<task::Id, AccountId>,
}

impl Turns {
    /// How much more may begin.
    pub fn room(&self) -> usize {
        WIDTH.saturating_sub(self.accounts.len())
    }

    /// How much of each of these accounts may begin; nothing of those that have enough.
    pub fn shares(&self, waiting: Vec<AccountId>) -> Vec<(AccountId, usize)> {
        let of = |account| self.accounts.values().filter(|known| **known == account).count();
        let waiting = waiting.into_iter().map(|account| (account, of(account)));
        waiting.filter(|(_, under_way)| *under_way <= LOW).map(|(account, of)| (account, OF_ACCOUNT - of)).collect()
    }

    /// Begins a piece of an account's work.
    pub fn begin(&mut self, account: AccountId, work: impl Future<Output = ()> + Send + 'static) {
        self.accounts.insert(self.tasks.spawn(work).id(), account);
    }

    /// Waits for the next piece to end; for ever, where there is none.
    pub async fn next_end(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => {
                self.accounts.remove(&ended.map_or_else(|error| error.id(), |(id, ())| id));
            }
            None => std::future::pending().await,
        }
    }

    /// Waits for what is under way; `false` where it took too long and was cut off.
    pub async fn finish(mut self) -> bool {
        timeout(GRACE, async { while self.tasks.join_next().await.is_some() {} }).await.is_ok()
    }
}
