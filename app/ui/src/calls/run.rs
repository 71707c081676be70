//! Runs a server function for a route of ours.
//!
//! On its own, leptos_axum answers every form with 302 to the Referer, with the error in the address, and every error of an island with
//! 500. Therefore a function leaves its answer in a [`Slot`](super::Slot), and the route sends it.

use axum::{
    Json,
    body::Body,
    http::{HeaderValue, Method, Request, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use leptos::prelude::provide_context;
use serde::Serialize;

/// Runs the function at a path with the fields of a form, and with a context. The request lacks the headers that make leptos_axum answer
/// forms itself.
pub async fn run<C: Clone + Send + Sync + 'static>(method: Method, path: &str, fields: String, context: C) -> Response {
    let mut request = Request::new(Body::from(fields));
    *request.method_mut() = method;
    *request.uri_mut() = Uri::try_from(path).unwrap_or_default();
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    request.headers_mut().insert(header::CONTENT_TYPE, form);
    let response = leptos_axum::handle_server_fns_with_context(move || provide_context(context.clone()), request).await;
    response.into_response()
}

/// The response with another status, and without the framework's own header.
pub fn with_status(mut response: Response, status: StatusCode, retry_after: Option<&HeaderValue>) -> Response {
    *response.status_mut() = status;
    // The framework names its function in this header.
    response.headers_mut().remove("serverfnerror");
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.clone());
    }
    response
}

/// A value as the JSON that islands read.
pub fn as_json(status: StatusCode, retry_after: Option<&HeaderValue>, value: &impl Serialize) -> Response {
    with_status(Json(value).into_response(), status, retry_after)
}
