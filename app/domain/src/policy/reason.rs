//! Return reasons and their consequences.

use super::{choices::Resolution, question::Question};
use crate::{
    base::{id::ReturnReasonId, language::Translated},
    money::Percent,
};
use serde::{Deserialize, Serialize};

/// A reason that a consumer can choose. A sub-reason names its parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReturnReason {
    /// Unique identifier of the return reason.
    pub id: ReturnReasonId,
    /// The reason that this one refines.
    pub parent_id: Option<ReturnReasonId>,
    /// What the consumer reads.
    pub description: Translated,
    /// Its position in the list; reasons with equal positions are ordered by age.
    #[serde(default)]
    pub position: u32,
    /// The consequences of the reason.
    #[serde(flatten)]
    pub rules: ReasonRules,
}

/// The consequences of a return reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ReasonRules {
    /// Whether photos are asked for.
    pub evidence: EvidenceRule,
    /// Whether a person reviews the return before it is approved.
    pub review: bool,
    /// The party at fault.
    pub fault: Fault,
    /// The part of the price that the merchant keeps.
    pub restocking_fee_percent: Percent,
    /// The resolutions that this reason allows; empty: all that the policy allows.
    pub allowed_resolutions: Vec<Resolution>,
    /// Questions to the consumer, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

impl Default for ReasonRules {
    fn default() -> Self {
        Self {
            evidence: EvidenceRule::None,
            review: false,
            fault: Fault::Consumer,
            restocking_fee_percent: Percent::default(),
            allowed_resolutions: Vec::new(),
            questions: Vec::new(),
        }
    }
}

impl ReasonRules {
    /// Whether both this reason and the policy's list allow a resolution.
    pub fn allows(&self, resolution: Resolution, policy: &[Resolution]) -> bool {
        policy.contains(&resolution)
            && (self.allowed_resolutions.is_empty() || self.allowed_resolutions.contains(&resolution))
    }
}

/// Whether photos are asked for with a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "EvidenceRule")]
pub enum EvidenceRule {
    /// Photos are not asked for.
    None,
    /// Photos may be added.
    Optional,
    /// The return request waits until a photo is added.
    Required,
}

/// Whose fault a return is. When it is the merchant's, sending back is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Fault")]
pub enum Fault {
    /// The merchant's fault: broken, wrong or late.
    Merchant,
    /// The consumer's decision: changed mind, wrong size.
    Consumer,
}

string_enum!(EvidenceRule, Fault);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_must_be_on_both_lists() {
        use Resolution::{Exchange, Refund, StoreCredit};
        let any = ReasonRules::default();
        let one = ReasonRules { allowed_resolutions: vec![Exchange], ..ReasonRules::default() };
        for (rules, policy, expected) in [
            (&any, &[Refund, Exchange][..], [true, true, false]),
            (&one, &[Refund, Exchange], [false, true, false]),
            (&one, &[Refund], [false; 3]),
            (&any, &[], [false; 3]),
        ] {
            assert_eq!([Refund, Exchange, StoreCredit].map(|asked| rules.allows(asked, policy)), expected);
        }
    }
}
