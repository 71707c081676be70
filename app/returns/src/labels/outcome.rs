//! What becomes of a parcel and of what is in it, once its carrier has made its label or has not.

use super::worker::Trouble;
use crate::{
    Error, Result,
    change::{Change, Returned, Whole, order_data},
    parcels::receiver,
};
use domain::{
    Refusal, RefusalCode, ShipmentId, TransactionId,
    returning::Shipment,
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
        (parcel.error_code, parcel.error_message) = Default::default();
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
        (mut parcel, trouble): (Shipment, &Trouble),
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
            set_trouble(&mut parcel, trouble);
            return self.keep_parcel(writing, &mut parcel).await;
        }
        self.keep_trouble(writing, &mut parcel, trouble).await
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
        (parcel.error_code, parcel.error_message) = Default::default();
        self.keep_parcel(writing, parcel).await?;
        self.ask_for_label(writing, parcel.id).await
    }

    /// Has the carrier asked, by the worker.
    pub(crate) async fn ask_for_label(&self, writing: &mut Writing, parcel: ShipmentId) -> Result<()> {
        let transaction = TransactionId(self.retour.source.id());
        Ok(label_requests::insert(writing.db(), self.account.id, (transaction, parcel), self.now).await?)
    }

    /// Why there is no label yet, where that is news.
    pub(super) async fn keep_trouble(
        &self,
        writing: &mut Writing,
        parcel: &mut Shipment,
        trouble: &Trouble,
    ) -> Result<()> {
        if parcel.error_code == trouble.code && parcel.error_message == trouble.message {
            return Ok(());
        }
        set_trouble(parcel, trouble);
        self.keep_parcel(writing, parcel).await
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

fn set_trouble(parcel: &mut Shipment, trouble: &Trouble) {
    parcel.error_code.clone_from(&trouble.code);
    parcel.error_message.clone_from(&trouble.message);
}
