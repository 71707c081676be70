//! Making a return order of a draft (`POST /consumer/<id>/return-order`): the one place where units are taken.

use super::{Settings, consumer, draft::check_open};
use crate::{
    Done, Error, FieldError, IdempotencyKey, Result, Retour, Shopper,
    change::{Change, status_of, to_value},
    detached,
    idempotency::conclude,
    view,
};
use domain::{
    DraftReturnOrderId, Money, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId, Timestamp,
    order::Purchase,
    returning::{Actor, DraftItem, DraftReturnOrder, ReturnOrder, ReturnRequest, Shipment, Source},
    shipping::ShippingOption,
    stage::{Submission, submit},
    status::{DraftStatus, PaymentStatus, ReturnOrderStatus},
};
use store::{Writing, consumers::Consumer, drafts, purchases, return_orders};

impl Retour {
    /// Submits a draft. Submitting it again gives the same return order.
    pub async fn submit(
        &self,
        shopper: Shopper,
        draft: DraftReturnOrderId,
        source: Source,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        let retour = self.clone();
        detached(async move {
            let (settings, mut reading) = Settings::load(retour.store.read().await?, &shopper).await?;
            let consumer = consumer(reading.db(), &shopper).await?;
            drop(reading);
            let mut writing = retour.store.write().await?;
            if let Some(done) = retour.claim(&mut writing, shopper.account, key.as_ref()).await? {
                return Ok(done);
            }
            let found = drafts::find(writing.db(), shopper.account, shopper.consumer, draft).await?;
            let draft = found.ok_or(Error::NotFound)?;
            let now = retour.now();
            let accepted_before = draft.status == DraftStatus::Accepted || {
                check_open(&draft, now)?;
                !drafts::accept(writing.db(), shopper.account, shopper.consumer, draft.id, now).await?
            };
            if accepted_before {
                let order = return_orders::find_by_draft(writing.db(), shopper.account, draft.id).await?;
                return conclude(writing, shopper.account, key.as_ref(), 200, order.ok_or(Error::NotFound)?.into())
                    .await;
            }
            let change = Change { retour: &retour, account: &settings.account, now, actor: Actor::Consumer };
            let submission = Submitting { change, settings: &settings, consumer: &consumer, draft: &draft, source };
            let order = submission.write(&mut writing).await?;
            conclude(writing, shopper.account, key.as_ref(), 201, order.into()).await
        })
        .await
    }
}

struct Submitting<'a> {
    change: Change<'a>,
    settings: &'a Settings,
    consumer: &'a Consumer,
    draft: &'a DraftReturnOrder,
    source: Source,
}

impl Submitting<'_> {
    async fn write(&self, writing: &mut Writing) -> Result<ReturnOrder> {
        let option = self.chosen_option()?;
        self.check_reasons()?;
        let purchases = self.take_units(writing).await?;
        let mut order = self.insert_order(writing, option, &purchases).await?;
        let mut requests = self.insert_requests(writing, &order, &purchases).await?;
        let shipments = self.change.proceed(writing, &order, &mut requests, &self.consumer.address).await?;
        order.status = status_of(&requests);
        if !return_orders::update(writing.db(), self.change.account.id, &order).await? {
            return Err(Error::Broken); // nobody else can know of this order yet
        }
        order.version += 1;
        self.tell(writing, &order, &requests, &shipments).await?;
        Ok(order)
    }

    /// The way of sending, if it is still on offer. Nothing is sent when everything is kept.
    fn chosen_option(&self) -> Result<Option<ShippingOption>> {
        if self.draft.items.iter().all(|item| item.kept) {
            return Ok(None);
        }
        let id = self.draft.shipping_option_id.ok_or_else(|| {
            let message = "choose a way of sending first: PATCH the draft's shipping-option";
            Error::invalid("shippingOptionId", RefusalCode::Required, message)
        })?;
        let offered = self.settings.options.iter().find(|option| option.id == id).cloned();
        offered.map(Some).ok_or_else(|| outdated("The chosen way of sending is no longer offered. Choose another one."))
    }

    fn check_reasons(&self) -> Result<()> {
        let known = |item: &DraftItem| self.settings.reasons.iter().any(|reason| reason.id == item.return_reason_id);
        if self.draft.items.iter().all(known) {
            Ok(())
        } else {
            Err(outdated("A chosen reason is no longer offered. Make a new draft."))
        }
    }

    /// Takes every item's units or none: the guard is in the statement, not in a look before it.
    async fn take_units(&self, writing: &mut Writing) -> Result<Vec<Purchase>> {
        let account = self.change.account.id;
        // In one order, whoever submits: two returns of the same purchases must not wait for each other in a circle.
        let mut by_id: Vec<(usize, &DraftItem)> = self.draft.items.iter().enumerate().collect();
        by_id.sort_by_key(|(_, item)| item.purchase_id);
        let mut purchases = Vec::with_capacity(by_id.len());
        let mut gone = Vec::new();
        for (index, item) in by_id {
            let taken = purchases::take(writing.db(), account, item.purchase_id, item.taken, item.dear_before).await?;
            let found = purchases::find(writing.db(), account, &self.consumer.credentials, item.purchase_id).await?;
            let purchase = found.ok_or(Error::NotFound)?;
            if !taken {
                gone.push((index, purchase.units.returnable(), item.taken.units));
            }
            purchases.push((index, purchase));
        }
        if !gone.is_empty() {
            return Err(what_changed(&gone));
        }
        purchases.sort_by_key(|&(index, _)| index);
        Ok(purchases.into_iter().map(|(_, purchase)| purchase).collect())
    }

    async fn insert_order(
        &self,
        writing: &mut Writing,
        option: Option<ShippingOption>,
        purchases: &[Purchase],
    ) -> Result<ReturnOrder> {
        let mut order_numbers: Vec<String> = purchases.iter().map(|purchase| purchase.order.number.clone()).collect();
        order_numbers.dedup();
        let mut order = ReturnOrder {
            id: ReturnOrderId(self.change.retour.source.id()),
            number: String::new(),
            consumer_id: self.draft.consumer_id,
            draft_return_order_id: self.draft.id,
            status: ReturnOrderStatus::Requested,
            payment_status: PaymentStatus::NotRequired,
            order_numbers,
            shipping_option: option,
            cost_breakdown: self.draft.cost_breakdown.clone(),
            source: self.source,
            created_at: self.change.now,
            updated_at: self.change.now,
            version: 1,
        };
        // 32^8 numbers: one that is taken is rare, two in a row are not to be expected in the life of a shop.
        for _ in 0..5 {
            order.number = self.change.retour.return_number();
            if return_orders::insert(writing.db(), self.change.account.id, &order).await? {
                return Ok(order);
            }
        }
        Err(Error::Broken)
    }

    async fn insert_requests(
        &self,
        writing: &mut Writing,
        order: &ReturnOrder,
        purchases: &[Purchase],
    ) -> Result<Vec<ReturnRequest>> {
        let mut requests = Vec::with_capacity(purchases.len());
        for (item, purchase) in self.draft.items.iter().zip(purchases) {
            let submission =
                Submission { taken: item.taken, kept: item.kept, by_merchant: self.source == Source::Merchant };
            let step = submit(submission, &item.rules, &self.change.context());
            let request = self.request(order, item, purchase, step.state.clone());
            store::return_requests::insert(writing.db(), self.change.account.id, &request).await?;
            self.change.tell_stages(writing, &request, None, &step.entered, self.change.actor).await?;
            requests.push(request);
        }
        Ok(requests)
    }

    fn request(
        &self,
        order: &ReturnOrder,
        item: &DraftItem,
        purchase: &Purchase,
        state: domain::stage::Request,
    ) -> ReturnRequest {
        let now: Timestamp = self.change.now;
        ReturnRequest {
            id: ReturnRequestId(self.change.retour.source.id()),
            return_order_id: order.id,
            consumer_id: order.consumer_id,
            purchase_id: item.purchase_id,
            purchase_external_id: purchase.external_id.clone(),
            purchase_order_number: purchase.order.number.clone(),
            return_reason_id: item.return_reason_id,
            return_reason_comment: item.return_reason_comment.clone(),
            requested_resolution: item.requested_resolution,
            quantity: item.taken.units,
            purchase_price: Money::new(item.value, purchase.order.currency),
            product: purchase.product.clone(),
            state,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    async fn tell(
        &self,
        writing: &mut Writing,
        order: &ReturnOrder,
        requests: &[ReturnRequest],
        shipments: &[Shipment],
    ) -> Result<()> {
        let mut shown = view::ReturnOrderView::from(order.clone());
        shown.consumer_id = view::Expandable::Object(Box::new(self.consumer.clone().into()));
        shown.return_requests = Some(requests.iter().cloned().map(Into::into).collect());
        shown.shipments = Some(shipments.iter().cloned().map(Into::into).collect());
        let data = to_value(&shown)?;
        self.change.tell(writing, "return_order.created", order.id, &data).await?;
        if order.status == ReturnOrderStatus::Open {
            self.change.tell(writing, "return_order.confirmed", order.id, &data).await?;
        }
        for shipment in shipments {
            let mut told = to_value(&view::ShipmentView::from(shipment.clone()))?;
            if let Some(fields) = told.as_object_mut() {
                fields.insert("returnOrder".to_owned(), data.clone());
            }
            self.change.tell(writing, "shipment.label_created", order.id, &told).await?;
        }
        Ok(())
    }
}

fn outdated(message: &str) -> Error {
    Error::Outdated { refusal: Refusal::new(RefusalCode::DraftOutdated, message), details: Vec::new(), costs: None }
}

/// Why units could not be taken: there are too few, or their price is another by now.
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
            "Another return of the same items was made meanwhile, and what these come to has changed. Make a new draft.",
        );
    }
    let message = "Some of these items were returned meanwhile: fewer can go back. Make a new draft.";
    Error::Outdated { refusal: Refusal::new(RefusalCode::QuantityExceeded, message), details: too_few, costs: None }
}

impl Retour {
    /// `R-` and eight characters that are not mistaken for each other (Crockford's base 32).
    fn return_number(&self) -> String {
        const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
        let characters =
            self.source.random::<8>().map(|byte| ALPHABET.get(usize::from(byte % 32)).copied().unwrap_or(b'0'));
        characters
            .into_iter()
            .fold(String::from("R-"), |number, character| number + char::from(character).encode_utf8(&mut [0; 4]))
    }
}
