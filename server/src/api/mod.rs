//! The REST API.
//!
//! To add an operation: write its handler in the file of its resource, and list it in that file's `operations()` with who may call it. Its routes, its
//! place in the OpenAPI document and the check of access follow from that.
//!
//! | room | what is in it |
//! |---|---|
//! | [`base`] | the framework: operations, extractors, answers |
//! | [`resources`] | the operations themselves |
//! | [`openapi`] | the OpenAPI document, from the operations |
//! | [`reference`] | the pages of `/api/docs`, from the document |

pub(crate) mod base;
pub mod openapi;
mod reference;
mod resources;

pub(crate) use base::{
    body::MAX_BODY,
    error::{internal_error, response as error, unknown_route},
    resource::owns,
    strict_json::{JsonError, NullFields, read as read_json},
};
pub use base::{error_codes, operation};

use crate::app::App;
use axum::Router;
use operation::Operation;
use reference::ReferencePages;
use resources::document::ServedDocument;
use returns::ErrorCode;
use std::sync::LazyLock;

/// The code of an error, as in the API's answers.
pub(crate) fn error_code(kind: ErrorCode) -> String {
    base::error::code(kind).1
}

/// Every operation of the API.
pub fn operations() -> Vec<Operation> {
    resources::operations(&ServedDocument::new(None, write_document))
}

/// The router of the API and its reference pages. `public_url`: the address in the OpenAPI document.
pub(crate) fn router(public_url: Option<&str>) -> Router<App> {
    static PAGES: LazyLock<ReferencePages> = LazyLock::new(|| ReferencePages::new(&openapi::whole(&operations())));
    let operations = resources::operations(&ServedDocument::new(public_url, write_document));
    let router =
        operations.iter().fold(reference::router(|| &PAGES), |router, operation| router.merge(operation.routes()));
    router.method_not_allowed_fallback(base::error::method_not_allowed)
}

/// The text of the OpenAPI document of the service at this URL.
fn write_document(server: &str) -> String {
    format!("{}\n", openapi::document(server, &operations()))
}

/// The OpenAPI document without the URL of a service, indented, for the command line.
pub fn document_text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", openapi::document("/", &operations())));
    &TEXT
}
