//! Carriers' reports about a shipment, which move its items.

use super::{
    change::{Change, Returned},
    events::{OrderSnapshot, order_data},
};
use crate::base::{Error, OrBroken, Result};
use domain::{
    returning::{Shipment, ShipmentStatus, TrackingUpdate},
    stage::{Move, Scan},
    webhook::EventType,
};
use store::{Writing, shipments, tracking_updates};

impl Change<'_> {
    /// Stores a carrier's report about a shipment once, and moves the shipment and its items on. Reports are ordered by
    /// the carrier's clock, and never move a shipment backwards. The return order is locked. `details` sets further
    /// fields of the shipment; its second argument says whether a later report is known already.
    pub async fn report(
        &self,
        writing: &mut Writing,
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
        let mv = self.of_all_parcels(writing, shipment, mv).await?;
        self.follow_parcel(writing, shipment, before.status, &mv).await
    }

    /// Turns the move of one shipment into the move of the whole return: it has arrived after all its shipments have,
    /// in any order of reports.
    async fn of_all_parcels(&self, writing: &mut Writing, shipment: &Shipment, mv: Move) -> Result<Move> {
        let on_its_way = match mv {
            Move::Track(Scan::Delivered) => Move::Track(Scan::InTransit),
            Move::TrackLate(Scan::Delivered) => Move::TrackLate(Scan::InTransit),
            mv => return Ok(mv),
        };
        let (account, order) = (self.account.id, shipment.return_order_id);
        let parcels = shipments::list_of_return_orders(writing.db(), account, &[order]).await?;
        let is_over =
            |parcel: &Shipment| matches!(parcel.status, ShipmentStatus::Delivered | ShipmentStatus::Cancelled);
        let is_last = parcels.iter().all(|parcel| parcel.id == shipment.id || is_over(parcel));
        Ok(if is_last { mv } else { on_its_way })
    }

    /// Moves the items of a shipment, and writes its events.
    async fn follow_parcel(
        &self,
        writing: &mut Writing,
        shipment: &Shipment,
        before: ShipmentStatus,
        mv: &Move,
    ) -> Result<()> {
        let account = self.account.id;
        let id = shipment.return_order_id;
        let mut returned = Returned::lock(writing, account, id).await?.or_broken()?;
        if self.move_contents(writing, &mut returned, mv).await? {
            self.follow_up(writing, &mut returned).await?;
        }
        let Returned { order, consumer, requests, .. } = returned;
        let new_shipments = std::slice::from_ref(shipment);
        let data =
            order_data(&OrderSnapshot { order: &order, consumer: &consumer, requests: &requests, new_shipments })?;
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
