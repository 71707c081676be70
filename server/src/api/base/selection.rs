//! The bodies that select purchases for a return.

use domain::{
    PurchaseId, ReturnReasonId,
    policy::{Resolution, question::GivenAnswer},
};
use returns::{OverrideInput, ReturnForConsumer, Selection};
use schemars::JsonSchema;
use serde::Deserialize;

/// One purchase to return. `resolutionType` is another name of `requestedResolution`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "SelectedPurchaseInput")]
pub struct SelectedPurchase {
    /// The purchase to return.
    purchase_id: PurchaseId,
    /// The number of units, at most the purchase's `returnableQuantity`.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    quantity: i64,
    /// The reason: one of the purchase's `returnReasons`.
    #[schemars(required)]
    return_reason_id: Option<ReturnReasonId>,
    /// The consumer's own words about the reason.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    return_reason_comment: String,
    /// Answers to the reason's `questions`, each once; a consumer's draft needs those that are `required`.
    #[serde(default)]
    #[schemars(length(max = 10))]
    answers: Vec<GivenAnswer>,
    /// The requested resolution: one of the reason's `resolutions`.
    #[serde(default = "refund", alias = "resolutionType")]
    requested_resolution: Resolution,
    /// With an exchange: the wanted item, one of the purchase's `product.exchangeOptions`. If it is absent, staff choose
    /// the item.
    exchange_for: Option<ExchangeFor>,
}

/// The item that the consumer wants in exchange.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExchangeFor {
    /// The stock-keeping unit of the wanted item.
    #[schemars(length(min = 1, max = 500))]
    pub sku: String,
}

fn one() -> i64 {
    1
}

fn refund() -> Resolution {
    Resolution::Refund
}

impl From<SelectedPurchase> for Selection {
    fn from(selected: SelectedPurchase) -> Self {
        Self {
            purchase_id: selected.purchase_id,
            quantity: selected.quantity,
            return_reason_id: selected.return_reason_id,
            comment: selected.return_reason_comment,
            answers: selected.answers,
            resolution: selected.requested_resolution,
            exchange_for: selected.exchange_for.map(|wanted| wanted.sku),
        }
    }
}

/// A return that the merchant creates for a consumer.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReturn {
    /// The consumer who returns the purchases.
    pub consumer_id: domain::ConsumerId,
    /// The purchases to return, each at most once.
    #[schemars(length(min = 1, max = 1000))]
    pub selected_purchases: Vec<SelectedPurchase>,
    /// The shipping option of the return.
    pub shipping_option_id: Option<domain::ShippingOptionId>,
    /// The rules to override, each once. What is refunded stays within what was paid and is left of the order.
    #[serde(default)]
    #[schemars(length(max = 5))]
    pub overrides: Vec<OverrideInput>,
}

impl From<NewReturn> for ReturnForConsumer {
    fn from(new: NewReturn) -> Self {
        let NewReturn { consumer_id, selected_purchases, shipping_option_id, overrides } = new;
        Self {
            consumer: consumer_id,
            selections: selected_purchases.into_iter().map(Into::into).collect(),
            shipping_option: shipping_option_id,
            overrides,
        }
    }
}
