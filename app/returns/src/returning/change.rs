//! A change of a return order, and the locked return order itself.

use crate::base::{OrBroken, Result, Retour, parcel_numbers::ParcelNumber};
use domain::{
    AccountId, PurchaseId, ReturnOrderId, ReturnRequestId, Timestamp,
    account::Account,
    party::Actor,
    returning::{DraftItem, DraftReturnOrder, ReturnOrder, ReturnRequest},
    stage::StageContext,
};
use store::{
    Db, Writing,
    consumers::{self, Consumer},
    drafts, return_orders, return_requests,
};
use uuid::Uuid;

/// A locked return order with its consumer, all its requests and the draft that fixed its amounts.
pub struct Returned {
    /// The return order.
    pub order: ReturnOrder,
    /// Its consumer.
    pub consumer: Consumer,
    /// Its requests.
    pub requests: Vec<ReturnRequest>,
    /// The draft that fixed its amounts.
    pub draft: DraftReturnOrder,
    /// Whether it has no rows yet. A submit writes the rows once, after all steps.
    pub is_new: bool,
}

impl Returned {
    /// Locks the return order with this id until the transaction ends. Other changes of it wait.
    pub async fn lock(writing: &mut Writing, account: AccountId, id: ReturnOrderId) -> Result<Option<Self>> {
        match return_orders::lock(writing.db(), account, id).await? {
            Some(order) => Ok(Some(Self::of(writing.db(), account, order).await?)),
            None => Ok(None),
        }
    }

    /// Locks the return order that has this request.
    pub(crate) async fn lock_with(
        writing: &mut Writing,
        account: AccountId,
        id: ReturnRequestId,
    ) -> Result<Option<Self>> {
        let Some(found) = return_requests::find(writing.db(), account, id).await? else { return Ok(None) };
        Ok(Some(Self::lock(writing, account, found.return_order_id).await?.or_broken()?))
    }

    /// Reads the return order without a lock, for a preview.
    pub(crate) async fn read(mut db: Db<'_>, account: AccountId, id: ReturnOrderId) -> Result<Option<Self>> {
        match return_orders::find(db.reborrow(), account, id).await? {
            Some(order) => Ok(Some(Self::of(db, account, order).await?)),
            None => Ok(None),
        }
    }

    async fn of(mut db: Db<'_>, account: AccountId, order: ReturnOrder) -> Result<Self> {
        let requests = return_requests::list_of_return_orders(db.reborrow(), account, &[order.id]).await?;
        let (owner, draft) = (order.consumer_id, order.draft_return_order_id);
        let consumer = consumers::find(db.reborrow(), account, owner).await?.or_broken()?;
        let draft = drafts::find(db, account, owner, draft).await?.or_broken()?;
        Ok(Self { order, consumer, requests, draft, is_new: false })
    }

    /// The draft item of a purchase.
    pub fn item(&self, purchase: PurchaseId) -> Result<&DraftItem> {
        self.draft.items.iter().find(|item| item.purchase_id == purchase).or_broken()
    }

    /// The place of a request in the return order.
    pub(crate) fn index_of(&self, id: ReturnRequestId) -> Result<usize> {
        self.requests.iter().position(|request| request.id == id).or_broken()
    }

    /// The request at this place.
    pub fn request(&self, index: usize) -> Result<&ReturnRequest> {
        self.requests.get(index).or_broken()
    }
}

/// A change in progress: its account, its time and the party that makes it.
pub struct Change<'a> {
    /// The application.
    pub retour: &'a Retour,
    /// The account of the return.
    pub account: &'a Account,
    /// The time of the change.
    pub now: Timestamp,
    /// The party that makes it.
    pub actor: Actor,
    /// The user or service user who makes the change, if staff do.
    pub staff: Option<Uuid>,
    /// The reason in the words of the party that makes the change; may be empty.
    pub comment: String,
    /// A number for a parcel, if the change may create one.
    pub parcel: Option<ParcelNumber>,
}

impl Change<'_> {
    /// What the rules of a stage depend on, besides the request.
    pub fn context(&self) -> StageContext<'_> {
        StageContext { policy: &self.account.policy, zone: &self.account.time_zone, now: self.now }
    }

    pub(crate) fn id(&self) -> AccountId {
        self.account.id
    }
}
