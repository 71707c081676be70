//! Adjustments: staff change the value of a request before its resolution is approved.

use super::staff_change::check_reason;
use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, OrBroken, Result, Retour, Staff, again_on_deadlock, audit, conclude,
        detached, error::check,
    },
    merchant::{
        handle::MerchantHandle,
        returns::decisions::{check_agent_amount, check_raised_override},
    },
    returning::{change::Returned, override_limit::lock_orders, worked::record_work},
    view::{self, redaction::SeenByStaff as _},
};
use domain::{Money, Problems, Refusal, RefusalCode, ReturnRequestId, audit::AuditAction, stage::StageName};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// A change of the value of a request.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "AdjustmentInput")]
pub struct AdjustmentInput {
    /// The amount to add to the value of the return request, in its currency; negative: to take off.
    pub amount: Money,
    /// The reason: 3 to 500 characters. Only staff see it.
    #[schemars(length(min = 3, max = 500))]
    pub reason: String,
    /// The current stage as you know it: any other stage is a conflict.
    pub from_stage: Option<StageName>,
}

impl MerchantHandle<'_> {
    /// Changes the value of a request, until its resolution is approved. The consumer sees the amount in the costs.
    pub async fn adjust(
        self,
        id: ReturnRequestId,
        input: AdjustmentInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let mut problems = Problems::default();
        check_reason(&mut problems, &input.reason);
        if input.amount.minor == 0 {
            problems.add("amount", RefusalCode::OutOfRange, "expected an amount other than zero");
        }
        check(problems)?;
        let (retour, staff) = (self.retour.clone(), self.staff);
        detached(async move { again_on_deadlock(|| retour.adjust_once(staff, id, &input, key.as_ref())).await }).await
    }
}

impl Retour {
    async fn adjust_once(
        &self,
        staff: Staff,
        id: ReturnRequestId,
        input: &AdjustmentInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::ReturnRequestView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let mut returned = Returned::lock_with(&mut writing, account, id).await?.ok_or(Error::NotFound)?;
        let index = returned.index_of(id)?;
        let request = returned.request(index)?;
        let stage = request.state.stage.name();
        if let Some(believed) = input.from_stage.filter(|believed| *believed != stage) {
            let message = format!("The return request is in stage {stage}, not in {believed}.");
            return Err(Refusal::new(RefusalCode::StageConflict, message).into());
        }
        if input.amount.currency != request.currency() {
            let message = format!("expected an amount in {}", request.currency());
            return Err(Error::invalid("amount", RefusalCode::NotAllowed, message));
        }
        let settings = store::accounts::find(writing.db(), account).await?.or_broken()?;
        let change = self.change_by(&staff, &settings, comment(input));
        check_agent_amount(&staff, returned.request(index)?, &settings.policy)?;
        let before = returned.order.cost_breakdown.clone();
        lock_orders(&mut writing, account, &returned.draft.items).await?;
        change.adjust(&mut writing, &mut returned, index, input.amount.minor).await?;
        check_agent_amount(&staff, returned.request(index)?, &settings.policy)?;
        check_raised_override(writing.db(), &staff, &settings, &returned, &before).await?;
        // Without the reason, which may be about a person: the timeline has it.
        let added = Some(json!({"amount": input.amount}));
        record_work(&mut writing, &staff, returned.order.id, change.now).await?;
        audit::record(&mut writing, &staff, change.now, AuditAction::AdjustmentMade, id, None, added);
        let request = returned.requests.into_iter().nth(index).or_broken()?;
        let shown = view::ReturnRequestView::from(request).seen_by_staff(&staff);
        conclude(writing, account, key, 200, shown).await
    }
}

/// The comment on the timeline.
fn comment(AdjustmentInput { amount, reason, .. }: &AdjustmentInput) -> String {
    format!("{}: {}", signed(*amount), reason.trim())
}

/// An amount with its sign.
pub(super) fn signed(amount: Money) -> String {
    let sign = if amount.minor > 0 { "+" } else { "" };
    format!("{sign}{} {}", amount.decimal(), amount.currency)
}
