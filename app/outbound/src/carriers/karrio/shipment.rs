//! Having a label made: a draft, its prices, the purchase.

use crate::carriers::karrio::{
    Voided,
    client::{No, Session},
    responses::{Document, Listed, Rate, Shipment, why},
};
use crate::{
    bridge::{
        BridgeError, Labelled, Made, Rejected,
        contract::{GetLabel, LabelFile, LabelItem},
        decoded, one_line,
    },
    shops::resolution::not_understood,
};
use domain::{Money, Timestamp, carrier::LabelFormat, policy::Address};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Where our transaction stands among a shipment's metadata.
const TRANSACTION: &str = "retour_transaction";
/// The longest texts that karrio takes.
const MAX_TITLE: usize = 200;
const MAX_SKU: usize = 100;

/// See [`super::Karrio::get_label`].
pub(super) async fn get_label(session: &Session<'_>, asked: &GetLabel) -> Result<Labelled, BridgeError> {
    let known = known(session, asked.transaction_id).await?;
    if let Some(bought) = known.iter().find(|shipment| shipment.is_bought()) {
        return made(session, bought).await;
    }
    let draft = match known.iter().rfind(|shipment| shipment.status == "draft") {
        // Carriers do not keep to prices for ever.
        Some(draft) => session.post(&session.at(&["shipments", &draft.id, "rates"])?, &json!({})).await?,
        None => session.post(&session.at(&["shipments"])?, &new_draft(asked, session.now)).await?,
    };
    let draft: Shipment = match draft {
        Ok(draft) => draft,
        // It was bought at this moment: the next time finds it.
        Err(No { status: 409, .. }) => return Ok(Labelled::Pending),
        Err(no) => return Ok(refused(no)),
    };
    let service = asked.shipping_option.as_ref().map(|option| option.carrier_service.as_str()).unwrap_or_default();
    let Some(rate) = choose(&draft.rates, service) else { return Ok(no_rate(&draft, service)) };
    if session.is_late() {
        return Ok(Labelled::Pending); // there is a draft by now: the next time goes on with it
    }
    let purchase = json!({"selected_rate_id": rate, "label_type": "PDF"});
    match session.post::<Shipment>(&session.at(&["shipments", &draft.id, "purchase"])?, &purchase).await? {
        Ok(bought) => made(session, &bought).await,
        // Somebody else was faster: the next time finds what they bought.
        Err(No { status: 409, .. }) => Ok(Labelled::Pending),
        Err(no) if no.code == "service_unavailable" => Ok(Labelled::NotNow { code: no.code, reason: no.reason }),
        Err(no) => Ok(refused(no)),
    }
}

/// See [`super::Karrio::void`].
pub(super) async fn void(session: &Session<'_>, shipment: &str) -> Result<Voided, BridgeError> {
    let to = session.at(&["shipments", shipment, "cancel"])?;
    Ok(match session.post::<IgnoredAny>(&to, &json!({})).await? {
        Ok(_) => Voided::Done,
        Err(No { status: 404, .. }) => Voided::Refused(format!("Karrio knows no shipment {shipment} with this key.")),
        Err(No { status: 424, reason, .. }) => Voided::NotNow(format!("{shipment}: {reason}")),
        Err(no) => Voided::Refused(format!("{shipment}: {}", no.reason)),
    })
}

/// See [`super::Karrio::void_all`].
pub(super) async fn void_all(session: &Session<'_>, transaction: Uuid) -> Result<Voided, BridgeError> {
    let mut outcome = Voided::Done;
    for shipment in known(session, transaction).await?.iter().filter(|shipment| shipment.status != "cancelled") {
        match void(session, &shipment.id).await? {
            Voided::Done => {}
            // That one is asked again keeps it open for all.
            Voided::Refused(_) if matches!(outcome, Voided::NotNow(_)) => {}
            worse => outcome = worse,
        }
    }
    Ok(outcome)
}

/// What was made under this transaction before, newest first.
async fn known(session: &Session<'_>, transaction: Uuid) -> Result<Vec<Shipment>, BridgeError> {
    let transaction = transaction.to_string();
    let query = [("metadata_key", TRANSACTION), ("metadata_value", transaction.as_str())];
    let too_long = |_| not_understood("url", "expected a shorter one");
    let to = session.at(&["shipments"])?;
    let to = query.into_iter().try_fold(to, |to, (name, value)| to.with(name, value)).map_err(too_long)?;
    let listed: Listed<Shipment> = match session.get(&to).await? {
        Ok(listed) => listed,
        Err(no) => return Err(Rejected { status: no.status }.into()),
    };
    // Karrio looks for the key, and for the value under any key.
    let is_ours =
        |shipment: &Shipment| shipment.metadata.get(TRANSACTION).and_then(Value::as_str) == Some(&transaction);
    Ok(listed.results.into_iter().filter(is_ours).collect())
}

fn new_draft(asked: &GetLabel, now: Timestamp) -> Value {
    let mut draft = json!({
        // A return that is made by ourselves: karrio's `is_return` is for carriers that have a service of that name.
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

/// The merchant's own line for whoever unpacks it: the number that they know the return by.
fn company(address: &Address, number: &str) -> Map<String, Value> {
    let mut fields = with_name("company_name", &address.name, address);
    fields.insert("person_name".to_owned(), json!(number));
    fields
}

/// What is not known is left out: carriers know what they need, and say it.
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
    let declared: i64 = asked.items.iter().map(|item| of_one(item).minor * i64::from(item.quantity)).sum();
    let date = now.utc().date();
    json!({
        "content_type": "return_merchandise",
        // Whoever takes it back sees to the duty, or to being let off it.
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

/// What a unit is declared to be worth: whole minor units, so that all of them are what is declared for the parcel.
fn of_one(item: &LabelItem) -> Money {
    Money::new(item.value.minor / i64::from(item.quantity.max(1)), item.value.currency)
}

fn commodity(item: &LabelItem) -> Value {
    let cut = |text: &str, most| text.chars().take(most).collect::<String>();
    let known = |text: String| Some(text).filter(|text| !text.is_empty());
    json!({
        "title": cut(&item.name, MAX_TITLE),
        "description": cut(&item.name, MAX_TITLE),
        "sku": known(cut(&item.sku, MAX_SKU)),
        "hs_code": known(item.hs_code.chars().filter(char::is_ascii_digit).collect()),
        "origin_country": known(item.origin_country.clone()),
        "quantity": item.quantity,
        "weight": kilograms(u64::from(item.weight)),
        "weight_unit": "KG",
        "value_amount": of_one(item).decimal(),
        "value_currency": item.value.currency.code(),
    })
}

/// As a decimal, to the gram.
fn kilograms(grams: u64) -> String {
    format!("{}.{:03}", grams / 1_000, grams % 1_000)
}

/// The cheapest, of a service where one is named.
fn choose(rates: &[Rate], service: &str) -> Option<String> {
    let fits = rates.iter().filter(|rate| service.is_empty() || rate.service == service);
    let charge = |rate: &&Rate| rate.total_charge.unwrap_or(f64::MAX);
    fits.min_by(|one, other| charge(one).total_cmp(&charge(other))).and_then(|rate| rate.id.clone())
}

fn no_rate(draft: &Shipment, service: &str) -> Labelled {
    // A carrier behind it that could not be asked may be the one that is wanted.
    if !draft.messages.is_empty() {
        let (code, reason) = why(&draft.messages);
        return Labelled::NotNow { code, reason: one_line(&reason) };
    }
    let services: Vec<&str> = draft.rates.iter().map(|rate| rate.service.as_str()).collect();
    let reason = match (services.is_empty(), service) {
        (true, _) => "No carrier behind karrio takes this parcel.".to_owned(),
        (false, service) => format!("Karrio does not offer {service} for this parcel, but {}.", services.join(", ")),
    };
    Labelled::Failed { code: "NoService".to_owned(), reason: one_line(&reason) }
}

/// What the request is to blame for stays so; a carrier may be of another mind in a while.
fn refused(no: No) -> Labelled {
    match no.status {
        424 => Labelled::NotNow { code: no.code, reason: no.reason },
        _ => Labelled::Failed { code: no.code, reason: no.reason },
    }
}

/// The label of what was bought, which karrio tells with the purchase, and later only where it is asked for.
async fn made(session: &Session<'_>, bought: &Shipment) -> Result<Labelled, BridgeError> {
    let told = bought.shipping_documents.iter().find(|document| document.is_label() && document.base64.is_some());
    let file = match told {
        Some(document) => file(document)?,
        None => {
            let to = session.at(&["shipments", &bought.id, "documents", "label"])?;
            match session.post::<Document>(&to, &json!({})).await? {
                Ok(document) => file(&document)?,
                Err(no) => return Err(Rejected { status: no.status }.into()),
            }
        }
    };
    let text = |text: Option<&String>| text.map(|text| text.trim().to_owned()).unwrap_or_default();
    let tracking_number = text(bought.tracking_number.as_ref());
    let carrier = bought.selected_rate.as_ref().and_then(|rate| rate.carrier_name.as_ref());
    Ok(Labelled::Created(Box::new(Made {
        file: Some(file),
        qr_code: None,
        barcode: tracking_number.clone(),
        carrier: text(carrier.or(bought.carrier_name.as_ref())),
        tracking_number,
        // Where the carrier has no page, karrio names a path of its own API.
        tracking_url: Some(text(bought.tracking_url.as_ref()))
            .filter(|url| url.starts_with("https://"))
            .unwrap_or_default(),
        reference: Some(bought.id.clone()),
    })))
}

fn file(document: &Document) -> Result<(LabelFormat, Vec<u8>), BridgeError> {
    let media_type = match document.format.as_deref() {
        Some("PDF") => LabelFormat::Pdf,
        Some("ZPL") => LabelFormat::Zpl,
        Some("PNG") => LabelFormat::Png,
        _ => return Err(not_understood("format", "expected PDF, ZPL or PNG")),
    };
    let data = document.base64.clone().unwrap_or_default();
    decoded(&LabelFile { media_type, data }).map_err(BridgeError::BadAnswer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(service: &str, total_charge: Option<f64>) -> Rate {
        Rate { id: Some(format!("rat_{service}")), service: service.to_owned(), carrier_name: None, total_charge }
    }

    #[test]
    fn the_cheapest_is_taken_and_of_a_service_only_that() {
        let rates = [rate("express", Some(9.9)), rate("standard", Some(4.5)), rate("odd", None)];
        assert_eq!(choose(&rates, "").as_deref(), Some("rat_standard"));
        assert_eq!(choose(&rates, "express").as_deref(), Some("rat_express"));
        assert_eq!((choose(&rates, "none"), choose(&[], "")), (None, None));
    }

    #[test]
    fn grams_are_kilograms_to_the_gram() {
        assert_eq!(
            [1, 999, 1_000, 31_500, 1_234_567].map(kilograms),
            ["0.001", "0.999", "1.000", "31.500", "1234.567"]
        );
    }
}
