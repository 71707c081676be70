//! Following up a return: seeing it, listing one's own, calling it off.

use super::consumer;
use crate::{
    Done, Error, IdempotencyKey, Page, Result, Retour, Shopper, Staff, again_on_deadlock,
    change::{Change, Returned, states},
    detached,
    idempotency::{Begun, conclude},
    merchant::{
        Expand,
        expand::{self, Audience},
    },
    view,
};
use domain::{
    AccountId, ConsumerId, ReturnOrderId,
    returning::{Actor, ReturnOrder},
    status,
};
use store::{Db, return_orders, return_requests};

/// Who calls a return off.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whoever {
    /// Whose it is.
    Consumer(ConsumerId),
    /// The merchant.
    Staff(Staff),
}

impl Retour {
    /// A consumer's return order.
    pub async fn own_return_order(
        &self,
        shopper: &Shopper,
        id: ReturnOrderId,
        asked: &[Expand],
    ) -> Result<view::ReturnOrderView> {
        let mut reading = self.store.read().await?;
        let order = own_order(reading.db(), shopper, id).await?;
        let consumer = consumer(reading.db(), shopper).await?;
        expand::one(reading.db(), shopper.account, order, (asked, Audience::Consumer(&consumer))).await
    }

    /// A consumer's return orders, newest first.
    pub async fn own_return_orders(
        &self,
        shopper: &Shopper,
        page: Page,
        asked: &[Expand],
    ) -> Result<view::List<view::ReturnOrderView>> {
        let mut reading = self.store.read().await?;
        let consumer = consumer(reading.db(), shopper).await?;
        let rows = return_orders::list_by_consumer(reading.db(), shopper.account, shopper.consumer, page).await?;
        expand::list(reading.db(), shopper.account, page, rows, (asked, Audience::Consumer(&consumer))).await
    }

    /// What happened to a consumer's return order, oldest first.
    pub async fn own_timeline(&self, shopper: &Shopper, id: ReturnOrderId) -> Result<Vec<view::TimelineEntryView>> {
        let mut reading = self.store.read().await?;
        own_order(reading.db(), shopper, id).await?;
        let entries = store::timeline::list_of_return_order(reading.db(), shopper.account, id).await?;
        // Failed calls to other systems are for the merchant's staff.
        Ok(entries.into_iter().filter(|entry| !entry.is_failed_attempt()).map(Into::into).collect())
    }

    /// Whether a consumer can still call a return order off.
    pub async fn can_cancel(&self, shopper: &Shopper, id: ReturnOrderId) -> Result<bool> {
        let mut reading = self.store.read().await?;
        own_order(reading.db(), shopper, id).await?;
        let requests = return_requests::list_of_return_orders(reading.db(), shopper.account, &[id]).await?;
        Ok(status::blocks_cancelling(&states(&requests)).is_none())
    }

    /// Calls a return order off, all or nothing: units are free again and the label is void.
    pub async fn cancel(
        &self,
        shopper: Shopper,
        id: ReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        self.call_off(shopper.account, Whoever::Consumer(shopper.consumer), id, key).await
    }

    /// Calls a return order off, for the consumer whose it is, or for the merchant.
    pub(crate) async fn call_off(
        &self,
        account: AccountId,
        whoever: Whoever,
        id: ReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let retour = self.clone();
        let once = async move { again_on_deadlock(|| retour.call_off_once(account, whoever, id, key.as_ref())).await };
        detached(once).await
    }

    async fn call_off_once(
        &self,
        account: AccountId,
        whoever: Whoever,
        id: ReturnOrderId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let now = self.now();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = Returned::lock(&mut writing, account, id).await?;
        let (actor, staff, is_theirs) = match whoever {
            Whoever::Consumer(id) => {
                (Actor::Consumer, None, found.as_ref().is_some_and(|found| found.order.consumer_id == id))
            }
            Whoever::Staff(staff) => (Actor::Merchant, staff.actor_id(), true),
        };
        let mut returned = found.filter(|_| is_theirs).ok_or(Error::NotFound)?;
        let settings = store::accounts::find(writing.db(), account).await?.ok_or(Error::NotFound)?;
        let change =
            Change { retour: self, account: &settings, now, actor, staff, comment: String::new(), parcel: None };
        let mut steps = status::cancel(&states(&returned.requests), &change.context())?;
        // Units are given back in the order in which a submit takes them: neither waits for the other in a circle.
        steps.sort_by_key(|&(index, _)| returned.request(index).map(|request| request.purchase_id).ok());
        if !steps.is_empty() {
            for step in steps {
                change.write_step(&mut writing, &mut returned, step, actor).await?;
            }
            change.follow_up(&mut writing, &mut returned).await?;
        }
        let shown = view::ReturnOrderView::from(returned.order);
        let shown = match whoever {
            Whoever::Consumer(_) => shown.seen_by(&returned.consumer),
            Whoever::Staff(_) => shown,
        };
        let done = conclude(writing, account, key, 200, shown).await;
        self.finish_erasures_soon();
        done
    }
}

/// A consumer's return order. Another consumer's is nothing that exists.
pub(crate) async fn own_order(db: Db<'_>, shopper: &Shopper, id: ReturnOrderId) -> Result<ReturnOrder> {
    let found = return_orders::find(db, shopper.account, id).await?;
    found.filter(|order| order.consumer_id == shopper.consumer).ok_or(Error::NotFound)
}
