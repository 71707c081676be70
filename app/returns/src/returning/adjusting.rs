//! Changes of a request's value by staff.

use super::{
    change::{Change, Returned},
    costs::outcomes,
    postage::{Shipping, shipping},
};
use crate::base::{Error, OrBroken, Result};
use domain::{
    Money, Refusal, RefusalCode,
    costs::revise,
    party::Actor,
    policy::Resolution,
    returning::{ReturnRequest, TimelineEntry},
};
use store::{Writing, return_orders, return_requests, timeline::NewEntry};

impl Change<'_> {
    /// Adds an amount to the value of a request, or takes it off. The comment of the change is the reason.
    pub(crate) async fn adjust(
        &self,
        writing: &mut Writing,
        returned: &mut Returned,
        index: usize,
        minor: i64,
    ) -> Result<()> {
        let sum = adjusted(returned, index, minor)?;
        let (paid, promised) = shipping(returned);
        let with: Shipping = promised.into_iter().chain(paid.clone()).collect();
        returned.requests.get_mut(index).or_broken()?.adjustment = sum;
        let costs = revise(&returned.draft.cost_breakdown, &outcomes(returned, &returned.requests, &with, None)?);
        let request = returned.requests.get_mut(index).or_broken()?;
        request.resolution_value = costs.value_of(request.purchase_id, paid.contains_key(&request.purchase_id));
        request.updated_at = self.now;
        (returned.order.cost_breakdown, returned.order.updated_at) = (costs, self.now);
        let account = self.id();
        let is_written = return_requests::update(writing.db(), account, request).await?
            && return_orders::update(writing.db(), account, &returned.order).await?;
        if !is_written {
            return Err(Error::broken()); // the return order is locked, so no other transaction can have changed it
        }
        request.version += 1;
        returned.order.version += 1;
        writing.add_timeline_entry(self.entry_within_stage(request));
        Ok(())
    }

    /// A timeline entry of a request that stays in its stage. Consumers do not see it.
    pub(crate) fn entry_within_stage(&self, request: &ReturnRequest) -> NewEntry {
        let stage = request.state.stage.name();
        let entry = TimelineEntry {
            return_request_id: request.id,
            at: self.now,
            actor: self.actor,
            actor_id: self.staff.filter(|_| self.actor == Actor::Merchant),
            from: Some(stage),
            to: stage,
            comment: self.comment.clone(),
        };
        NewEntry { account_id: self.id(), return_order_id: request.return_order_id, entry }
    }
}

/// What the adjustments of a request come to with this amount more, or why it is not possible.
pub(crate) fn adjusted(returned: &Returned, index: usize, minor: i64) -> Result<i64> {
    check_undecided(returned.request(index)?)?;
    let (paid, promised) = shipping(returned);
    let with: Shipping = promised.into_iter().chain(paid).collect();
    let outcome = outcomes(returned, &returned.requests, &with, None)?.into_iter().nth(index).or_broken()?;
    let draft = &returned.draft.cost_breakdown;
    let possible = outcome.adjustable(draft);
    // Missing or refused units may have made the earlier adjustments impossible.
    let before = outcome.adjustment.clamp(*possible.start(), *possible.end());
    let sum = before.saturating_add(minor);
    if possible.contains(&sum) {
        return Ok(sum);
    }
    Err(impossible(returned.request(index)?, possible.start() - before, possible.end() - before))
}

/// Refuses a request whose value no longer changes.
fn check_undecided(request: &ReturnRequest) -> Result<()> {
    let stage = request.state.stage.name();
    if request.state.approved_units.is_none() && !stage.is_end() {
        return Ok(());
    }
    let message = format!(
        "The return request is in stage {stage}. Its value can only change before its resolution is approved or denied."
    );
    Err(Refusal::new(RefusalCode::IllegalTransition, message).into())
}

fn impossible(request: &ReturnRequest, least: i64, most: i64) -> Error {
    let currency = request.currency();
    let message = if request.requested_resolution == Resolution::Exchange {
        "expected no adjustment: an exchange gives no money".to_owned()
    } else {
        let amount = |minor| Money::new(minor, currency).decimal();
        format!("expected an amount from {} to {} {currency}", amount(least), amount(most))
    };
    Error::invalid("amount", RefusalCode::OutOfRange, message)
}
