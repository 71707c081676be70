//! Parcels that are not sent any more: their labels are void, at their carriers too.

use super::SIMULATED_STEP;
use crate::{
    Result,
    change::{Change, Returned},
};
use domain::{
    Refusal, RefusalCode, ReturnOrderId, ShipmentId,
    carrier::{Carrier, CarrierReference, ParcelLabel},
    order::KARRIO,
    returning::{ReturnOrder, Shipment},
    stage::{Move, Scan},
    status::ShipmentStatus,
};
use store::{
    Writing, label_requests,
    parcel_tasks::{self, ParcelWork},
    shipments,
};

/// A label that people have to void, at its carrier.
pub(crate) const LABEL_NOT_VOIDED: &str = "LabelNotVoided";

impl Change<'_> {
    /// Calls the parcels of a return order off: their labels are void, and what waits for a label waits no more.
    pub(crate) async fn call_parcels_off(&self, writing: &mut Writing, order: ReturnOrderId) -> Result<()> {
        let account = self.account.id;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[order]).await?;
        for parcel in parcels.iter().filter(|parcel| parcel.status != ShipmentStatus::Cancelled) {
            self.have_label_voided(writing, parcel).await?;
            self.have_unheard_label_voided(writing, parcel).await?;
        }
        shipments::cancel_of_return_order(writing.db(), account, order, self.now).await?;
        Ok(label_requests::forget(writing.db(), account, order).await?)
    }

    /// Calls one parcel of several off, of a return order that is locked. What has arrived without it has arrived.
    pub(crate) async fn call_parcel_off(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        parcel: &mut Shipment,
    ) -> Result<()> {
        let (account, order) = (self.account.id, parcel.return_order_id);
        let is_erased = store::erasures::is_erased(writing.db(), account, returned.order.consumer_id).await?;
        self.have_label_voided(writing, parcel).await?;
        self.have_unheard_label_voided(writing, parcel).await?;
        parcel.status = ShipmentStatus::Cancelled;
        if parcel.error_code != LABEL_NOT_VOIDED {
            parcel.clear_error();
        }
        if is_erased && matches!(&parcel.label, ParcelLabel::Carrier(_)) {
            LABEL_NOT_VOIDED.clone_into(&mut parcel.error_code);
            let message = "Whose it was is forgotten, and with them what the carrier calls this label: void it there.";
            message.clone_into(&mut parcel.error_message);
        }
        self.keep_parcel(writing, parcel).await?;
        label_requests::forget(writing.db(), account, order).await?;
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[order]).await?;
        let mut left = parcels.iter().filter(|one| one.status != ShipmentStatus::Cancelled);
        if left.all(|one| one.status == ShipmentStatus::Delivered) {
            self.move_contents(writing, returned, &Move::Track(Scan::Delivered)).await?;
        }
        // The return order shows it: who has seen it before has not.
        self.follow_up(writing, returned).await
    }

    /// Has whoever made a label void it, where they can be asked to.
    pub(crate) async fn have_label_voided(&self, writing: &mut Writing, parcel: &Shipment) -> Result<()> {
        self.have_asked(writing, parcel.id, ParcelWork::Void, parcel.label.reference(), 0).await
    }

    /// Has what may have been made voided too, where karrio was asked for it and nobody has heard what came of it.
    pub(crate) async fn have_unheard_label_voided(&self, writing: &mut Writing, parcel: &Shipment) -> Result<()> {
        let found = label_requests::find_of_shipment(writing.db(), self.account.id, parcel.id).await?;
        let Some(one) = found.filter(|one| one.asked_carrier.starts_with(KARRIO)) else { return Ok(()) };
        // Not while it may be under way.
        let due = (self.now.max(one.held_until), self.now);
        let reference = CarrierReference { carrier: one.asked_carrier, id: one.id.0.to_string() };
        let void = (parcel.id, ParcelWork::VoidUnheard, &reference);
        Ok(parcel_tasks::insert(writing.db(), self.account.id, void, due).await?)
    }

    /// Has whoever made a label asked where the parcel is, so many seconds from now on.
    pub(crate) async fn have_followed(&self, writing: &mut Writing, parcel: &Shipment, seconds: i64) -> Result<()> {
        let reference = parcel.label.reference().filter(|_| !parcel.tracking_number.is_empty());
        self.have_asked(writing, parcel.id, ParcelWork::Follow, reference, seconds).await
    }

    /// Schedules the first move of a parcel whose carrier is simulated.
    pub(crate) async fn have_simulated(&self, writing: &mut Writing, parcel: &Shipment) -> Result<()> {
        if self.account.carrier != Carrier::Simulated {
            return Ok(());
        }
        let reference = CarrierReference { carrier: self.account.carrier_key(), id: parcel.sscc.clone() };
        self.have_asked(writing, parcel.id, ParcelWork::Follow, Some(&reference), SIMULATED_STEP).await
    }

    async fn have_asked(
        &self,
        writing: &mut Writing,
        parcel: ShipmentId,
        work: ParcelWork,
        reference: Option<&CarrierReference>,
        seconds: i64,
    ) -> Result<()> {
        let Some(reference) = reference else { return Ok(()) };
        let due = (self.now.plus_seconds(seconds), self.now);
        Ok(parcel_tasks::insert(writing.db(), self.account.id, (parcel, work, reference), due).await?)
    }
}

/// Whether a parcel can be called off by itself, or why not: what is to be sent keeps a label to be sent by.
pub(crate) fn check_called_off(parcel: &Shipment, order: &ReturnOrder, parcels: &[Shipment]) -> Result<(), Refusal> {
    let is_other = |one: &Shipment| one.id != parcel.id && one.check_label().is_ok();
    let message = match parcel.status {
        ShipmentStatus::InTransit | ShipmentStatus::Exception | ShipmentStatus::Delivered => {
            "Its carrier has this parcel already, or had it."
        }
        ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::LabelCreated
            if !order.status.is_over() && !parcels.iter().any(is_other) =>
        {
            "No other parcel of this return order has a label: cancel the return order instead, or add another parcel first."
        }
        _ => return Ok(()),
    };
    Err(Refusal::new(RefusalCode::IllegalTransition, message))
}
