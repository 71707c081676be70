//! Applies deadlines: missing photos and payments, expired labels, missing units (docs/policy.md).
//!
//! Every instance looks for overdue returns. If two find the same one, the second waits for the first and then finds
//! nothing to do.

use super::handle::Workers;
use domain::{AccountId, ReturnOrderId, party::Actor, returning::ReturnRequest};
use returns::{
    Result,
    internals::{Change, OrBroken, Returned, again_on_deadlock, detached},
};
use std::{future::Future, time::Duration};
use store::{accounts, return_requests};
use tokio::time::{MissedTickBehavior, interval};

/// How often to look for overdue returns.
const LOOK_EVERY: Duration = Duration::from_mins(1);
/// The most requests per look.
const AT_ONCE: u32 = 100;
/// The pause after a failure, seconds.
const LEFT_ALONE_FOR: i64 = 3_600;

impl Workers {
    /// Applies deadlines until `stop` is ready. A return in progress is then either completed or rolled back.
    pub async fn keep_deadlines(&self, stop: impl Future<Output = ()>) {
        let mut stop = std::pin::pin!(stop);
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = &mut stop => return,
                _ = look.tick() => {}
                () = self.retour.source().moved() => {}
            }
            let kept = tokio::select! {
                () = &mut stop => return,
                kept = self.clone().do_what_is_due() => kept,
            };
            if let Err(error) = kept {
                tracing::warn!(%error, "overdue returns could not be read; Retour tries again");
            }
        }
    }

    /// Applies all deadlines that have passed.
    pub async fn do_what_is_due(self) -> Result<()> {
        loop {
            let mut reading = self.retour.store().read().await?;
            let overdue = return_requests::overdue(reading.db(), self.retour.now(), AT_ONCE).await?;
            drop(reading);
            if overdue.is_empty() {
                return Ok(());
            }
            for (account, order) in overdue {
                let workers = self.clone();
                let done =
                    detached(async move { again_on_deadlock(|| workers.apply_deadlines_of(account, order)).await });
                if let Err(error) = done.await {
                    tracing::warn!(%account, %order, %error, "the deadlines of a return could not be applied; Retour tries again");
                    self.postpone_deadlines(account, order).await?;
                }
            }
        }
    }

    /// Does nothing if another instance has already applied the deadlines.
    async fn apply_deadlines_of(&self, account: AccountId, order: ReturnOrderId) -> Result<()> {
        // A request that expires may release the others of its return, which then need a label.
        let parcel = Some(self.retour.parcel_number(account).await?);
        let mut writing = self.retour.store().write().await?;
        let mut returned = Returned::lock(&mut writing, account, order).await?.or_broken()?;
        let account = accounts::find(writing.db(), account).await?.or_broken()?;
        let now = self.retour.now();
        if let Some(payment) = &returned.order.payment
            && let Some(until) = self.retour.may_be_paid_until(&mut writing, account.id, order, payment).await?
        {
            return_requests::put_off(writing.db(), account.id, order, now, until).await?;
            return Ok(writing.commit().await?);
        }
        let (actor, comment) = (Actor::System, String::new());
        let change = Change { retour: &self.retour, account: &account, now, actor, staff: None, comment, parcel };
        let due = |request: &ReturnRequest| request.state.stage.deadline().filter(|(due, _)| *due <= now);
        let mut steps = Vec::new();
        for (index, request) in returned.requests.iter().enumerate() {
            if let Some((_, mv)) = due(request) {
                steps.push((request.purchase_id, index, request.state.apply(&mv, &change.context())?));
            }
        }
        if steps.is_empty() {
            // An instance of a version without deadlines may have moved a request on, so the due times are computed
            // again.
            for request in &returned.requests {
                return_requests::set_due(writing.db(), account.id, request).await?;
            }
            return Ok(writing.commit().await?);
        }
        // Units are given back in the order in which a submit takes them, so the two cannot deadlock.
        steps.sort_by_key(|(purchase, ..)| *purchase);
        for (_, index, step) in steps {
            change.write_step(&mut writing, &mut returned, index, step, actor).await?;
        }
        change.follow_up(&mut writing, &mut returned).await?;
        writing.commit().await?;
        if returned.order.status.is_over() {
            self.retour.finish_erasures_soon();
        }
        Ok(())
    }

    /// Makes room for other returns.
    async fn postpone_deadlines(&self, account: AccountId, order: ReturnOrderId) -> Result<()> {
        let (now, store) = (self.retour.now(), self.retour.store().clone());
        detached(async move {
            let mut writing = store.write().await?;
            let until = now.plus_seconds(LEFT_ALONE_FOR);
            return_requests::put_off(writing.db(), account, order, now, until).await?;
            Ok(writing.commit().await?)
        })
        .await
    }
}
