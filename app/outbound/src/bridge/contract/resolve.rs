//! `POST /resolve-return`.

use domain::{Money, ReturnRequestId, policy, stage::Disposition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An approved return request: give the consumer what they are owed, and restock what can be sold.
///
/// You owe the sum of the items' amounts, plus `shippingRefund`, less `fees`; never below 0, often 0. With `Exchange`
/// the amounts are the value of the goods: in money you owe only `shippingRefund` less `fees`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveReturn {
    /// The id of this resolution, which is also the `webhook-id`. Retour sends the request again with the same id
    /// until it knows the result: if you have already carried it out, do nothing and answer `Completed` again.
    pub transaction_id: Uuid,
    /// The resolution for the consumer: the money back to the means of payment, store credit, or another item.
    #[serde(rename = "type")]
    pub kind: policy::Resolution,
    /// The shop's own id of the order that all items come from.
    pub order_id: String,
    /// The number of the return order that people see.
    pub return_order_number: String,
    /// The items that came back. Today there is always one.
    pub items: Vec<Item>,
    /// The part of the original shipping costs that this return gives back; 0 or more.
    pub shipping_refund: Money,
    /// The fees of the return that you keep back; 0 or more.
    pub fees: Money,
    /// The e-mail address of the recipient of a gift who returns it. Store credit and goods go to this person, and the
    /// buyer gets no message. Absent in all other cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gift_recipient_email: Option<String>,
}

/// Units of an order line that came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Retour's id of the return request.
    pub return_request_id: ReturnRequestId,
    /// The shop's own id of the order line.
    pub purchase_id: String,
    /// The number of units, 1 or more.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub quantity: u32,
    /// The value of all of these units to the consumer, tax included; 0 or more.
    pub amount: Money,
    /// The import duties within `amount`, for Shopify's client: they are not a part of the contract.
    #[serde(skip)]
    pub duties: Money,
    /// With `Exchange`: the stock-keeping unit to send instead of the money, free of charge, in the same quantity. It
    /// is one of the line's `exchangeOptions`, or another one that the merchant chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange_sku: Option<String>,
    /// Where the units go; null if nobody has inspected them.
    pub disposition: Option<Disposition>,
}

/// The result of a resolution.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    /// Whether you have carried out the resolution.
    pub status: ResolutionStatus,
    /// The shop's own id of the result, such as a refund's id. The merchant sees it.
    #[schemars(length(max = 500))]
    pub external_reference: Option<String>,
    /// The cause of a failure in a sentence for the merchant's staff. `Failed` requires it. Retour cuts it to 500
    /// characters.
    pub reason: Option<String>,
    /// What you gave, item by item. If you leave it out, you gave everything as requested. `Completed` with other
    /// figures is refused.
    #[schemars(length(max = 1_000))]
    pub items: Option<Vec<ResolutionItem>>,
}

/// The status of a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum ResolutionStatus {
    /// The resolution is carried out, now or before.
    Completed,
    /// The resolution will be carried out later. Retour asks again every 5 minutes with the same `transactionId`, for
    /// 72 hours at most.
    Pending,
    /// The resolution is not carried out, and the consumer got nothing.
    Failed,
}

/// What you gave for one item.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolutionItem {
    /// The item's `returnRequestId`.
    pub return_request_id: ReturnRequestId,
    /// The number of units, as requested.
    pub quantity: Option<u32>,
    /// The amount, as requested.
    pub amount: Option<Money>,
}
