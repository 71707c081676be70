//! What a return comes to, as far as whoever reads it may know.

use domain::costs::CostBreakdown;
use schemars::JsonSchema;
use serde::Serialize;
use store::consumers::Consumer;

/// What a return comes to: a field of whatever it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Costs {
    /// In figures.
    CostBreakdown(CostBreakdown),
    /// In words, for somebody who was given what goes back.
    Gift(GiftCosts),
}

/// What a return comes to for somebody who was given what goes back: they are shown no amounts and pay nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GiftCosts {
    /// Whether the recipient gets store credit.
    pub store_credit: bool,
    /// Whether what the shop charges for the return comes off that.
    pub charges_taken_off: bool,
}

/// The field that costs are, as the API's description has it: one of the two.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "it is described, not made")]
pub(super) struct CostFields {
    /// What the return costs and what it gives back. Absent for gifts.
    #[schemars(skip_serializing_if = "Option::is_none")]
    cost_breakdown: Option<CostBreakdown>,
    /// The same in words: for gifts alone, in place of `costBreakdown`.
    #[schemars(skip_serializing_if = "Option::is_none")]
    gift: Option<GiftCosts>,
}

impl Costs {
    /// In figures; `None` where they are not shown.
    pub fn breakdown(&self) -> Option<&CostBreakdown> {
        match self {
            Self::CostBreakdown(costs) => Some(costs),
            Self::Gift(_) => None,
        }
    }

    /// As a consumer may see them.
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
