//! Drafts of returns.

use super::overrides::Override;
use crate::{
    base::{
        id::{ConsumerId, DraftReturnOrderId, OrderId, PurchaseId, ReturnOrderId, ReturnReasonId, ShippingOptionId},
        timestamp::Timestamp,
    },
    costs::CostBreakdown,
    order::{ExchangeOption, TakenUnits, Units},
    policy::{Resolution, question::QuestionAnswer, reason::ReasonRules},
    shipping::customs::CustomsFact,
    stage::ReviewReason,
};
use serde::{Deserialize, Serialize};

/// Hours for which a draft's figures hold.
pub const DRAFT_LIFE_HOURS: u32 = 24;

/// A draft of a return. It holds no units: submitting takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftReturnOrder {
    /// Identifier.
    pub id: DraftReturnOrderId,
    /// The consumer whose draft it is.
    pub consumer_id: ConsumerId,
    /// The status.
    pub status: DraftStatus,
    /// The return order that it became, at the time of reading; `None` until it is accepted.
    pub return_order_id: Option<ReturnOrderId>,
    /// The items to return, each purchase once.
    pub items: Vec<DraftItem>,
    /// The shipping option, once chosen.
    pub shipping_option_id: Option<ShippingOptionId>,
    /// The costs.
    pub cost_breakdown: CostBreakdown,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When its figures expire.
    pub expires_at: Timestamp,
}

named_enum! {
    /// The states of a draft return order.
    DraftStatus {
        /// The draft can be submitted.
        Open,
        /// The draft was submitted and is now a return order.
        Accepted,
        /// The merchant rejected the draft.
        Rejected,
        /// The draft is older than 24 hours.
        Expired,
    }
}

/// A purchase in a draft, with the figures that the draft fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftItem {
    /// The purchase.
    pub purchase_id: PurchaseId,
    /// The sales order of the purchase.
    #[serde(default = "unknown_order")]
    pub order_id: OrderId,
    /// The units to return.
    pub taken: TakenUnits,
    /// The purchase's units when the draft was made. The price holds while the total and the number of taken remainder
    /// units stay the same.
    pub seen: Units,
    /// The price of the units, minor units.
    pub value: i64,
    /// The import duties within the price of all units that were bought, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub duties: i64,
    /// Their share of the refunded outbound shipping, minor units.
    pub outbound_shipping: i64,
    /// The part of both that is not refunded because no more is left of the order, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub limit: i64,
    /// The shop's own refunds of the order when the draft was made, minor units.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refunded_by_shop: i64,
    /// The reason why a person decides about it, whatever the policy says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewReason>,
    /// The weight of the units together, grams.
    #[serde(default)]
    pub weight: u64,
    /// Facts for customs that the product lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_to_customs: Vec<CustomsFact>,
    /// The return reason.
    pub return_reason_id: ReturnReasonId,
    /// The rules of the reason when the draft was made.
    pub rules: ReasonRules,
    /// A comment in the consumer's words; may be empty.
    pub return_reason_comment: String,
    /// The answers to the reason's questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<QuestionAnswer>,
    /// The requested resolution.
    pub requested_resolution: Resolution,
    /// For an exchange: the chosen item, if the shop offers a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange_for: Option<ExchangeOption>,
    /// Whether the consumer keeps the item and is refunded anyway.
    pub kept: bool,
    /// The rules that staff overrode for the draft.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Override>,
}

impl DraftItem {
    /// The import duties within the price of this many of its units, minor units: their share, rounded down, so that all
    /// units together never have more than all duties. All units that were bought have exactly that.
    pub fn duties_of(&self, units: u32) -> i64 {
        let share = i128::from(self.duties) * i128::from(units) / i128::from(self.seen.bought.max(1));
        i64::try_from(share).unwrap_or(0).clamp(0, self.duties.max(0))
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference; clippy accepts it where pointers have 4 bytes"
)]
fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

/// The value for drafts that were stored before the field existed.
fn unknown_order() -> OrderId {
    OrderId(uuid::Uuid::nil())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn item(limit: i64) -> DraftItem {
        DraftItem {
            purchase_id: PurchaseId(Uuid::nil()),
            order_id: unknown_order(),
            taken: TakenUnits { units: 1, remainder_units: 0 },
            seen: Units {
                bought: 1,
                fulfilled: 1,
                taken: 0,
                taken_remainder_units: 0,
                settled: 0,
                shop_refunded: 0,
                total: 1_250,
            },
            value: 1_250,
            duties: 0,
            outbound_shipping: 0,
            limit,
            refunded_by_shop: 0,
            review: None,
            weight: 0,
            unknown_to_customs: Vec::new(),
            return_reason_id: ReturnReasonId(Uuid::nil()),
            rules: ReasonRules::default(),
            return_reason_comment: String::new(),
            answers: Vec::new(),
            requested_resolution: Resolution::Refund,
            exchange_for: None,
            kept: false,
            overrides: Vec::new(),
        }
    }

    #[test]
    fn units_have_their_share_of_the_duties_and_all_units_the_whole() {
        let of = |duties, bought, units| {
            let seen = Units { bought, ..item(0).seen };
            DraftItem { seen, duties, ..item(0) }.duties_of(units)
        };
        assert_eq!([1, 2, 3, 4].map(|units| of(1_001, 4, units)), [250, 500, 750, 1_001]);
        assert_eq!((of(0, 4, 4), of(2, 3, 1), of(i64::MAX, 3, 3)), (0, 0, i64::MAX));
        assert_eq!(of(1_001, 4, 9), 1_001, "never more than the whole");
    }

    #[test]
    fn json_omits_a_limit_of_zero() {
        assert_eq!(serde_json::to_value(item(100)).unwrap()["limit"], 100);
        assert!(serde_json::to_value(item(0)).unwrap().get("limit").is_none());
    }
}
