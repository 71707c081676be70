//! Making a label: a draft, its rates, the purchase; and voiding it.

use super::{
    client::{KarrioSession, Refusal},
    responses::{Listed, Rate, Shipment, ShippingDocument, code_and_reason},
};
use crate::bridge::{
    BridgeError, CarrierLabel, Labelled, Rejected,
    contract::{GetLabel, LabelFile, LabelItem},
    decode_label, one_line,
};
use domain::{Money, Timestamp, address::Address, shipping::LabelFormat};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// The metadata key of our transaction.
const TRANSACTION: &str = "retour_transaction";
/// The longest title of an article that karrio accepts, in characters.
const MAX_TITLE_CHARS: usize = 200;
/// The longest SKU that karrio accepts, in characters.
const MAX_SKU_CHARS: usize = 100;

/// The outcome of voiding a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Voided {
    /// The label is void, now or since earlier.
    Done,
    /// The label stays: the shipment is on its way, the carrier refused, or karrio does not know the shipment. The reason is
    /// for the merchant's staff.
    Refused(String),
    /// The carrier refused for a temporary reason. The reason is for the merchant's staff.
    NotNow(String),
}

/// See [`super::Karrio::get_label`].
pub(super) async fn get_label(session: &KarrioSession<'_>, asked: &GetLabel) -> Result<Labelled, BridgeError> {
    let known = our_shipments(session, asked.transaction_id).await?;
    if let Some(bought) = known.iter().find(|shipment| shipment.is_bought()) {
        return label_of(session, bought).await;
    }
    let draft = match known.iter().rfind(|shipment| shipment.status == "draft") {
        // Rates expire, so an existing draft gets new ones.
        Some(draft) => session.post(&session.url(&["shipments", &draft.id, "rates"])?, &json!({})).await?,
        None => session.post(&session.url(&["shipments"])?, &new_draft(asked, session.now)).await?,
    };
    let draft: Shipment = match draft {
        Ok(draft) => draft,
        // Another call bought the label at the same moment: the next call finds it.
        Err(Refusal { status: 409, .. }) => return Ok(Labelled::Pending),
        Err(refusal) => return Ok(refused(refusal)),
    };
    let service = asked.shipping_option.as_ref().map(|option| option.carrier_service.as_str()).unwrap_or_default();
    let Some(rate) = cheapest(&draft.rates, service) else { return Ok(no_rate(&draft, service)) };
    if session.is_late() {
        return Ok(Labelled::Pending); // the next call continues with this draft
    }
    let purchase = json!({"selected_rate_id": rate, "label_type": "PDF"});
    match session.post::<Shipment>(&session.url(&["shipments", &draft.id, "purchase"])?, &purchase).await? {
        Ok(bought) => label_of(session, &bought).await,
        // Another call bought it first: the next call finds it.
        Err(Refusal { status: 409, .. }) => Ok(Labelled::Pending),
        Err(Refusal { code, reason, .. }) if code == "service_unavailable" => Ok(Labelled::NotNow { code, reason }),
        Err(refusal) => Ok(refused(refusal)),
    }
}

/// See [`super::Karrio::void`].
pub(super) async fn void(session: &KarrioSession<'_>, shipment: &str) -> Result<Voided, BridgeError> {
    let to = session.url(&["shipments", shipment, "cancel"])?;
    Ok(match session.post::<IgnoredAny>(&to, &json!({})).await? {
        Ok(_) => Voided::Done,
        Err(Refusal { status: 404, .. }) => {
            Voided::Refused(format!("Karrio knows no shipment {shipment} with this key."))
        }
        Err(Refusal { status: 424, reason, .. }) => Voided::NotNow(format!("{shipment}: {reason}")),
        Err(refusal) => Voided::Refused(format!("{shipment}: {}", refusal.reason)),
    })
}

/// See [`super::Karrio::void_all`].
pub(super) async fn void_all(session: &KarrioSession<'_>, transaction: Uuid) -> Result<Voided, BridgeError> {
    let mut outcome = Voided::Done;
    for shipment in our_shipments(session, transaction).await?.iter().filter(|shipment| shipment.status != "cancelled")
    {
        match void(session, &shipment.id).await? {
            Voided::Done => {}
            // One temporary refusal means that the caller asks again, for all of them.
            Voided::Refused(_) if matches!(outcome, Voided::NotNow(_)) => {}
            worse => outcome = worse,
        }
    }
    Ok(outcome)
}

/// The shipments of this transaction, newest first.
async fn our_shipments(session: &KarrioSession<'_>, transaction: Uuid) -> Result<Vec<Shipment>, BridgeError> {
    let transaction = transaction.to_string();
    let query = [("metadata_key", TRANSACTION), ("metadata_value", transaction.as_str())];
    let too_long = |_| BridgeError::bad_field("url", "expected a shorter one");
    let to = session.url(&["shipments"])?;
    let to = query.into_iter().try_fold(to, |to, (name, value)| to.with(name, value)).map_err(too_long)?;
    let listed: Listed<Shipment> = match session.get(&to).await? {
        Ok(listed) => listed,
        Err(refusal) => return Err(Rejected { status: refusal.status }.into()),
    };
    // Karrio searches for the key and for the value separately: the value may belong to another key.
    let is_ours =
        |shipment: &Shipment| shipment.metadata.get(TRANSACTION).and_then(Value::as_str) == Some(&transaction);
    Ok(listed.results.into_iter().filter(is_ours).collect())
}

fn new_draft(asked: &GetLabel, now: Timestamp) -> Value {
    let mut draft = json!({
        // `is_return` is not set: it is for carriers with a special service for returns.
        "shipper": person(&asked.sender),
        "recipient": company(&asked.receiver, &asked.return_order_number),
        "parcels": [{"weight": kilograms(asked.weight), "weight_unit": "KG"}],
        "reference": asked.return_order_number,
        "metadata": {TRANSACTION: asked.transaction_id, "return_order": asked.return_order_id},
        "label_type": "PDF",
    });
    if asked.passes_customs
        && let Some(fields) = draft.as_object_mut()
    {
        fields.insert("customs".to_owned(), customs(asked, now));
    }
    draft
}

fn person(address: &Address) -> Map<String, Value> {
    with_name("person_name", &address.name, address)
}

/// The return's number replaces the person's name, so that the warehouse can identify the return.
fn company(address: &Address, number: &str) -> Map<String, Value> {
    let mut fields = with_name("company_name", &address.name, address);
    fields.insert("person_name".to_owned(), json!(number));
    fields
}

/// Leaves out empty fields: carriers decide which ones they require, and report them.
fn with_name(name: &str, value: &str, address: &Address) -> Map<String, Value> {
    let country = address.country.to_ascii_uppercase();
    let lines = [
        (name, value),
        ("address_line1", &address.street),
        ("address_line2", &address.additional),
        ("postal_code", &address.postal_code),
        ("city", &address.city),
        ("state_code", &address.province),
        ("country_code", &country),
    ];
    let known = lines.into_iter().map(|(field, line)| (field, line.trim())).filter(|(_, line)| !line.is_empty());
    known.map(|(field, line)| (field.to_owned(), json!(line))).collect()
}

fn customs(asked: &GetLabel, now: Timestamp) -> Value {
    let currency = asked.items.first().map(|item| item.value.currency);
    let declared: i64 = asked.items.iter().map(|item| unit_value(item).minor * i64::from(item.quantity)).sum();
    let date = now.utc().date();
    json!({
        "content_type": "return_merchandise",
        // DAP: the recipient, who is the merchant, pays the duty or claims relief for returned goods.
        "incoterm": "DAP",
        "invoice": asked.return_order_number,
        "invoice_date": format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day()),
        "duty": {
            "paid_by": "recipient",
            "currency": currency.map(|currency| currency.to_string()),
            "declared_value": currency.map(|currency| Money::new(declared, currency).decimal()),
        },
        "commodities": asked.items.iter().map(commodity).collect::<Vec<_>>(),
    })
}

/// The declared value of a unit, in whole minor units, so that the units add up to the declared value of the shipment.
fn unit_value(item: &LabelItem) -> Money {
    Money::new(item.value.minor / i64::from(item.quantity.max(1)), item.value.currency)
}

fn commodity(item: &LabelItem) -> Value {
    let cut = |text: &str, most| text.chars().take(most).collect::<String>();
    let known = |text: String| Some(text).filter(|text| !text.is_empty());
    json!({
        "title": cut(&item.name, MAX_TITLE_CHARS),
        "description": cut(&item.name, MAX_TITLE_CHARS),
        "sku": known(cut(&item.sku, MAX_SKU_CHARS)),
        "hs_code": known(item.hs_code.chars().filter(char::is_ascii_digit).collect()),
        "origin_country": known(item.origin_country.clone()),
        "quantity": item.quantity,
        "weight": kilograms(u64::from(item.weight)),
        "weight_unit": "KG",
        "value_amount": unit_value(item).decimal(),
        "value_currency": item.value.currency.code(),
    })
}

/// Grams as kilograms with three decimals.
fn kilograms(grams: u64) -> String {
    format!("{}.{:03}", grams / 1_000, grams % 1_000)
}

/// The id of the cheapest rate; of the given service, unless it is empty.
fn cheapest(rates: &[Rate], service: &str) -> Option<String> {
    let fits = rates.iter().filter(|rate| service.is_empty() || rate.service == service);
    let charge = |rate: &&Rate| rate.total_charge.unwrap_or(f64::MAX);
    fits.min_by(|one, other| charge(one).total_cmp(&charge(other))).and_then(|rate| rate.id.clone())
}

fn no_rate(draft: &Shipment, service: &str) -> Labelled {
    // A carrier that did not answer may be the one that offers the service.
    if !draft.messages.is_empty() {
        let (code, reason) = code_and_reason(&draft.messages);
        return Labelled::NotNow { code, reason: one_line(&reason) };
    }
    let services: Vec<&str> = draft.rates.iter().map(|rate| rate.service.as_str()).collect();
    let reason = match (services.is_empty(), service) {
        (true, _) => "No carrier behind karrio accepts this shipment.".to_owned(),
        (false, service) => format!("Karrio does not offer {service} for this shipment, but {}.", services.join(", ")),
    };
    Labelled::Failed { code: "NoService".to_owned(), reason: one_line(&reason) }
}

/// A carrier's refusal may be temporary; an invalid request stays invalid.
fn refused(Refusal { status, code, reason }: Refusal) -> Labelled {
    match status {
        424 => Labelled::NotNow { code, reason },
        _ => Labelled::Failed { code, reason },
    }
}

/// The label of a bought shipment. Karrio includes it in the answer to the purchase; later it has to be requested.
async fn label_of(session: &KarrioSession<'_>, bought: &Shipment) -> Result<Labelled, BridgeError> {
    let included = bought.shipping_documents.iter().find(|document| document.is_label() && document.base64.is_some());
    let file = match included {
        Some(document) => label_file(document)?,
        None => {
            let to = session.url(&["shipments", &bought.id, "documents", "label"])?;
            match session.post::<ShippingDocument>(&to, &json!({})).await? {
                Ok(document) => label_file(&document)?,
                Err(refusal) => return Err(Rejected { status: refusal.status }.into()),
            }
        }
    };
    let text = |text: Option<&String>| text.map(|text| text.trim().to_owned()).unwrap_or_default();
    let tracking_number = text(bought.tracking_number.as_ref());
    let carrier = bought.selected_rate.as_ref().and_then(|rate| rate.carrier_name.as_ref());
    Ok(Labelled::Created(Box::new(CarrierLabel {
        file: Some(file),
        qr_code: None,
        barcode: tracking_number.clone(),
        carrier: text(carrier.or(bought.carrier_name.as_ref())),
        tracking_number,
        // For carriers without a tracking page, karrio returns a path of its own API.
        tracking_url: Some(text(bought.tracking_url.as_ref()))
            .filter(|url| url.starts_with("https://"))
            .unwrap_or_default(),
        reference: Some(bought.id.clone()),
    })))
}

fn label_file(document: &ShippingDocument) -> Result<(LabelFormat, Vec<u8>), BridgeError> {
    let media_type = match document.format.as_deref() {
        Some("PDF") => LabelFormat::Pdf,
        Some("ZPL") => LabelFormat::Zpl,
        Some("PNG") => LabelFormat::Png,
        _ => return Err(BridgeError::bad_field("format", "expected PDF, ZPL or PNG")),
    };
    let data = document.base64.clone().unwrap_or_default();
    decode_label(&LabelFile { media_type, data }).map_err(BridgeError::BadAnswer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(service: &str, total_charge: Option<f64>) -> Rate {
        Rate { id: Some(format!("rat_{service}")), service: service.to_owned(), carrier_name: None, total_charge }
    }

    #[test]
    fn the_cheapest_rate_is_chosen_within_the_service() {
        let rates = [rate("express", Some(9.9)), rate("standard", Some(4.5)), rate("odd", None)];
        assert_eq!(cheapest(&rates, "").as_deref(), Some("rat_standard"));
        assert_eq!(cheapest(&rates, "express").as_deref(), Some("rat_express"));
        assert_eq!((cheapest(&rates, "none"), cheapest(&[], "")), (None, None));
    }

    #[test]
    fn grams_are_written_as_kilograms() {
        assert_eq!(
            [1, 999, 1_000, 31_500, 1_234_567].map(kilograms),
            ["0.001", "0.999", "1.000", "31.500", "1234.567"]
        );
    }
}
