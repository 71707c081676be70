//! Parcels: their numbers, where they go, what is reported of them, and what their carriers are asked once they have their
//! labels.

mod calling_off;
mod follow;
mod numbers;
mod reports;

pub(crate) use calling_off::check_called_off;
pub(crate) use numbers::{ParcelNumber, Parcels};

use crate::Result;
use domain::{order::Account, policy::Address, shipping::ShippingOption};
use store::Db;

/// The name of the simulated carrier on shipments.
pub(crate) const SIMULATED_CARRIER: &str = "Simulated carrier";
/// The time between two steps of a simulated parcel, seconds.
const SIMULATED_STEP: i64 = 10;

/// Where parcels of a way of sending go; empty where the merchant has not said it.
pub(crate) async fn receiver(db: Db<'_>, account: &Account, option: Option<&ShippingOption>) -> Result<Address> {
    let location = option.and_then(|option| option.return_location_id);
    let receiver = store::return_locations::find_receiver(db, account.id, location).await?;
    Ok(receiver.or_else(|| account.policy.return_address.clone()).unwrap_or_default())
}
