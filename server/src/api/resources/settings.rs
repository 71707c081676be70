//! The resource that return reasons, shipping options and return locations share: objects of an account that an administrator creates, changes,
//! and deletes, or archives if they are in use.

use crate::{
    api::base::{
        auth_extractors::Merchant,
        body::JsonBody,
        error::ApiError,
        if_match::IfMatch,
        json::Json,
        operation::{Access, Operation, Resource},
        path::Id,
        query::Query,
        reply::{done, with_etag},
    },
    app::App,
};
use axum::{
    extract::State,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use returns::{Done, IdempotencyKey, List, Listing, Result, Retour, Scope, Staff, view};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use std::str::FromStr;
use ui::web::routing;

/// A kind of setting, and the use cases that read and change it.
pub(super) trait Setting: Send + Sync + 'static {
    type Id: FromStr + Send + 'static;
    type New: DeserializeOwned + JsonSchema + Send + 'static;
    type Change: DeserializeOwned + JsonSchema + Send + 'static;
    type View: Serialize + JsonSchema + Send + 'static;

    const RESOURCE: Resource;
    const LIST: &'static List;

    /// The version of an object, for its `ETag`.
    fn version(view: &Self::View) -> i64;

    fn list(
        retour: &Retour,
        staff: &Staff,
        listing: &Listing,
    ) -> impl Future<Output = Result<view::List<Self::View>>> + Send;

    fn create(
        retour: &Retour,
        staff: &Staff,
        new: Self::New,
        key: Option<IdempotencyKey>,
    ) -> impl Future<Output = Result<Done<Self::View>>> + Send;

    fn find(retour: &Retour, staff: &Staff, id: Self::Id) -> impl Future<Output = Result<Self::View>> + Send;

    fn change(
        retour: &Retour,
        staff: &Staff,
        id: Self::Id,
        change: Self::Change,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> impl Future<Output = Result<Done<Self::View>>> + Send;

    fn delete(retour: &Retour, staff: &Staff, id: Self::Id) -> impl Future<Output = Result<()>> + Send;
}

/// Implements the use cases of a [`Setting`] with these methods of [`Retour`].
macro_rules! use_cases {
    (list: $list:ident, find: $find:ident, create: $create:ident, change: $change:ident, delete: $delete:ident) => {
        fn version(view: &Self::View) -> i64 {
            view.version
        }

        async fn list(
            retour: &returns::Retour,
            staff: &returns::Staff,
            listing: &returns::Listing,
        ) -> returns::Result<returns::view::List<Self::View>> {
            retour.merchant(staff).$list(listing).await
        }

        async fn find(retour: &returns::Retour, staff: &returns::Staff, id: Self::Id) -> returns::Result<Self::View> {
            retour.merchant(staff).$find(id).await
        }

        async fn create(
            retour: &returns::Retour,
            staff: &returns::Staff,
            new: Self::New,
            key: Option<returns::IdempotencyKey>,
        ) -> returns::Result<returns::Done<Self::View>> {
            retour.merchant(staff).$create(new, key).await
        }

        async fn change(
            retour: &returns::Retour,
            staff: &returns::Staff,
            id: Self::Id,
            change: Self::Change,
            version: Option<i64>,
            key: Option<returns::IdempotencyKey>,
        ) -> returns::Result<returns::Done<Self::View>> {
            retour.merchant(staff).$change(id, change, version, key).await
        }

        async fn delete(retour: &returns::Retour, staff: &returns::Staff, id: Self::Id) -> returns::Result<()> {
            retour.merchant(staff).$delete(id).await
        }
    };
}
pub(super) use use_cases;

/// The operation that lists the settings.
pub(super) fn list<S: Setting>(id: &'static str, title: &'static str, answer: &'static str) -> Operation {
    S::RESOURCE
        .operation(Method::GET, "", routing::get(answer_list::<S>))
        .named(id, title)
        .open_to(Access::Staff(Scope::Read))
        .lists(S::LIST)
        .answers::<view::List<S::View>>(200, answer)
}

/// The operation that creates a setting.
pub(super) fn create<S: Setting>(id: &'static str, title: &'static str, answer: &'static str) -> Operation {
    S::RESOURCE
        .operation(Method::POST, "", routing::post(answer_create::<S>))
        .named(id, title)
        .open_to(Access::Staff(Scope::Admin))
        .once()
        .takes::<S::New>()
        .answers::<S::View>(201, answer)
        .conflicts(&["LimitReached"])
}

/// The operation that retrieves a setting.
pub(super) fn get<S: Setting>(id: &'static str, title: &'static str, answer: &'static str) -> Operation {
    S::RESOURCE
        .operation(Method::GET, "/{id}", routing::get(answer_get::<S>))
        .named(id, title)
        .described("Returns archived objects, too.")
        .open_to(Access::Staff(Scope::Read))
        .answers::<S::View>(200, answer)
}

/// The operation that changes a setting.
pub(super) fn update<S: Setting>(id: &'static str, title: &'static str, answer: &'static str) -> Operation {
    S::RESOURCE
        .operation(Method::PATCH, "/{id}", routing::patch(answer_update::<S>))
        .named(id, title)
        .described("Changes the given fields only. `{\"archived\": false}` restores an archived object.")
        .open_to(Access::Staff(Scope::Admin))
        .once()
        .versioned()
        .takes::<S::Change>()
        .answers::<S::View>(200, answer)
}

/// The operation that deletes a setting, or archives it.
pub(super) fn delete<S: Setting>(id: &'static str, title: &'static str) -> Operation {
    S::RESOURCE
        .operation(Method::DELETE, "/{id}", routing::delete(answer_delete::<S>))
        .named(id, title)
        .open_to(Access::Staff(Scope::Admin))
        .answers_nothing(204, "The object is deleted, or archived and no longer offered.")
}

async fn answer_list<S: Setting>(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    query: Query,
) -> Result<Response, ApiError> {
    let query = query.list(S::LIST, &[])?;
    Ok(Json(S::list(&app.retour, &staff, &query.listing).await?).into_response())
}

async fn answer_create<S: Setting>(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    body: JsonBody<S::New>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(S::create(&app.retour, &staff, body.value, key).await?))
}

async fn answer_get<S: Setting>(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<S::Id>,
) -> Result<Response, ApiError> {
    let found = S::find(&app.retour, &staff, id).await?;
    Ok(with_etag(S::version(&found), Json(found).into_response()))
}

async fn answer_update<S: Setting>(
    app: State<App>,
    Merchant { staff, caller }: Merchant,
    Id(id): Id<S::Id>,
    IfMatch(version): IfMatch,
    body: JsonBody<S::Change>,
) -> Result<Response, ApiError> {
    let key = body.key(&caller);
    Ok(done(S::change(&app.retour, &staff, id, body.value, version, key).await?))
}

async fn answer_delete<S: Setting>(
    app: State<App>,
    Merchant { staff, .. }: Merchant,
    Id(id): Id<S::Id>,
) -> Result<StatusCode, ApiError> {
    S::delete(&app.retour, &staff, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
