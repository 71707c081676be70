//! The label of a return, drawn from what is stored whenever it is asked for: nothing to keep, nothing to lose.

use super::return_order::own_order;
use crate::{Error, Result, Retour, Shopper};
use domain::{ReturnOrderId, policy::Address, status::ShipmentStatus};
use outbound::label::{Label, LabelError, Sscc};
use store::shipments;

impl Retour {
    /// The return label as a PDF (A6). There is none for returns that are not sent, not yet agreed to, or called off.
    pub async fn label_pdf(&self, shopper: &Shopper, id: ReturnOrderId) -> Result<Vec<u8>> {
        let mut reading = self.store.read().await?;
        let order = own_order(reading.db(), shopper, id).await?;
        let account = store::accounts::find(reading.db(), shopper.account).await?.ok_or(Error::NotFound)?;
        let parcels = shipments::list_of_return_orders(reading.db(), shopper.account, &[id]).await?;
        drop(reading);
        let usable =
            |status| !matches!(status, ShipmentStatus::New | ShipmentStatus::LabelFailed | ShipmentStatus::Cancelled);
        let parcel = parcels.into_iter().find(|parcel| usable(parcel.status)).ok_or(Error::NotFound)?;
        let sscc = Sscc::parse(&parcel.sscc).map_err(|_| Error::Broken)?;
        let draw = move || -> Result<Vec<u8>, LabelError> {
            outbound::label::pdf(&Label {
                return_number: &order.number,
                sender: lines(&parcel.sender),
                receiver: receiver(&parcel.receiver, &account.name),
                sscc: &sscc,
                qr: &order.number,
                merchant: &account.name,
                order_numbers: order.order_numbers.clone(),
                created: &day(order.created_at),
                words: outbound::label::Words::default(),
            })
        };
        // Drawing takes milliseconds of a core: not on a thread that serves requests.
        Ok(tokio::task::spawn_blocking(draw).await.map_err(|_| Error::Broken)??)
    }
}

/// An address that is no more than a country is nothing to print.
fn lines(address: &Address) -> Vec<String> {
    let lines = address.lines();
    if lines.len() > 1 { lines } else { Vec::new() }
}

/// A shop that has not set its return address yet gets a label all the same, with its name alone.
fn receiver(address: &Address, merchant: &str) -> Vec<String> {
    let lines = lines(address);
    if lines.is_empty() { vec![merchant.to_owned()] } else { lines }
}

fn day(at: domain::Timestamp) -> String {
    let date = at.utc().date();
    let month = date.month().to_string();
    format!("{} {} {}", date.day(), month.get(..3).unwrap_or_default(), date.year())
}
