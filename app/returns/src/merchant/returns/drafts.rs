//! Drafts, which a merchant creates, accepts or rejects, and returns on behalf of a consumer.

use crate::{
    base::{Begun, Done, Error, IdempotencyKey, Result, Shopper, Staff, conclude, detached},
    drafting::{
        basis::{Basis, ChosenItems, Selection, Way},
        draft::check_open,
        overriding::{OverrideInput, checked_overrides},
        submission::What,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::party::Party;
use domain::{
    ConsumerId, DraftReturnOrderId, RefusalCode, ShippingOptionId, Timestamp,
    returning::{DraftReturnOrder, DraftStatus},
};
use store::{drafts, lists::Listing};

/// A return that staff make for a consumer, or its draft.
#[derive(Debug, Clone)]
pub struct ReturnForConsumer {
    /// The consumer.
    pub consumer: ConsumerId,
    /// The purchases to return.
    pub selections: Vec<Selection>,
    /// The shipping option; `None`: none yet.
    pub shipping_option: Option<ShippingOptionId>,
    /// The rules to override.
    pub overrides: Vec<OverrideInput>,
}

impl ReturnForConsumer {
    /// The consumer and the checked items.
    fn checked(self, staff: &Staff) -> Result<(Shopper, ChosenItems)> {
        let overrides = checked_overrides(self.overrides, staff).map_err(Error::Invalid)?;
        let shopper = Shopper { account: staff.account(), consumer: self.consumer };
        Ok((shopper, ChosenItems { selections: self.selections, way: Way::Chosen(self.shipping_option), overrides }))
    }
}

impl MerchantHandle<'_> {
    /// An account's drafts.
    pub async fn draft_return_orders(self, listing: &Listing) -> Result<view::List<view::Draft>> {
        let mut reading = self.retour.store.read().await?;
        let rows = drafts::list(reading.db(), self.staff.account(), listing).await?;
        let now = self.retour.now();
        Ok(view::List::new(listing.page, rows, |draft| as_it_is(draft, now).into()))
    }

    /// A draft.
    pub async fn draft_return_order(self, id: DraftReturnOrderId) -> Result<view::Draft> {
        let mut reading = self.retour.store.read().await?;
        let draft = drafts::find_of_anyone(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        Ok(as_it_is(draft, self.retour.now()).into())
    }

    /// Creates a draft for a consumer. The consumer or the merchant may submit it.
    pub async fn create_draft(self, new: ReturnForConsumer, key: Option<IdempotencyKey>) -> Result<Done<view::Draft>> {
        let (shopper, chosen) = new.checked(&self.staff)?;
        self.retour.draft_of(shopper, Basis::Chosen(chosen), key, Party::Staff(())).await.map_err(unknown_consumer)
    }

    /// Creates a return for a consumer: draft and submit in one step. It needs no review.
    pub async fn create_return_order(
        self,
        new: ReturnForConsumer,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let (shopper, chosen) = new.checked(&self.staff)?;
        let made = self.retour.submit_for(shopper, What::New(chosen), Party::Staff(self.staff), key).await;
        made.map_err(unknown_consumer)
    }

    /// Submits a consumer's draft for them. It needs no review. Accepting it again gives the same return order.
    pub async fn accept_draft(self, id: DraftReturnOrderId) -> Result<Done<view::ReturnOrderView>> {
        let mut reading = self.retour.store.read().await?;
        let found = drafts::find_of_anyone(reading.db(), self.staff.account(), id).await?.ok_or(Error::NotFound)?;
        drop(reading);
        let shopper = Shopper { account: self.staff.account(), consumer: found.consumer_id };
        self.retour.submit_for(shopper, What::Draft(id), Party::Staff(self.staff), None).await
    }

    /// Rejects a draft: it can no longer be submitted. Rejecting it again changes nothing.
    pub async fn reject_draft(self, id: DraftReturnOrderId) -> Result<Done<view::Draft>> {
        let (retour, account) = (self.retour.clone(), self.staff.account());
        detached(async move {
            let now = retour.now();
            let mut writing = match retour.begin(account, None).await? {
                Begun::New(writing) => writing,
                Begun::Before(done) => return Ok(done),
            };
            // The update locks the draft, so the read below sees its final state.
            let rejected = drafts::reject(writing.db(), account, id, now).await?;
            let draft = drafts::find_of_anyone(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
            if !rejected && draft.status != DraftStatus::Rejected {
                check_open(&draft, now)?;
            }
            conclude(writing, account, None, 200, draft.into()).await
        })
        .await
    }
}

/// Marks a draft as expired if its time is over and housekeeping has not done so yet.
fn as_it_is(mut draft: DraftReturnOrder, now: Timestamp) -> DraftReturnOrder {
    if draft.status == DraftStatus::Open && draft.expires_at <= now {
        draft.status = DraftStatus::Expired;
    }
    draft
}

/// The consumer's id comes from the body, so an unknown one is an invalid field and not a missing resource.
fn unknown_consumer(error: Error) -> Error {
    match error {
        Error::NotFound => {
            Error::invalid("consumerId", RefusalCode::NotAllowed, "expected the id of one of the account's consumers")
        }
        error => error,
    }
}
