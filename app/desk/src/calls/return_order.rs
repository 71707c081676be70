//! Decisions about a return, and how staff handle it.
//!
//! The domain has no undo: an approval asks the carrier for a label at once, and a rejection ends the request. With scripting,
//! the browser holds an approval back for ten seconds (`islands/holding.rs`). A denial can be reopened, a receipt or an inspection can be taken back until the refund begins,
//! and a note can be changed for ten minutes.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Moves a request to a stage, by the same use case as `PATCH /return-requests/<id>`.
#[server(prefix = "/desk/call", endpoint = "move-request", input = PostUrl, output = Json, client = Fetch)]
pub async fn move_request(
    #[server(default)] request: String,
    #[server(default)] stage: String,
    #[server(default)]
    #[server(rename = "fromStage")]
    from_stage: String,
    #[server(default)] comment: String,
    #[server(default)] reference: String,
) -> Result<NextPage, Problem> {
    use super::return_order_steps::{Move, make_move};
    let (call, visit) = super::call::Call::begin().await?;
    let result = make_move(&visit, Move { request, stage, from_stage, comment, reference }).await;
    call.answer(result)
}

/// Counts units that arrived, by the same use case as `POST /return-requests/<id>/receipts`.
#[server(prefix = "/desk/call", endpoint = "count-units", input = PostUrl, output = Json, client = Fetch)]
pub async fn count_units(
    #[server(default)] request: String,
    #[server(default)] quantity: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::count_units(&visit, &request, &quantity).await;
    call.answer(result)
}

/// Records an inspection, by the same use case as `POST /return-requests/<id>/inspection`.
#[server(prefix = "/desk/call", endpoint = "inspect-units", input = PostUrl, output = Json, client = Fetch)]
pub async fn inspect_units(
    #[server(default)] request: String,
    #[server(default)] accepted: String,
    #[server(default)] refused: String,
    #[server(default)] condition: String,
    #[server(default)] disposition: String,
    #[server(default)] note: String,
) -> Result<NextPage, Problem> {
    use super::return_order_steps::{TypedInspection, inspect_units};
    let (call, visit) = super::call::Call::begin().await?;
    let typed = TypedInspection { accepted, refused, condition, disposition, note };
    let result = inspect_units(&visit, &request, typed).await;
    call.answer(result)
}

/// Changes the value of a request, by the same use case as `POST /return-requests/<id>/adjustments`.
#[server(prefix = "/desk/call", endpoint = "adjust", input = PostUrl, output = Json, client = Fetch)]
pub async fn adjust(
    #[server(default)] request: String,
    #[server(default)] amount: String,
    #[server(default)] reason: String,
    #[server(default)]
    #[server(rename = "fromStage")]
    from_stage: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::proposal_steps::adjust(&visit, &request, &amount, reason, &from_stage).await;
    call.answer(result)
}

/// Asks others to approve a refund above the person's limit, by the same use case as
/// `POST /return-requests/<id>/proposals`.
#[server(prefix = "/desk/call", endpoint = "propose", input = PostUrl, output = Json, client = Fetch)]
pub async fn propose(
    #[server(default)] request: String,
    #[server(default)] comment: String,
    #[server(default)]
    #[server(rename = "fromStage")]
    from_stage: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::proposal_steps::propose_refund(&visit, &request, comment, &from_stage).await;
    call.answer(result)
}

/// Approves what somebody else proposed, by the same use case as
/// `POST /return-requests/<id>/proposals/<proposal id>/approve`.
#[server(prefix = "/desk/call", endpoint = "approve-proposal", input = PostUrl, output = Json, client = Fetch)]
pub async fn approve_proposal(
    #[server(default)] request: String,
    #[server(default)] proposal: String,
    #[server(default)] version: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::proposal_steps::approve(&visit, &request, &proposal, &version).await;
    call.answer(result)
}

/// Refuses what was proposed, by the same use case as `POST /return-requests/<id>/proposals/<proposal id>/refuse`.
#[server(prefix = "/desk/call", endpoint = "refuse-proposal", input = PostUrl, output = Json, client = Fetch)]
pub async fn refuse_proposal(
    #[server(default)] request: String,
    #[server(default)] proposal: String,
    #[server(default)] refusal: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::proposal_steps::refuse(&visit, &request, &proposal, refusal).await;
    call.answer(result)
}

/// Changes what a request asks for, by the same use case as `POST /return-requests/<id>/amendments`; with `preview`, says
/// what it would cost, as `…/amendments/preview` does.
#[server(prefix = "/desk/call", endpoint = "amend-request", input = PostUrl, output = Json, client = Fetch)]
pub async fn amend_request(
    #[server(default)] request: String,
    #[server(default)] quantity: String,
    #[server(default)] reason: String,
    #[server(default)] wanted: String,
    #[server(default)] comment: String,
    #[server(default)] why: String,
    #[server(default)]
    #[server(rename = "fromStage")]
    from_stage: String,
) -> Result<NextPage, Problem> {
    use super::return_order_steps::{TypedAmendment, amend};
    let (call, visit) = super::call::Call::begin().await?;
    let is_preview = visit.form.as_ref().is_some_and(|form| form.fields.get("preview") == "yes");
    let typed = TypedAmendment { request, quantity, reason, wanted, comment, why, from_stage, is_preview };
    let result = amend(&visit, typed).await;
    call.answer(result)
}

/// Cancels a return, by the same use case as `POST /return-orders/<id>/cancel`.
#[server(prefix = "/desk/call", endpoint = "cancel-return", input = PostUrl, output = Json, client = Fetch)]
pub async fn cancel_return(#[server(default)] order: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::cancel_return(&visit, &order).await;
    call.answer(result)
}

/// Changes who has a return, its flags, and whether bulk changes leave it out, as `PATCH /return-orders/<id>` does.
#[server(prefix = "/desk/call", endpoint = "hand-return", input = PostUrl, output = Json, client = Fetch)]
pub async fn hand_return(
    #[server(default)] order: String,
    #[server(default)] version: String,
    #[server(default)] assignee: String,
    #[server(default)] flags: String,
    #[server(default)]
    #[server(rename = "leaveOut")]
    leave_out: String,
) -> Result<NextPage, Problem> {
    use super::return_order_steps::{Handling, hand_return};
    let (call, visit) = super::call::Call::begin().await?;
    let result = hand_return(&visit, &order, &version, Handling { assignee, flags, leave_out }).await;
    call.answer(result)
}

/// Gives a return to the person who asks.
#[server(prefix = "/desk/call", endpoint = "take-return", input = PostUrl, output = Json, client = Fetch)]
pub async fn take_return(
    #[server(default)] order: String,
    #[server(default)] version: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::take_return(&visit, &order, &version).await;
    call.answer(result)
}

/// Adds a note, by the same use case as `POST /return-orders/<id>/notes`.
#[server(prefix = "/desk/call", endpoint = "write-note", input = PostUrl, output = Json, client = Fetch)]
pub async fn write_note(
    #[server(default)] order: String,
    #[server(default)] text: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::write_note(&visit, &order, text).await;
    call.answer(result)
}

/// Changes a note, by the same use case as `PATCH /return-orders/<id>/notes/<note id>`.
#[server(prefix = "/desk/call", endpoint = "change-note", input = PostUrl, output = Json, client = Fetch)]
pub async fn change_note(
    #[server(default)] order: String,
    #[server(default)] note: String,
    #[server(default)] changed: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::change_note(&visit, &order, &note, changed).await;
    call.answer(result)
}

/// Takes a receipt back, by the same use case as `POST /return-requests/<id>/receipts/<receipt id>/reverse`. Without a
/// receipt: the inspection, as `DELETE /return-requests/<id>/inspection` does.
#[server(prefix = "/desk/call", endpoint = "take-recording-back", input = PostUrl, output = Json, client = Fetch)]
pub async fn take_recording_back(
    #[server(default)] request: String,
    #[server(default)] receipt: String,
    #[server(default)] why: String,
) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::take_recording_back(&visit, &request, &receipt, &why).await;
    call.answer(result)
}

/// Has the mail about a return sent again, by the same use case as `POST /mails/<id>/resend`.
#[server(prefix = "/desk/call", endpoint = "mail-again", input = PostUrl, output = Json, client = Fetch)]
pub async fn mail_again(#[server(default)] mail: String) -> Result<NextPage, Problem> {
    let (call, visit) = super::call::Call::begin().await?;
    let result = super::return_order_steps::mail_again(&visit, &mail).await;
    call.answer(result)
}
