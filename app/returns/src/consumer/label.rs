//! The label of a consumer's return, and the address where there is none.

use super::handle::ConsumerHandle;
use crate::{
    base::{Error, Result},
    drafting::settings::Settings,
    returning::{
        owned::{consumer, own_order},
        parcels::receiver,
        printing::{PrintedLabel, sender_shown},
    },
};
use domain::{
    ReturnOrderId, ShipmentId, ShippingOptionId, address::Address, returning::Shipment, shipping::LabelFormat,
};
use store::shipments;

impl ConsumerHandle<'_> {
    /// The return label (A6), in the first of these forms that it comes in: that of this parcel, or the first. There is none
    /// for returns that are not sent, not yet agreed to, or called off.
    pub async fn own_label(
        self,
        id: ReturnOrderId,
        parcel: Option<ShipmentId>,
        wanted: &[LabelFormat],
    ) -> Result<PrintedLabel> {
        let mut reading = self.retour.store.read().await?;
        let order = own_order(reading.db(), &self.shopper, id).await?;
        let consumer = consumer(reading.db(), &self.shopper).await?;
        let account = store::accounts::find(reading.db(), self.shopper.account).await?.ok_or(Error::NotFound)?;
        let parcels = shipments::list_of_return_orders(reading.db(), self.shopper.account, &[id]).await?;
        drop(reading);
        let is_asked = |one: &Shipment| parcel.is_none_or(|asked| asked == one.id);
        let has_label = |one: &Shipment| one.check_label().is_ok() && !one.label.formats().is_empty();
        let mut parcel = parcels.into_iter().find(|one| is_asked(one) && has_label(one)).ok_or(Error::NotFound)?;
        parcel.sender = sender_shown(&parcel, &order, &consumer);
        self.retour.print(account, order, parcel, wanted).await
    }

    /// Where a shopper sends what goes without a label of ours, and the country that they send it from. The address is that of this
    /// way of sending today; empty if the shop has not said it, or no longer offers the way to them.
    pub async fn return_address(self, option: ShippingOptionId) -> Result<(Address, String)> {
        let (settings, consumer, mut reading) =
            Settings::load(self.retour, self.retour.store.read().await?, &self.shopper).await?;
        let country = consumer.address.country;
        let Some(option) = settings.options.iter().find(|one| one.id == option) else {
            return Ok((Address::default(), country));
        };
        Ok((receiver(reading.db(), &settings.account, Some(option)).await?, country))
    }
}
