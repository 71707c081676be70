//! Asking a carrier again for a label.

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

/// Why a label is not asked for where it may have been made elsewhere.
pub(crate) const CARRIER_CHANGED: &str = "CarrierChanged";

impl Change<'_> {
    /// Has the carrier asked again, for all that is in the parcel: under the same transaction, unless it is known that it
    /// made none.
    pub(crate) async fn retry_label_request(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        parcel: &mut Shipment,
    ) -> Result<()> {
        for index in 0..returned.requests.len() {
            if returned.request(index)?.state.stage.name() == StageName::SubmittedLabelFailed {
                self.make_move(writing, returned, index, &Move::RetryLabel).await?;
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
        self.update_parcel(writing, parcel).await?;
        self.queue_label(writing, parcel.id).await
    }
}

/// Whether a carrier can be asked again for a parcel's label, or why not.
pub(crate) fn check_label_retry(parcel: &Shipment) -> Result<(), Refusal> {
    match parcel.status {
        ShipmentStatus::New | ShipmentStatus::LabelFailed => Ok(()),
        ShipmentStatus::Cancelled => parcel.check_label(),
        _ => Err(Refusal::new(RefusalCode::IllegalTransition, "This shipment has its label. There is no other one.")),
    }
}
