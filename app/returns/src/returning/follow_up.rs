//! The consequences of a step for the whole return order.

use super::{
    change::{Change, Returned},
    events::OrderSnapshot,
    queue::NotifyWhen,
    step::{states, status_of},
};
use crate::base::{Error, Result};
use domain::{
    party::Actor,
    payment::PaymentKind,
    returning::{ReturnMember, ReturnOrderStatus, ReturnRequest, Shipment, ShipmentStatus, proceed},
    stage::StageName,
    webhook::EventType,
};
use store::{Writing, return_orders};

impl Change<'_> {
    /// Updates the whole return after a step: its label, its status, its events.
    pub async fn follow_up(&self, writing: &mut Writing, returned: &mut Returned) -> Result<()> {
        self.follow_up_with_labels(writing, returned, Vec::new()).await
    }

    /// The same after these shipments got their labels.
    pub(crate) async fn follow_up_with_labels(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        mut new_shipments: Vec<Shipment>,
    ) -> Result<()> {
        let account = self.account.id;
        let before = returned.order.status;
        let packed = self.advance_together(writing, returned).await?;
        new_shipments.extend(self.store_parcel(writing, packed).await?);
        self.retry_failed_labels(writing, returned).await?;
        let Returned { order, consumer, requests, .. } = returned;
        order.status = status_of(requests);
        order.updated_at = self.now;
        self.close_payment(writing, order).await?;
        if !return_orders::update(writing.db(), account, order).await? {
            return Err(Error::broken()); // it is locked, so no other transaction can have changed it
        }
        order.version += 1;
        let mut kinds = Vec::new();
        self.queue_notification(writing, order.id, NotifyWhen::Soon).await?;
        let was_before = matches!(before, ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment);
        if was_before && order.status == ReturnOrderStatus::Open {
            kinds.push(EventType::ReturnOrderConfirmed);
        }
        if is_parcel_cancelled(requests) {
            self.cancel_parcels(writing, order.id).await?;
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
        let whole = OrderSnapshot { order, consumer, requests, new_shipments: &new_shipments };
        self.write_order_events(writing, &kinds, &whole)
    }

    /// If the merchant has moved a request back to wait for its label, requests the shipment's label again, and moves
    /// its other requests back too.
    async fn retry_failed_labels(&self, writing: &mut Writing, returned: &mut Returned) -> Result<()> {
        let waits = |request: &ReturnRequest| request.state.stage.name() == StageName::SubmittedLabelPending;
        if self.actor != Actor::Merchant || !returned.requests.iter().any(waits) {
            return Ok(());
        }
        let order = returned.order.id;
        let parcels = store::shipments::list_of_return_orders(writing.db(), self.id(), &[order]).await?;
        for mut parcel in parcels.into_iter().filter(|parcel| parcel.status == ShipmentStatus::LabelFailed) {
            self.retry_label_request(writing, returned, &mut parcel).await?;
        }
        Ok(())
    }

    /// Moves the requests of a return order on together, once all of them are decided. Returns the new shipment, if one
    /// is needed, for [`Self::store_parcel`].
    pub(crate) async fn advance_together(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
    ) -> Result<Option<Shipment>> {
        let order = &returned.order;
        let label_needed = order.shipping_option.as_ref().is_some_and(|option| option.method.has_label());
        // If the account has stopped taking payments since the draft was made, nothing is charged.
        let payment = self.retour.payment_kind(self.account);
        let owes = order.cost_breakdown.payable_now.minor > 0 && payment != PaymentKind::None;
        let steps = {
            let member = |request| ReturnMember { request, owes };
            let members: Vec<ReturnMember<'_>> = states(&returned.requests).into_iter().map(member).collect();
            proceed(&members, label_needed, &self.context())?
        };
        let mut sends = false;
        for (index, step) in steps {
            // A request that owes a payment gets its label after the payment; a kept item needs none.
            sends |= !step.state.kept && step.state.stage.name() != StageName::SubmittedPaymentPending;
            self.write_step(writing, returned, index, step, Actor::System).await?;
        }
        self.ask_for_payment(returned, payment);
        if !(label_needed && sends) {
            return Ok(None);
        }
        self.start_parcel(writing, returned).await.map(Some)
    }
}

/// Whether no item is left to be sent. Kept items do not count.
fn is_parcel_cancelled(requests: &[ReturnRequest]) -> bool {
    let is_gone = |request: &&ReturnRequest| {
        matches!(
            request.state.stage.name(),
            StageName::RequestedRejected | StageName::ClosedCancelled | StageName::ClosedExpired
        )
    };
    let mut sent = requests.iter().filter(|request| !request.state.kept).peekable();
    sent.peek().is_some() && sent.all(|request| is_gone(&request))
}
