//! Decisions about a return, and how staff handle it.

use crate::{
    calls::{call::Next, return_steps::wanted},
    components::stage_text,
    problem::{Mistake, Problem},
    visit::{Visit, reasons, shown::Shown},
};
use domain::{
    RefusalCode, ReturnOrderId, ReturnRequestId,
    stage::{Condition, Disposition, Inspection, StageName},
};
use returns::{
    AmendmentInput, Done, Error, Expand, NoteInput, PatchField, Receipt, ReturnOrderChange, Scope, Staff, StatusUpdate,
    TakeBack,
    view::{ActivityType, AmendmentPreview, ReturnRequestView},
};
use std::str::FromStr;
use ui::{
    dates::{Calendar, past_moment},
    money,
    text::format,
};

/// A move as the form sends it.
pub struct Move {
    pub request: String,
    pub stage: String,
    pub from_stage: String,
    pub comment: String,
    pub reference: String,
}

/// An inspection as it was typed.
pub struct TypedInspection {
    pub accepted: String,
    pub refused: String,
    pub condition: String,
    pub disposition: String,
    pub note: String,
}

/// What a request asks for, as it was typed.
pub struct TypedAmendment {
    pub request: String,
    pub quantity: String,
    pub reason: String,
    pub wanted: String,
    pub comment: String,
    pub why: String,
    pub from_stage: String,
    /// Whether only what it would change in money is shown.
    pub is_preview: bool,
}

/// The handling of a return as it was typed.
pub struct Handling {
    pub assignee: String,
    pub flags: String,
    pub leave_out: String,
}

/// A hidden field of a form. Another value than the page wrote leads nowhere.
pub fn hidden<T: FromStr>(text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::NotThere)
}

/// A stage of a hidden field.
pub fn stage(name: &str) -> Result<StageName, Problem> {
    StageName::parse(name).ok_or(Problem::Unreadable)
}

/// A number of units that was typed.
fn units(visit: &Visit, field: &str, typed: &str) -> Result<u32, Mistake> {
    typed.trim().parse().map_err(|_| Mistake::new(field, visit.words.common.invalid))
}

/// The page of the return without the open form.
pub fn back(visit: &Visit) -> String {
    let page = visit.form_page();
    let (path, query) = page.split_once('?').unwrap_or((&page, ""));
    let kept: Vec<&str> = query.split('&').filter(|field| field.starts_with("from=")).collect();
    if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) }
}

/// Moves a request.
pub async fn make_move(visit: &Visit, typed: Move) -> Result<Next, Problem> {
    let staff = visit.may_decide()?;
    let id: ReturnRequestId = hidden(&typed.request)?;
    let reference = typed.reference.trim();
    let update_from = stage(&typed.from_stage)?;
    let update = StatusUpdate {
        stage: stage(&typed.stage)?,
        from_stage: Some(update_from),
        comment: typed.comment,
        external_reference: (!reference.is_empty()).then(|| reference.to_owned()),
        instead: None,
        version: None,
    };
    match visit.retour.merchant(&staff).update_status(id, update, visit.key()).await {
        Ok(done) => {
            let moved = request_of(visit, &staff, id, done).await?;
            let text = format(visit.words.return_order.moved, &[stage_text(moved.stage, visit.words)]);
            let next = next_of(visit, &staff, &moved, update_from).await.unwrap_or_else(|| back(visit));
            Ok(Next::at(next).saying(text))
        }
        Err(error) => Err(problem(visit, &staff, id, error).await),
    }
}

/// The request after a move. A repeated answer is stored as text, so the request is read again.
async fn request_of(
    visit: &Visit,
    staff: &Staff,
    id: ReturnRequestId,
    done: Done<ReturnRequestView>,
) -> Result<ReturnRequestView, Problem> {
    match done {
        Done::Fresh { value, .. } => Ok(value),
        Done::Replayed(_) => {
            visit.retour.merchant(staff).return_request(id, &[]).await.map_err(|error| visit.problem(error))
        }
    }
}

/// The next return of the list that the page was opened from, once no other item of this return waits for the same
/// decision.
async fn next_of(visit: &Visit, staff: &Staff, moved: &ReturnRequestView, from: StageName) -> Option<String> {
    let page = visit.form_page();
    let (path, query) = page.split_once('?')?;
    let list = query.split('&').find(|field| field.starts_with("from=") && field.len() > "from=".len())?;
    let number = path.rsplit('/').next()?;
    let expand = [Expand::ReturnRequests];
    let order = visit.retour.merchant(staff).return_order(moved.return_order_id, &expand).await.ok()?;
    let waits = order.return_requests.iter().flatten().any(|request| request.stage == from);
    (!waits).then(|| visit.path(&format!("returns/next?after={number}&{list}")))
}

/// The problem of a move. If somebody was faster, it says who, when, and where the request is now.
pub async fn problem(visit: &Visit, staff: &Staff, id: ReturnRequestId, error: Error) -> Problem {
    let is_conflict = matches!(&error, Error::Refused(refusal) if refusal.code == RefusalCode::StageConflict);
    let changed = if is_conflict { changed_by(visit, staff, id).await } else { None };
    changed.map_or_else(|| renamed(visit.problem(error)), Problem::Changed)
}

/// The use cases name a reference as the API does; the form's field is shorter.
fn renamed(problem: Problem) -> Problem {
    let Problem::Mistakes(mut mistakes) = problem else { return problem };
    for mistake in mistakes.iter_mut().filter(|mistake| mistake.field == "externalReference") {
        "reference".clone_into(&mut mistake.field);
    }
    Problem::Mistakes(mistakes)
}

/// Who changed a request last, when, and to what.
async fn changed_by(visit: &Visit, staff: &Staff, id: ReturnRequestId) -> Option<String> {
    let handle = visit.retour.merchant(staff);
    let request = handle.return_request(id, &[]).await.ok()?;
    let activity = handle.activity(request.return_order_id).await.ok()?;
    let is_move = |entry: &&returns::view::ActivityEntry| {
        entry.kind == ActivityType::Stage && entry.return_request_id == Some(id)
    };
    // What a person did comes first in its transaction, and what followed by itself has the same time.
    let last = activity.iter().rev().find(is_move)?;
    let by = activity.iter().filter(is_move).find(|entry| entry.at == last.at).unwrap_or(last);
    let words = visit.words.return_order;
    let who = by.actor_name.clone().unwrap_or_else(|| match by.actor {
        Some(domain::party::Actor::Consumer) => words.who_customer.to_owned(),
        Some(domain::party::Actor::System) => words.who_retour.to_owned(),
        _ => words.who_staff.to_owned(),
    });
    let calendar = Calendar { zone: visit.zone(), now: visit.retour.now() };
    let when = past_moment(last.at, calendar, visit.words).short;
    Some(format(words.changed_by, &[&who, &when, stage_text(request.stage, visit.words)]))
}

/// Counts units that arrived.
pub async fn count_units(visit: &Visit, request: &str, quantity: &str) -> Result<Next, Problem> {
    let (id, staff): (ReturnRequestId, Staff) = (hidden(request)?, visit.may_act(Scope::Receive)?);
    let quantity = units(visit, "quantity", quantity).map_err(|mistake| Problem::Mistakes(vec![mistake]))?;
    let receipt = Receipt { quantity, external_reference: None };
    match visit.retour.merchant(&staff).receive(id, receipt, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.counted)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// Records an inspection.
pub async fn inspect_units(visit: &Visit, request: &str, typed: TypedInspection) -> Result<Next, Problem> {
    let (id, staff): (ReturnRequestId, Staff) = (hidden(request)?, visit.may_act(Scope::Receive)?);
    let (accepted, refused) = (units(visit, "accepted", &typed.accepted), units(visit, "refused", &typed.refused));
    let (accepted, refused) = match (accepted, refused) {
        (Ok(accepted), Ok(refused)) => (accepted, refused),
        (accepted, refused) => {
            return Err(Problem::Mistakes([accepted.err(), refused.err()].into_iter().flatten().collect()));
        }
    };
    let inspection = Inspection {
        accepted,
        refused,
        condition: chosen::<Condition>(&typed.condition)?,
        disposition: chosen::<Disposition>(&typed.disposition)?,
        note: Some(typed.note).filter(|note| !note.trim().is_empty()),
    };
    match visit.retour.merchant(&staff).inspect(id, inspection, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.inspected)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// A value of a list; an empty text is none.
fn chosen<T: serde::de::DeserializeOwned>(name: &str) -> Result<Option<T>, Problem> {
    if name.is_empty() {
        return Ok(None);
    }
    serde_json::from_value(name.into()).map(Some).map_err(|_| Problem::Unreadable)
}

/// Changes what a request asks for.
pub async fn amend(visit: &Visit, typed: TypedAmendment) -> Result<Next, Problem> {
    let (id, staff): (ReturnRequestId, Staff) = (hidden(&typed.request)?, visit.may_act(Scope::Write)?);
    let units = units(visit, "quantity", &typed.quantity).map_err(|mistake| Problem::Mistakes(vec![mistake]))?;
    let (resolution, exchange_for) = wanted(&typed.wanted);
    let input = AmendmentInput {
        quantity: Some(units),
        return_reason_id: typed.reason.parse().ok(),
        return_reason_comment: Some(typed.comment.trim().replace("\r\n", "\n")),
        requested_resolution: Some(resolution),
        exchange_for,
        reason: typed.why,
        from_stage: Some(stage(&typed.from_stage)?),
    };
    let handle = visit.retour.merchant(&staff);
    let done = if typed.is_preview {
        let effect = handle.preview_amendment(id, input).await;
        effect.map(|effect| Next::here(visit).showing(Shown::Effect(effect_text(visit, &effect))))
    } else {
        let amended = handle.amend(id, input, visit.key()).await;
        amended.map(|_| Next::at(back(visit)).saying(visit.words.return_order.amended))
    };
    match done {
        Ok(next) => Ok(next),
        Err(error) => Err(match problem(visit, &staff, id, error).await {
            Problem::Mistakes(mistakes) => Problem::Mistakes(mistakes.into_iter().map(of_form).collect()),
            problem => problem,
        }),
    }
}

/// What a change makes of what the customer gets and pays.
pub fn effect_text(visit: &Visit, effect: &AmendmentPreview) -> String {
    let words = visit.words.return_order;
    let AmendmentPreview { before, after } = effect;
    let sums = [
        (words.total_refund, before.estimated_refund, after.estimated_refund),
        (words.total_credit, before.estimated_credit, after.estimated_credit),
        (words.total_payable, before.payable_now, after.payable_now),
    ];
    let text = |amount| money::format(amount, visit.words);
    let changed = sums.into_iter().filter(|(_, before, after)| before != after);
    let changed = changed.map(|(name, before, after)| format(words.effect, &[name, &text(before), &text(after)]));
    let changed: Vec<String> = changed.collect();
    if changed.is_empty() { words.effect_none.to_owned() } else { changed.join(" · ") }
}

/// A mistake at the field of the form that changes a request.
fn of_form(mistake: Mistake) -> Mistake {
    let field = match mistake.field.as_str() {
        "reason" => "why",
        "returnReasonId" => "reason",
        "returnReasonComment" => "comment",
        "requestedResolution" | "exchangeFor" | "exchangeFor.sku" => "wanted",
        other => other,
    };
    Mistake { field: field.to_owned(), ..mistake }
}

/// Cancels a return.
pub async fn cancel_return(visit: &Visit, order: &str) -> Result<Next, Problem> {
    let (id, staff): (ReturnOrderId, Staff) = (hidden(order)?, visit.may_act(Scope::Write)?);
    match visit.retour.merchant(&staff).cancel_return_order(id, visit.key()).await {
        Ok(_) => Ok(Next::at(back(visit)).saying(visit.words.return_order.cancelled)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// Changes who has a return, its flags, and whether bulk changes leave it out.
pub async fn hand_return(visit: &Visit, order: &str, version: &str, typed: Handling) -> Result<Next, Problem> {
    let assignee = if typed.assignee.is_empty() { None } else { Some(hidden(&typed.assignee)?) };
    let flags = typed.flags.split([',', '،']).map(str::trim).filter(|flag| !flag.is_empty()).map(str::to_owned);
    let change = ReturnOrderChange {
        assignee_id: PatchField(Some(assignee)),
        flags: PatchField(Some(flags.collect())),
        leave_out_of_bulk: PatchField(Some(!typed.leave_out.is_empty())),
    };
    change_handling(visit, order, version, change).await
}

/// Gives a return to the person who asks.
pub async fn take_return(visit: &Visit, order: &str, version: &str) -> Result<Next, Problem> {
    let me = Some(visit.session.user.id);
    let change = ReturnOrderChange { assignee_id: PatchField(Some(me)), ..ReturnOrderChange::default() };
    change_handling(visit, order, version, change).await
}

async fn change_handling(
    visit: &Visit,
    order: &str,
    version: &str,
    change: ReturnOrderChange,
) -> Result<Next, Problem> {
    let (id, staff): (ReturnOrderId, Staff) = (hidden(order)?, visit.may_act(Scope::Write)?);
    let version = Some(hidden(version)?);
    match visit.retour.merchant(&staff).change_return_order(id, change, version, visit.key()).await {
        Ok(_) => Ok(Next::here(visit).saying(visit.words.return_order.handed)),
        Err(error) => Err(of_field(visit.problem(error))),
    }
}

/// All flags are typed into one field.
fn of_field(problem: Problem) -> Problem {
    let Problem::Mistakes(mut mistakes) = problem else { return problem };
    for mistake in mistakes.iter_mut().filter(|mistake| mistake.field.starts_with("flags")) {
        "flags".clone_into(&mut mistake.field);
    }
    Problem::Mistakes(mistakes)
}

/// Adds a note.
pub async fn write_note(visit: &Visit, order: &str, text: String) -> Result<Next, Problem> {
    let (id, staff): (ReturnOrderId, Staff) = (hidden(order)?, visit.may_act(Scope::Write)?);
    match visit.retour.merchant(&staff).add_note(id, NoteInput { text }, visit.key()).await {
        Ok(_) => Ok(Next::here(visit).saying(visit.words.return_order.note_added)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// Changes a note.
pub async fn change_note(visit: &Visit, order: &str, note: &str, text: String) -> Result<Next, Problem> {
    let (order, note): (ReturnOrderId, domain::NoteId) = (hidden(order)?, hidden(note)?);
    let staff = visit.may_act(Scope::Write)?;
    match visit.retour.merchant(&staff).change_note(order, note, NoteInput { text }, None, visit.key()).await {
        Ok(_) => Ok(Next::here(visit).saying(visit.words.return_order.note_changed)),
        Err(error) => Err(visit.problem(error)),
    }
}

/// Takes a receipt back; without one, the inspection.
pub async fn take_recording_back(visit: &Visit, request: &str, receipt: &str, why: &str) -> Result<Next, Problem> {
    let (id, staff): (ReturnRequestId, Staff) = (hidden(request)?, visit.may_act(Scope::Receive)?);
    let handle = visit.retour.merchant(&staff);
    let taken = if receipt.is_empty() {
        handle.delete_inspection(id).await
    } else {
        let reason = TakeBack { reason: Some(why.trim().to_owned()).filter(|why| !why.is_empty()) };
        handle.reverse_receipt(id, hidden(receipt)?, reason, visit.key()).await.map(drop)
    };
    match taken {
        Ok(()) => Ok(Next::here(visit).saying(visit.words.return_order.taken_back)),
        // The rule says what depends on it.
        Err(Error::Refused(refusal)) => {
            Err(Problem::Refused(reasons::of_rule(refusal.code, &refusal.message, visit.words)))
        }
        Err(error) => Err(match visit.problem(error) {
            // The only field that can be wrong; each receipt has its own.
            Problem::Mistakes(mistakes) => {
                let of_receipt = |mistake: Mistake| Mistake { field: format!("why-{receipt}"), ..mistake };
                Problem::Mistakes(mistakes.into_iter().map(of_receipt).collect())
            }
            problem => problem,
        }),
    }
}

/// Has the mail about a return sent again.
pub async fn mail_again(visit: &Visit, mail: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    match visit.retour.merchant(&staff).resend_mail(hidden(mail)?, visit.key()).await {
        Ok(_) => Ok(Next::here(visit).saying(visit.words.return_order.mail_is_sent_again)),
        Err(error) => Err(visit.problem(error)),
    }
}
