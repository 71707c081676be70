//! Receipts and inspections of the simulated warehouse.

use crate::{
    base::{Error, Result, Retour, Staff},
    merchant::returns::staff_action::Receipt,
};
use domain::{
    ReturnOrderId,
    returning::{ReturnRequest, Shipment},
    stage::{Inspection, StageName},
};
use store::{receipts, return_requests, shipments};

impl Retour {
    /// Receives the announced units of a parcel, and accepts them if they wait for an inspection. `false` if somebody
    /// else changed a request at the same time: call it again.
    pub(crate) async fn take_in(&self, staff: &Staff, shipment: &Shipment) -> Result<bool> {
        let reference = format!("simulated-{}", shipment.id);
        for request in self.requests_of(staff, shipment.return_order_id).await? {
            let units = announced(shipment, &request);
            // After a crash, some requests are counted already.
            if units == 0 || self.has_receipt(staff, &request, &reference).await? {
                continue;
            }
            if !self.receive_simulated(staff, &request, units, reference.clone()).await? {
                return Ok(false);
            }
        }
        for request in self.requests_of(staff, shipment.return_order_id).await? {
            if request.state.stage.name() == StageName::InspectionPending {
                self.inspect_simulated(staff, &request).await?;
            }
        }
        Ok(true)
    }

    async fn has_receipt(&self, staff: &Staff, request: &ReturnRequest, reference: &str) -> Result<bool> {
        let mut reading = self.store.read().await?;
        Ok(receipts::find_units(reading.db(), staff.account(), request.id, reference).await?.is_some())
    }

    /// Receives units of a request. `false` if the request has changed since it was read: somebody else may have
    /// received them.
    pub(crate) async fn receive_simulated(
        &self,
        staff: &Staff,
        request: &ReturnRequest,
        quantity: u32,
        reference: String,
    ) -> Result<bool> {
        let receipt = Receipt { quantity, external_reference: Some(reference) };
        match self.receive_unchanged(staff, request, receipt, None).await {
            Err(Error::PreconditionFailed(_)) => Ok(false),
            received => received.map(|()| true),
        }
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

    pub(crate) async fn shipments_of(&self, staff: &Staff, order: ReturnOrderId) -> Result<Vec<Shipment>> {
        let mut reading = self.store.read().await?;
        Ok(shipments::list_of_return_orders(reading.db(), staff.account(), &[order]).await?)
    }
}

/// The units of a request in a parcel that have not arrived: those of its `contents`, or else all.
fn announced(shipment: &Shipment, request: &ReturnRequest) -> u32 {
    if !request.state.is_expected() {
        return 0;
    }
    match &shipment.contents {
        None => missing(request),
        Some(contents) => {
            let of_request = contents.iter().filter(|content| content.return_request_id == request.id);
            of_request.map(|content| content.quantity).sum::<u32>().min(missing(request))
        }
    }
}

/// The units of a request that have not arrived yet.
pub(crate) fn missing(request: &ReturnRequest) -> u32 {
    let state = &request.state;
    state.quantity.saturating_sub(state.received.saturating_add(state.surplus))
}
