//! The REST API (spec 4, design 3). One file a resource; each handler is a door: parse, one call on a use case,
//! answer.
//!
//! To add an operation: write its handler in the file of its resource, list it in that file's `operations()`, and
//! name who may use it. Its route, its place in the OpenAPI document and the check at the door follow.

mod about;
mod accept;
mod account;
mod auth;
mod body;
mod consumer;
mod consumers;
mod cors;
mod door;
mod draft_return_orders;
mod error;
pub mod error_codes;
mod events;
mod evidence;
mod file;
mod fixed;
mod json;
mod limited;
mod mails;
pub mod openapi;
pub mod operation;
mod order_file;
pub mod parameter;
mod pending_evidence;
mod purchases;
mod query;
mod reference;
mod return_locations;
mod return_orders;
mod return_reasons;
mod return_requests;
mod selection;
mod service_users;
mod shipments;
mod shipping_options;
mod sign_in;
mod users;
mod webhook_deliveries;
mod webhook_subscriptions;
mod withdrawals;

pub(crate) use about::ServedDocument;
pub use about::document_text;
pub(crate) use body::{Unread, read};
pub(crate) use cors::across_origins;
pub use door::MAX_BODY;
pub(crate) use error::{broken, refusal, unknown_route};
pub use limited::limit;
pub(crate) use order_file::ImportPlaces;

use crate::App;
use axum::Router;
use operation::Operation;
use returns::ErrorCode;

/// The code of a kind of error, as in the API's answers.
pub(crate) fn error_code(kind: ErrorCode) -> String {
    error::code(kind).1
}

/// Every operation of the API.
pub fn operations() -> Vec<Operation> {
    [
        about::operations(),
        account::operations(),
        auth::operations(),
        sign_in::operations(),
        consumer::operations(),
        consumers::operations(),
        draft_return_orders::operations(),
        purchases::operations(),
        return_locations::operations(),
        return_orders::operations(),
        return_reasons::operations(),
        return_requests::operations(),
        evidence::operations(),
        pending_evidence::operations(),
        withdrawals::operations(),
        shipments::operations(),
        mails::operations(),
        shipping_options::operations(),
        service_users::operations(),
        users::operations(),
        webhook_subscriptions::operations(),
        events::operations(),
        webhook_deliveries::operations(),
    ]
    .concat()
}

/// Everything under the API's paths.
pub fn router() -> Router<App> {
    let router = operations().iter().fold(reference::router(), |router, operation| router.merge(operation.routes()));
    router.method_not_allowed_fallback(error::method_not_allowed)
}

/// Whether a path is one of the API's, also when it leads nowhere.
pub fn owns(path: &str) -> bool {
    ["/api", "/auth", "/consumer"]
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
