//! `GET /api/v0/openapi.json`: the OpenAPI document.

use crate::{
    api::base::{
        operation::{Access, Operation, Resource},
        parameter::{Parameter, ParameterValues, Place},
    },
    edge::static_document::StaticDocument,
};
use axum::http::{HeaderMap, Method, header};
use std::sync::{Arc, OnceLock};
use ui::web::routing::get;

const IF_NONE_MATCH: Parameter = Parameter {
    name: "If-None-Match",
    place: Place::Header,
    is_required: false,
    values: ParameterValues::AnyText,
    description: "The `ETag` of the document that you have: the answer is 304 while it is the same.",
};

pub(super) fn operations(document: &ServedDocument) -> Vec<Operation> {
    let document = document.clone();
    let handler = move |headers: HeaderMap| async move { document.get().answer(&headers) };
    let of = Resource::api("About");
    vec![
        of.operation(Method::GET, "/openapi.json", get(handler))
            .named("getOpenApiDocument", "Download the OpenAPI document")
            .open_to(Access::Anyone)
            .with(&[IF_NONE_MATCH])
            .answers::<serde_json::Map<String, serde_json::Value>>(200, "The OpenAPI document of this API.")
            .answers_nothing(304, "The document is the one that `If-None-Match` names."),
    ]
}

/// The document of one service. The first request writes it. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct ServedDocument {
    server: Arc<str>,
    write: fn(&str) -> String,
    document: Arc<OnceLock<StaticDocument>>,
}

impl ServedDocument {
    /// The document of the service at this URL; `/` if the URL is not known. `write` makes its text from the URL. It is a parameter because the document
    /// describes every operation, this one too.
    pub(crate) fn new(public_url: Option<&str>, write: fn(&str) -> String) -> Self {
        let server = public_url.map_or("/", |url| url.trim_end_matches('/'));
        Self { server: server.into(), write, document: Arc::default() }
    }

    fn get(&self) -> &StaticDocument {
        self.document.get_or_init(|| {
            StaticDocument::new((self.write)(&self.server), &[(header::CONTENT_TYPE, "application/json")])
        })
    }
}
