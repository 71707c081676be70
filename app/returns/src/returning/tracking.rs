//! Carriers' reports about a shipment, which move its items.

use super::{
    change::{Change, Returned},
    events::{OrderSnapshot, order_data},
};
use crate::base::{Error, Result};
use domain::{
    returning::{Shipment, ShipmentStatus, TrackingUpdate},
    stage::{Move, Scan},
    webhook::EventType,
};
use store::{Writing, shipments, tracking_updates};

impl Change<'_> {
    /// Stores a carrier's report about a shipment once, and moves the shipment and its items on. Reports are ordered by
    /// the carrier's clock, and never move a shipment backwards. `shipments` are all of the return, and `shipment` is
    /// one of them, which changes. `details` sets further fields of the shipment; its second argument says whether a
    /// later report is known already.
    pub async fn report(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        shipments: &[Shipment],
        shipment: &mut Shipment,
        update: &TrackingUpdate,
        details: impl FnOnce(&mut Shipment, bool),
    ) -> Result<()> {
        let before = shipment.clone();
        let mv = shipment.record(update.clone());
        details(shipment, matches!(mv, Some(Move::TrackLate(_))));
        if *shipment == before {
            return Ok(());
        }
        shipment.updated_at = self.now;
        if !shipments::update(writing.db(), self.account.id, shipment).await? {
            return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
        }
        shipment.version += 1;
        let Some(mv) = mv else { return Ok(()) };
        tracking_updates::insert(writing.db(), self.account.id, shipment.id, update, self.now).await?;
        let mv = of_all_parcels(shipments, shipment, mv);
        self.follow_parcel(writing, returned, shipment, before.status, &mv).await
    }

    /// Moves the items of a shipment, and writes its events.
    async fn follow_parcel(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        shipment: &Shipment,
        before: ShipmentStatus,
        mv: &Move,
    ) -> Result<()> {
        if self.move_contents(writing, returned, mv).await? {
            self.follow_up(writing, returned).await?;
        }
        let Returned { order, consumer, requests, .. } = returned;
        let new_shipments = std::slice::from_ref(shipment);
        let data = order_data(&OrderSnapshot { order, consumer, requests, new_shipments })?;
        self.write_shipment_event(writing, EventType::TrackingUpdated, shipment, &data)?;
        if shipment.status == ShipmentStatus::Delivered && before != ShipmentStatus::Delivered {
            self.write_shipment_event(writing, EventType::ShipmentDelivered, shipment, &data)?;
        }
        Ok(())
    }

    /// Moves the items of a shipment. Returns whether any of them changed.
    pub(crate) async fn move_contents(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        mv: &Move,
    ) -> Result<bool> {
        let mut moved = false;
        for index in 0..returned.requests.len() {
            let state = &returned.request(index)?.state;
            if state.is_in_parcel() {
                let step = state.apply(mv, &self.context())?;
                moved |= !step.repeated;
                self.write_step(writing, returned, index, step, self.actor).await?;
            }
        }
        Ok(moved)
    }
}

/// Turns the move of one shipment into the move of the whole return: it has arrived after all its shipments have, in any
/// order of reports.
fn of_all_parcels(shipments: &[Shipment], shipment: &Shipment, mv: Move) -> Move {
    let on_its_way = match mv {
        Move::Track(Scan::Delivered) => Move::Track(Scan::InTransit),
        Move::TrackLate(Scan::Delivered) => Move::TrackLate(Scan::InTransit),
        mv => return mv,
    };
    let is_over = |parcel: &Shipment| matches!(parcel.status, ShipmentStatus::Delivered | ShipmentStatus::Cancelled);
    let is_last = shipments.iter().all(|parcel| parcel.id == shipment.id || is_over(parcel));
    if is_last { mv } else { on_its_way }
}
