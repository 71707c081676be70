//! About the API itself: its OpenAPI document.

use super::{
    openapi,
    operation::{Access, Operation, Resource},
};
use crate::bodies::SharedByAll;
use axum::{
    Extension,
    http::{Method, header},
    response::{IntoResponse, Response},
    routing::get,
};
use std::sync::LazyLock;

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::api("About");
    vec![
        of.operation(Method::GET, "/openapi.json", get(document))
            .named("getOpenApiDocument", "This document")
            .open_to(Access::Anyone)
            .answers::<serde_json::Map<String, serde_json::Value>>(200, "The OpenAPI document of this API."),
    ]
}

/// Made once: it depends on nothing but the code.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", openapi::document()));

async fn document() -> Response {
    (Extension(SharedByAll), [(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str()).into_response()
}

/// The document as text, for the command line.
pub fn document_text() -> &'static str {
    &DOCUMENT
}
