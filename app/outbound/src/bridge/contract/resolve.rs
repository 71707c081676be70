//! `POST /resolve-return`.

use domain::{Money, ReturnRequestId, policy, stage::Disposition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A return request that was approved: give the consumer what they are owed, and put back what can be sold.
///
/// What is owed is the sum of the items' amounts, plus `shippingRefund`, less `fees`; never below 0, often 0. With
/// `Exchange` the amounts are in goods: what is owed in money is `shippingRefund` less `fees`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveReturn {
    /// This resolution; the `webhook-id` too. It is sent again, with the same id, until the answer is known: whoever has
    /// done it before does nothing more and answers `Completed` once more.
    pub transaction_id: Uuid,
    /// What the consumer gets: the money back the way it was paid, credit in the shop, or another item.
    #[serde(rename = "type")]
    pub kind: policy::Resolution,
    /// The shop's own id of the order that all of it was bought in.
    pub order_id: String,
    /// The number that people know the return by.
    pub return_order_number: String,
    /// What came back: one item today.
    pub items: Vec<Item>,
    /// What was paid for sending the order, as far as this return gives it back; 0 or more.
    pub shipping_refund: Money,
    /// What the consumer owes for the return, to be kept back; 0 or more.
    pub fees: Money,
    /// Where somebody returns what they were given: their e-mail address. Credit and goods are for them, and whoever
    /// ordered it is not told. Left out for everybody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift_recipient_email: Option<String>,
}

/// Units of a line that came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Our id of the return request.
    pub return_request_id: ReturnRequestId,
    /// The shop's own id of the line.
    pub purchase_id: String,
    /// Units, 1 or more.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// What all of these units are worth to the consumer, tax included; 0 or more.
    pub amount: Money,
    /// With `Exchange`: the stock-keeping unit that is to be sent in place of the money, as many units of it, at no charge:
    /// one of the line's `exchangeOptions`, or another one that the merchant chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange_sku: Option<String>,
    /// What becomes of the units; null where nobody has looked at them.
    pub disposition: Option<Disposition>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    /// Where it stands.
    pub status: ResolutionStatus,
    /// The shop's own id of what it did, such as a refund's. It is shown to the merchant.
    #[schemars(length(max = 500))]
    pub external_reference: Option<String>,
    /// Why not, in a sentence for the merchant's people: needed with `Failed`. Longer ones are cut to 500 characters.
    pub reason: Option<String>,
    /// What was given, item by item. Left out: all, as asked for. Anything else is not `Completed`.
    #[schemars(length(max = 1_000))]
    pub items: Option<Vec<ResolutionItem>>,
}

/// Where a resolution stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum ResolutionStatus {
    /// Done, now or before.
    Completed,
    /// Not yet, but it will be: asked again with the same `transactionId` every 5 minutes, for 72 hours at most.
    Pending,
    /// It was not done, and nothing was given.
    Failed,
}

/// What was given for an item.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolutionItem {
    /// The item's `returnRequestId`.
    pub return_request_id: ReturnRequestId,
    /// Its units, as asked for.
    pub quantity: Option<u32>,
    /// Its amount, as asked for.
    pub amount: Option<Money>,
}
