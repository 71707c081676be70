//! Drafts, which a merchant creates, accepts or rejects, and returns on behalf of a consumer.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Scope, Shopper, Staff, again_on_deadlock, audit,
        conclude, detached,
    },
    drafting::{
        basis::{Basis, ChosenItems, Selection, Way},
        draft::{check_open, hold},
        overriding::{OverrideInput, checked_overrides},
        submission::What,
    },
    merchant::handle::MerchantHandle,
    view,
};
use domain::party::Party;
use domain::{
    ConsumerId, DraftReturnOrderId, Refusal, RefusalCode, ShippingOptionId, Timestamp,
    audit::AuditAction,
    returning::{DraftReturnOrder, DraftStatus},
};
use store::{consumers, drafts, lists::Listing, mail_tasks};

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
        let overriding = (!self.overrides.is_empty()).then_some(*staff);
        if overriding.is_some() {
            staff.check(Scope::Override)?;
        }
        let overrides = checked_overrides(self.overrides, staff).map_err(Error::Invalid)?;
        let shopper = Shopper { account: staff.account(), consumer: self.consumer };
        Ok((
            shopper,
            ChosenItems { selections: self.selections, way: Way::Chosen(self.shipping_option), overrides, overriding },
        ))
    }
}

/// How long a draft is kept whose link was mailed.
const MAILED_DRAFT_DAYS: u32 = 7;

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
        self.retour
            .draft_of(shopper, Basis::Chosen(Box::new(chosen)), key, Party::Staff(()))
            .await
            .map_err(unknown_consumer)
    }

    /// Creates a return for a consumer: draft and submit in one step. It needs no review.
    pub async fn create_return_order(
        self,
        new: ReturnForConsumer,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let (shopper, chosen) = new.checked(&self.staff)?;
        let made = self.retour.submit_for(shopper, What::New(Box::new(chosen)), Party::Staff(self.staff), key).await;
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

    /// Mails the consumer a link to an open draft, and keeps the draft for a week. A repeated request sends the link
    /// again.
    pub async fn mail_draft(self, id: DraftReturnOrderId, key: Option<IdempotencyKey>) -> Result<Done<view::Draft>> {
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.mail_draft_once(&staff, id, key.as_ref())).await }).await
    }

    /// Rejects a draft: it can no longer be submitted. Rejecting it again changes nothing.
    pub async fn reject_draft(self, id: DraftReturnOrderId) -> Result<Done<view::Draft>> {
        let (retour, staff, account) = (self.retour.clone(), self.staff, self.staff.account());
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
            if rejected {
                audit::record(&mut writing, &staff, now, AuditAction::DraftRejected, id, None, None);
            }
            conclude(writing, account, None, 200, draft.into()).await
        })
        .await
    }
}

impl Retour {
    async fn mail_draft_once(
        &self,
        staff: &Staff,
        id: DraftReturnOrderId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::Draft>> {
        let (now, account) = (self.now(), staff.account());
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let draft = drafts::find_of_anyone(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        hold(&mut writing, &Shopper { account, consumer: draft.consumer_id }).await?;
        check_open(&draft, now)?;
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let consumer = consumers::find(writing.db(), account, draft.consumer_id).await?.or_broken()?;
        let obstacle = if !self.mails(&settings) {
            Some("This account sends no mail: the operator has set no mail server, or the policy's mail is false.")
        } else if consumer.email.is_empty() {
            Some("The consumer has no e-mail address.")
        } else {
            None
        };
        if let Some(message) = obstacle {
            return Err(Refusal::new(RefusalCode::NotAllowed, message).into());
        }
        let until = now.plus_days(MAILED_DRAFT_DAYS);
        if !drafts::extend(writing.db(), account, id, until, now).await? {
            return Err(Error::broken()); // the draft is read in the same transaction, after the consumer was locked
        }
        mail_tasks::invite(writing.db(), account, id, "", now).await?;
        audit::record(&mut writing, staff, now, AuditAction::DraftMailed, id, None, None);
        let draft = DraftReturnOrder { expires_at: until, updated_at: now, ..draft };
        conclude(writing, account, key, 200, draft.into()).await
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
