//! Writing what a step of the stage machine comes to: the request, its units, its timeline and its events, all
//! in the caller's transaction.

use crate::{
    Error, Result, Retour,
    mail::Told,
    parcels::{ParcelNumber, SIMULATED_CARRIER, receiver},
    view,
};
use domain::{
    AccountId, EventId, PurchaseId, ReturnOrderId, Timestamp,
    carrier::{Carrier, CarrierLabel, ParcelLabel},
    order::Account,
    payment::PaymentKind,
    returning::{
        Actor, DraftItem, DraftReturnOrder, ParcelContent, ReturnOrder, ReturnRequest, Shipment, TimelineEntry,
    },
    stage::{Context, Move, Request, ReviewReason, Stage, StageName, Step},
    status::{Member, ReturnOrderStatus, ShipmentStatus, proceed},
    webhook::EventType,
};
use outbound::label::Sscc;
use serde_json::Value;
use std::iter::{once, repeat};
use store::{
    Writing,
    consumers::{self, Consumer},
    drafts,
    events::Event,
    purchases, return_orders, return_requests,
    timeline::NewEntry,
};
use uuid::Uuid;

/// A return order with all that its events tell.
pub(crate) struct Whole<'a> {
    pub order: &'a ReturnOrder,
    pub consumer: &'a Consumer,
    pub requests: &'a [ReturnRequest],
    pub new_shipments: &'a [Shipment],
}

/// A return order that is being changed, with whose it is, all its requests and the draft that fixed its figures.
pub(crate) struct Returned {
    pub order: ReturnOrder,
    pub consumer: Consumer,
    pub requests: Vec<ReturnRequest>,
    pub draft: DraftReturnOrder,
    /// Whether it has no rows yet: whoever makes it writes them in the end, once, as it stands then.
    pub is_new: bool,
}

impl Returned {
    /// The return order of that id; whoever else wants to change it waits until the transaction ends.
    pub async fn lock(writing: &mut Writing, account: AccountId, id: ReturnOrderId) -> Result<Option<Self>> {
        return_orders::lock(writing.db(), account, id).await?;
        let Some(order) = return_orders::find(writing.db(), account, id).await? else { return Ok(None) };
        let requests = return_requests::list_of_return_orders(writing.db(), account, &[id]).await?;
        let (owner, draft) = (order.consumer_id, order.draft_return_order_id);
        let consumer = consumers::find(writing.db(), account, owner).await?.ok_or(Error::Broken)?;
        let draft = drafts::find(writing.db(), account, owner, draft).await?.ok_or(Error::Broken)?;
        Ok(Some(Self { order, consumer, requests, draft, is_new: false }))
    }

    /// What the draft fixed for a purchase.
    pub fn item(&self, purchase: PurchaseId) -> Result<&DraftItem> {
        self.draft.items.iter().find(|item| item.purchase_id == purchase).ok_or(Error::Broken)
    }

    pub fn request(&self, index: usize) -> Result<&ReturnRequest> {
        self.requests.get(index).ok_or(Error::Broken)
    }
}

/// A change that is under way: whose, when, and by whom.
pub(crate) struct Change<'a> {
    pub retour: &'a Retour,
    pub account: &'a Account,
    pub now: Timestamp,
    pub actor: Actor,
    /// Which of the merchant's users or programs, where it is one of those.
    pub staff: Option<Uuid>,
    /// Why, in the words of whoever does it; may be empty.
    pub comment: String,
    /// For a label, where one may be made.
    pub parcel: Option<ParcelNumber>,
}

impl Change<'_> {
    pub fn context(&self) -> Context<'_> {
        Context { policy: &self.account.policy, zone: &self.account.time_zone, now: self.now }
    }

    fn id(&self) -> AccountId {
        self.account.id
    }

    /// Writes a step of a request, and what the return comes to with it. Units that it takes again were taken by the
    /// caller.
    pub async fn write_step(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        (index, step): (usize, Step),
        actor: Actor,
    ) -> Result<()> {
        if step.repeated {
            return Ok(());
        }
        let accepted = self.accept(writing, returned, (index, step)).await?;
        self.move_units(writing, returned.request(index)?, &accepted.step).await?;
        // What it comes to is reckoned first, so that whoever is told of the step is told the right amounts.
        self.reckon(writing, returned, (index, &accepted)).await?;
        let step = accepted.step;
        let request = returned.requests.get_mut(index).ok_or(Error::Broken)?;
        let before = std::mem::replace(&mut request.state, step.state).stage.name();
        request.updated_at = self.now;
        if !returned.is_new {
            if !return_requests::update(writing.db(), self.id(), request).await? {
                return Err(Error::Broken); // the return order is locked: nobody else can have changed it
            }
            request.version += 1;
            self.have_settled(writing, returned, (index, Some(before))).await?;
        }
        let request = returned.request(index)?;
        self.tell_stages(writing, (request, &returned.consumer), Some(before), &step.entered, actor)
    }

    /// Makes a move of a request, by whoever makes the change.
    pub async fn go(&self, writing: &mut Writing, returned: &mut Returned, (index, mv): (usize, &Move)) -> Result<()> {
        let step = returned.request(index)?.state.apply(mv, &self.context())?;
        self.write_step(writing, returned, (index, step), self.actor).await
    }

    /// Makes a move, and all that follows for the whole return.
    pub async fn go_on(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        (index, mv): (usize, &Move),
    ) -> Result<()> {
        self.go(writing, returned, (index, mv)).await?;
        self.follow_up(writing, returned).await
    }

    /// Units that a step gives back or settles.
    async fn move_units(&self, writing: &mut Writing, request: &ReturnRequest, step: &Step) -> Result<()> {
        if step.freed.units > 0 {
            purchases::give_back(writing.db(), self.id(), request.purchase_id, step.freed).await?;
        }
        if step.settled > 0 {
            purchases::settle(writing.db(), self.id(), request.purchase_id, step.settled).await?;
        }
        Ok(())
    }

    /// Timeline and events for every stage that was entered, also those that were only passed. The comment belongs to
    /// the first that somebody asked for: the others follow from it.
    pub fn tell_stages(
        &self,
        writing: &mut Writing,
        (request, consumer): (&ReturnRequest, &Consumer),
        mut from: Option<StageName>,
        entered: &[Stage],
        actor: Actor,
    ) -> Result<()> {
        let asked = if actor == self.actor { self.comment.as_str() } else { "" };
        for (stage, comment) in entered.iter().zip(once(asked).chain(repeat(""))) {
            let to = stage.name();
            let entry = TimelineEntry {
                return_request_id: request.id,
                at: self.now,
                actor,
                actor_id: self.staff.filter(|_| actor == Actor::Merchant),
                from,
                to,
                comment: comment_of(stage, request.state.review, comment).to_owned(),
            };
            let (account_id, return_order_id) = (self.id(), request.return_order_id);
            writing.note(NewEntry { account_id, return_order_id, entry });
            let mut told = request.clone();
            told.state.stage = stage.clone();
            let mut shown = view::ReturnRequestView::from(told);
            shown.consumer_id = view::Expandable::Object(Box::new(consumer.clone().into()));
            let data = to_value(&view::ReturnRequestEventData { request: shown, previous_stage: from })?;
            self.tell_event(writing, (EventType::StageChanged, Some(to)), request.return_order_id, &data);
            from = Some(to);
        }
        Ok(())
    }

    fn tell_event(
        &self,
        writing: &mut Writing,
        (kind, stage): (EventType, Option<StageName>),
        order: ReturnOrderId,
        data: &Value,
    ) {
        writing.tell(Event {
            id: EventId(self.retour.source.id()),
            account_id: self.id(),
            kind,
            stage,
            return_order_id: order,
            data: data.to_string(),
            created_at: self.now,
        });
    }

    /// Writes the events of a return order, and of labels that were made for it.
    pub fn tell_order(&self, writing: &mut Writing, kinds: &[EventType], whole: &Whole<'_>) -> Result<()> {
        let data = order_data(whole)?;
        for kind in kinds {
            self.tell_event(writing, (*kind, None), whole.order.id, &data);
        }
        for shipment in whole.new_shipments {
            self.tell_shipment(writing, EventType::LabelCreated, shipment, &data)?;
        }
        Ok(())
    }

    /// Writes an event of a parcel, with the return order that it belongs to as its events show it.
    pub fn tell_shipment(
        &self,
        writing: &mut Writing,
        kind: EventType,
        shipment: &Shipment,
        order: &Value,
    ) -> Result<()> {
        let told = view::ShipmentEventData { shipment: shipment.clone().into(), return_order: order.clone() };
        let told = to_value(&told)?;
        self.tell_event(writing, (kind, None), shipment.return_order_id, &told);
        Ok(())
    }

    /// What follows for the whole return: its label, its status, its events.
    pub(crate) async fn follow_up(&self, writing: &mut Writing, returned: &mut Returned) -> Result<()> {
        self.follow_up_with(writing, returned, Vec::new()).await
    }

    /// The same, where these parcels got their labels just now.
    pub(crate) async fn follow_up_with(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        mut new_shipments: Vec<Shipment>,
    ) -> Result<()> {
        let account = self.account.id;
        let before = returned.order.status;
        let packed = self.proceed(writing, returned).await?;
        new_shipments.extend(self.keep_packed(writing, packed).await?);
        self.have_label_tried_again(writing, returned).await?;
        let Returned { order, consumer, requests, .. } = returned;
        order.status = status_of(requests);
        order.updated_at = self.now;
        self.end_payment(writing, order).await?;
        if !return_orders::update(writing.db(), account, order).await? {
            return Err(Error::Broken); // it is locked: nobody else can have changed it
        }
        order.version += 1;
        let mut kinds = Vec::new();
        self.have_told(writing, order.id, Told::Soon).await?;
        let was_before = matches!(before, ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment);
        if was_before && order.status == ReturnOrderStatus::Open {
            kinds.push(EventType::ReturnOrderConfirmed);
        }
        if is_parcel_called_off(requests) {
            self.call_parcels_off(writing, order.id).await?;
        }
        if order.status == ReturnOrderStatus::Cancelled && before != ReturnOrderStatus::Cancelled {
            kinds.push(EventType::ReturnOrderCancelled);
        }
        if order.status == ReturnOrderStatus::Completed && before != ReturnOrderStatus::Completed {
            kinds.push(EventType::ReturnOrderCompleted);
        }
        if kinds.is_empty() && new_shipments.is_empty() {
            return Ok(());
        }
        let whole = Whole { order, consumer, requests, new_shipments: &new_shipments };
        self.tell_order(writing, &kinds, &whole)
    }

    /// Where the merchant has moved one request back to wait for its label, the parcel's is asked for again, and all that
    /// is in it waits.
    async fn have_label_tried_again(&self, writing: &mut Writing, returned: &mut Returned) -> Result<()> {
        let waits = |request: &ReturnRequest| request.state.stage.name() == StageName::SubmittedLabelPending;
        if self.actor != Actor::Merchant || !returned.requests.iter().any(waits) {
            return Ok(());
        }
        let order = returned.order.id;
        let parcels = store::shipments::list_of_return_orders(writing.db(), self.id(), &[order]).await?;
        for mut parcel in parcels.into_iter().filter(|parcel| parcel.status == ShipmentStatus::LabelFailed) {
            self.ask_again(writing, returned, &mut parcel).await?;
        }
        Ok(())
    }

    /// Moves a return order's requests on together, once none is undecided; the parcel that is sent off with it, for
    /// [`Self::keep_packed`].
    pub async fn proceed(&self, writing: &mut Writing, returned: &mut Returned) -> Result<Option<Shipment>> {
        let order = &returned.order;
        let label_needed = order.shipping_option.as_ref().is_some_and(|option| option.method.has_label());
        // Where nobody takes payments any more since the draft was made, nothing is asked for.
        let payment = self.retour.payment_kind(self.account);
        let owes = order.cost_breakdown.payable_now.minor > 0 && payment != PaymentKind::None;
        let steps = {
            let member = |request| Member { request, owes };
            let members: Vec<Member<'_>> = states(&returned.requests).into_iter().map(member).collect();
            proceed(&members, label_needed, &self.context())?
        };
        let mut sends = false;
        for (index, step) in steps {
            // What owes something gets its label once that is paid; what is kept needs none.
            sends |= !step.state.kept && step.state.stage.name() != StageName::SubmittedPaymentPending;
            self.write_step(writing, returned, (index, step), Actor::System).await?;
        }
        self.ask_for_payment(returned, payment);
        if !(label_needed && sends) {
            return Ok(None);
        }
        self.send_off(writing, returned).await.map(Some)
    }

    /// Gives what is to be sent its parcel, and its label where that is there at once. The parcel is for
    /// [`Self::keep_packed`].
    pub(crate) async fn send_off(&self, writing: &mut Writing, returned: &mut Returned) -> Result<Shipment> {
        let shipment = self.pack(writing, returned, None).await?;
        if shipment.status == ShipmentStatus::New {
            return Ok(shipment);
        }
        for index in 0..returned.requests.len() {
            let state = &returned.request(index)?.state;
            if state.stage.name() == StageName::SubmittedLabelPending {
                let step = state.apply(&self.label_made(), &self.context())?;
                self.write_step(writing, returned, (index, step), Actor::System).await?;
            }
        }
        Ok(shipment)
    }

    /// Keeps a new parcel, and asks for its label where that is not there. It, if it has one.
    pub(crate) async fn keep_packed(
        &self,
        writing: &mut Writing,
        packed: Option<Shipment>,
    ) -> Result<Option<Shipment>> {
        let Some(shipment) = packed else { return Ok(None) };
        store::shipments::insert(writing.db(), self.id(), &shipment).await?;
        if shipment.status == ShipmentStatus::New {
            self.ask_for_label(writing, shipment.id).await?;
            return Ok(None);
        }
        self.have_simulated(writing, &shipment).await?;
        Ok(Some(shipment))
    }

    /// A label that is made now.
    pub(crate) fn label_made(&self) -> Move {
        // Policies from before 0 was refused may have it.
        let days = self.account.policy.label_expires_days.max(1);
        Move::LabelMade { expires: self.account.time_zone.end_of_day(self.now, days) }
    }

    /// A parcel with a number of its own, for [`Self::keep_packed`]. Our own label is drawn from its row whenever it is
    /// asked for; a carrier's is to be made.
    pub(crate) async fn pack(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        contents: Option<Vec<ParcelContent>>,
    ) -> Result<Shipment> {
        let (order, sender) = (&returned.order, &returned.consumer.address);
        let serial = self.parcel.as_ref().and_then(ParcelNumber::take).ok_or(Error::Broken)?;
        let receiver = receiver(writing.db(), self.account, order.shipping_option.as_ref()).await?;
        let sscc = Sscc::nth(&self.account.policy.gs1_company_prefix, serial).map_err(|_| Error::Broken)?; // checked when the policy was set
        let is_simulated = self.account.carrier == Carrier::Simulated;
        let (status, label) = match self.account.carrier {
            Carrier::Own | Carrier::Simulated => (ShipmentStatus::LabelCreated, ParcelLabel::Own),
            Carrier::Bridge | Carrier::Karrio(_) => {
                (ShipmentStatus::New, ParcelLabel::Carrier(CarrierLabel::default()))
            }
        };
        Ok(Shipment {
            id: domain::ShipmentId(self.retour.source.id()),
            return_order_id: order.id,
            contents,
            status,
            label_barcode: if label == ParcelLabel::Own { sscc.to_string() } else { String::new() },
            label,
            sscc: sscc.to_string(),
            sender: sender.clone(),
            receiver,
            carrier: if is_simulated { SIMULATED_CARRIER.to_owned() } else { String::new() },
            tracking_number: if is_simulated { sscc.to_string() } else { String::new() },
            tracking_url: String::new(),
            error_code: String::new(),
            error_message: String::new(),
            failed_attempts: 0,
            next_attempt_at: None,
            tracking: Vec::new(),
            created_at: self.now,
            updated_at: self.now,
            version: 1,
        })
    }
}

/// Whether nothing of what was to be sent is to be sent any more, whatever comes of what is kept.
fn is_parcel_called_off(requests: &[ReturnRequest]) -> bool {
    let is_gone = |request: &&ReturnRequest| {
        matches!(
            request.state.stage.name(),
            StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired
        )
    };
    let mut sent = requests.iter().filter(|request| !request.state.kept).peekable();
    sent.peek().is_some() && sent.all(|request| is_gone(&request))
}

/// A return order as its events show it: with its consumer, its requests and the parcels that are told of.
pub(crate) fn order_data(whole: &Whole<'_>) -> Result<Value> {
    let mut shown = view::ReturnOrderView::from(whole.order.clone());
    shown.consumer_id = view::Expandable::Object(Box::new(whole.consumer.clone().into()));
    shown.return_requests = Some(whole.requests.iter().cloned().map(Into::into).collect());
    shown.shipments = Some(whole.new_shipments.iter().cloned().map(Into::into).collect());
    to_value(&view::ReturnOrderEventData { order: shown })
}

/// Where a return order stands, by its requests.
pub(crate) fn status_of(requests: &[ReturnRequest]) -> ReturnOrderStatus {
    let stages: Vec<StageName> = requests.iter().map(|request| request.state.stage.name()).collect();
    ReturnOrderStatus::derive(&stages)
}

/// The states of requests, borrowed, as the domain's functions over a whole return order take them.
pub(crate) fn states(requests: &[ReturnRequest]) -> Vec<&Request> {
    requests.iter().map(|request| &request.state).collect()
}

pub(crate) fn to_value(view: &impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(view).map_err(|_| Error::Broken)
}

/// What the timeline says of a stage: its own words, those of whoever asked for it, or why it waits for a person.
fn comment_of<'a>(stage: &'a Stage, review: Option<ReviewReason>, asked: &'a str) -> &'a str {
    let waits = matches!(stage, Stage::RequestedReview | Stage::ResolutionPending { .. });
    match (reason_of(stage), review) {
        (Some(reason), _) => reason,
        (None, Some(review)) if asked.is_empty() && waits => review.sentence(),
        (None, _) => asked,
    }
}

/// The words that a stage carries, for the timeline.
fn reason_of(stage: &Stage) -> Option<&str> {
    match stage {
        Stage::RequestedRejected { reason }
        | Stage::ResolutionDenied { reason }
        | Stage::ResolutionFailed { reason } => Some(reason),
        Stage::SubmittedLabelFailed { error } => Some(error),
        Stage::ResolutionPending { reason } => reason.as_deref(),
        _ => None,
    }
}
