//! The label of a consumer's return, or the return address if there is no label.

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
    /// Returns the return label (A6) of the given shipment, or of the first one, in the first of these formats that is
    /// available. There is none for returns that are not sent, not approved yet, or cancelled.
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

    /// The return address for a shipping option without a label from Retour, and the country to send from. It is the
    /// option's address today; empty if the shop has none, or no longer offers the option to the consumer.
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
