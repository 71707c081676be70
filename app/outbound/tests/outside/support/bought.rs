//! An order in a real shop, and the requests for it.

use domain::{Currency, Locale, Money, policy, stage::Disposition};
use outbound::bridge::{
    Resolved,
    contract::{Credentials, GetPurchases, Item, Proof, Purchase, Purchases, ResolveReturn},
};
use serde_json::Value;
use uuid::Uuid;

/// A placed order.
pub struct Bought {
    pub code: String,
    pub order_id: String,
    pub found: Purchases,
}

impl Bought {
    pub fn line(&self, index: usize) -> &Purchase {
        &self.found.purchases[index]
    }

    /// A refund of units of its first line, in cents.
    pub fn refund(&self, transaction: u128, quantity: u32, cents: i64) -> ResolveReturn {
        let item = Item {
            return_request_id: "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90".parse().unwrap(),
            purchase_id: self.line(0).purchase_id.clone(),
            quantity,
            amount: eur(cents),
            duties: eur(0),
            exchange_sku: None,
            disposition: Some(Disposition::Dispose),
        };
        ResolveReturn {
            transaction_id: Uuid::from_u128(transaction),
            kind: policy::Resolution::Refund,
            order_id: self.order_id.clone(),
            return_order_number: "R-7K3M9Q2A".to_owned(),
            items: vec![item],
            shipping_refund: eur(0),
            fees: eur(0),
            gift_recipient_email: None,
        }
    }
}

pub fn eur(cents: i64) -> Money {
    Money::new(cents, Currency::from_code("EUR").unwrap())
}

pub fn email() -> Proof {
    Proof::Email(" Guest@Example.com".to_owned())
}

pub fn asked(code: &str, proof: Proof) -> GetPurchases {
    GetPurchases {
        request_id: Uuid::nil(),
        account: "fjord-fern".to_owned(),
        locale: Locale("pt-BR".to_owned()),
        credentials: Credentials { order_number: code.to_owned(), proof },
        max_age_days: None,
    }
}

/// The outcome "completed", with the ids of refunds.
pub fn completed(refunds: &[Value]) -> Resolved {
    let ids: Vec<&str> = refunds.iter().map(|refund| refund["id"].as_str().unwrap()).collect();
    Resolved::Completed { external_reference: Some(ids.join(", ")) }
}
