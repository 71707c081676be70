//! What the functions about withdrawals do on the server.

use super::{call::Next, return_order_steps::hidden, station};
use crate::{
    problem::{Mistake, Problem},
    visit::Visit,
};
use domain::WithdrawalId;
use returns::{ClosedWithdrawal, Done, PatchField, Scope, Staff, WithdrawalChange};
use ui::text::format;

/// Links a withdrawal with the return of this number.
pub async fn link(visit: &Visit, withdrawal: &str, version: &str, number: &str) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.withdrawals, visit.may_act(Scope::Write)?);
    let found = station::find(visit, &staff, &number.to_uppercase()).await.map_err(|error| visit.problem(error))?;
    let Some(order) = found else { return Err(Problem::mistake("return_number", words.no_return)) };
    let change = WithdrawalChange { return_order_id: PatchField(Some(order.id)), ..WithdrawalChange::default() };
    let changed = change_withdrawal(visit, &staff, withdrawal, version, change).await?;
    Ok(Next::here(visit).saying(format(words.is_linked, &[&changed, &order.number])))
}

/// Closes a withdrawal, with a note about what was done.
pub async fn close(visit: &Visit, withdrawal: &str, version: &str, why: String) -> Result<Next, Problem> {
    let (words, staff) = (visit.words.withdrawals, visit.may_act(Scope::Write)?);
    if why.trim().is_empty() {
        return Err(Problem::mistake("why", words.note_missing));
    }
    let change = WithdrawalChange {
        status: PatchField(Some(ClosedWithdrawal::Closed)),
        note: PatchField(Some(why)),
        ..WithdrawalChange::default()
    };
    let changed =
        change_withdrawal(visit, &staff, withdrawal, version, change).await.map_err(|problem| match problem {
            Problem::Mistakes(mistakes) => {
                let field = |mistake: Mistake| Mistake { field: "why".to_owned(), ..mistake };
                Problem::Mistakes(mistakes.into_iter().map(field).collect())
            }
            problem => problem,
        })?;
    Ok(Next::here(visit).saying(format(words.is_closed, &[&changed])))
}

/// Changes a withdrawal. Its number.
async fn change_withdrawal(
    visit: &Visit,
    staff: &Staff,
    withdrawal: &str,
    version: &str,
    change: WithdrawalChange,
) -> Result<String, Problem> {
    let id: WithdrawalId = hidden(withdrawal)?;
    let merchant = visit.retour.merchant(staff);
    let done = merchant.change_withdrawal(id, change, Some(hidden(version)?), visit.key()).await;
    match done.map_err(|error| visit.problem(error))? {
        Done::Fresh { value, .. } => Ok(value.number),
        // The form was sent twice.
        Done::Replayed(_) => merchant.withdrawal(id).await.map(|one| one.number).map_err(|error| visit.problem(error)),
    }
}
