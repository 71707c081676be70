//! Requests to bridges, and their answers.

use super::{PATIENCE, Receiver, at_home};
use domain::{
    Currency, Locale, Money, Timestamp, Translated, address::Address, policy, shipping::ShippingMethod,
    stage::Disposition,
};
use outbound::{
    bridge::{
        BridgeError, Labelled, LookUp, Resolved,
        contract::{Credentials, GetLabel, GetPurchases, Item, LabelItem, LabelOption, Proof, ResolveReturn},
        document,
    },
    shops::http::Bridge,
    webhook::Secret,
};
use serde_json::Value;
use std::time::SystemTime;
use tokio::time::timeout;

pub fn secret() -> Secret {
    Secret::from_random([7; 32])
}

/// A bridge at a receiver.
pub fn bridge(receiver: &Receiver) -> Bridge {
    Bridge::new(at_home(), &receiver.url(), secret(), None).unwrap()
}

/// The real time, because receivers reject signatures that are older than five minutes.
#[expect(clippy::disallowed_methods)]
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Timestamp::from_seconds(since.as_secs().try_into().unwrap())
}

/// A look-up of the example order by its e-mail address.
pub fn asked() -> GetPurchases {
    let proof = Proof::Email("ada@example.com".to_owned());
    GetPurchases {
        request_id: "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10".parse().unwrap(),
        account: "fjord-fern".to_owned(),
        locale: Locale("en".to_owned()),
        credentials: Credentials { order_number: "#1001".to_owned(), proof },
        max_age_days: Some(60),
    }
}

/// The refund of the examples.
pub fn refund() -> ResolveReturn {
    let eur = |minor| Money::new(minor, Currency::from_code("EUR").unwrap());
    let item = Item {
        return_request_id: "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90".parse().unwrap(),
        purchase_id: "466157049".to_owned(),
        quantity: 1,
        amount: eur(1998),
        duties: eur(0),
        exchange_sku: None,
        disposition: Some(Disposition::Restock),
    };
    ResolveReturn {
        transaction_id: "0190a5b2-0c11-7b52-8d7e-51c0b7a9e2f4".parse().unwrap(),
        kind: policy::Resolution::Refund,
        order_id: "820982911946154508".to_owned(),
        return_order_number: "R-7K3M9Q2A".to_owned(),
        items: vec![item],
        shipping_refund: eur(0),
        fees: eur(495),
        gift_recipient_email: None,
    }
}

/// A request for a label for a mug of the example order, with a shipping method.
pub fn label_request(method: ShippingMethod) -> GetLabel {
    let option = LabelOption {
        id: "0190a5a0-1b2c-7d3e-8f40-516273849506".parse().unwrap(),
        name: Translated::en("Post office"),
        method,
        carrier_service: String::new(),
    };
    let item = LabelItem {
        purchase_id: "466157049".to_owned(),
        name: "Stoneware mug".to_owned(),
        sku: "MUG-BLUE".to_owned(),
        quantity: 1,
        value: Money::new(1998, Currency::from_code("EUR").unwrap()),
        weight: 350,
        hs_code: "6912.00".to_owned(),
        origin_country: "PT".to_owned(),
    };
    GetLabel {
        transaction_id: "0190a5b1-a1c2-7d34-8e5f-60718293a4b5".parse().unwrap(),
        account: "fjord-fern".to_owned(),
        return_order_id: "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3".parse().unwrap(),
        return_order_number: "R-7K3M9Q2A".to_owned(),
        order_numbers: vec!["1001".to_owned()],
        shipping_option: Some(option),
        sender: Address { country: "DE".to_owned(), ..Address::default() },
        receiver: Address { name: "Fjord & Fern".to_owned(), country: "NL".to_owned(), ..Address::default() },
        sscc: "095212340000000013".to_owned(),
        items: vec![item],
        weight: 350,
        passes_customs: false,
    }
}

/// An answer of the contract's document.
pub fn example(path: &str, name: &str) -> Value {
    let content = format!("/paths/~1{path}/post/responses/200/content/application~1json");
    document().pointer(&format!("{content}/examples/{name}/value")).unwrap().clone()
}

/// An answer with status 200.
pub fn ok(body: &Value) -> String {
    let body = body.to_string();
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// Looks up the example order. Fails the test if the call does not end.
pub async fn look_up(bridge: &Bridge) -> Result<LookUp, BridgeError> {
    timeout(PATIENCE, bridge.get_purchases(&asked(), now())).await.expect("the look-up should have ended")
}

/// Settles the example. Fails the test if the call does not end.
pub async fn resolve(bridge: &Bridge) -> Result<Resolved, BridgeError> {
    timeout(PATIENCE, bridge.resolve_return(&refund(), now())).await.expect("the resolution should have ended")
}

/// Asks for a printed label. Fails the test if the call does not end.
pub async fn get_label(bridge: &Bridge) -> Result<Labelled, BridgeError> {
    let asked = label_request(ShippingMethod::Label);
    timeout(PATIENCE, bridge.get_label(&asked, now())).await.expect("asking for a label should have ended")
}
