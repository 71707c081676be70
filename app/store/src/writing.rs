//! A transaction that writes, with the outbox: timeline entries and events are stored in the transaction of what they
//! report.

use crate::{
    engine::{Db, Result, Store, Transaction, changes::ChangeCounts, due::Due, due::Subscribed},
    tables::{
        returning::timeline::NewEntry,
        service::audit,
        webhooks::events::{self, Event},
        work::shop_returns,
    },
};

use domain::{AccountId, ReturnOrderId, Timestamp, audit::AuditEntry, stage::StageName};
use std::collections::BTreeSet;

/// A transaction that writes. Dropping it rolls back.
#[derive(Debug)]
pub struct Writing {
    transaction: Transaction,
    /// Stored in one go at the commit: most of a change's rows are these.
    entries: Vec<NewEntry>,
    events: Vec<Event>,
    audit: Vec<(AccountId, AuditEntry)>,
    /// In a box: a transaction is a part of many futures.
    after: Box<AfterCommit>,
    begins_return: bool,
    /// In a box, too: most transactions have none.
    changed_returns: Option<Box<ChangedReturns>>,
}

/// What this program does once the transaction is committed.
#[derive(Debug)]
struct AfterCommit {
    /// Subscriptions to wake the sender for.
    woken: Vec<Subscribed>,
    due: Due,
    /// Accounts whose rows the transaction changes, each with whether it changes what their figures add up. Few: mostly one.
    changed: Vec<(AccountId, bool)>,
    changes: ChangeCounts,
}

/// Return orders that their shop may show, too.
#[derive(Debug)]
struct ChangedReturns {
    orders: BTreeSet<(AccountId, ReturnOrderId)>,
    at: Timestamp,
}

impl Store {
    /// A transaction that writes. On SQLite it has the writer for itself until it commits, so it awaits nothing but
    /// SQL.
    pub async fn write(&self) -> Result<Writing> {
        let transaction = self.begin().await?;
        self.count_transaction();
        Ok(Writing::new(transaction, self))
    }

    /// The same for a single statement, which on Postgres is a transaction by itself.
    pub async fn write_in_one(&self) -> Result<Writing> {
        Ok(Writing::new(self.begin_for_one_statement().await?, self))
    }
}

impl Writing {
    fn new(transaction: Transaction, store: &Store) -> Self {
        Self {
            transaction,
            entries: Vec::new(),
            events: Vec::new(),
            audit: Vec::new(),
            after: Box::new(AfterCommit {
                woken: Vec::new(),
                due: store.due().clone(),
                changed: Vec::new(),
                changes: store.changes().clone(),
            }),
            begins_return: false,
            changed_returns: None,
        }
    }

    /// The connection to run queries on.
    pub fn db(&mut self) -> Db<'_> {
        self.transaction.db()
    }

    /// Adds an entry to a return's timeline at the commit.
    pub fn add_timeline_entry(&mut self, entry: NewEntry) {
        self.entries.push(entry);
    }

    /// Adds an entry to the account's audit log at the commit.
    pub fn add_audit_entry(&mut self, account: AccountId, entry: AuditEntry) {
        self.audit.push((account, entry));
    }

    /// Says that all entries and events belong to a return that begins: it has no earlier ones.
    pub fn begins_return(&mut self) {
        self.begins_return = true;
    }

    /// Stores an event and its deliveries at the commit.
    pub fn publish(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Has a return order compared with what its shop shows of it, soon after the commit.
    pub fn compare_with_shop(&mut self, account: AccountId, order: ReturnOrderId, now: Timestamp) {
        let new = || Box::new(ChangedReturns { orders: BTreeSet::new(), at: now });
        self.changed_returns.get_or_insert_with(new).orders.insert((account, order));
    }

    /// Says that it changes rows of the account. The account of an entry or an event is known.
    pub fn changes(&mut self, account: AccountId) {
        self.after.changed.push((account, false));
    }

    /// Says that it changes what the figures of the account add up. The completion of a request is known.
    pub fn changes_figures(&mut self, account: AccountId) {
        self.after.changed.push((account, true));
    }

    /// Wakes the sender of a subscription after the commit.
    pub fn wake_sender(&mut self, subscribed: Subscribed) {
        self.after.woken.push(subscribed);
    }

    /// Commits. When this returns, everything is on disk.
    pub async fn commit(mut self) -> Result<()> {
        let (mut entries, mut events) = (std::mem::take(&mut self.entries), std::mem::take(&mut self.events));
        if !self.begins_return {
            events::put_in_order(self.db(), &mut entries, &mut events).await?;
        }
        let subscribed = events::insert(self.db(), &entries, &events).await?;
        // The row of a return that begins is due already.
        if let Some(changed) = self.changed_returns.take().filter(|_| !self.begins_return) {
            shop_returns::wake(self.db(), &changed.orders, changed.at).await?;
        }
        let audit = std::mem::take(&mut self.audit);
        audit::insert(self.db(), &audit).await?;
        let AfterCommit { woken, due, mut changed, changes } = *self.after;
        changed.extend(entries.iter().map(|entry| (entry.account_id, is_of_figures(entry))));
        changed.extend(events.iter().map(|event| (event.account_id, false)));
        changed.sort_unstable();
        changed.dedup();
        let committed = self.transaction.commit().await;
        // Also after an error, which does not say whether the change is stored.
        for (account, of_figures) in changed {
            changes.add(account, of_figures);
        }
        committed?;
        due.add(subscribed.into_iter().chain(woken));
        Ok(())
    }
}

/// Whether a request is completed, or no longer is.
fn is_of_figures(NewEntry { entry, .. }: &NewEntry) -> bool {
    [entry.from, Some(entry.to)].contains(&Some(StageName::ResolutionCompleted))
}
