//! `/api/v0/account/<account_id>/saved-views`.

use crate::api::base::{
    auth_extractors::Merchant,
    body::{JsonBody, NoBody},
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    reply::done,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::SavedViewId;
use returns::{NewSavedView, SavedViewChange, Scope, view};
use ui::web::routing::{delete, get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("saved-views", "saved-view", "Saved views");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listSavedViews", "List saved views")
            .described("Lists the views that the caller saved, then those that others share.")
            .open_to(Access::READERS)
            .answers::<view::List<view::SavedView>>(200, "The views, on one page."),
        of.operation(Method::POST, "", post(create))
            .named("createSavedView", "Create a saved view")
            .described("Saves the filters of a list under a name, for the caller alone.")
            .open_to(Access::READERS)
            .once()
            .takes::<NewSavedView>()
            .conflicts(&["LimitReached"])
            .answers::<view::SavedView>(201, "The view that was saved."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateSavedView", "Update a saved view")
            .described("Changes the given fields of a view that the caller saved.")
            .open_to(Access::READERS)
            .once()
            .versioned()
            .takes::<SavedViewChange>()
            .answers::<view::SavedView>(200, "The view, as it is now."),
        of.operation(Method::POST, "/{id}/share", post(share))
            .named("shareSavedView", "Share a saved view")
            .described("Shows a view that the caller saved to all staff of the account.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .answers::<view::SavedView>(200, "The view, as it is now."),
        of.operation(Method::POST, "/{id}/unshare", post(unshare))
            .named("unshareSavedView", "Stop sharing a saved view")
            .described("Shows a shared view to the person who saved it alone.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .answers::<view::SavedView>(200, "The view, as it is now."),
        of.operation(Method::DELETE, "/{id}", delete(remove))
            .named("deleteSavedView", "Delete a saved view")
            .described("Deletes a view that the caller saved.")
            .open_to(Access::READERS)
            .answers_nothing(204, "The view is deleted."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant) -> Result<Response, ApiError> {
    Ok(Json(app.retour.merchant(&staff).saved_views().await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewSavedView>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_saved_view(body.value, key).await?))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<SavedViewId>,
    IfMatch(version): IfMatch,
    body: JsonBody<SavedViewChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_saved_view(id, body.value, version, key).await?))
}

async fn share(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<SavedViewId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).share_saved_view(id, true, key).await?))
}

async fn unshare(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<SavedViewId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).share_saved_view(id, false, key).await?))
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<SavedViewId>,
) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).delete_saved_view(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
