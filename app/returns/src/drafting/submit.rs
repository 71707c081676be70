//! Submits a draft (`POST /consumer/<id>/return-order`). This is the only place that takes units.

use super::{
    draft::check_open,
    held_orders::Reviews,
    overriding::record_overrides,
    pending_evidence::PendingFiles,
    settings::Settings,
    submission::{Submitter, What, maker, order_seen_by, sent_by, staff_id},
    submitting::{Submitting, outdated},
};
use crate::{
    base::{
        Begun, Done, Error, FieldError, IdempotencyKey, Result, Retour, Shopper, again_on_deadlock, conclude, detached,
    },
    returning::{
        change::{Change, Returned},
        events::OrderSnapshot,
        override_limit::is_held,
        queue::NotifyWhen,
        step::status_of,
        withdrawals,
    },
    view,
};
use domain::{
    ConsumerId, DraftReturnOrderId, Money, OrderId, PurchaseId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    ShippingOptionId, Timestamp,
    order::{Product, Purchase},
    returning::{
        DraftItem, DraftReturnOrder, DraftStatus, ReturnOrder, ReturnOrderStatus, ReturnRequest, ReturnSource,
    },
    shipping::ShippingOption,
    stage::{Submission, submit},
    webhook::EventType,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Writing, consumers, drafts, orders,
    purchases::{self, Taking},
    return_orders,
};

impl Retour {
    /// Submits a return for the consumer or the merchant.
    pub(crate) async fn submit_for(
        &self,
        shopper: Shopper,
        what: What,
        by: Submitter,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let retour = self.clone();
        detached(async move {
            again_on_deadlock(|| async {
                let done = retour.submit_once(shopper, &what, &by, key.as_ref()).await;
                match (done, &what) {
                    (Err(Error::Outdated { refusal, details, .. }), What::Draft(draft)) => {
                        let named = sent_by(&by).shipping_option;
                        let costs = retour.costs_now(&shopper, *draft, named).await.map(Box::new);
                        Err(Error::Outdated { refusal, details, costs })
                    }
                    (done, _) => done,
                }
            })
            .await
        })
        .await
    }

    async fn submit_once(
        &self,
        shopper: Shopper,
        what: &What,
        by: &Submitter,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let (settings, consumer, mut reading) = Settings::load(self, self.store.read().await?, &shopper).await?;
        let Shopper { account, consumer: owner } = shopper;
        if let Some(done) = self.answered(&mut reading, account, key).await? {
            return Ok(done);
        }
        let (id, new) = match what {
            What::Draft(id) => {
                drop(reading); // otherwise each request would hold one connection while it waits for a second one
                (*id, None)
            }
            What::New(chosen) => {
                match self.new_draft(reading, &settings, &consumer, maker(by), chosen).await {
                    Ok(draft) => (draft.id, Some(draft)),
                    // The failure may be due to this very request, which an earlier attempt has completed a moment ago.
                    Err(error) => {
                        let mut reading = self.store.read().await?;
                        return self.answered(&mut reading, account, key).await?.ok_or(error);
                    }
                }
            }
        };
        let parcel = Some(self.parcel_number(account).await?);
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let is_test = consumers::hold_with_test_mark(writing.db(), account, owner).await?.ok_or(Error::NotFound)?;
        if is_test != settings.account.is_test {
            return Err(outdated("The account's settings changed during the submit. Submit the return again."));
        }
        let (now, sent) = (self.now(), sent_by(by));
        if let (Some(draft), What::New(chosen)) = (&new, what) {
            drafts::insert(writing.db(), account, draft).await?;
            record_overrides(&mut writing, chosen, draft, now);
        }
        let draft = match settings.accept(&mut writing, owner, id, sent.shipping_option, now).await? {
            AcceptedDraft::Now(draft) => draft,
            AcceptedDraft::Before(order) => {
                return conclude(writing, account, key, 200, order_seen_by(by, *order, &consumer)).await;
            }
        };
        let change = Change {
            retour: self,
            account: &settings.account,
            now,
            actor: by.actor(),
            staff: staff_id(by),
            comment: String::new(),
            parcel,
        };
        let submission = Submitting { change, settings: &settings, consumer: &consumer, draft: &draft, sent };
        writing.begins_return();
        let order = submission.write(&mut writing).await?;
        conclude(writing, account, key, 201, order_seen_by(by, order, &consumer)).await
    }
}

/// The state of the draft at the submit.
enum AcceptedDraft {
    /// It was open, and is submitted now.
    Now(Box<DraftReturnOrder>),
    /// It was submitted before, and became this return order.
    Before(Box<ReturnOrder>),
}

impl Settings {
    /// Submits an open draft with the given shipping option.
    async fn accept(
        &self,
        writing: &mut Writing,
        owner: ConsumerId,
        id: DraftReturnOrderId,
        named: Option<ShippingOptionId>,
        now: Timestamp,
    ) -> Result<AcceptedDraft> {
        let account = self.account.id;
        let Some(mut draft) = drafts::accept(writing.db(), account, owner, id, now).await? else {
            let draft = drafts::find(writing.db(), account, owner, id).await?.ok_or(Error::NotFound)?;
            check_open(&draft, now).or_else(|refused| match draft.status {
                DraftStatus::Accepted => Ok(()),
                _ => Err(refused),
            })?;
            let order = return_orders::find_by_draft(writing.db(), account, id).await?;
            return order.map(|order| AcceptedDraft::Before(Box::new(order))).ok_or(Error::NotFound);
        };
        check_open(&DraftReturnOrder { status: DraftStatus::Open, ..draft.clone() }, now)?;
        // Submitting locks the draft: of two concurrent submits with different options, one wins.
        if let Some(option) = named.filter(|&named| draft.shipping_option_id != Some(named)) {
            self.choose_option(&mut draft, option, now)?;
            if !drafts::set_shipping_option(writing.db(), account, &draft).await? {
                return Err(Error::broken());
            }
        }
        Ok(AcceptedDraft::Now(Box::new(draft)))
    }
}

impl Submitting<'_> {
    async fn write(&self, writing: &mut Writing) -> Result<ReturnOrder> {
        self.check_gift()?;
        let option = self.chosen_option()?;
        self.check_reasons()?;
        let purchases = self.take_units(writing).await?;
        self.refuse_twins(writing, &purchases).await?;
        let reviews = self.hold_orders(writing, &purchases).await?;
        let draft = self.held_draft(writing).await?;
        let order = self.order(option, &purchases);
        let laid = PendingFiles::take(writing, self.change.account.id, self.draft, self.sent.source).await?;
        let requests = self.submit_requests(writing, &order, (&purchases, &draft.items), &reviews, laid)?;
        let consumer = self.consumer.clone();
        let mut returned = Returned { order, consumer, requests, draft, is_new: true };
        let packed = self.change.advance_together(writing, &mut returned).await?;
        returned.order.status = status_of(&returned.requests);
        self.insert(writing, &mut returned).await?;
        let (account, now) = (self.change.account.id, self.change.now);
        withdrawals::link_return(writing, account, &returned.consumer, &returned.order, now).await?;
        let shipment = self.change.store_parcel(writing, packed).await?;
        let Returned { order, requests, .. } = returned;
        let kinds: &[_] = match order.status {
            ReturnOrderStatus::Open => &[EventType::ReturnOrderCreated, EventType::ReturnOrderConfirmed],
            _ => &[EventType::ReturnOrderCreated],
        };
        let consumer = self.consumer;
        let whole = OrderSnapshot { order: &order, consumer, requests: &requests, new_shipments: shipment.as_slice() };
        self.change.write_order_events(writing, kinds, &whole)?;
        self.change.queue_notification(writing, order.id, NotifyWhen::AtOnce(&self.sent.language)).await?;
        Ok(order)
    }

    /// The shipping option, if it is still offered. `None` if all items are kept.
    fn chosen_option(&self) -> Result<Option<ShippingOption>> {
        if self.draft.items.iter().all(|item| item.kept) {
            return Ok(None);
        }
        let id = self.draft.shipping_option_id.ok_or_else(|| {
            let message = "choose a way of sending first: one of the purchases' shippingOptions";
            Error::invalid("shippingOptionId", RefusalCode::Required, message)
        })?;
        let offered = self.settings.options.iter().find(|option| option.id == id).cloned();
        if !self.settings.unknown_to_customs(id, &self.draft.items).is_empty() {
            return Err(outdated(
                "This parcel now passes customs, and customs details from the shop are missing. Choose another \
                 shipping option.",
            ));
        }
        offered
            .map(Some)
            .ok_or_else(|| outdated("The chosen shipping option is no longer available. Choose another one."))
    }

    /// Regardless of the draft's maker and rules, a gift recipient neither gets nor pays money.
    fn check_gift(&self) -> Result<()> {
        let gives_money = self.draft.items.iter().any(|item| !item.requested_resolution.is_for_gifts());
        if self.settings.is_gift && (gives_money || self.draft.cost_breakdown.payable_now.minor > 0) {
            return Err(outdated("A gift can be returned for store credit or an exchange only. Make a new draft."));
        }
        Ok(())
    }

    fn check_reasons(&self) -> Result<()> {
        let known = |item: &DraftItem| self.settings.reasons.iter().any(|reason| reason.id == item.return_reason_id);
        if self.draft.items.iter().all(known) {
            Ok(())
        } else {
            Err(outdated("A chosen return reason is no longer available. Make a new draft."))
        }
    }

    /// Takes the units of all items, or of none. The SQL statement is the guard, not an earlier check.
    async fn take_units(&self, writing: &mut Writing) -> Result<Vec<Purchase>> {
        let (account, shop) = (self.change.account.id, self.change.account.bridge.shop_key());
        let takings: Vec<Taking> = self.draft.items.iter().map(taking).collect();
        let taken = purchases::take_several(writing.db(), account, &takings).await?;
        let ids: Vec<PurchaseId> = takings.iter().map(|taking| taking.purchase).collect();
        let found = purchases::list_of_ids(writing.db(), account, &self.consumer.credentials, &ids, &shop).await?;
        let mut found: BTreeMap<PurchaseId, Purchase> = found.into_iter().map(|one| (one.id, one)).collect();
        let mut purchases = Vec::with_capacity(ids.len());
        let mut gone = Vec::new();
        for (index, item) in self.draft.items.iter().enumerate() {
            let Some(purchase) = found.remove(&item.purchase_id) else {
                return Err(outdated("The shop no longer lists one of these items. Make a new draft."));
            };
            if let Some(wanted) = &item.exchange_for
                && !purchase.product.exchange_options.iter().any(|offered| offered.sku == wanted.sku)
            {
                return Err(outdated("The item chosen in exchange is no longer available. Make a new draft."));
            }
            let is_taken = taken.contains(&item.purchase_id);
            let costs_the_same = (purchase.units.total, purchase.units.bought) == (item.seen.total, item.seen.bought);
            if !(is_taken && costs_the_same) {
                let left = purchase.units.returnable() + if is_taken { item.taken.units } else { 0 };
                gone.push((index, left, item.taken.units));
            }
            purchases.push(purchase);
        }
        if gone.is_empty() { Ok(purchases) } else { Err(what_changed(&gone)) }
    }

    /// Refuses a sale that is stored twice, in the catalog and from a shop, if its other copy is being returned.
    async fn refuse_twins(&self, writing: &mut Writing, purchases: &[Purchase]) -> Result<()> {
        let orders: BTreeSet<OrderId> = purchases.iter().map(|purchase| purchase.order.id).collect();
        for order in orders {
            if orders::is_twin_taken_too(writing.db(), self.change.account.id, order).await? {
                return Err(outdated("This order is already being returned, under the id that another shop gave it."));
            }
        }
        Ok(())
    }

    fn order(&self, option: Option<ShippingOption>, purchases: &[Purchase]) -> ReturnOrder {
        let mut order_numbers: Vec<String> = purchases.iter().map(|purchase| purchase.order.number.clone()).collect();
        order_numbers.dedup();
        ReturnOrder {
            id: ReturnOrderId(self.change.retour.source.id()),
            number: String::new(),
            consumer_id: self.draft.consumer_id,
            draft_return_order_id: self.draft.id,
            status: ReturnOrderStatus::Requested,
            payment: None,
            order_numbers,
            shipping_option: option,
            cost_breakdown: self.draft.cost_breakdown.clone(),
            assignee_id: None,
            flags: Vec::new(),
            leave_out_of_bulk: false,
            source: self.sent.source,
            created_at: self.change.now,
            updated_at: self.change.now,
            version: 1,
        }
    }

    /// Stores the return, and queues the settlement of requests that are approved already.
    pub(crate) async fn insert(&self, writing: &mut Writing, returned: &mut Returned) -> Result<()> {
        // There are 32^8 numbers. A collision is rare, and two in a row are practically impossible.
        for _ in 0..withdrawals::NUMBER_ATTEMPTS {
            returned.order.number = self.change.retour.short_number("R-");
            if return_orders::insert(writing.db(), self.change.account.id, &returned.order).await? {
                for request in &mut returned.requests {
                    request.return_number.clone_from(&returned.order.number);
                }
                return self.insert_requests(writing, returned).await;
            }
        }
        Err(Error::broken())
    }

    async fn insert_requests(&self, writing: &mut Writing, returned: &Returned) -> Result<()> {
        store::return_requests::insert(writing.db(), self.change.account.id, &returned.requests).await?;
        for (index, request) in returned.requests.iter().enumerate() {
            PendingFiles::keep(writing, self.change.account.id, request).await?;
            self.change.queue_settlement(writing, returned, index, None).await?;
        }
        self.change.queue_shop_returns(writing, returned).await
    }

    fn submit_requests(
        &self,
        writing: &mut Writing,
        order: &ReturnOrder,
        (purchases, items): (&[Purchase], &[DraftItem]),
        reviews: &Reviews,
        mut laid: PendingFiles,
    ) -> Result<Vec<ReturnRequest>> {
        let mut requests = Vec::with_capacity(purchases.len());
        let by_merchant = self.sent.source == ReturnSource::Merchant;
        let held = is_held(items);
        for (item, purchase) in items.iter().zip(purchases) {
            let has_evidence = laid.is_beside(item.purchase_id);
            let review = reviews.get(&purchase.order.id).copied();
            let (taken, kept) = (item.taken, item.kept);
            let submission = Submission { taken, kept, held, by_merchant, has_evidence, review };
            let step = submit(submission, &item.rules, &self.change.context());
            let mut request = self.request(order, item, purchase, step.state.clone());
            request.proposal = held.then(|| self.override_proposal(&item.overrides));
            laid.become_evidence_of(&mut request);
            self.change.write_stage_events(writing, &request, self.consumer, None, &step.entered, self.change.actor)?;
            if !item.overrides.is_empty() {
                self.write_overrides(writing, &request, &item.overrides);
            }
            requests.push(request);
        }
        Ok(requests)
    }

    fn request(
        &self,
        order: &ReturnOrder,
        item: &DraftItem,
        purchase: &Purchase,
        state: domain::stage::RequestState,
    ) -> ReturnRequest {
        let now: Timestamp = self.change.now;
        ReturnRequest {
            id: ReturnRequestId(self.change.retour.source.id()),
            return_order_id: order.id,
            return_number: String::new(), // `insert` sets it
            consumer_id: order.consumer_id,
            purchase_id: item.purchase_id,
            purchase_external_id: purchase.external_id.clone(),
            purchase_order_number: purchase.order.number.clone(),
            return_reason_id: item.return_reason_id,
            return_reason_comment: item.return_reason_comment.clone(),
            answers: item.answers.clone(),
            requested_resolution: item.requested_resolution,
            exchange_for: item.exchange_for.clone(),
            quantity: item.taken.units,
            purchase_price: Money::new(item.value, purchase.order.currency),
            resolution_value: self.draft.cost_breakdown.value_of(item.purchase_id, false),
            refund_limit: self.draft.cost_breakdown.limit_of(item.purchase_id).items,
            adjustment: 0,
            proposal: None,
            product: Product { exchange_options: Vec::new(), ..purchase.product.clone() }, // the replacement is chosen already
            state,
            evidence: Vec::new(),
            created_at: now,
            stage_since: now,
            updated_at: now,
            version: 1,
        }
    }
}

/// The units that an item takes.
fn taking(item: &DraftItem) -> Taking {
    Taking { purchase: item.purchase_id, taken: item.taken, dear_before: item.seen.taken_remainder_units }
}

/// Why units could not be taken: too few are left, or their price has changed.
fn what_changed(gone: &[(usize, u32, u32)]) -> Error {
    let too_few: Vec<FieldError> = gone
        .iter()
        .filter(|(_, left, wanted)| left < wanted)
        .map(|(index, left, _)| {
            let message = format!("{left} of it can still go back");
            FieldError::new(format!("selectedPurchases[{index}].quantity"), RefusalCode::QuantityExceeded, message)
        })
        .collect();
    if too_few.is_empty() {
        return outdated(
            "Another return of the same items was submitted, so the amounts have changed. Make a new draft.",
        );
    }
    let message =
        "Some of these items have been returned since the draft was made, so fewer are left. Make a new draft.";
    Error::Outdated { refusal: Refusal::new(RefusalCode::QuantityExceeded, message), details: too_few, costs: None }
}
