//! Moving return requests on: what a merchant's people and programs do with them.

use crate::{
    Done, Error, FieldError, IdempotencyKey, Result, Retour, Staff, again_on_deadlock,
    change::{Change, Whole, status_of},
    consumer::Whoever,
    detached,
    idempotency::{Begun, conclude},
    view,
};
use domain::{
    Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    costs::{CostBreakdown, CostLine, LineKind},
    quantity::Units,
    returning::{Actor, ReturnOrder, ReturnRequest},
    revision::{Counts, Outcome, revise},
    stage::{Inspection, Move, StageGroup, StageName, Step, Target},
    status::ReturnOrderStatus,
};
use store::{Writing, drafts, purchases, receipts, return_orders, return_requests};

/// The longest comment and reference, characters.
const MAX_TEXT_CHARS: usize = 2_000;
const MAX_REFERENCE_CHARS: usize = 200;

/// A stage that a request is to go to.
#[derive(Debug, Clone)]
pub struct StatusUpdate {
    /// Where to.
    pub stage: StageName,
    /// Where the caller believes it to be; any other stage is a conflict.
    pub from_stage: Option<StageName>,
    /// Why; the reason of a rejection, a denial, a failure.
    pub comment: String,
    /// What the system that carried a resolution out calls it.
    pub external_reference: Option<String>,
    /// The version that the caller has seen (`If-Match`); any other one is refused.
    pub version: Option<i64>,
}

/// Units that arrived.
#[derive(Debug, Clone)]
pub struct Receipt {
    /// How many; at least 1.
    pub quantity: u32,
    /// What the warehouse calls this delivery: each counts once.
    pub external_reference: Option<String>,
}

/// What is done with a request.
#[derive(Debug, Clone)]
enum Deed {
    Update(StatusUpdate),
    Receive(Receipt),
    Inspect(Inspection),
}

impl Retour {
    /// Moves a request to a stage (design: "Updating a status"). One that is there already stays as it is.
    pub async fn update_status(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        update: StatusUpdate,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.do_with(staff, id, Deed::Update(update), key).await
    }

    /// Counts units of a request that arrived. A delivery that is known by its reference counts once.
    pub async fn receive(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        receipt: Receipt,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.do_with(staff, id, Deed::Receive(receipt), key).await
    }

    /// Keeps what the warehouse found; a request that waits for it moves on.
    pub async fn inspect(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        inspection: Inspection,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        self.do_with(staff, id, Deed::Inspect(inspection), key).await
    }

    /// Calls a return order off for the merchant, all or nothing.
    pub async fn cancel_return_order(
        &self,
        staff: &Staff,
        id: ReturnOrderId,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnOrderView>> {
        self.call_off(staff.account(), Whoever::Staff(*staff), id, key).await
    }

    /// What happened to a request, oldest first.
    pub async fn timeline(&self, staff: &Staff, id: ReturnRequestId) -> Result<Vec<view::TimelineEntryView>> {
        let mut reading = self.store.read().await?;
        let request = return_requests::find(reading.db(), staff.account(), id).await?.ok_or(Error::NotFound)?;
        let order = request.return_order_id;
        let entries = store::timeline::list_of_return_order(reading.db(), staff.account(), order).await?;
        Ok(entries.into_iter().filter(|entry| entry.return_request_id == id).map(Into::into).collect())
    }

    async fn do_with(
        &self,
        staff: &Staff,
        id: ReturnRequestId,
        deed: Deed,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        check_texts(&deed)?;
        let (retour, staff) = (self.clone(), *staff);
        detached(async move { again_on_deadlock(|| retour.do_once(staff, id, &deed, key.as_ref())).await }).await
    }

    async fn do_once(
        &self,
        staff: Staff,
        id: ReturnRequestId,
        deed: &Deed,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let account = staff.account();
        // Deciding one request may let the whole return go, and then it needs a label.
        let parcel = match deed {
            Deed::Update(_) => Some(self.parcel_number(account).await?),
            _ => None,
        };
        let now = self.now();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = return_requests::find(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        return_orders::lock(writing.db(), account, found.return_order_id).await?;
        let mut order =
            return_orders::find(writing.db(), account, found.return_order_id).await?.ok_or(Error::Broken)?;
        let mut requests = return_requests::list_of_return_orders(writing.db(), account, &[order.id]).await?;
        let index = requests.iter().position(|request| request.id == id).ok_or(Error::Broken)?;
        let settings = store::accounts::find(writing.db(), account).await?.ok_or(Error::Broken)?;
        let comment = match deed {
            Deed::Update(update) => update.comment.clone(),
            _ => String::new(),
        };
        let change = Change {
            retour: self,
            account: &settings,
            now,
            actor: Actor::Merchant,
            staff: Some(staff.id()),
            comment,
            parcel,
        };
        if change.make(&mut writing, &mut order, &mut requests, (index, deed)).await? {
            change.follow_up(&mut writing, &mut order, &mut requests).await?;
        }
        let request = requests.into_iter().nth(index).ok_or(Error::Broken)?;
        let done = conclude(writing, account, key, 200, request.into()).await;
        if order.status.is_over() {
            self.finish_erasures_soon();
        }
        done
    }
}

impl Change<'_> {
    /// Does it; `false` when it was done before.
    async fn make(
        &self,
        writing: &mut Writing,
        order: &mut ReturnOrder,
        requests: &mut [ReturnRequest],
        (index, deed): (usize, &Deed),
    ) -> Result<bool> {
        let account = self.account.id;
        let request = requests.get(index).ok_or(Error::Broken)?;
        let units = purchases::units(writing.db(), account, request.purchase_id).await?.ok_or(Error::Broken)?;
        let Some(step) = self.step(writing, request, deed, units).await? else { return Ok(false) };
        if step.repeated {
            return Ok(false);
        }
        // A parcel that arrives after the end takes its units again, under the same guard as a submit.
        if step.taken.units > 0
            && !purchases::take(writing.db(), account, request.purchase_id, step.taken, units.taken_dear).await?
        {
            let message = "The units of this purchase changed at this moment. Send the request again.";
            return Err(Refusal::new(RefusalCode::QuantityExceeded, message).into());
        }
        self.move_units(writing, request, &step).await?;
        // What it comes to now is reckoned first, so that whoever is told of the step is told the right amounts.
        let mut after = requests.to_vec();
        if let Some(request) = after.get_mut(index) {
            request.state = step.state.clone();
        }
        self.reckon(writing, order, &after).await?;
        self.keep_values(writing, order, requests, index).await?;
        let request = requests.get_mut(index).ok_or(Error::Broken)?;
        self.keep_step(writing, request, step, self.actor).await?;
        Ok(true)
    }

    async fn step(
        &self,
        writing: &mut Writing,
        request: &ReturnRequest,
        deed: &Deed,
        purchase: Units,
    ) -> Result<Option<Step>> {
        let state = &request.state;
        let mv = match deed {
            Deed::Update(update) => {
                if update.version.is_some_and(|seen| seen != request.version) {
                    return Err(Error::PreconditionFailed(request.version));
                }
                check_from(update, state.stage.name())?;
                let target = Target {
                    stage: update.stage,
                    comment: update.comment.clone(),
                    external_reference: update.external_reference.clone(),
                };
                match state.move_to(&target, &self.account.policy, purchase)? {
                    Some(mv) => mv,
                    None => return Ok(None),
                }
            }
            Deed::Receive(receipt) => {
                let reference =
                    receipt.external_reference.clone().unwrap_or_else(|| self.retour.source.id().to_string());
                let units = receipt.quantity;
                if !receipts::insert(writing.db(), self.account.id, request.id, &reference, units, self.now).await? {
                    return Ok(None);
                }
                Move::Receive { units, purchase }
            }
            Deed::Inspect(inspection) => Move::Inspect(inspection.clone()),
        };
        Ok(Some(state.apply(&mv, &self.context())?))
    }

    /// What follows for the whole return: its costs, its label, its status, its events.
    pub(crate) async fn follow_up(
        &self,
        writing: &mut Writing,
        order: &mut ReturnOrder,
        requests: &mut [ReturnRequest],
    ) -> Result<()> {
        let account = self.account.id;
        let before = order.status;
        let consumer = store::consumers::find(writing.db(), account, order.consumer_id).await?.ok_or(Error::Broken)?;
        let new_shipments = self.proceed(writing, order, requests, &consumer.address).await?;
        order.status = status_of(requests);
        order.updated_at = self.now;
        if !return_orders::update(writing.db(), account, order).await? {
            return Err(Error::Broken); // it is locked: nobody else can have changed it
        }
        order.version += 1;
        let mut kinds = Vec::new();
        if before == ReturnOrderStatus::Requested && order.status == ReturnOrderStatus::Open {
            kinds.push("return_order.confirmed");
        }
        if is_called_off(order.status) && !is_called_off(before) {
            store::shipments::cancel_of_return_order(writing.db(), account, order.id, self.now).await?;
            if order.status == ReturnOrderStatus::Cancelled {
                kinds.push("return_order.cancelled");
            }
        }
        if kinds.is_empty() && new_shipments.is_empty() {
            return Ok(());
        }
        let whole = Whole { order, consumer: &consumer, requests, new_shipments: &new_shipments };
        self.tell_order(writing, &kinds, &whole)
    }

    /// What each request comes to now. The one that is about to be written is not written here.
    async fn keep_values(
        &self,
        writing: &mut Writing,
        order: &ReturnOrder,
        requests: &mut [ReturnRequest],
        written_later: usize,
    ) -> Result<()> {
        for (index, request) in requests.iter_mut().enumerate() {
            let value = order.cost_breakdown.sum_of(request.purchase_id);
            if value == request.resolution_value {
                continue;
            }
            request.resolution_value = value;
            if index != written_later {
                request.updated_at = self.now;
                if !return_requests::update(writing.db(), self.account.id, request).await? {
                    return Err(Error::Broken); // the return order is locked: nobody else can have changed it
                }
                request.version += 1;
            }
        }
        Ok(())
    }

    /// What the return comes to now: the draft's figures, less what was rejected, short or refused. Of an order's
    /// shipping, what does not come back any more can be promised to other returns again.
    async fn reckon(&self, writing: &mut Writing, order: &mut ReturnOrder, requests: &[ReturnRequest]) -> Result<()> {
        let account = self.account.id;
        let (consumer, draft) = (order.consumer_id, order.draft_return_order_id);
        let draft = drafts::find(writing.db(), account, consumer, draft).await?.ok_or(Error::Broken)?;
        let mut base = draft.cost_breakdown;
        let promised = if is_called_off(order.status) { Vec::new() } else { promises(&order.cost_breakdown) };
        // Another return of the same order may have been called off meanwhile: then not all of it comes back.
        let mut holding = Vec::new();
        for promise in &promised {
            if purchases::is_order_complete(writing.db(), account, promise.0).await? {
                holding.push(promise.0);
            }
        }
        let holds = |line: &CostLine| holding.contains(&line.purchase_id);
        base.lines.retain(|line| line.kind != LineKind::OutboundShippingRefund || holds(line));
        let outcomes: Vec<Outcome<'_>> = requests.iter().map(outcome).collect();
        order.cost_breakdown = revise(&base, &outcomes, self.account.policy.fee_collection);
        let still = promises(&order.cost_breakdown);
        for (purchase, amount) in promised.into_iter().filter(|promise| !still.contains(promise)) {
            store::orders::take_promise_back(writing.db(), account, purchase, amount).await?;
        }
        Ok(())
    }
}

/// What of an order's shipping comes back with which purchase, minor units.
fn promises(costs: &CostBreakdown) -> Vec<(domain::PurchaseId, i64)> {
    let shipping = costs.lines.iter().filter(|line| line.kind == LineKind::OutboundShippingRefund);
    shipping.map(|line| (line.purchase_id, line.amount.minor)).collect()
}

fn outcome(request: &ReturnRequest) -> Outcome<'_> {
    let state = &request.state;
    let name = state.stage.name();
    let counts = match name {
        StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired => Counts::Nothing,
        StageName::ResolutionDenied => Counts::Units(0),
        // From here on it is known what came and what was accepted.
        _ if name.group() == StageGroup::Resolution => Counts::Units(state.refundable_units()),
        _ => Counts::All,
    };
    Outcome {
        purchase_id: request.purchase_id,
        order_number: &request.purchase_order_number,
        resolution: request.requested_resolution,
        counts,
    }
}

/// Whether a return is over without anything having come of it.
fn is_called_off(status: ReturnOrderStatus) -> bool {
    matches!(status, ReturnOrderStatus::Cancelled | ReturnOrderStatus::Expired | ReturnOrderStatus::Rejected)
}

fn check_from(update: &StatusUpdate, now: StageName) -> Result<()> {
    match update.from_stage {
        Some(believed) if believed != now => {
            let message = format!("The return request is in stage {now}, not in {believed}.");
            Err(Refusal::new(RefusalCode::StageConflict, message).into())
        }
        _ => Ok(()),
    }
}

fn check_texts(deed: &Deed) -> Result<()> {
    let texts = match deed {
        Deed::Update(update) => vec![
            ("comment", Some(&update.comment), MAX_TEXT_CHARS),
            ("externalReference", update.external_reference.as_ref(), MAX_REFERENCE_CHARS),
        ],
        Deed::Receive(receipt) => {
            vec![("externalReference", receipt.external_reference.as_ref(), MAX_REFERENCE_CHARS)]
        }
        Deed::Inspect(inspection) => vec![("note", inspection.note.as_ref(), MAX_TEXT_CHARS)],
    };
    let too_long = |&(field, text, most): &(&str, Option<&String>, usize)| {
        text.is_some_and(|text| text.chars().count() > most || text.contains('\0')).then(|| {
            FieldError::new(
                field,
                RefusalCode::OutOfRange,
                format!("expected at most {most} characters, none of them NUL"),
            )
        })
    };
    let errors: Vec<FieldError> = texts.iter().filter_map(too_long).collect();
    if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
}
