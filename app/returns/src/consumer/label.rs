//! The label of a consumer's return.

use super::return_order::own_order;
use crate::{Error, LabelFormat, PrintedLabel, Result, Retour, Shopper};
use domain::ReturnOrderId;
use store::shipments;

impl Retour {
    /// The return label (A6), in the first of these forms that it comes in. There is none for returns that are not sent,
    /// not yet agreed to, or called off.
    pub async fn own_label(
        &self,
        shopper: &Shopper,
        id: ReturnOrderId,
        wanted: &[LabelFormat],
    ) -> Result<PrintedLabel> {
        let mut reading = self.store.read().await?;
        let order = own_order(reading.db(), shopper, id).await?;
        let account = store::accounts::find(reading.db(), shopper.account).await?.ok_or(Error::NotFound)?;
        let parcels = shipments::list_of_return_orders(reading.db(), shopper.account, &[id]).await?;
        drop(reading);
        let parcel =
            parcels.into_iter().find(|parcel| parcel.check_label().is_ok() && !parcel.label.formats().is_empty());
        let parcel = parcel.ok_or(Error::NotFound)?;
        self.print(account, order, parcel, wanted).await
    }
}
