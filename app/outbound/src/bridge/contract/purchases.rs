//! `POST /get-purchases`.

use domain::{Currency, Locale, Money, Timestamp, order::IneligibleCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// What was bought in an order, for whoever can name it and prove that it is theirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetPurchases {
    /// This look-up; the `webhook-id` too. A look-up that is sent again keeps it.
    pub request_id: Uuid,
    /// The account's slug.
    pub account: String,
    /// The shopper's language, for what the shop has in several.
    pub locale: Locale,
    /// What the shopper typed.
    pub credentials: Credentials,
    /// Orders older than this many days need not be found, since nothing of them can go back. Left out: there is no
    /// limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_days: Option<u32>,
}

/// What a shopper knows of their order, as they typed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// The order's number. Compare it without a leading `#`, spaces and case.
    pub order_number: String,
    /// What only the shopper knows besides.
    #[serde(flatten)]
    pub proof: Proof,
}

/// What proves that an order is somebody's. Compare it without spaces and case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Proof {
    /// The e-mail address that the order was placed with.
    Email(String),
    /// The postal code that it was billed or sent to.
    PostalCode(String),
}

/// The order that was asked for. Whatever does not match is 404: an answer about another order or another person is
/// shown to nobody.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purchases {
    /// Who ordered.
    pub consumer: Consumer,
    /// The order's lines, those that cannot go back too: up to 1,000. None is as good as 404.
    #[schemars(length(max = 1_000))]
    pub purchases: Vec<Purchase>,
}

/// Who ordered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    /// The e-mail address that the order was placed with. Needed if that was asked for.
    #[schemars(length(max = 320))]
    pub email: Option<String>,
    /// Given name.
    #[schemars(length(max = 500))]
    pub first_name: Option<String>,
    /// Family name.
    #[schemars(length(max = 500))]
    pub last_name: Option<String>,
    /// Their language, a tag such as `nl` or `pt-BR`. Anything else is ignored.
    #[schemars(length(max = 500))]
    pub locale: Option<String>,
    /// Where the order was billed and sent to. Needed if the postal code was asked for. Up to 250.
    #[schemars(length(max = 250))]
    pub addresses: Option<Vec<Address>>,
}

/// A postal address; each line has up to 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ConsumerAddress")]
pub struct Address {
    /// Person or company.
    pub name: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Building, floor, care of.
    pub additional: Option<String>,
    /// As the country writes it.
    pub postal_code: Option<String>,
    /// City or town.
    pub city: Option<String>,
    /// State, county, prefecture.
    pub province: Option<String>,
    /// ISO 3166-1 alpha-2, such as `NL`.
    pub country: Option<String>,
}

/// A line of the order.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purchase {
    /// The shop's own id of the line, which never changes; each once.
    #[schemars(length(min = 1, max = 500))]
    pub purchase_id: String,
    /// The order: the same with each of its lines.
    pub order: Order,
    /// What it is.
    pub product: Product,
    /// Units bought.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// What was paid for all units, after discount.
    pub paid: Money,
    /// The tax on all units.
    pub tax: Money,
    /// Whether `paid` includes `tax`. If not, the shopper paid and gets back both.
    pub tax_included: bool,
    /// What was taken off before `paid`.
    pub discount: Option<Money>,
    /// When units were sent, the latest of them; null: none yet, so that nothing can go back.
    #[serde(deserialize_with = "Option::deserialize")] // the field is required, even if it is null
    #[schemars(required, schema_with = "moment_or_null")]
    pub fulfilled_at: Option<Timestamp>,
    /// Units that were sent so far: only these can go back. Left out: all, once there is a `fulfilledAt`.
    #[schemars(range(max = 1_000_000))]
    pub fulfilled_quantity: Option<u32>,
    /// When they arrived.
    pub delivered_at: Option<Timestamp>,
    /// Units that were refunded so far: by the shop itself, and for us.
    #[schemars(range(max = 1_000_000))]
    pub refunded_quantity: u32,
    /// Whether the shop takes it back. Left out: unless there is a `reasonCode`.
    pub returnable: Option<bool>,
    /// Why it does not.
    pub reason_code: Option<IneligibleCode>,
}

fn moment_or_null(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<Option<Timestamp>>()
}

/// The order that a line is of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// The shop's own id, which never changes.
    #[schemars(length(min = 1, max = 500))]
    pub id: String,
    /// The number that people know: the one that was asked for.
    #[schemars(length(min = 1, max = 500))]
    pub number: String,
    /// When it was placed.
    pub ordered_at: Timestamp,
    /// What all of its amounts are in.
    pub currency: Currency,
    /// The shop's tags: up to 250.
    #[schemars(length(max = 250))]
    pub tags: Option<Vec<String>>,
    /// What was paid for sending it, tax included.
    pub shipping_paid: Money,
    /// What was paid for all of it: its total, less what is outstanding. Returns of the order never give back more than this,
    /// less `totalRefunded`. Left out: there is no limit, or the one that is known stays.
    pub total_paid: Option<Money>,
    /// What was given back in money so far: by the shop itself, and for us. Left out beside `totalPaid`: nothing.
    pub total_refunded: Option<Money>,
}

/// What was bought.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    /// The shop's own id of the product.
    #[schemars(length(max = 500))]
    pub id: Option<String>,
    /// As the shop calls it.
    #[schemars(length(min = 1, max = 500))]
    pub name: String,
    /// Stock-keeping unit.
    #[schemars(length(max = 500))]
    pub sku: Option<String>,
    /// GTIN or another bar code.
    #[schemars(length(max = 500))]
    pub barcode: Option<String>,
    /// Pictures, the best first: up to 250 addresses that begin with `https://`.
    #[schemars(length(max = 250))]
    pub image_urls: Option<Vec<String>>,
    /// Variant: colour, size. Up to 250.
    pub attributes: Option<BTreeMap<String, String>>,
    /// What a shopper may have in its place at the same price: another size, another colour. Up to 250. Left out:
    /// shoppers are offered no exchange.
    #[schemars(length(max = 250))]
    pub exchange_options: Option<Vec<ExchangeOption>>,
    /// Of one unit, grams: 1 to 1,000,000. Anything else is ignored.
    pub weight: Option<u32>,
    /// For customs: the code of the Harmonized System, 6 to 12 digits, which may stand in groups. Anything else is ignored.
    #[schemars(length(max = 500))]
    pub hs_code: Option<String>,
    /// For customs: where it was made, ISO 3166-1 alpha-2. Anything else is ignored.
    pub origin_country: Option<String>,
    /// Whether it was sold for good. Left out: no.
    pub final_sale: Option<bool>,
    /// Whether it travels in a parcel: gift cards, downloads and services do not. Left out: yes.
    pub requires_shipping: Option<bool>,
}

/// What a shopper may have in place of what they bought.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeOption {
    /// Its stock-keeping unit, which comes back as `exchangeSku`; each once.
    #[schemars(length(min = 1, max = 500))]
    pub sku: String,
    /// As the shopper knows it, such as `Blue, large`.
    #[schemars(length(min = 1, max = 500))]
    pub name: String,
}

impl Purchase {
    /// What the shopper paid for all units, including tax, in the order's currency.
    pub fn total(&self) -> Money {
        let added = if self.tax_included { 0 } else { self.tax.minor };
        Money::new(self.paid.minor.saturating_add(added), self.paid.currency)
    }

    /// How many units were sent.
    pub fn fulfilled(&self) -> u32 {
        if self.fulfilled_at.is_some() { self.fulfilled_quantity.unwrap_or(self.quantity) } else { 0 }
    }

    /// The reason that makes the line non-returnable at the shop, if any.
    pub fn obstacle(&self) -> Option<IneligibleCode> {
        match (self.returnable, self.reason_code) {
            (Some(false), None) => Some(IneligibleCode::NotReturnable),
            (_, reason) => reason,
        }
    }
}

impl From<&Address> for domain::address::Address {
    fn from(address: &Address) -> Self {
        let line = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            name: line(&address.name),
            street: line(&address.street),
            additional: line(&address.additional),
            postal_code: line(&address.postal_code),
            city: line(&address.city),
            province: line(&address.province),
            country: line(&address.country),
        }
    }
}
