//! Receipts and inspections of the simulated warehouse.

use crate::{
    base::{Result, Retour, Staff},
    merchant::returns::progress::Receipt,
};
use domain::{
    ReturnOrderId,
    returning::{ReturnRequest, Shipment},
    stage::{Inspection, StageName},
};
use store::{return_requests, shipments};

impl Retour {
    /// Receives the announced units of a parcel, and accepts them if they wait for an inspection.
    pub(crate) async fn take_in(&self, staff: &Staff, parcel: &Shipment) -> Result<()> {
        for request in self.requests_of(staff, parcel.return_order_id).await? {
            let units = announced(parcel, &request);
            if units > 0 {
                // A repetition after a crash has the same reference, which counts once.
                self.receive_simulated(staff, &request, units, format!("simulated-{}", parcel.id)).await?;
            }
        }
        for request in self.requests_of(staff, parcel.return_order_id).await? {
            if request.state.stage.name() == StageName::InspectionPending {
                self.inspect_simulated(staff, &request).await?;
            }
        }
        Ok(())
    }

    pub(crate) async fn receive_simulated(
        &self,
        staff: &Staff,
        request: &ReturnRequest,
        quantity: u32,
        reference: String,
    ) -> Result<()> {
        let receipt = Receipt { quantity, external_reference: Some(reference) };
        self.merchant(staff).receive(request.id, receipt, None).await.map(drop)
    }

    /// Accepts all received units.
    pub(crate) async fn inspect_simulated(&self, staff: &Staff, request: &ReturnRequest) -> Result<()> {
        let accepted = request.state.received;
        let inspection = Inspection { accepted, refused: 0, condition: None, disposition: None, note: None };
        self.merchant(staff).inspect(request.id, inspection, None).await.map(drop)
    }

    pub(crate) async fn requests_of(&self, staff: &Staff, order: ReturnOrderId) -> Result<Vec<ReturnRequest>> {
        let mut reading = self.store.read().await?;
        Ok(return_requests::list_of_return_orders(reading.db(), staff.account(), &[order]).await?)
    }

    pub(crate) async fn parcels_of(&self, staff: &Staff, order: ReturnOrderId) -> Result<Vec<Shipment>> {
        let mut reading = self.store.read().await?;
        Ok(shipments::list_of_return_orders(reading.db(), staff.account(), &[order]).await?)
    }
}

/// The units of a request in a parcel: those of its `contents`, or else all that have not arrived.
fn announced(parcel: &Shipment, request: &ReturnRequest) -> u32 {
    if !request.state.is_expected() {
        return 0;
    }
    match &parcel.contents {
        None => missing(request),
        Some(contents) => contents
            .iter()
            .filter(|content| content.return_request_id == request.id)
            .map(|content| content.quantity)
            .sum(),
    }
}

/// The units of a request that have not arrived yet.
pub(crate) fn missing(request: &ReturnRequest) -> u32 {
    let state = &request.state;
    state.quantity.saturating_sub(state.received.saturating_add(state.surplus))
}
