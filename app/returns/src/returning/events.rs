//! Timeline entries and events of a change.

use super::change::Change;
use crate::{
    base::Result,
    view::{self, to_value},
};
use domain::{
    AccountId, EventId, ReturnOrderId, Timestamp,
    integration::bounded,
    party::Actor,
    returning::{ReturnOrder, ReturnRequest, Shipment, TimelineEntry},
    stage::{ReviewReason, Stage, StageName},
    webhook::EventType,
};
use serde_json::Value;
use std::iter::{once, repeat};
use store::{Writing, consumers::Consumer, events::Event, timeline::NewEntry};

/// A return order with everything that its events contain.
pub(crate) struct OrderSnapshot<'a> {
    pub order: &'a ReturnOrder,
    pub consumer: &'a Consumer,
    pub requests: &'a [ReturnRequest],
    pub new_shipments: &'a [Shipment],
}

impl Change<'_> {
    /// Writes timeline entries and events for every stage that was entered, including those that were passed at once.
    /// The party's comment goes to the first stage; the others follow from it.
    pub(crate) fn write_stage_events(
        &self,
        writing: &mut Writing,
        request: &ReturnRequest,
        consumer: &Consumer,
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
            writing.add_timeline_entry(NewEntry { account_id, return_order_id, entry });
            let mut in_stage = request.clone();
            in_stage.state.stage = stage.clone();
            let mut view = view::ReturnRequestView::from(in_stage);
            view.consumer_id = view::Expandable::Object(Box::new(consumer.clone().into()));
            let data = to_value(&view::ReturnRequestEventData { request: view, previous_stage: from })?;
            self.write_event(writing, EventType::StageChanged, Some(to), request.return_order_id, &data);
            from = Some(to);
        }
        Ok(())
    }

    fn write_event(
        &self,
        writing: &mut Writing,
        kind: EventType,
        stage: Option<StageName>,
        order: ReturnOrderId,
        data: &Value,
    ) {
        if self.account.bridge.shopify().is_some() {
            writing.compare_with_shop(self.id(), order, self.now);
        }
        writing.publish(Event {
            id: EventId(self.retour.source.id()),
            account_id: self.id(),
            kind,
            stage,
            return_order_id: order,
            data: data.to_string(),
            created_at: self.now,
        });
    }

    /// Writes events of a return order, and of labels that were made for it.
    pub(crate) fn write_order_events(
        &self,
        writing: &mut Writing,
        kinds: &[EventType],
        whole: &OrderSnapshot<'_>,
    ) -> Result<()> {
        let data = order_data(whole)?;
        for kind in kinds {
            self.write_event(writing, *kind, None, whole.order.id, &data);
        }
        for shipment in whole.new_shipments {
            self.write_shipment_event(writing, EventType::LabelCreated, shipment, &data)?;
        }
        Ok(())
    }

    /// Writes an event of a shipment, with its return order as events contain it.
    pub(crate) fn write_shipment_event(
        &self,
        writing: &mut Writing,
        kind: EventType,
        shipment: &Shipment,
        order: &Value,
    ) -> Result<()> {
        let data = view::ShipmentEventData { shipment: shipment.clone().into(), return_order: order.clone() };
        self.write_event(writing, kind, None, shipment.return_order_id, &to_value(&data)?);
        Ok(())
    }
}

/// A return order as its events contain it: with its consumer, its requests and its new shipments.
pub(crate) fn order_data(whole: &OrderSnapshot<'_>) -> Result<Value> {
    let mut order = view::ReturnOrderView::from(whole.order.clone());
    order.consumer_id = view::Expandable::Object(Box::new(whole.consumer.clone().into()));
    order.return_requests = Some(whole.requests.iter().cloned().map(Into::into).collect());
    order.shipments = Some(whole.new_shipments.iter().cloned().map(Into::into).collect());
    to_value(&view::ReturnOrderEventData { order })
}

/// The comment of a timeline entry: that of the stage, that of the party, or why the request waits for a person.
fn comment_of<'a>(stage: &'a Stage, review: Option<ReviewReason>, asked: &'a str) -> &'a str {
    let waits = matches!(stage, Stage::RequestedReview | Stage::ResolutionPending { .. });
    match (reason_of(stage), review) {
        (Some(reason), _) => reason,
        (None, Some(review)) if asked.is_empty() && waits => review.comment(),
        (None, _) => asked,
    }
}

/// The reason that a stage carries, for the timeline.
fn reason_of(stage: &Stage) -> Option<&str> {
    match stage {
        Stage::RequestedRejected { reason }
        | Stage::ResolutionDenied { reason }
        | Stage::ResolutionFailed { reason } => Some(reason),
        Stage::SubmittedLabelFailed { error } => Some(error),
        Stage::ResolutionPending { reason } => reason.as_deref(),
        Stage::RequestedEvidencePending { .. }
        | Stage::RequestedReview
        | Stage::RequestedApproved
        | Stage::SubmittedPaymentPending { .. }
        | Stage::SubmittedLabelPending
        | Stage::SubmittedReady { .. }
        | Stage::ShipmentInTransit
        | Stage::ShipmentException
        | Stage::ShipmentDelivered
        | Stage::ReceivedPartial { .. }
        | Stage::ReceivedComplete
        | Stage::InspectionPending
        | Stage::ResolutionApproved
        | Stage::ResolutionProcessing { .. }
        | Stage::ResolutionCompleted { .. }
        | Stage::ClosedCancelled
        | Stage::ClosedExpired => None,
    }
}

/// A timeline entry for a failed call that the request waits for. The stage stays the same, so there is no event and no mail, and
/// consumers do not see the entry.
pub fn failed_attempt(account_id: AccountId, request: &ReturnRequest, at: Timestamp, error: &str) -> NewEntry {
    let stage = request.state.stage.name();
    let entry = TimelineEntry {
        return_request_id: request.id,
        at,
        actor: Actor::System,
        actor_id: None,
        from: Some(stage),
        to: stage,
        comment: bounded(error),
    };
    NewEntry { account_id, return_order_id: request.return_order_id, entry }
}
