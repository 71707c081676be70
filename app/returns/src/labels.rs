//! Labels, drawn from what is stored whenever they are asked for: nothing to keep, nothing to lose.

use crate::{Error, Result};
use domain::{
    order::Account,
    policy::Address,
    returning::{ReturnOrder, Shipment},
};
use outbound::label::{Format, Label, LabelError, Sscc};

/// The label of a parcel.
pub(crate) async fn draw(account: Account, order: ReturnOrder, parcel: Shipment, format: Format) -> Result<Vec<u8>> {
    let sscc = Sscc::parse(&parcel.sscc).map_err(|_| Error::Broken)?;
    let draw = move || -> Result<Vec<u8>, LabelError> {
        let label = Label {
            return_number: &order.number,
            sender: lines(&parcel.sender),
            receiver: receiver(&parcel.receiver, &account.name),
            sscc: &sscc,
            qr: &order.number,
            merchant: &account.name,
            order_numbers: order.order_numbers.clone(),
            created: &day(order.created_at),
            words: outbound::label::Words::default(),
        };
        outbound::label::draw(&label, format)
    };
    // Drawing takes milliseconds of a core: not on a thread that serves requests.
    Ok(tokio::task::spawn_blocking(draw).await.map_err(|_| Error::Broken)??)
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
