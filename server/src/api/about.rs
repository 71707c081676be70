//! About the API itself: its OpenAPI document.

use super::{
    fixed::Fixed,
    openapi,
    operation::{Access, Operation, Resource},
    parameter::{Parameter, Values},
};
use axum::{
    http::{HeaderMap, Method, header},
    response::Response,
    routing::get,
};
use std::sync::LazyLock;

const KNOWN: Parameter = Parameter {
    name: "If-None-Match",
    place: "header",
    is_required: false,
    values: Values::Text,
    description: "The `ETag` of the document that you have: the answer is 304 while it is the same.",
};

pub(super) fn operations() -> Vec<Operation> {
    let of = Resource::api("About");
    vec![
        of.operation(Method::GET, "/openapi.json", get(document))
            .named("getOpenApiDocument", "Download the OpenAPI document")
            .open_to(Access::Anyone)
            .with(&[KNOWN])
            .answers::<serde_json::Map<String, serde_json::Value>>(200, "The OpenAPI document of this API.")
            .answers_nothing(304, "The document is the one that `If-None-Match` names."),
    ]
}

/// Made once: it depends on nothing but the code.
static DOCUMENT: LazyLock<Fixed> =
    LazyLock::new(|| Fixed::new(format!("{:#}\n", openapi::document()), &[(header::CONTENT_TYPE, "application/json")]));

async fn document(headers: HeaderMap) -> Response {
    DOCUMENT.answer(&headers)
}

/// The document as text, for the command line.
pub fn document_text() -> &'static str {
    DOCUMENT.text()
}
