//! Requesting a label again.

use super::{
    change::{Change, Returned},
    parcels::receiver,
};
use crate::base::Result;
use domain::{
    Refusal, RefusalCode,
    returning::{Shipment, ShipmentStatus},
    stage::{Move, StageName},
};
use store::{Writing, label_requests};

/// The error code of a label that is not requested because the previous carrier may have made it.
pub const CARRIER_CHANGED: &str = "CarrierChanged";

impl Change<'_> {
    /// Requests a shipment's label again, and moves its requests back. It uses the same transaction id, unless the
    /// carrier is known to have made no label.
    pub(crate) async fn retry_label_request(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        shipment: &mut Shipment,
    ) -> Result<()> {
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.make_move(writing, returned, index, &Move::RetryLabel).await?;
            }
        }
        // A person had to check whether the previous carrier has made the label. Retrying confirms the check.
        if shipment.error_code == CARRIER_CHANGED {
            label_requests::looked_into(writing.db(), self.account.id, shipment.id).await?;
        }
        // The address may be what the merchant has corrected.
        shipment.receiver = receiver(writing.db(), self.account, returned.order.shipping_option.as_ref()).await?;
        shipment.status = ShipmentStatus::New;
        shipment.clear_error();
        self.update_parcel(writing, shipment).await?;
        self.queue_label(writing, shipment.id).await
    }
}

/// Whether a shipment's label can be requested again, or why not.
pub(crate) fn check_label_retry(shipment: &Shipment) -> Result<(), Refusal> {
    match shipment.status {
        ShipmentStatus::New | ShipmentStatus::LabelFailed => Ok(()),
        ShipmentStatus::Cancelled => shipment.check_label(),
        _ => Err(Refusal::new(RefusalCode::IllegalTransition, "This shipment already has its label.")),
    }
}
