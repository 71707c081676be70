//! A consumer, as the merchant and as the consumer sees it.

use domain::{ConsumerId, Timestamp, address::Address};
use schemars::JsonSchema;
use serde::Serialize;
use store::consumers::Proof;

/// A consumer: one pair of order credentials.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    /// Unique identifier of the consumer.
    pub id: ConsumerId,
    /// The order's e-mail address, which may be empty; for a gift recipient, the recipient's own.
    pub email: String,
    /// The order's address; its fields may be empty.
    pub address: Address,
    /// Whether the consumer is a gift recipient. Do not send them amounts, and do not write to the buyer.
    pub gift_recipient: bool,
    /// When the order was looked up for the first time.
    pub created_at: Timestamp,
}

/// Where a consumer sends a return with a carrier of their own choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnAddress {
    /// The merchant's address.
    pub address: Address,
    /// The country that the parcel is sent from, which decides the format of the address.
    pub sent_from: String,
}

impl Consumer {
    /// The consumer as seen by the consumer: the e-mail address and the postal address are shown only as far as the
    /// consumer proved them. Who knows an order's number and postal code does not learn the e-mail address, and the
    /// reverse.
    pub fn proved(consumer: store::consumers::Consumer) -> Self {
        let proof = consumer.credentials.proof.clone();
        let Self { id, email, address, gift_recipient, created_at } = Self::from(consumer);
        let code_alone = Address { postal_code: address.postal_code, ..Address::default() };
        let (email, address) = match proof {
            Proof::Email(_) => (email, Address::default()),
            Proof::PostalCode(_) => (String::new(), code_alone),
            Proof::Gift { .. } => (email, code_alone),
        };
        Self { id, email, address, gift_recipient, created_at }
    }
}

impl From<store::consumers::Consumer> for Consumer {
    fn from(consumer: store::consumers::Consumer) -> Self {
        let gift_recipient = consumer.credentials.is_gift();
        let store::consumers::Consumer { id, email, address, created_at, .. } = consumer;
        Self { id, email, address, gift_recipient, created_at }
    }
}
