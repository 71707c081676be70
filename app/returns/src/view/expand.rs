//! Expands related objects, for a whole page of resources with one statement for each kind.

use crate::{
    base::{Error, Result},
    view,
};
use domain::party::Party;
use domain::{
    AccountId, ConsumerId, DraftReturnOrderId, ReturnOrderId,
    returning::{DraftReturnOrder, ReturnOrder, ReturnRequest, Shipment},
};
use std::collections::HashMap;
use store::{
    Db,
    consumers::{self, Consumer},
    drafts,
    page::{Page, Rows},
    return_requests, shipments,
};

/// Related objects that `expand` can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expand {
    /// The consumer in place of its id.
    Consumer,
    /// A return order's shipments.
    Shipments,
    /// A return order's return requests.
    ReturnRequests,
    /// The draft that a return order was made from, in place of its id.
    DraftReturnOrder,
}

/// Who reads the response. A consumer sees less than staff.
pub type Audience<'a> = Party<&'a Consumer>;

/// Return orders with the expanded objects.
pub(crate) async fn return_orders(
    db: Db<'_>,
    account: AccountId,
    page: Page,
    rows: Rows<ReturnOrder>,
    expand: &[Expand],
    audience: Audience<'_>,
) -> Result<view::List<view::ReturnOrderView>> {
    let mut beside = Beside::load(db, account, &rows.rows, expand).await?;
    let shown: Result<Vec<_>> = rows.rows.into_iter().map(|order| beside.show(order, audience)).collect();
    Ok(view::List::new(page, Rows { rows: shown?, next: rows.next }, |order| order))
}

/// One return order with the expanded objects.
pub async fn return_order(
    db: Db<'_>,
    account: AccountId,
    order: ReturnOrder,
    expand: &[Expand],
    audience: Audience<'_>,
) -> Result<view::ReturnOrderView> {
    let mut beside = Beside::load(db, account, std::slice::from_ref(&order), expand).await?;
    beside.show(order, audience)
}

/// Expands objects in return requests.
pub(crate) async fn requests(
    db: Db<'_>,
    account: AccountId,
    requests: &mut [view::ReturnRequestView],
    expand: &[Expand],
) -> Result<()> {
    if !expand.contains(&Expand::Consumer) {
        return Ok(());
    }
    let consumers = load_consumers(db, account, requests.iter().map(|request| request.consumer_id.id())).await?;
    for request in requests {
        let consumer = consumers.get(&request.consumer_id.id()).cloned().ok_or(Error::NotFound)?;
        request.consumer_id = view::Expandable::Object(Box::new(consumer.into()));
    }
    Ok(())
}

/// The expanded objects of a page of return orders; `None` if `expand` does not name them.
struct Beside {
    consumers: Option<HashMap<ConsumerId, Consumer>>,
    shipments: Option<HashMap<ReturnOrderId, Vec<Shipment>>>,
    requests: Option<HashMap<ReturnOrderId, Vec<ReturnRequest>>>,
    drafts: Option<HashMap<DraftReturnOrderId, DraftReturnOrder>>,
}

impl Beside {
    async fn load(mut db: Db<'_>, account: AccountId, orders: &[ReturnOrder], expand: &[Expand]) -> Result<Self> {
        let ids: Vec<ReturnOrderId> = orders.iter().map(|order| order.id).collect();
        let mut beside = Self { consumers: None, shipments: None, requests: None, drafts: None };
        if expand.contains(&Expand::Consumer) {
            let owners = orders.iter().map(|order| order.consumer_id);
            beside.consumers = Some(load_consumers(db.reborrow(), account, owners).await?);
        }
        if expand.contains(&Expand::ReturnRequests) {
            let requests = return_requests::list_of_return_orders(db.reborrow(), account, &ids).await?;
            beside.requests = Some(by_order(requests, |request| request.return_order_id));
        }
        // Shipments are read after the requests: a request that can be sent then has its label in the response, even if
        // another transaction commits between the two reads.
        if expand.contains(&Expand::Shipments) {
            let parcels = shipments::list_of_return_orders(db.reborrow(), account, &ids).await?;
            beside.shipments = Some(by_order(parcels, |parcel| parcel.return_order_id));
        }
        if expand.contains(&Expand::DraftReturnOrder) {
            let ids: Vec<DraftReturnOrderId> = orders.iter().map(|order| order.draft_return_order_id).collect();
            let drafts = drafts::list_of_ids(db, account, &ids).await?;
            beside.drafts = Some(drafts.into_iter().map(|draft| (draft.id, draft)).collect());
        }
        Ok(beside)
    }

    fn show(&mut self, order: ReturnOrder, audience: Audience<'_>) -> Result<view::ReturnOrderView> {
        let (id, owner, draft) = (order.id, order.consumer_id, order.draft_return_order_id);
        let mut shown = view::ReturnOrderView::from(order);
        if let Some(consumers) = &self.consumers {
            let consumer = consumers.get(&owner).cloned().ok_or(Error::NotFound)?;
            let consumer = match audience {
                Party::Staff(()) => consumer.into(),
                Party::Consumer(_) => view::Consumer::proved(consumer),
            };
            shown.consumer_id = view::Expandable::Object(Box::new(consumer));
        }
        if let Some(found) = self.drafts.as_mut().and_then(|drafts| drafts.remove(&draft)) {
            let draft = view::Draft::from(found);
            let draft = match audience {
                Party::Staff(()) => draft,
                Party::Consumer(consumer) => draft.seen_by(consumer),
            };
            shown.draft_return_order_id = view::Expandable::Object(Box::new(draft));
        }
        if let Some(parcels) = &mut self.shipments {
            let parcels = parcels.remove(&id).unwrap_or_default().into_iter().map(|parcel| match audience {
                Party::Staff(()) => view::ShipmentView::from(parcel),
                Party::Consumer(_) => view::ShipmentView::from(parcel).seen_by_consumer(owner),
            });
            shown.shipments = Some(parcels.collect());
        }
        if let Some(requests) = &mut self.requests {
            let requests = requests.remove(&id).unwrap_or_default();
            shown.return_requests = Some(requests.into_iter().map(view::ReturnRequestView::from).collect());
        }
        Ok(match audience {
            Party::Staff(()) => shown,
            Party::Consumer(consumer) => shown.seen_by(consumer),
        })
    }
}

async fn load_consumers(
    db: Db<'_>,
    account: AccountId,
    ids: impl Iterator<Item = ConsumerId>,
) -> Result<HashMap<ConsumerId, Consumer>> {
    let mut ids: Vec<ConsumerId> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    let found = consumers::list_of_ids(db, account, &ids).await?;
    Ok(found.into_iter().map(|consumer| (consumer.id, consumer)).collect())
}

fn by_order<T>(rows: Vec<T>, order: impl Fn(&T) -> ReturnOrderId) -> HashMap<ReturnOrderId, Vec<T>> {
    let mut groups: HashMap<ReturnOrderId, Vec<T>> = HashMap::new();
    for row in rows {
        groups.entry(order(&row)).or_default().push(row);
    }
    groups
}
