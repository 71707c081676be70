//! Rules that staff override for one return.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use uuid::Uuid;

named_enum! {
    /// A rule that staff can override when they make a return for a consumer.
    OverriddenRule {
        /// The return window: an item comes back although its window has ended.
        ReturnWindow,
        /// The final sale: an item comes back although its sale was final.
        FinalSale,
        /// The fees: return shipping, restocking and the request fee are waived.
        Fees,
        /// The customs data: a parcel passes customs although the shop has not given the data of its products. The carrier may
        /// refuse the label.
        CustomsData,
        /// The return itself: the consumer keeps the items, and nothing is sent.
        SendingBack,
    }
}

impl OverriddenRule {
    /// The rule in a sentence of the timeline.
    fn words(self) -> &'static str {
        match self {
            Self::ReturnWindow => "the return window",
            Self::FinalSale => "final sale",
            Self::Fees => "the fees",
            Self::CustomsData => "missing customs data",
            Self::SendingBack => "sending the items back",
        }
    }
}

/// A rule that staff have overridden, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// The rule that does not apply.
    pub rule: OverriddenRule,
    /// The reason in the words of the staff; empty after an erasure.
    pub reason: String,
    /// The user or service user who overrode the rule; absent for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Uuid>,
    /// Whether an agent overrode the rule, so that the policy's `agentLimit` applies to the return.
    #[serde(default)]
    pub by_agent: bool,
    /// Whether somebody else of the staff has to approve the return first: together with what agents gave before for the
    /// same order by overriding rules, it gives more than an agent decides about.
    #[serde(default)]
    pub needs_approval: bool,
}

/// The shortest reason, in characters.
pub const MIN_OVERRIDE_CHARS: usize = 3;
/// The longest reason, in characters.
pub const MAX_OVERRIDE_CHARS: usize = 500;

/// Whether these overrides include a rule.
pub fn is_overridden(overrides: &[Override], rule: OverriddenRule) -> bool {
    overrides.iter().any(|one| one.rule == rule)
}

/// The overrides in a sentence for the timeline; empty if there are none.
pub fn overrides_sentence(overrides: &[Override]) -> String {
    let mut sentence = String::new();
    for one in overrides {
        let before = if sentence.is_empty() { "Overridden: " } else { "; " };
        let _ = write!(sentence, "{before}{} (“{}”)", one.rule.words(), one.reason);
    }
    if !sentence.is_empty() {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_each_rule_with_its_reason() {
        let of = |rule, reason: &str| Override {
            rule,
            reason: reason.to_owned(),
            by: None,
            by_agent: false,
            needs_approval: false,
        };
        let both = [of(OverriddenRule::ReturnWindow, "Was in hospital"), of(OverriddenRule::Fees, "Our mistake")];
        assert_eq!(
            overrides_sentence(&both),
            "Overridden: the return window (“Was in hospital”); the fees (“Our mistake”)."
        );
        assert_eq!(overrides_sentence(&[]), "");
        assert!(is_overridden(&both, OverriddenRule::Fees) && !is_overridden(&both, OverriddenRule::FinalSale));
    }
}
