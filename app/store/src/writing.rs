//! A transaction that writes, with the outbox: timeline entries and events are stored in the transaction of what they
//! report.

use crate::{
    engine::{Db, Result, Store, Transaction, due::Due, due::Subscribed},
    tables::{
        returning::timeline::NewEntry,
        service::audit,
        webhooks::events::{self, Event},
        work::shop_returns,
    },
};

use domain::{AccountId, ReturnOrderId, Timestamp, audit::AuditEntry};
use std::collections::BTreeSet;

/// A transaction that writes. Dropping it rolls back.
#[derive(Debug)]
pub struct Writing {
    transaction: Transaction,
    /// Stored in one go at the commit: most of a change's rows are these.
    entries: Vec<NewEntry>,
    events: Vec<Event>,
    audit: Vec<(AccountId, AuditEntry)>,
    /// Subscriptions to wake the sender for after the commit.
    woken: Vec<Subscribed>,
    due: Due,
    begins_return: bool,
    /// In a box: most transactions have none, and a transaction is a part of many futures.
    changed_returns: Option<Box<ChangedReturns>>,
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
        Ok(Writing::new(self.begin().await?, self.due().clone()))
    }

    /// The same for a single statement, which on Postgres is a transaction by itself.
    pub async fn write_in_one(&self) -> Result<Writing> {
        Ok(Writing::new(self.begin_for_one_statement().await?, self.due().clone()))
    }
}

impl Writing {
    fn new(transaction: Transaction, due: Due) -> Self {
        Self {
            transaction,
            entries: Vec::new(),
            events: Vec::new(),
            audit: Vec::new(),
            woken: Vec::new(),
            due,
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

    /// Wakes the sender of a subscription after the commit.
    pub fn wake_sender(&mut self, subscribed: Subscribed) {
        self.woken.push(subscribed);
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
        self.transaction.commit().await?;
        self.due.add(subscribed.into_iter().chain(self.woken));
        Ok(())
    }
}
