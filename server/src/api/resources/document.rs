//! About the API itself: its OpenAPI document.

use super::{
    fixed::Fixed,
    openapi,
    operation::{Access, Operation, Resource},
    parameter::{Parameter, Values},
};
use crate::App;
use axum::{
    extract::State,
    http::{HeaderMap, Method, header},
    response::Response,
    routing::get,
};
use std::sync::{Arc, LazyLock, OnceLock};

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

/// The document of one service, with the service's address. It is created at the first request.
#[derive(Debug, Clone)]
pub(crate) struct ServedDocument {
    server: Arc<str>,
    document: Arc<OnceLock<Fixed>>,
}

impl ServedDocument {
    /// The document of the service at this URL; without a URL, its address is `/`.
    pub(crate) fn at(public_url: Option<&str>) -> Self {
        let server = public_url.map_or("/", |url| url.trim_end_matches('/'));
        Self { server: server.into(), document: Arc::default() }
    }

    fn answer(&self, request: &HeaderMap) -> Response {
        let document = self.document.get_or_init(|| {
            let text = format!("{}\n", openapi::document(&self.server));
            Fixed::new(text, &[(header::CONTENT_TYPE, "application/json")])
        });
        document.answer(request)
    }
}

async fn document(State(app): State<App>, headers: HeaderMap) -> Response {
    app.document.answer(&headers)
}

/// The document without a service's address, for the command line: indented, so that people can read and compare it.
pub fn document_text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", openapi::document("/")));
    &TEXT
}
