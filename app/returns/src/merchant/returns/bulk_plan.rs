//! What a change of many return requests would do, before it begins.

use super::{bulk::MOST_ITEMS, decisions::check_agent_limit};
use crate::{
    base::{Error, OrBroken as _, Result, Scope, Staff, error::check},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    Problems, RefusalCode, ReturnOrderId, ReturnRequestId,
    policy::Policy,
    returning::{BulkAction, ReturnOrder, ReturnRequest},
    stage::{StageGroup, StageName},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::HashMap;
use store::{accounts, return_orders, return_requests};

/// A question about a change of many return requests.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BulkQuestion {
    /// What would be done to each of them.
    pub action: BulkAction,
    /// 1 to 1,000 return requests. Unknown ones are left out of the answer.
    #[schemars(length(min = 1, max = 1000))]
    pub return_request_ids: Vec<ReturnRequestId>,
}

impl MerchantHandle<'_> {
    /// What a change of many return requests would do: which of them it can change now, and why not the others.
    /// Nothing changes.
    pub async fn plan_bulk_run(self, question: BulkQuestion) -> Result<view::List<view::BulkPlanItem>> {
        let BulkQuestion { action, return_request_ids: ids } = question;
        let mut problems = Problems::default();
        if !(1..=MOST_ITEMS).contains(&ids.len()) {
            let message = format!("expected 1 to {MOST_ITEMS} return requests");
            problems.add("returnRequestIds", RefusalCode::OutOfRange, message);
        }
        check(problems)?;
        let account = self.staff.account();
        let mut reading = self.retour.store.read().await?;
        let policy = accounts::find(reading.db(), account).await?.ok_or(Error::NotFound)?.policy;
        let found = return_requests::list_of_ids(reading.db(), account, &ids).await?;
        let mut orders: Vec<ReturnOrderId> = found.iter().map(|request| request.return_order_id).collect();
        orders.sort_unstable();
        orders.dedup();
        let orders = return_orders::list_of_ids(reading.db(), account, &orders).await?;
        drop(reading);
        let orders: HashMap<ReturnOrderId, ReturnOrder> = orders.into_iter().map(|order| (order.id, order)).collect();
        let mut found: HashMap<ReturnRequestId, ReturnRequest> =
            found.into_iter().map(|request| (request.id, request)).collect();
        // In the order of the question, each once.
        let mut plan = Vec::with_capacity(ids.len());
        for request in ids.iter().filter_map(|id| found.remove(id)) {
            let order = orders.get(&request.return_order_id).or_broken()?;
            let obstacle = obstacle(&self.staff, action, &request, order, &policy);
            plan.push(view::BulkPlanItem::new(request, obstacle, &self.staff));
        }
        Ok(view::List::whole(plan))
    }
}

/// The scopes of which an action needs one.
pub(super) fn scopes_of(action: BulkAction) -> &'static [Scope] {
    match action {
        BulkAction::Approve | BulkAction::Reject => &[Scope::Write, Scope::Resolve],
        BulkAction::Complete => &[Scope::Resolve],
        BulkAction::CountAll => &[Scope::Receive],
        BulkAction::ReportDelivered | BulkAction::Assign | BulkAction::Flag | BulkAction::Note => &[Scope::Write],
    }
}

/// Why an action cannot change a request now.
fn obstacle(
    staff: &Staff,
    action: BulkAction,
    request: &ReturnRequest,
    order: &ReturnOrder,
    policy: &Policy,
) -> Option<view::BulkObstacle> {
    let stage = request.state.stage.name();
    let target = action.target(stage);
    let is_allowed = match target.map(StageName::group) {
        Some(StageGroup::Resolution) => staff.may(Scope::Resolve),
        Some(_) => staff.may(Scope::Write),
        None => scopes_of(action).iter().any(|scope| staff.may(*scope)),
    };
    if order.leave_out_of_bulk {
        return Some(view::BulkObstacle::LeftOut);
    }
    if !action.is_possible_in(stage) {
        return Some(view::BulkObstacle::Stage);
    }
    if !is_allowed {
        return Some(view::BulkObstacle::Forbidden);
    }
    if target.is_some_and(|target| check_agent_limit(staff, target, request, policy).is_err()) {
        return Some(view::BulkObstacle::AgentLimit);
    }
    if action == BulkAction::CountAll && request.state.received >= request.quantity {
        return Some(view::BulkObstacle::AllCounted);
    }
    None
}
