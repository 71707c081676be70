//! `/api/v0/account/<account_id>/found-parcels`: parcels that arrived without papers.

use crate::api::base::{
    auth_extractors::Merchant,
    body::JsonBody,
    error::ApiError,
    if_match::IfMatch,
    json::Json,
    operation::{Access, Operation, Resource},
    path::Id,
    query::Query,
    reply::{done, with_etag},
};
use crate::app::App;
use axum::{
    extract::State,
    http::Method,
    response::{IntoResponse, Response},
};
use domain::FoundParcelId;
use returns::{FoundParcelChange, NewFoundParcel, Scope, lists, view};
use ui::web::routing::{get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("found-parcels", "found-parcel", "Found parcels");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listFoundParcels", "List found parcels")
            .open_to(Access::READERS)
            .lists(&lists::FOUND_PARCELS)
            .answers::<view::List<view::FoundParcelView>>(200, "A page of found parcels."),
        of.operation(Method::POST, "", post(create))
            .named("createFoundParcel", "Create a found parcel")
            .described("Records a parcel without papers. Write the number of the answer on the parcel.")
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .takes::<NewFoundParcel>()
            .answers::<view::FoundParcelView>(201, "The found parcel."),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getFoundParcel", "Retrieve a found parcel")
            .open_to(Access::READERS)
            .answers::<view::FoundParcelView>(200, "The found parcel."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateFoundParcel", "Update a found parcel")
            .described(
                "Changes the given fields only. `returnOrderId` says which return the parcel belongs to; receive its \
                 units there. `{\"status\": \"Closed\"}` means that nothing remains to be done: without a return, \
                 the note says why.",
            )
            .open_to(Access::Staff(Scope::Receive))
            .once()
            .versioned()
            .takes::<FoundParcelChange>()
            .answers::<view::FoundParcelView>(200, "The found parcel, as it is now."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::FOUND_PARCELS, &[])?;
    Ok(Json(app.retour.merchant(&staff).found_parcels(&query.listing).await?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewFoundParcel>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).create_found_parcel(body.value, key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<FoundParcelId>,
) -> Result<Response, ApiError> {
    let found = app.retour.merchant(&staff).found_parcel(id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<FoundParcelId>,
    IfMatch(version): IfMatch,
    body: JsonBody<FoundParcelChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.merchant(&staff).change_found_parcel(id, body.value, version, key).await?))
}
