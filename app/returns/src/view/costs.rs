//! The costs of a return, as far as the reader may see them.

use domain::costs::CostBreakdown;
use schemars::JsonSchema;
use serde::Serialize;
use store::consumers::Consumer;

/// The costs of a return, flattened into the object that has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Costs {
    /// Amounts.
    CostBreakdown(CostBreakdown),
    /// Words without amounts, for a gift recipient.
    Gift(GiftCosts),
    /// Nothing, for staff who see no amounts.
    #[serde(untagged)]
    Hidden {},
}

/// The costs of a return for a gift recipient, who sees no amounts and pays nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GiftCosts {
    /// Whether the recipient gets store credit.
    pub store_credit: bool,
    /// Whether the shop's fees for the return are deducted from that credit.
    pub charges_taken_off: bool,
}

/// The costs of a return in the API's description: at most one of the two fields is present.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is described, not made")]
pub(super) struct CostFields {
    /// What the return costs and what it gives back. Absent for gifts, and for staff who see no amounts.
    #[schemars(skip_serializing_if = "Option::is_none")]
    cost_breakdown: Option<CostBreakdown>,
    /// The same without amounts. Only for gifts, in place of `costBreakdown`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    gift: Option<GiftCosts>,
}

impl Costs {
    /// The amounts; `None` if they are not shown.
    pub fn breakdown(&self) -> Option<&CostBreakdown> {
        match self {
            Self::CostBreakdown(costs) => Some(costs),
            Self::Gift(_) | Self::Hidden {} => None,
        }
    }

    /// The costs as the consumer may see them.
    #[must_use]
    pub(crate) fn seen_by(self, consumer: &Consumer) -> Self {
        match self {
            Self::CostBreakdown(costs) if consumer.credentials.is_gift() => Self::Gift(GiftCosts {
                store_credit: costs.estimated_credit.minor > 0,
                charges_taken_off: costs.fee_total.minor > 0,
            }),
            shown => shown,
        }
    }
}
