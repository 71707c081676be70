//! Saved views of the list of returns.

use crate::problem::{NextPage, Problem};
use leptos::{prelude::*, server_fn::codec::PostUrl};
use ui::calls::{Fetch, Json};

/// Saves the filters of a list under a name, as `POST /saved-views` does.
#[server(prefix = "/desk/call", endpoint = "save-view", input = PostUrl, output = Json, client = Fetch)]
pub async fn save_view(
    #[server(default)] list: String,
    #[server(default)] name: String,
    #[server(default)] query: String,
) -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    use returns::NewSavedView;
    let (call, visit) = Call::begin().await?;
    let staff = match visit.may_read() {
        Ok(staff) => staff,
        Err(problem) => return call.answer(Err(problem)),
    };
    let next = Next::here(&visit).saying(visit.words.returns.view_saved);
    let saved = visit.retour.merchant(&staff).create_saved_view(NewSavedView { list, name, query }, visit.key()).await;
    call.answer(saved.map(|_| next).map_err(|error| visit.problem(error)))
}

/// Deletes a view of the person, as `DELETE /saved-views/{id}` does.
#[server(prefix = "/desk/call", endpoint = "delete-view", input = PostUrl, output = Json, client = Fetch)]
pub async fn delete_view(#[server(default)] id: String) -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    let (call, visit) = Call::begin().await?;
    let staff = match visit.may_read() {
        Ok(staff) => staff,
        Err(problem) => return call.answer(Err(problem)),
    };
    let Ok(id) = id.parse() else { return call.answer(Err(Problem::NotThere)) };
    let deleted = visit.retour.merchant(&staff).delete_saved_view(id).await;
    let next = Next::here(&visit).saying(visit.words.returns.view_deleted);
    call.answer(deleted.map(|()| next).map_err(|error| visit.problem(error)))
}

/// Shows a view to all staff, as `POST /saved-views/{id}/share` does.
#[server(prefix = "/desk/call", endpoint = "share-view", input = PostUrl, output = Json, client = Fetch)]
pub async fn share_view(#[server(default)] id: String) -> Result<NextPage, Problem> {
    set_shared(&id, true).await
}

/// Shows a view to its owner alone, as `POST /saved-views/{id}/unshare` does.
#[server(prefix = "/desk/call", endpoint = "unshare-view", input = PostUrl, output = Json, client = Fetch)]
pub async fn unshare_view(#[server(default)] id: String) -> Result<NextPage, Problem> {
    set_shared(&id, false).await
}

#[cfg(feature = "ssr")]
async fn set_shared(id: &str, is_shared: bool) -> Result<NextPage, Problem> {
    use super::call::{Call, Next};
    use returns::Scope;
    let (call, visit) = Call::begin().await?;
    let staff = match visit.may_act(Scope::Admin) {
        Ok(staff) => staff,
        Err(problem) => return call.answer(Err(problem)),
    };
    let Ok(id) = id.parse() else { return call.answer(Err(Problem::NotThere)) };
    let words = visit.words.returns;
    let said = if is_shared { words.view_shared } else { words.view_unshared };
    let shared = visit.retour.merchant(&staff).share_saved_view(id, is_shared, visit.key()).await;
    let next = Next::here(&visit).saying(said);
    call.answer(shared.map(|_| next).map_err(|error| visit.problem(error)))
}
