//! `/api/v0/account/<account_id>/service-users`: programs with an API key.

use crate::api::{
    base::{
        auth_extractors::Merchant,
        body::{JsonBody, NoBody},
        error::ApiError,
        if_match::IfMatch,
        json::Json,
        operation::{Access, Operation, Resource},
        path::Id,
        query::Query,
        reply::{done, with_etag},
    },
    resources::users::ONE_LINE,
};
use crate::app::App;
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use domain::ServiceUserId;
use returns::{PatchField, Scope, ServiceUserChange, lists, view};
use schemars::JsonSchema;
use serde::Deserialize;
use ui::web::routing::{delete, get, patch, post};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("service-users", "service-user", "Service users");
    let admin = Access::Staff(Scope::Admin);
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listServiceUsers", "List service users")
            .described("Includes service users whose keys were revoked.")
            .open_to(admin)
            .lists(&lists::SERVICE_USERS)
            .answers::<view::List<view::ServiceUser>>(200, "A page of service users."),
        of.operation(Method::POST, "", post(create))
            .named("createServiceUser", "Create a service user")
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .takes::<NewServiceUser>()
            .answers::<view::ServiceUserWithKey>(
                201,
                "The service user with its key. Only this response contains the key.",
            )
            .conflicts(&["Conflict"]),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getServiceUser", "Retrieve a service user")
            .open_to(admin)
            .answers::<view::ServiceUser>(200, "The service user."),
        of.operation(Method::PATCH, "/{id}", patch(update))
            .named("updateServiceUser", "Update a service user")
            .described("New scopes apply from the next request on.")
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .versioned()
            .takes::<ServiceUserPatch>()
            .answers::<view::ServiceUser>(200, "The service user.")
            .conflicts(&["Revoked", "LastAdmin"]),
        of.operation(Method::POST, "/{id}/rotate", post(rotate))
            .named("rotateServiceUser", "Rotate a service user's key")
            .described("The previous key stops working at once.")
            .open_to(admin)
            .for_recent_sign_ins()
            .once()
            .answers::<view::ServiceUserWithKey>(
                200,
                "The service user with its new key. Only this response contains the key.",
            )
            .conflicts(&["Revoked", "Conflict"]),
        of.operation(Method::DELETE, "/{id}", delete(revoke))
            .named("revokeServiceUser", "Revoke a service user's key")
            .described(
                "Revokes the key at once and for good; the service user stays in the list. A repeated request \
                 changes nothing.",
            )
            .open_to(admin)
            .for_recent_sign_ins()
            .answers_nothing(204, "The key is revoked.")
            .conflicts(&["LastAdmin"]),
    ]
}

/// A service user to create.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewServiceUser {
    /// The name of the program, 1 to 100 characters.
    #[schemars(length(min = 1, max = 100), extend("pattern" = ONE_LINE))]
    name: String,
    /// The scopes of the key, at least one: `read`, `write` (returns and purchases), `admin` (everything).
    #[schemars(length(min = 1))]
    scopes: Vec<Scope>,
}

/// The fields of a service user to change.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ServiceUserChange")]
struct ServiceUserPatch {
    /// The name of the program, 1 to 100 characters.
    #[serde(default)]
    #[schemars(length(min = 1, max = 100), extend("pattern" = ONE_LINE))]
    name: PatchField<String>,
    /// The scopes of the key, at least one.
    #[serde(default)]
    #[schemars(length(min = 1))]
    scopes: PatchField<Vec<Scope>>,
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::SERVICE_USERS, &[])?;
    Ok(Json(app.retour.merchant(&staff).service_users(&query.listing).await?).into_response())
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ServiceUserId>,
) -> Result<Response, ApiError> {
    let found = app.retour.merchant(&staff).service_user(id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewServiceUser>,
) -> Result<Response, ApiError> {
    let key = body.sealed_key(&caller);
    Ok(done(app.retour.merchant(&staff).add_service_user(&body.value.name, &body.value.scopes, key).await?))
}

async fn update(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ServiceUserId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ServiceUserPatch>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    let change = ServiceUserChange { name: body.value.name.0, scopes: body.value.scopes.0, version };
    Ok(done(app.retour.merchant(&staff).update_service_user(id, change, key).await?))
}

async fn rotate(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ServiceUserId>,
    NoBody(body): NoBody,
) -> Result<Response, ApiError> {
    let key = body.sealed_key(&caller);
    Ok(done(app.retour.merchant(&staff).rotate_service_user(id, key).await?))
}

async fn revoke(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ServiceUserId>,
) -> Result<StatusCode, ApiError> {
    app.retour.merchant(&staff).revoke_service_user(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
