//! The label of a consumer's return, or the return address if there is no label.

use super::handle::ConsumerHandle;
use crate::{
    base::{Error, Result},
    returning::{
        owned::{consumer, own_order},
        parcels::return_address,
        printing::{PrintedLabel, sender_shown},
    },
    view::ReturnAddress,
};
use domain::{ReturnOrderId, ShipmentId, returning::Shipment, shipping::LabelFormat};
use store::shipments;

impl ConsumerHandle<'_> {
    /// Returns the return label (A6) of the given shipment, or of the first one, in the first of these formats that is
    /// available. There is none for returns that are not sent, not approved yet, or cancelled.
    pub async fn label(
        self,
        id: ReturnOrderId,
        shipment: Option<ShipmentId>,
        wanted: &[LabelFormat],
    ) -> Result<PrintedLabel> {
        let mut reading = self.retour.store.read().await?;
        let order = own_order(reading.db(), &self.shopper, id).await?;
        let consumer = consumer(reading.db(), &self.shopper).await?;
        let account = store::accounts::find(reading.db(), self.shopper.account).await?.ok_or(Error::NotFound)?;
        let shipments = shipments::list_of_return_orders(reading.db(), self.shopper.account, &[id]).await?;
        drop(reading);
        let is_asked = |one: &Shipment| shipment.is_none_or(|asked| asked == one.id);
        let has_label = |one: &Shipment| one.check_label().is_ok() && !one.label.formats().is_empty();
        let mut shipment = shipments.into_iter().find(|one| is_asked(one) && has_label(one)).ok_or(Error::NotFound)?;
        shipment.sender = sender_shown(&shipment, &order, &consumer);
        self.retour.print(account, order, shipment, wanted).await
    }

    /// The address to send a return to with a carrier of the consumer's own choice: no shipment has it. It is the
    /// shipping option's address today. `None` for other methods, unless the return can be sent, and while the merchant
    /// has set no address.
    pub async fn return_address(self, id: ReturnOrderId) -> Result<Option<ReturnAddress>> {
        let mut reading = self.retour.store.read().await?;
        let order = own_order(reading.db(), &self.shopper, id).await?;
        let consumer = consumer(reading.db(), &self.shopper).await?;
        let account = store::accounts::find(reading.db(), self.shopper.account).await?.ok_or(Error::NotFound)?;
        return_address(reading.db(), &account, &order, &consumer).await
    }
}
