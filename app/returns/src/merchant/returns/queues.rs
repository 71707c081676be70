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
    accounts, found_parcels,
    lists::List,
    queues::{self, CountedPart, Waiting},
    return_orders, return_requests, withdrawals,
};

/// A queue counts this many rows at most.
const MOST_COUNTED: i64 = 1_000;
/// Counts are kept for this long, seconds. What this instance writes ends them.
const KEPT_SECONDS: i64 = 1;
/// The queues that are the same for everybody and have no stages.
const OF_NO_STAGE: [Queue; 4] = [Queue::ToApprove, Queue::Withdrawn, Queue::WithoutPapers, Queue::Flagged];

impl MerchantHandle<'_> {
    /// The queues, in the order in which staff see them: how many rows wait, since when, and how many for too long.
    pub async fn queues(self) -> Result<view::List<view::QueueView>> {
        let account = self.own_account().await?;
        let changes = || self.retour.store.changes().all(account.id);
        let fresh = Freshness { now: self.retour.now(), seconds: KEPT_SECONDS, changes };
        let (silent, by_stage) = self.parts(&account);
        let count = Box::pin(async {
            // Each reads with a connection of its own.
            let (by_stage, silent, others) = tokio::try_join!(
                self.count_parts(&account, &by_stage),
                self.count_parts(&account, &silent),
                self.count(&account, &OF_NO_STAGE),
            )?;
            Ok([by_stage, silent, others].concat())
        });
        let counted = self.retour.queue_counts.get(account.id, (), fresh, count);
        let (mut counted, own) = tokio::try_join!(counted, Box::pin(self.count(&account, &[Queue::Mine])))?;
        counted.extend(own);
        let shown = |queue: Queue| {
            let parts = counted.iter().filter(|(counted, _)| *counted == queue);
            let waiting = parts.fold(Waiting::default(), |all, (_, part)| all.and(*part, MOST_COUNTED));
            let (rows, target) = (self.rows_of(queue), queue.target_hours(&account.policy.queue_targets));
            view::QueueView::new(queue, waiting, target, rows.list.name, rows.filters)
        };
        Ok(view::List::whole(Queue::ALL.iter().copied().map(shown).collect()))
    }

    /// The account, read by a connection that is free again.
    pub(super) async fn own_account(self) -> Result<Account> {
        let mut reading = self.retour.store.read().await?;
        accounts::find(reading.db(), self.staff.account()).await?.ok_or(Error::NotFound)
    }

    /// The parts of the queues: first those that count parcels without news, then the others.
    fn parts(self, account: &Account) -> (Vec<QueueOfPart>, Vec<QueueOfPart>) {
        let now = self.retour.now();
        let parts = Queue::OF_REQUESTS.into_iter().flat_map(|queue| {
            let target = over_target_before(account, queue, now);
            let parts = queue.parts(now, account.is_settled_by_its_shop()).into_iter();
            parts.map(move |part| (queue, CountedPart { part, target }))
        });
        parts.partition(|(_, counted)| counted.part.without_news_since.is_some())
    }

    async fn count_parts(self, account: &Account, parts: &[QueueOfPart]) -> Result<Vec<(Queue, Waiting)>> {
        let counted: Vec<CountedPart> = parts.iter().map(|(_, part)| *part).collect();
        let mut reading = self.retour.store.read().await?;
        let counted = queues::count_parts(reading.db(), account.id, &counted, MOST_COUNTED).await?;
        Ok(parts.iter().map(|(queue, _)| *queue).zip(counted).collect())
    }

    async fn count(self, account: &Account, queues: &[Queue]) -> Result<Vec<(Queue, Waiting)>> {
        let mut reading = self.retour.store.read().await?;
        let now = self.retour.now();
        let mut all = Vec::with_capacity(queues.len());
        for queue in queues.iter().copied() {
            let target = over_target_before(account, queue, now);
            let (db, id) = (reading.db(), account.id);
            let waiting = match queue {
                Queue::ToApprove => queues::count_proposals(db, id, target, MOST_COUNTED).await?,
                Queue::Withdrawn => queues::count_withdrawn(db, id, target, MOST_COUNTED).await?,
                Queue::WithoutPapers => queues::count_found_parcels(db, id, target, MOST_COUNTED).await?,
                Queue::Mine => queues::count_assigned(db, id, UserId(self.staff.id()), MOST_COUNTED).await?,
                Queue::Flagged => queues::count_flagged(db, id, MOST_COUNTED).await?,
                _ => continue, // counted by stage
            };
            all.push((queue, waiting));
        }
        Ok(all)
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

/// A part of a queue.
type QueueOfPart = (Queue, CountedPart);

/// Where the rows of a queue are listed.
struct QueueRows {
    list: &'static List,
    filters: Vec<String>,
}

fn over_target_before(account: &Account, queue: Queue, now: Timestamp) -> Option<Timestamp> {
    queue.over_target_before(&account.policy.queue_targets, &account.time_zone, now)
}

fn one_of(field: &str, words: &[&str]) -> String {
    format!("{field}:{}", words.join("|"))
}

fn in_progress() -> Vec<&'static str> {
    ReturnOrderStatus::IN_PROGRESS.map(ReturnOrderStatus::name).to_vec()
}

fn open_withdrawals() -> [&'static str; 2] {
    [WithdrawalStatus::Received.name(), WithdrawalStatus::OrderFound.name()]
}
