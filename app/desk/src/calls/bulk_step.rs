//! Changes the selected items.

use super::{call::Next, return_order_steps::hidden};
use crate::{
    problem::Problem,
    visit::{
        Visit,
        selection::{Doing, MOST_SELECTED, PROVED_ABOVE, needs_number, read, sums},
    },
};
use domain::{BulkRunId, ReturnRequestId, UserId, returning::BulkItem};
use returns::{BulkQuestion, Done, NewBulkRun, Scope, Staff, view};
use ui::{
    text::{format, plural},
    web::form::encoded,
};

/// The scopes of which a person who continues a change needs one: the use case checks the action's.
pub const CHANGERS: [Scope; 3] = [Scope::Write, Scope::Resolve, Scope::Receive];

/// What the form contains.
pub struct TypedChange {
    pub requests: String,
    pub doing: String,
    pub comment: String,
    pub assignee: String,
    pub flag: String,
    pub note: String,
    pub count: String,
    /// The query of the list that the person comes from.
    pub from: String,
}

/// Changes the items, and leads back to the list; while there are items left, or if some were not changed, to the page
/// of the run.
pub async fn change(visit: &Visit, typed: TypedChange) -> Result<Next, Problem> {
    let doing = Doing::of(&typed.doing);
    let staff = visit.may_act_with_any(doing.scopes())?;
    let words = visit.words.bulk;
    let requests = read(&typed.requests);
    if requests.is_empty() {
        return Err(Problem::Refused(words.nothing.to_owned()));
    }
    if requests.len() > MOST_SELECTED {
        return Err(Problem::mistake("count", format(words.too_many, &[&MOST_SELECTED.to_string()])));
    }
    check_texts(visit, doing, &typed)?;
    check_number(visit, &staff, doing, &requests, &typed.count).await?;
    if requests.len() > PROVED_ABOVE && !visit.session.is_fresh(visit.retour.now()) {
        return Err(Problem::StepUp);
    }
    let item = |(id, stage): (ReturnRequestId, _)| BulkItem { return_request_id: id, from_stage: stage };
    let new = NewBulkRun {
        action: doing.action(),
        items: requests.into_iter().map(item).collect(),
        comment: typed.comment,
        assignee_id: assignee(visit, doing, &typed.assignee)?,
        flag: typed.flag,
        note: typed.note,
    };
    let merchant = visit.retour.merchant(&staff);
    let id = match merchant.create_bulk_run(new, visit.key()).await.map_err(|error| visit.problem(error))? {
        Done::Fresh { value, .. } => value.id,
        // The form was sent twice.
        Done::Replayed(answer) => id_of(&answer.body).ok_or(Problem::Broken)?,
    };
    let run = merchant.bulk_run(id).await.map_err(|error| visit.problem(error))?;
    Ok(after(visit, &run, &typed.from))
}

fn check_texts(visit: &Visit, doing: Doing, typed: &TypedChange) -> Result<(), Problem> {
    let required = visit.words.common.required;
    let (field, text, missing) = match doing {
        Doing::Reject => ("comment", &typed.comment, visit.words.bulk.comment_missing),
        Doing::Flag => ("flag", &typed.flag, required),
        Doing::Note => ("note", &typed.note, required),
        _ => return Ok(()),
    };
    if text.trim().is_empty() { Err(Problem::mistake(field, missing)) } else { Ok(()) }
}

/// Many items and much money need the number of items, typed by hand.
async fn check_number(
    visit: &Visit,
    staff: &Staff,
    doing: Doing,
    requests: &[(ReturnRequestId, domain::stage::StageName)],
    typed: &str,
) -> Result<(), Problem> {
    let ids = requests.iter().map(|(id, _)| *id).collect();
    let question = BulkQuestion { action: doing.action(), return_request_ids: ids };
    let plan = visit.retour.merchant(staff).plan_bulk_run(question).await.map_err(|error| visit.problem(error))?;
    let is_typed = typed.trim() == requests.len().to_string();
    if needs_number(requests.len(), &sums(plan.data.iter())) && !is_typed {
        return Err(Problem::mistake("count", visit.words.bulk.count_wrong));
    }
    Ok(())
}

fn assignee(visit: &Visit, doing: Doing, typed: &str) -> Result<Option<UserId>, Problem> {
    match doing {
        Doing::AssignMe => Ok(Some(visit.session.user.id)),
        Doing::Assign if !typed.is_empty() => hidden(typed).map(Some),
        _ => Ok(None),
    }
}

fn id_of(body: &str) -> Option<BulkRunId> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    body.get("id")?.as_str()?.parse().ok()
}

/// Where a run leads.
fn after(visit: &Visit, run: &view::BulkRun, from: &str) -> Next {
    if run.done == run.total && run.failed == 0 {
        let list = if from.is_empty() { "returns".to_owned() } else { format!("returns?{from}") };
        let said = plural(visit.words.common.tag, visit.words.bulk.run_done, &[&run.done.to_string()]);
        return Next::at(visit.path(&list)).saying(said);
    }
    Next::at(visit.path(&format!("returns/bulk/{}?from={}", run.id, encoded(from))))
}

/// Continues a run that has stopped.
pub async fn resume(visit: &Visit, run: &str) -> Result<Next, Problem> {
    let staff = visit.may_act_with_any(&CHANGERS)?;
    let id: BulkRunId = hidden(run)?;
    visit.retour.merchant(&staff).continue_bulk_run(id).await.map_err(|error| visit.problem(error))?;
    Ok(Next::here(visit))
}
