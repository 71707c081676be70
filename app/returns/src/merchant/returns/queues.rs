//! The queues of an account's staff.

use crate::{
    base::{Error, Result, count_cache::Freshness},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    Timestamp, UserId,
    account::Account,
    returning::{FoundParcelStatus, ProposalKind, ReturnOrderStatus},
    stage::Queue,
    withdrawal::WithdrawalStatus,
};
use store::{
    Db, accounts, found_parcels,
    lists::List,
    queues::{self, Waiting},
    return_orders, return_requests, withdrawals,
};

/// A queue counts this many rows at most.
const MOST_COUNTED: i64 = 1_000;
/// Counts are kept for this long, seconds. What this instance writes ends them.
const KEPT_SECONDS: i64 = 1;
/// The queues that are the same for everybody.
const OF_ALL: [Queue; 13] = [
    Queue::ToDecide,
    Queue::WaitingForCustomer,
    Queue::LabelTrouble,
    Queue::LateOnTheWay,
    Queue::ArrivedNotCounted,
    Queue::ToInspect,
    Queue::ToApprove,
    Queue::ToSettle,
    Queue::ToPay,
    Queue::PaymentFailed,
    Queue::Withdrawn,
    Queue::WithoutPapers,
    Queue::Flagged,
];

impl MerchantHandle<'_> {
    /// The queues, in the order in which staff see them: how many rows wait, since when, and how many for too long.
    pub async fn queues(self) -> Result<view::List<view::QueueView>> {
        let account = self.own_account().await?;
        let changes = || self.retour.store.changes().all(account.id);
        let fresh = Freshness { now: self.retour.now(), seconds: KEPT_SECONDS, changes };
        // Two connections read at a time.
        let (first, second) = OF_ALL.split_at(OF_ALL.len() / 2);
        let count = async {
            let (first, second) = tokio::try_join!(self.count(&account, first), self.count(&account, second))?;
            Ok([first, second].concat())
        };
        let mut counted = self.retour.queue_counts.get(account.id, (), fresh, count).await?;
        counted.extend(self.count(&account, &[Queue::Mine]).await?);
        let shown = |queue: Queue| {
            let (_, waiting) = counted.iter().find(|(counted, _)| *counted == queue)?;
            let (rows, target) = (self.rows_of(queue), queue.target_hours(&account.policy.queue_targets));
            Some(view::QueueView::new(queue, *waiting, target, rows.list.name, rows.filters))
        };
        Ok(view::List::whole(Queue::ALL.iter().copied().filter_map(shown).collect()))
    }

    /// The account, read by a connection that is free again.
    pub(super) async fn own_account(self) -> Result<Account> {
        let mut reading = self.retour.store.read().await?;
        accounts::find(reading.db(), self.staff.account()).await?.ok_or(Error::NotFound)
    }

    async fn count(self, account: &Account, queues: &[Queue]) -> Result<Vec<(Queue, Waiting)>> {
        let mut reading = self.retour.store.read().await?;
        let now = self.retour.now();
        let mut all = Vec::with_capacity(queues.len());
        for queue in queues.iter().copied() {
            let waiting = self.waiting(reading.db(), account, queue, now).await?;
            all.push((queue, waiting));
        }
        Ok(all)
    }

    async fn waiting(self, mut db: Db<'_>, account: &Account, queue: Queue, now: Timestamp) -> Result<Waiting> {
        let target = queue.over_target_before(&account.policy.queue_targets, &account.time_zone, now);
        let waiting = match queue {
            Queue::ToApprove => queues::count_proposals(db, account.id, target, MOST_COUNTED).await?,
            Queue::Withdrawn => queues::count_withdrawn(db, account.id, target, MOST_COUNTED).await?,
            Queue::WithoutPapers => queues::count_found_parcels(db, account.id, target, MOST_COUNTED).await?,
            Queue::Mine => queues::count_assigned(db, account.id, UserId(self.staff.id()), MOST_COUNTED).await?,
            Queue::Flagged => queues::count_flagged(db, account.id, MOST_COUNTED).await?,
            queue => {
                let mut waiting = Waiting::default();
                for part in queue.parts(now, account.is_settled_by_its_shop()) {
                    let more = queues::count(db.reborrow(), account.id, &part, target, MOST_COUNTED).await?;
                    waiting = waiting.and(more, MOST_COUNTED);
                }
                waiting
            }
        };
        Ok(waiting)
    }

    /// The list that has the rows of a queue.
    fn rows_of(self, queue: Queue) -> QueueRows {
        let (list, filters) = match queue {
            Queue::ToApprove => {
                let kinds: Vec<&str> = ProposalKind::all().iter().map(|kind| kind.name()).collect();
                (&return_requests::LIST, vec![one_of("proposal", &kinds)])
            }
            Queue::Withdrawn => (&withdrawals::LIST, vec![one_of("status", &open_withdrawals())]),
            Queue::WithoutPapers => (&found_parcels::LIST, vec![one_of("status", &[FoundParcelStatus::Open.name()])]),
            Queue::Mine => (
                &return_orders::LIST,
                vec![format!("assigneeId:{}", self.staff.id()), one_of("status", &in_progress())],
            ),
            Queue::Flagged => (&return_orders::LIST, vec!["flagged:true".to_owned(), one_of("status", &in_progress())]),
            queue => (&return_requests::LIST, vec![one_of("queue", &[queue.name()])]),
        };
        QueueRows { list, filters }
    }
}

/// Where the rows of a queue are listed.
struct QueueRows {
    list: &'static List,
    filters: Vec<String>,
}

fn one_of(field: &str, words: &[&str]) -> String {
    format!("{field}:{}", words.join("|"))
}

fn in_progress() -> Vec<&'static str> {
    ReturnOrderStatus::in_progress().map(ReturnOrderStatus::name).collect()
}

fn open_withdrawals() -> [&'static str; 2] {
    [WithdrawalStatus::Received.name(), WithdrawalStatus::OrderFound.name()]
}
