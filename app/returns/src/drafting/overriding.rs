//! Rules that staff override for one return.

use super::settings::Settings;
use crate::base::{FieldError, Staff};
use domain::{
    RefusalCode, Timestamp,
    order::{IneligibleCode, Purchase},
    policy::{Policy, eligibility::Eligibility},
    returning::{MAX_OVERRIDE_CHARS, MIN_OVERRIDE_CHARS, OverriddenRule, Override, is_overridden},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule to override, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OverrideInput {
    /// The rule to override.
    pub rule: OverriddenRule,
    /// The reason in your own words. Only staff see it.
    #[schemars(length(min = 3, max = 500))]
    pub reason: String,
}

/// Checks the overrides of staff: each rule once, with a reason.
pub(crate) fn checked_overrides(input: Vec<OverrideInput>, staff: &Staff) -> Result<Vec<Override>, Vec<FieldError>> {
    let (mut overrides, mut errors): (Vec<Override>, Vec<FieldError>) = (Vec::new(), Vec::new());
    for (index, OverrideInput { rule, reason }) in input.into_iter().enumerate() {
        let reason = reason.trim().to_owned();
        if is_overridden(&overrides, rule) {
            let message = "expected each rule once at most";
            errors.push(FieldError::new(format!("overrides[{index}].rule"), RefusalCode::Mismatch, message));
        }
        let chars = reason.chars().count();
        if !(MIN_OVERRIDE_CHARS..=MAX_OVERRIDE_CHARS).contains(&chars) || reason.contains('\0') {
            let message = format!(
                "expected a reason of {MIN_OVERRIDE_CHARS} to {MAX_OVERRIDE_CHARS} characters, without NUL characters"
            );
            errors.push(FieldError::new(format!("overrides[{index}].reason"), RefusalCode::OutOfRange, message));
        }
        overrides.push(Override { rule, reason, by: staff.actor_id() });
    }
    if errors.is_empty() { Ok(overrides) } else { Err(errors) }
}

impl Settings {
    /// Whether a purchase of the shopper can be returned, if staff override these rules.
    pub(crate) fn judge_overriding(&self, purchase: &Purchase, overrides: &[Override], now: Timestamp) -> Eligibility {
        if overrides.is_empty() {
            return self.judge(purchase, now);
        }
        let (mut policy, mut purchase): (Policy, Purchase) = (self.account.policy.clone(), purchase.clone());
        if is_overridden(overrides, OverriddenRule::ReturnWindow) {
            policy.return_window_days = None;
            purchase.obstacle = purchase.obstacle.filter(|code| *code != IneligibleCode::ReturnWindowExpired);
        }
        if is_overridden(overrides, OverriddenRule::FinalSale) {
            policy.final_sale.clear();
            purchase.final_sale = false;
            purchase.obstacle = purchase.obstacle.filter(|code| *code != IneligibleCode::FinalSale);
        }
        self.judge_by(&policy, &purchase, self.withdrawn.iter(), now)
    }
}
