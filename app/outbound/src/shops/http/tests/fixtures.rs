//! The requests of the examples, and answers to them.

use super::super::answers;
use crate::{
    bridge::{
        BridgeError, Labelled, LookUp, Resolved,
        contract::{self, Credentials, GetLabel, ResolveReturn},
    },
    http::HttpResponse,
    labels::Sscc,
};
use domain::{Money, ReturnRequestId, Timestamp, Translated, address::Address, shipping::ShippingMethod};
use serde_json::Value;
use uuid::Uuid;

pub(super) const NOW: Timestamp = Timestamp::from_seconds(1_795_255_200);

pub(super) fn credentials() -> Credentials {
    let proof = contract::Proof::Email("ada@example.com".to_owned());
    Credentials { order_number: "#1001".to_owned(), proof }
}

pub(super) fn resolution() -> ResolveReturn {
    let eur = domain::Currency::from_code("EUR").unwrap();
    let item = contract::Item {
        return_request_id: "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90".parse::<ReturnRequestId>().unwrap(),
        purchase_id: "466157049".to_owned(),
        quantity: 1,
        amount: domain::Money::new(1998, eur),
        duties: domain::Money::new(0, eur),
        exchange_sku: None,
        disposition: Some(domain::stage::Disposition::Restock),
    };
    ResolveReturn {
        transaction_id: Uuid::from_u128(0x0190_a5b2_0c11_7b52_8d7e_51c0_b7a9_e2f4),
        kind: domain::policy::Resolution::Refund,
        order_id: "820982911946154508".to_owned(),
        return_order_number: "R-7K3M9Q2A".to_owned(),
        items: vec![item],
        shipping_refund: domain::Money::new(0, eur),
        fees: domain::Money::new(495, eur),
        gift_recipient_email: None,
    }
}

pub(super) fn label() -> GetLabel {
    let lines = |[name, street, additional, postal_code, city, country]: [&str; 6]| Address {
        name: name.to_owned(),
        street: street.to_owned(),
        additional: additional.to_owned(),
        postal_code: postal_code.to_owned(),
        city: city.to_owned(),
        province: String::new(),
        country: country.to_owned(),
    };
    let option = contract::LabelOption {
        id: "0190a5a0-1b2c-7d3e-8f40-516273849506".parse().unwrap(),
        name: Translated::en("Post office"),
        method: ShippingMethod::Label,
        carrier_service: String::new(),
    };
    let item = contract::LabelItem {
        purchase_id: "466157049".to_owned(),
        name: "Stoneware mug".to_owned(),
        sku: "MUG-BLUE".to_owned(),
        quantity: 1,
        value: Money::new(1998, domain::Currency::from_code("EUR").unwrap()),
        weight: 350,
        hs_code: "6912.00".to_owned(),
        origin_country: "PT".to_owned(),
    };
    GetLabel {
        transaction_id: Uuid::from_u128(0x0190_a5b1_a1c2_7d34_8e5f_6071_8293_a4b5),
        account: "fjord-fern".to_owned(),
        return_order_id: "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3".parse().unwrap(),
        return_order_number: "R-7K3M9Q2A".to_owned(),
        order_numbers: vec!["1001".to_owned()],
        shipping_option: Some(option),
        sender: lines(["Ida Sommer", "Hafenstraße 12", "", "20457", "Hamburg", "DE"]),
        receiver: lines(["Fjord & Fern Returns", "Kaistraat 4", "Dock 2", "1013 AA", "Amsterdam", "NL"]),
        sscc: Sscc::nth("9521234", 1).unwrap().to_string(),
        items: vec![item],
        weight: 350,
        passes_customs: false,
    }
}

pub(super) fn response(status: u16, body: impl Into<Vec<u8>>) -> HttpResponse {
    HttpResponse { status, retry_after: None, body: body.into() }
}

pub(super) fn purchases(body: &Value) -> Result<LookUp, BridgeError> {
    answers::look_up(response(200, body.to_string()), &credentials(), NOW)
}

pub(super) fn resolved(body: &Value) -> Result<Resolved, BridgeError> {
    answers::resolution(response(200, body.to_string()), &resolution(), NOW)
}

pub(super) fn labelled(body: &Value) -> Result<Labelled, BridgeError> {
    answers::label(response(200, body.to_string()), &label(), NOW)
}

/// The paths of all values in a document.
pub(super) fn places(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| self::places(field, &format!("{at}/{name}"), places));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| self::places(item, &format!("{at}/{index}"), places));
        }
        _ => {}
    }
}
