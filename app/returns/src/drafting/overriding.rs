//! Rules that staff override for one return.

use super::{basis::ChosenItems, settings::Settings, submitting::Submitting};
use crate::{
    base::{FieldError, Result, Staff, audit},
    returning::override_limit::{is_above, is_by_agent, is_held, lock_orders},
};
use domain::{
    ProposalId, RefusalCode, Timestamp,
    audit::AuditAction,
    order::{IneligibleCode, Purchase},
    party::Actor,
    policy::{Policy, eligibility::Eligibility},
    returning::{
        DraftItem, DraftReturnOrder, MAX_OVERRIDE_CHARS, MIN_OVERRIDE_CHARS, OverriddenRule, Override, Proposal,
        ProposalKind, ReturnRequest, TimelineEntry, is_overridden, overrides_sentence,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Writing, drafts, timeline::NewEntry};

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
        overrides.push(Override {
            rule,
            reason,
            by: staff.actor_id(),
            by_agent: staff.is_limited(),
            needs_approval: false,
        });
    }
    if errors.is_empty() { Ok(overrides) } else { Err(errors) }
}

/// Marks items for which somebody else has to approve the return: it gives more than the policy's `agentLimit`.
pub(crate) fn hold(items: &mut [DraftItem]) {
    items.iter_mut().flat_map(|item| &mut item.overrides).for_each(|one| one.needs_approval = true);
}

/// Records in the audit log which rules staff override for a draft. The reasons are in the draft, where an erasure clears
/// them.
pub(crate) fn record_overrides(writing: &mut Writing, chosen: &ChosenItems, draft: &DraftReturnOrder, now: Timestamp) {
    if let Some(staff) = &chosen.overriding {
        let rules: Vec<&str> = chosen.overrides.iter().map(|one| one.rule.name()).collect();
        let after = Some(json!({"overrides": rules}));
        audit::record(writing, staff, now, AuditAction::RulesOverridden, draft.id, None, after);
    }
}

impl Submitting<'_> {
    /// The draft as it is submitted: its way of sending, and so what it gives, may have changed since it was made, and
    /// other returns of the same orders count, too. Concurrent submits of the same orders wait here.
    pub(super) async fn held_draft(&self, writing: &mut Writing) -> Result<DraftReturnOrder> {
        let (mut draft, account) = (self.draft.clone(), self.change.account);
        if is_by_agent(&draft.items) && !is_held(&draft.items) {
            lock_orders(writing, account.id, &draft.items).await?;
            if is_above(writing.db(), account, &draft.items, &draft.cost_breakdown, None).await? {
                hold(&mut draft.items);
                drafts::keep_items(writing.db(), account.id, &draft).await?;
            }
        }
        Ok(draft)
    }

    /// What somebody else has to approve: the return with these overrides. The timeline has their reasons.
    pub(super) fn override_proposal(&self, overrides: &[Override]) -> Proposal {
        Proposal {
            id: ProposalId(self.change.retour.source.id()),
            kind: ProposalKind::Override,
            amount: None,
            comment: overrides_sentence(overrides),
            proposed_by: overrides.iter().find_map(|one| one.by),
            created_at: self.change.now,
        }
    }

    /// Writes the rules that staff have overridden to the timeline, where only staff see them.
    pub(super) fn write_overrides(&self, writing: &mut Writing, request: &ReturnRequest, overrides: &[Override]) {
        let stage = request.state.stage.name();
        let entry = TimelineEntry {
            return_request_id: request.id,
            at: self.change.now,
            actor: Actor::Merchant,
            actor_id: overrides.iter().find_map(|one| one.by),
            from: Some(stage),
            to: stage,
            comment: overrides_sentence(overrides),
        };
        let (account_id, return_order_id) = (self.change.account.id, request.return_order_id);
        writing.add_timeline_entry(NewEntry { account_id, return_order_id, entry });
    }
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
