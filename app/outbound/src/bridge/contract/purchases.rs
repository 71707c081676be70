//! `POST /get-purchases`.

use domain::{Currency, Locale, Money, Timestamp, order::IneligibleCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use uuid::Uuid;

/// A look-up of what a person bought in one order, with the credentials that the person typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetPurchases {
    /// The id of this look-up, which is also the `webhook-id`. A look-up that Retour sends again keeps its id.
    pub request_id: Uuid,
    /// The account's slug.
    pub account: String,
    /// The shopper's language, for texts that the shop has in several languages.
    pub locale: Locale,
    /// The credentials that the shopper typed.
    pub credentials: Credentials,
    /// You need not find orders older than this many days, because none of their items can go back. If it is absent,
    /// there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age_days: Option<u32>,
}

/// The number and the proof of an order, as the shopper typed them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// The order's number. Compare it without a leading `#`, spaces and case.
    pub order_number: String,
    /// The proof beside the order number.
    #[serde(flatten)]
    pub proof: Proof,
}

/// The proof that an order belongs to a person. Compare it without spaces and case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Proof {
    /// The e-mail address that the order was placed with.
    Email(String),
    /// The postal code of the billing or shipping address.
    PostalCode(String),
}

/// The requested order. Answer 404 if the credentials do not match: Retour never shows an answer about another order
/// or another person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purchases {
    /// The person who ordered.
    pub consumer: Consumer,
    /// The order's lines, up to 1,000, including those that cannot go back. An empty list means the same as 404.
    #[schemars(length(max = 1_000))]
    pub purchases: Vec<Purchase>,
}

/// The person who ordered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consumer {
    /// The e-mail address that the order was placed with. Needed if the look-up has an e-mail address.
    #[schemars(length(max = 320))]
    pub email: Option<String>,
    /// Given name.
    #[schemars(length(max = 500))]
    pub first_name: Option<String>,
    /// Family name.
    #[schemars(length(max = 500))]
    pub last_name: Option<String>,
    /// The person's language, a tag such as `nl` or `pt-BR`. Retour ignores other values.
    #[schemars(length(max = 500))]
    pub locale: Option<String>,
    /// The billing and shipping addresses of the order, up to 250. Needed if the look-up has a postal code.
    #[schemars(length(max = 250))]
    pub addresses: Option<Vec<Address>>,
}

/// A postal address; each line has up to 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ConsumerAddress")]
pub struct Address {
    /// The person or company at the address.
    pub name: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Building, floor, care of.
    pub additional: Option<String>,
    /// The postal code, as the country writes it.
    pub postal_code: Option<String>,
    /// City or town.
    pub city: Option<String>,
    /// State, county or prefecture.
    pub province: Option<String>,
    /// ISO 3166-1 alpha-2, such as `NL`.
    pub country: Option<String>,
}

/// One line of the order.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Purchase {
    /// The shop's own id of the line. It never changes and is unique in the answer.
    #[schemars(length(min = 1, max = 500))]
    pub purchase_id: String,
    /// The order of the line. All lines have the same order.
    pub order: Order,
    /// The product that was bought.
    pub product: Product,
    /// The number of units bought.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// The amount paid for all units, after discount.
    pub paid: Money,
    /// The tax on all units.
    pub tax: Money,
    /// Whether `paid` includes `tax`. If not, the shopper paid both, and a refund covers both.
    pub tax_included: bool,
    /// The import duties within `paid`, which only Shopify's client knows: they are not a part of the contract.
    #[serde(skip)]
    pub duties: Option<Money>,
    /// The discount that is already subtracted from `paid`.
    pub discount: Option<Money>,
    /// The time at which the latest units were sent. If it is null, no unit was sent, and nothing can go back.
    #[serde(deserialize_with = "Option::deserialize")] // the field is required, even if it is null
    #[schemars(required, schema_with = "moment_or_null")]
    pub fulfilled_at: Option<Timestamp>,
    /// The number of units sent so far; only these can go back. If you leave it out, it is all units once
    /// `fulfilledAt` is set.
    #[schemars(range(max = 1_000_000))]
    pub fulfilled_quantity: Option<u32>,
    /// The time at which the units arrived.
    pub delivered_at: Option<Timestamp>,
    /// The number of units refunded so far, both by the shop itself and at Retour's request.
    #[schemars(range(max = 1_000_000))]
    pub refunded_quantity: u32,
    /// Whether the shop takes the line back. If you leave it out, it does, unless there is a `reasonCode`.
    pub returnable: Option<bool>,
    /// The reason why the shop does not take the line back.
    pub reason_code: Option<IneligibleCode>,
}

fn moment_or_null(schemas: &mut SchemaGenerator) -> Schema {
    schemas.subschema_for::<Option<Timestamp>>()
}

/// The order that a line belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// The shop's own id, which never changes.
    #[schemars(length(min = 1, max = 500))]
    pub id: String,
    /// The order number that people see, which is the requested one.
    #[schemars(length(min = 1, max = 500))]
    pub number: String,
    /// The time at which the order was placed.
    pub ordered_at: Timestamp,
    /// The currency of all amounts in the order.
    pub currency: Currency,
    /// The shop's tags of the order, up to 250.
    #[schemars(length(max = 250))]
    pub tags: Option<Vec<String>>,
    /// The amount paid for shipping, tax included.
    pub shipping_paid: Money,
    /// The amount paid for the whole order: its total, less what is outstanding. Returns of the order never give back
    /// more than this less `totalRefunded`. If you leave it out, the limit that Retour knows stays; without one, there
    /// is no limit.
    pub total_paid: Option<Money>,
    /// The amount of money refunded so far, both by the shop itself and at Retour's request. If you leave it out
    /// beside `totalPaid`, it is zero.
    pub total_refunded: Option<Money>,
}

/// The product of a line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    /// The shop's own id of the product.
    #[schemars(length(max = 500))]
    pub id: Option<String>,
    /// The name of the product in the shop.
    #[schemars(length(min = 1, max = 500))]
    pub name: String,
    /// Stock-keeping unit.
    #[schemars(length(max = 500))]
    pub sku: Option<String>,
    /// GTIN or another bar code.
    #[schemars(length(max = 500))]
    pub barcode: Option<String>,
    /// Pictures of the product, the best one first: up to 250 URLs that begin with `https://`.
    #[schemars(length(max = 250))]
    pub image_urls: Option<Vec<String>>,
    /// The attributes of the variant, such as colour and size, up to 250.
    pub attributes: Option<BTreeMap<String, String>>,
    /// Other variants at the same price that a shopper can choose instead, such as another size or colour, up to 250.
    /// If you leave it out, shoppers get no offer to exchange.
    #[schemars(length(max = 250))]
    pub exchange_options: Option<Vec<ExchangeOption>>,
    /// The weight of one unit in grams, 1 to 1,000,000. Retour ignores other values.
    pub weight: Option<u32>,
    /// For customs: the code of the Harmonized System, 6 to 12 digits, with or without separators. Retour ignores other values.
    #[schemars(length(max = 500))]
    pub hs_code: Option<String>,
    /// For customs: the country of origin, ISO 3166-1 alpha-2. Retour ignores other values.
    pub origin_country: Option<String>,
    /// Whether the sale is final, so that the product cannot go back. If you leave it out, it is not.
    pub final_sale: Option<bool>,
    /// Whether the product travels in a parcel; gift cards, downloads and services do not. If you leave it out, it
    /// does.
    pub requires_shipping: Option<bool>,
}

/// A variant that a shopper can choose instead of the product.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExchangeOption {
    /// The stock-keeping unit of the variant, unique in the list. Retour sends it back as `exchangeSku`.
    #[schemars(length(min = 1, max = 500))]
    pub sku: String,
    /// The name that the shopper reads, such as `Blue, large`.
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
