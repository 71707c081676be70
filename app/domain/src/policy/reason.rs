//! Why things go back, and what each reason entails.

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
    /// Its place among the others; those of one place come by age.
    #[serde(default)]
    pub position: u32,
    /// What it entails.
    #[serde(flatten)]
    pub rules: ReasonRules,
}

/// What a reason entails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ReasonRules {
    /// Whether photos are asked for.
    pub evidence: Evidence,
    /// Whether a person looks at it before it is approved.
    pub review: bool,
    /// Whose fault it is.
    pub fault: Fault,
    /// What is kept of the price.
    pub restocking_fee_percent: Percent,
    /// What may be asked for with this reason; empty: whatever the policy allows.
    pub allowed_resolutions: Vec<Resolution>,
    /// What is asked about what goes back for it, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

impl Default for ReasonRules {
    fn default() -> Self {
        Self {
            evidence: Evidence::None,
            review: false,
            fault: Fault::Consumer,
            restocking_fee_percent: Percent::default(),
            allowed_resolutions: Vec::new(),
            questions: Vec::new(),
        }
    }
}

impl ReasonRules {
    /// Whether this may be asked for, under the account's list as well.
    pub fn allows(&self, resolution: Resolution, policy: &[Resolution]) -> bool {
        policy.contains(&resolution)
            && (self.allowed_resolutions.is_empty() || self.allowed_resolutions.contains(&resolution))
    }
}

/// Whether photos are asked for with a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Evidence")]
#[cfg_attr(feature = "openapi", schemars(rename = "EvidenceRule"))]
pub enum Evidence {
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

words!(Evidence, Fault);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_asked_for_is_on_both_lists() {
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
