//! `/api/v0/account/<account_id>/shipping-options`.

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
use domain::ShippingOptionId;
use returns::{NewShippingOption, Scope, ShippingOptionChange, lists, view};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::of_account("shipping-options", "shipping-option", "Shipping options");
    vec![
        of.operation(Method::GET, "", get(list))
            .named("listShippingOptions", "List shipping options")
            .described("Leaves archived ones out; `filter=archived:true` lists them. Consumers see them by `position`.")
            .open_to(Access::Staff(Scope::Read))
            .lists(&lists::SHIPPING_OPTIONS)
            .answers::<view::List<view::ShippingOption>>(200, "A page of shipping options."),
        of.operation(Method::POST, "", post(create))
            .named("createShippingOption", "Create a shipping option")
            .described("At most 200, with those that are archived.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .takes::<NewShippingOption>()
            .answers::<view::ShippingOption>(201, "The shipping option.")
            .conflicts(&["LimitReached"]),
        of.operation(Method::GET, "/{id}", get(one))
            .named("getShippingOption", "Retrieve a shipping option")
            .described("Answers archived ones, too.")
            .open_to(Access::Staff(Scope::Read))
            .answers::<view::ShippingOption>(200, "The shipping option."),
        of.operation(Method::PATCH, "/{id}", patch(change))
            .named("updateShippingOption", "Update a shipping option")
            .described("Changes the given fields and leaves the others. `{\"archived\": false}` brings it back.")
            .open_to(Access::Staff(Scope::Admin))
            .once()
            .versioned()
            .takes::<ShippingOptionChange>()
            .answers::<view::ShippingOption>(200, "The shipping option, as it is now."),
        of.operation(Method::DELETE, "/{id}", delete(remove))
            .named("deleteShippingOption", "Delete or archive a shipping option")
            .described("Deletes it if no draft and no return order names it; archives it otherwise: then it is not offered any more, and a draft that names it cannot be submitted with it.")
            .open_to(Access::Staff(Scope::Admin))
            .answers_nothing(204, "The object is deleted, or archived and no longer offered."),
    ]
}

async fn list(app: State<App>, Merchant { staff, .. }: Merchant, query: Query) -> Result<Response, ApiError> {
    let query = query.list(&lists::SHIPPING_OPTIONS, &[])?;
    let list = app.retour.shipping_options(&staff, &query.listing).await;
    Ok(Json(list?).into_response())
}

async fn create(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<NewShippingOption>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.create_shipping_option(&staff, body.value, key).await?))
}

async fn one(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ShippingOptionId>,
) -> Result<Response, ApiError> {
    let found = app.retour.shipping_option(&staff, id).await?;
    Ok(with_etag(found.version, Json(found).into_response()))
}

async fn change(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<ShippingOptionId>,
    IfMatch(version): IfMatch,
    body: JsonBody<ShippingOptionChange>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(app.retour.change_shipping_option(&staff, id, body.value, version, key).await?))
}

async fn remove(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<ShippingOptionId>,
) -> Result<StatusCode, ApiError> {
    app.retour.delete_shipping_option(&staff, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
