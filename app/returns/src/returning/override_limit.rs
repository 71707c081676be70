//! What agents give by overriding rules: all returns of a sales order together stay within the policy's `agentLimit`, or
//! wait for somebody else.

use crate::base::Result;
use domain::{
    AccountId, DraftReturnOrderId, OrderId, PurchaseId, ReturnOrderId,
    account::Account,
    costs::CostBreakdown,
    returning::{DraftItem, ProposalKind, ReturnRequest},
    stage::StageName,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Db, Writing, drafts, ledgers, return_orders, return_requests};

/// Whether an agent overrode rules for these items.
pub(crate) fn is_by_agent(items: &[DraftItem]) -> bool {
    items.iter().flat_map(|item| &item.overrides).any(|one| one.by_agent)
}

/// Whether somebody else has to approve, or had to approve, the return of these items.
pub(crate) fn is_held(items: &[DraftItem]) -> bool {
    items.iter().flat_map(|item| &item.overrides).any(|one| one.needs_approval)
}

/// Locks the sales orders of these items until the transaction ends, if an agent overrode rules for them: other such returns
/// of the same orders wait.
pub(crate) async fn lock_orders(writing: &mut Writing, account: AccountId, items: &[DraftItem]) -> Result<()> {
    if !is_by_agent(items) {
        return Ok(());
    }
    // Always in the same order, so that two returns of the same orders do not deadlock.
    let orders: BTreeMap<OrderId, PurchaseId> = items.iter().map(|item| (item.order_id, item.purchase_id)).collect();
    for purchase in orders.into_values() {
        ledgers::hold(writing.db(), account, purchase).await?;
    }
    Ok(())
}

/// Whether a return with these items and costs gives more than the `agentLimit`, together with the other returns of its
/// orders that agents made by overriding rules and that nobody else has approved. `own`: the return, if it is stored.
pub(crate) async fn is_above(
    mut db: Db<'_>,
    account: &Account,
    items: &[DraftItem],
    costs: &CostBreakdown,
    own: Option<ReturnOrderId>,
) -> Result<bool> {
    let Some(limit) = account.policy.agent_limit.minor(costs.currency) else { return Ok(false) };
    let orders: BTreeSet<OrderId> = items.iter().map(|item| item.order_id).collect();
    let orders: Vec<OrderId> = orders.into_iter().collect();
    let mut ids = ledgers::returns_of(db.reborrow(), account.id, &orders).await?;
    ids.retain(|id| Some(*id) != own);
    let returns = return_orders::list_of_ids(db.reborrow(), account.id, &ids).await?;
    let requests = return_requests::list_of_return_orders(db.reborrow(), account.id, &ids).await?;
    let made_of: Vec<DraftReturnOrderId> = returns.iter().map(|order| order.draft_return_order_id).collect();
    let drafts = drafts::list_of_ids(db, account.id, &made_of).await?;
    let mut sum = costs.given();
    for draft in drafts.iter().filter(|draft| is_by_agent(&draft.items)) {
        let Some(order) = returns.iter().find(|order| order.draft_return_order_id == draft.id) else { continue };
        let own: Vec<&ReturnRequest> = requests.iter().filter(|one| one.return_order_id == order.id).collect();
        let gives = own.iter().any(|request| gives(request.state.stage.name()));
        if gives && !is_approved(&draft.items, own) {
            sum = sum.saturating_add(order.cost_breakdown.given());
        }
    }
    Ok(sum > limit)
}

/// Whether somebody else has approved the return of these items and requests.
pub(crate) fn is_approved<'a>(items: &[DraftItem], requests: impl IntoIterator<Item = &'a ReturnRequest>) -> bool {
    is_held(items) && !requests.into_iter().any(|request| request.state.undecided || is_waiting(request))
}

/// Whether somebody else still has to approve a request because of the rules that were overridden.
pub(crate) fn is_waiting(request: &ReturnRequest) -> bool {
    request.proposal.as_ref().is_some_and(|proposal| proposal.kind == ProposalKind::Override)
}

/// Whether a request in this stage gives something, or may still do so.
fn gives(stage: StageName) -> bool {
    stage.is_approved() || !stage.is_end()
}
