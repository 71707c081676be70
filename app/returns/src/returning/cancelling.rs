//! Cancels a return, for its consumer or the merchant.

use super::{
    change::{Change, Returned},
    step::states,
    worked::record_work,
};
use crate::{
    base::{Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, conclude, detached},
    view,
};
use domain::party::Party;
use domain::{AccountId, ConsumerId, ReturnOrderId, party::Actor, returning};

impl Retour {
    /// Cancels a return order, for its consumer or the merchant.
    pub(crate) async fn cancel_return(
        &self,
        account: AccountId,
        party: Party<ConsumerId, Staff>,
        id: ReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let retour = self.clone();
        let once =
            async move { again_on_deadlock(|| retour.cancel_return_once(account, party, id, key.as_ref())).await };
        detached(once).await
    }

    async fn cancel_return_once(
        &self,
        account: AccountId,
        party: Party<ConsumerId, Staff>,
        id: ReturnOrderId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let now = self.now();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = Returned::lock(&mut writing, account, id).await?;
        let (actor, staff, is_theirs) = match party {
            Party::Consumer(id) => {
                (Actor::Consumer, None, found.as_ref().is_some_and(|found| found.order.consumer_id == id))
            }
            Party::Staff(staff) => (Actor::Merchant, staff.actor_id(), true),
        };
        let mut returned = found.filter(|_| is_theirs).ok_or(Error::NotFound)?;
        let settings = store::accounts::find(writing.db(), account).await?.ok_or(Error::NotFound)?;
        let change =
            Change { retour: self, account: &settings, now, actor, staff, comment: String::new(), parcel: None };
        let mut steps = returning::cancel(&states(&returned.requests), &change.context())?;
        // Units are released in the order in which a submit takes them, so that the two do not deadlock.
        steps.sort_by_key(|&(index, _)| returned.request(index).map(|request| request.purchase_id).ok());
        if !steps.is_empty() {
            if let Party::Staff(staff) = &party {
                record_work(&mut writing, staff, id, now).await?;
            }
            for (index, step) in steps {
                change.write_step(&mut writing, &mut returned, index, step, actor).await?;
            }
            change.follow_up(&mut writing, &mut returned).await?;
        }
        let shown = view::ReturnOrderView::from(returned.order);
        let shown = match party {
            Party::Consumer(_) => shown.seen_by(&returned.consumer),
            Party::Staff(_) => shown,
        };
        let done = conclude(writing, account, key, 200, shown).await;
        self.finish_erasures_soon();
        done
    }
}
