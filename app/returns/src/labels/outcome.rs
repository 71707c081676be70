//! What becomes of a parcel and of what is in it, once its carrier has made its label or has not.

use super::worker::{Tried, Trouble};
use crate::{
    Error, Result,
    change::{Change, Returned, Whole, order_data},
    health::failed_attempt,
    parcels::receiver,
};
use domain::{
    Refusal, RefusalCode, ShipmentId, TransactionId,
    returning::{ReturnRequest, Shipment},
    stage::{Move, StageName},
    status::ShipmentStatus,
    webhook::EventType,
};
use store::{Writing, label_requests, shipments};

/// Why a label is not asked for where it may have been made elsewhere.
pub(super) const CARRIER_CHANGED: &str = "CarrierChanged";

impl Change<'_> {
    /// What is in the parcel can be sent: its stages, and those who want to hear of labels.
    pub(super) async fn label_is_there(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        mut parcel: Shipment,
    ) -> Result<()> {
        parcel.status = ShipmentStatus::LabelCreated;
        parcel.clear_error();
        self.keep_parcel(writing, &mut parcel).await?;
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.go(writing, returned, (index, &Move::RetryLabel)).await?;
            }
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelPending {
                self.go(writing, returned, (index, &self.label_made())).await?;
            }
        }
        self.follow_up(writing, returned).await?;
        let Returned { order, consumer, requests, .. } = returned;
        let new_shipments = std::slice::from_ref(&parcel);
        let data = order_data(&Whole { order, consumer, requests, new_shipments })?;
        self.tell_shipment(writing, EventType::LabelCreated, &parcel, &data)
    }

    /// There is none yet: what is in it waits for somebody to see to it.
    pub(super) async fn label_failed(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        (mut parcel, trouble, tried): (Shipment, &Trouble, Tried),
    ) -> Result<()> {
        let is_new = parcel.status == ShipmentStatus::New;
        if is_new {
            parcel.status = ShipmentStatus::LabelFailed;
            for index in 0..returned.requests.len() {
                if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelPending {
                    let failed = Move::LabelFailed { error: trouble.message.clone() };
                    self.go(writing, returned, (index, &failed)).await?;
                }
            }
            self.follow_up(writing, returned).await?;
        }
        if is_new {
            set_trouble(&mut parcel, trouble, tried);
            return self.keep_parcel(writing, &mut parcel).await;
        }
        self.keep_trouble(writing, returned, (parcel, trouble, tried)).await
    }

    /// Has the carrier asked again, for all that is in the parcel: under the same transaction, unless it is known that it
    /// made none.
    pub(crate) async fn ask_again(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        parcel: &mut Shipment,
    ) -> Result<()> {
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.go(writing, returned, (index, &Move::RetryLabel)).await?;
            }
        }
        // A person was asked to look whether another component has made it; whoever tries again after that has looked.
        if parcel.error_code == CARRIER_CHANGED {
            label_requests::looked_into(writing.db(), self.account.id, parcel.id).await?;
        }
        // Where it goes may be what was mended.
        parcel.receiver = receiver(writing.db(), self.account, returned.order.shipping_option.as_ref()).await?;
        parcel.status = ShipmentStatus::New;
        parcel.clear_error();
        self.keep_parcel(writing, parcel).await?;
        self.ask_for_label(writing, parcel.id).await
    }

    /// Has the carrier asked, by the worker.
    pub(crate) async fn ask_for_label(&self, writing: &mut Writing, parcel: ShipmentId) -> Result<()> {
        let transaction = TransactionId(self.retour.source.id());
        Ok(label_requests::insert(writing.db(), self.account.id, (transaction, parcel), self.now).await?)
    }

    /// Writes the reason why there is no label yet. If the reason is new, the timelines of the requests that wait for the label get
    /// an entry.
    pub(super) async fn keep_trouble(
        &self,
        writing: &mut Writing,
        returned: &Returned,
        (mut parcel, trouble, tried): (Shipment, &Trouble, Tried),
    ) -> Result<()> {
        let is_news = parcel.error_code != trouble.code || parcel.error_message != trouble.message;
        let before = (parcel.failed_attempts, parcel.next_attempt_at);
        if !is_news && before == (tried.failed_attempts, tried.next_attempt_at) {
            return Ok(());
        }
        let waits = |request: &&ReturnRequest| {
            matches!(request.state.stage.name(), StageName::SubmittedLabelPending | StageName::SubmittedLabelFailed)
        };
        for request in returned.requests.iter().filter(waits).filter(|_| is_news) {
            writing.note(failed_attempt(self.account.id, request, self.now, &trouble.message));
        }
        set_trouble(&mut parcel, trouble, tried);
        self.keep_parcel(writing, &mut parcel).await
    }

    /// Keeps a parcel whose return order is locked.
    pub(crate) async fn keep_parcel(&self, writing: &mut Writing, parcel: &mut Shipment) -> Result<()> {
        parcel.updated_at = self.now;
        if !shipments::update(writing.db(), self.account.id, parcel).await? {
            return Err(Error::Broken); // the return order is locked: nobody else can have changed it
        }
        parcel.version += 1;
        Ok(())
    }
}

/// Whether a carrier can be asked again for a parcel's label, or why not.
pub(crate) fn check_asked_again(parcel: &Shipment) -> Result<(), Refusal> {
    match parcel.status {
        ShipmentStatus::New | ShipmentStatus::LabelFailed => Ok(()),
        ShipmentStatus::Cancelled => parcel.check_label(),
        _ => Err(Refusal::new(RefusalCode::IllegalTransition, "This shipment has its label. There is no other one.")),
    }
}

fn set_trouble(parcel: &mut Shipment, trouble: &Trouble, tried: Tried) {
    (parcel.failed_attempts, parcel.next_attempt_at) = (tried.failed_attempts, tried.next_attempt_at);
    parcel.error_code.clone_from(&trouble.code);
    parcel.error_message.clone_from(&trouble.message);
}
