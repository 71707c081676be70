//! `/api/v0/account/<account_id>/return-locations`.

use super::{
    body::JsonBody,
    door::{Id, IfMatch, Merchant, done, with_etag},
    error::ApiError,
    json::Json,
    operation::{Access, Operation, Resource},
    query::Query,
};
use crate::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
    routing::{delete, get, patch, post},
};
use domain::ReturnLocationId;
use returns::{NewReturnLocation, ReturnLocationChange, Scope, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("return-locations", "return-location", "Return locations");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listReturnLocations", "List return locations")
            .described("Leaves archived ones out; `filter=archived:true` lists them.")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::RETURN_LOCATIONS)
            .answers::<view::List<view::ReturnLocation>>(200, "A page of return locations."),
        of.operation(Method::POST, "", post(create))
            .named("createReturnLocation", "Create a return location")
            .described("Parcels go to the location that their shipping option names, else to the default one, else to the policy's `returnAddress`. At most 200, with those that are archived.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .takes::<NewReturnLocation>()
            .answers::<view::ReturnLocation>(201, "The return location.")
            .conflicts(&["LimitReached"]),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getReturnLocation", "Retrieve a return location")
            .described("Answers archived ones, too.")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::ReturnLocation>(200, "The return location."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateReturnLocation", "Update a return location")
            .described("Changes the given fields and leaves the others. `{\"archived\": false}` brings it back.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .versioned()
            .takes::<ReturnLocationChange>()
            .answers::<view::ReturnLocation>(200, "The return location, as it is now."),
        of.operation(Method::DELETE, "/{id}", delete(remove))
            .named("deleteReturnLocation", "Delete or archive a return location")
            .described("Deletes it if no shipping option names it; archives it otherwise: then no parcel goes there any more, and it is not the default.")
            .open_to(Access::Staff(Scope::Admin))
            .answers_nothing(204, "The object is deleted, or archived and no longer offered."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::RETURN_LOCATIONS, &[])?;
    let list = app.retour.return_locations(&staff, &query.listing).await;
    Ok(Json(list?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewReturnLocation>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.create_return_location(&staff, body.value, key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnLocationId>,
) -> Result<Response, ApiError> {
    let found = app.retour.return_location(&staff, id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ReturnLocationId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ReturnLocationChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.change_return_location(&staff, id, body.value, version, key).await?))
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ReturnLocationId>,
) -> Result<StatusCode, ApiError> {
    app.retour.delete_return_location(&staff, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
