//! Labels as documents. Retour draws its own labels from the stored shipment on demand, so there is no file to lose.
//! Carriers' labels are made after the submit by `app/workers/src/labels`, and stored as files.

use crate::base::{Error, OrBroken, Result, Retour};
use domain::{
    account::Account,
    address::Address,
    returning::{ReturnOrder, Shipment},
    shipping::{LabelFile, LabelFormat, ParcelLabel},
};
use outbound::labels::{Label, LabelError, LabelWords, Sscc};
use store::consumers::{Consumer, Proof};

/// A label that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrintedLabel {
    /// In one of the requested formats.
    File {
        /// The format.
        format: LabelFormat,
        /// The content of the file.
        bytes: Vec<u8>,
    },
    /// In none of the requested formats: the carrier made it in this one.
    OnlyAs(LabelFormat),
}

impl Retour {
    /// Returns the label of a shipment in the first of these formats that is available.
    pub(crate) async fn print(
        &self,
        account: Account,
        order: ReturnOrder,
        shipment: Shipment,
        wanted: &[LabelFormat],
    ) -> Result<PrintedLabel> {
        if shipment.label == ParcelLabel::Own {
            let format = *wanted.first().or_broken()?;
            return Ok(PrintedLabel::File { format, bytes: draw(account, order, shipment, format).await? });
        }
        let LabelFile { id, format } = shipment.label.file().ok_or(Error::NotFound)?;
        if !wanted.contains(&format) {
            return Ok(PrintedLabel::OnlyAs(format));
        }
        let bytes = self.with_file(self.files.get(account.id, id)).await?;
        Ok(PrintedLabel::File { format, bytes })
    }
}

/// The sender as shown on the label of a consumer's return. A consumer who proved a postal code, such as a gift
/// recipient, must not learn the buyer's name and street, so the return's number replaces them.
pub fn sender_shown(shipment: &Shipment, order: &ReturnOrder, consumer: &Consumer) -> Address {
    match consumer.credentials.proof {
        Proof::Email(_) => shipment.sender.clone(),
        Proof::PostalCode(_) | Proof::Gift { .. } => Address {
            name: order.number.clone(),
            postal_code: shipment.sender.postal_code.clone(),
            country: shipment.sender.country.clone(),
            ..Address::default()
        },
    }
}

/// Draws one of Retour's own labels.
async fn draw(account: Account, order: ReturnOrder, shipment: Shipment, format: LabelFormat) -> Result<Vec<u8>> {
    let sscc = Sscc::parse(&shipment.sscc).or_broken()?;
    let draw = move || -> Result<Vec<u8>, LabelError> {
        let label = Label {
            return_number: &order.number,
            sender: shipment.sender.label_lines(&shipment.receiver.country, SENDER_LINES),
            receiver: receiver(&shipment.receiver, &shipment.sender, &account.name),
            receiver_name: &shipment.receiver.name,
            sender_country: &shipment.sender.country,
            receiver_country: &shipment.receiver.country,
            sscc: &sscc,
            qr: &order.number,
            merchant: &account.name,
            order_numbers: order.order_numbers.clone(),
            created: &day(account.time_zone.date(order.created_at)),
            words: words(account.is_test),
        };
        outbound::labels::draw(&label, format)
    };
    // Drawing takes milliseconds of CPU time, so it runs on a thread that serves no requests.
    Ok(tokio::task::spawn_blocking(draw).await.or_broken()??)
}

/// The texts of a label. Labels of test accounts are marked as specimens.
fn words(is_test: bool) -> LabelWords<'static> {
    if is_test {
        LabelWords { badge: "SPECIMEN", specimen: SPECIMEN, ..LabelWords::default() }
    } else {
        LabelWords::default()
    }
}

/// The text at the foot of a specimen.
const SPECIMEN: &str = "SPECIMEN – not valid for shipping";

/// The number of address lines that fit into the blocks of a label at a readable size.
const SENDER_LINES: usize = 6;
const RECEIVER_LINES: usize = 7;

/// If the shop has not set its return address yet, the label shows its name alone.
fn receiver(to: &Address, from: &Address, merchant: &str) -> Vec<String> {
    let lines = to.label_lines(&from.country, RECEIVER_LINES);
    if lines.is_empty() { vec![merchant.to_owned()] } else { lines }
}

fn day(date: time::Date) -> String {
    let month = date.month().to_string();
    format!("{} {} {}", date.day(), month.get(..3).unwrap_or_default(), date.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_the_lines_that_the_post_asks_for_and_never_more_than_it_has_room_for() {
        let to = Address {
            name: "Acme Returns".to_owned(),
            street: "100 Main St".to_owned(),
            additional: "Suite 5".to_owned(),
            postal_code: "95820".to_owned(),
            city: "Sacramento".to_owned(),
            province: "CA".to_owned(),
            country: "US".to_owned(),
        };
        let home = ["Acme Returns", "100 Main St", "Suite 5", "SACRAMENTO, CA 95820"];
        assert_eq!(receiver(&to, &to, "Acme"), home);
        let from = Address { country: "FR".to_owned(), ..Address::default() };
        assert_eq!(receiver(&to, &from, "Acme"), [&home[..], &["ÉTATS-UNIS"]].concat());
        assert_eq!(receiver(&from, &to, "Acme"), ["Acme"], "a country alone is no address");
        let long = Address { province: "Midlothian".to_owned(), country: "GB".to_owned(), ..to };
        assert_eq!(long.label_lines("FR", RECEIVER_LINES).len(), RECEIVER_LINES);
        assert_eq!(long.label_lines("FR", SENDER_LINES).len(), SENDER_LINES);
    }
}
