//! How staff handle return orders: who has one, notes, everything that happened, and who looks at it.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, MaybeJsonBody},
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::{Id, NoteIdOfPath},
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::ReturnOrderId;
use returns::{NoteInput, ReturnOrderChange, Scope, VisitInput, view};
use ui::web::routing::{get, patch, post};

#[expect(clippy::too_many_lines, reason = "one paragraph for each operation")]
pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-orders", "return-order", "Return orders");
    let assignees = Resource::of_account("assignees", "assignee", "Return orders");
    vec![
        assignees
            .operation(Method::GET, "", get(list_assignees))
            .named("listAssignees", "List who can have a return order")
            .described("The account's users by name, for `assigneeId`.")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::List<view::Assignee>>(200, "All users, by name."),
        of.operation(Method::GET, "/recent", get(recent))
            .named("listRecentReturnOrders", "List the return orders that you worked on last")
            .described(
                "Lists the 10 return orders that the user changed last, the last first. For a service user, the list is \
                 empty.",
            )
            .open_to(Access::READERS)
            .answers::<view::List<view::ReturnOrderView>>(200, "At most 10 return orders, on one page."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateReturnOrder", "Update a return order")
            .described(
                "Changes who has the return order, its flags, and whether changes of many return requests leave it \
                 out. Return requests move by themselves: see `updateReturnRequest`.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .versioned()
            .takes::<ReturnOrderChange>()
            .answers::<view::ReturnOrderView>(200, "The return order, as it is now."),
        of.operation(Method::GET, "/{id}/notes", get(notes))
            .named("listNotes", "List a return order's notes")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::List<view::NoteView>>(200, "All notes, oldest first."),
        of.operation(Method::POST, "/{id}/notes", post(add_note))
            .named("createNote", "Create a note")
            .described(
                "Adds a note to the return order. Only staff see it: it is in no answer and no mail to consumers.",
            )
            .open_to(Access::Staff(Scope::Write))
            .once()
            .takes::<NoteInput>()
            .answers::<view::NoteView>(201, "The note that was written.")
            .conflicts(&["LimitReached"]),
        of.operation(Method::PATCH, "/{id}/notes/{note_id}", patch(change_note))
            .named("updateNote", "Update a note")
            .described("Changes the text of a note. Only its author may, for ten minutes.")
            .open_to(Access::Staff(Scope::Write))
            .once()
            .versioned()
            .takes::<NoteInput>()
            .answers::<view::NoteView>(200, "The note, as it is now.")
            .conflicts(&["TooLate"]),
        of.operation(Method::GET, "/{id}/activity", get(activity))
            .named("listActivity", "List what happened to a return order")
            .described(
                "One list of stages, changes of value, receipts, tracking updates, mails, notes, payments and webhook \
                 deliveries, with the people and programs who acted.",
            )
            .open_to(Access::READERS)
            .answers::<view::List<view::ActivityEntry>>(200, "All entries, oldest first."),
        of.operation(Method::POST, "/{id}/visits", post(visit))
            .named("createVisit", "Say that you look at a return order")
            .described(
                "Shows your colleagues that you look at the return order. The answer lists who else looked at it in \
                 the last five minutes. Repeat the request while you look.",
            )
            .may_take::<VisitInput>()
            .open_to(Access::READERS)
            .answers::<view::List<view::VisitView>>(200, "The other visitors, the last first."),
    ]
}

/// Answers with all users on one page, because an account has few.
async fn list_assignees(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(view::List::whole(app.retour.merchant(&staff).assignees().await?)).into_response())
}

async fn recent(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).worked_return_orders().await?).into_response())
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ReturnOrderChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_return_order(id, body.value, version, key).await?))
}

/// Answers with all notes on one page, because a return order has few.
async fn notes(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnOrderId>,
) -> Result<Response, ApiError> {
    Ok(Json(view::List::whole(app.retour.merchant(&staff).notes(id).await?)).into_response())
}

async fn add_note(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    body: JsonBody<NoteInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).add_note(id, body.value, key).await?))
}

async fn change_note(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnOrderId>,
    NoteIdOfPath(note): NoteIdOfPath,
    IfMatch(version): IfMatch,
    body: JsonBody<NoteInput>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_note(id, note, body.value, version, key).await?))
}

/// Answers with the whole activity on one page, because little happens to one return order.
async fn activity(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnOrderId>,
) -> Result<Response, ApiError> {
    Ok(Json(view::List::whole(app.retour.merchant(&staff).activity(id).await?)).into_response())
}

async fn visit(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnOrderId>,
    MaybeJsonBody(body): MaybeJsonBody<VisitInput>,
) -> Result<Response, ApiError> {
    Ok(Json(view::List::whole(app.retour.merchant(&staff).visit_return_order(id, body.value).await?)).into_response())
}
