//! `/api/docs`: the OpenAPI document as HTML pages, one for each tag. The pages load no scripts, and nothing from other hosts.

#![expect(clippy::indexing_slicing, reason = "a JSON value read by a name that it lacks is null")]

mod document;
mod operation;
mod overview;
mod page;
mod sample;
mod text;
mod types;

use super::base::error::unknown_route;
use crate::{app::App, edge::static_document::StaticDocument};
use axum::{
    Router,
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, header},
    response::Response,
};
use document::{list, operations};
use page::{ReferencePage, TYPES};
use serde_json::Value;
use std::collections::HashMap;
use text::{anchor, word};
use ui::web::routing::get;

/// The pages by their names: one for each tag, `types`, and the overview under an empty name.
pub(super) struct ReferencePages(HashMap<String, StaticDocument>);

impl ReferencePages {
    /// The pages of an OpenAPI document.
    pub(super) fn new(document: &Value) -> Self {
        let mut pages = HashMap::from([
            (String::new(), page::write(document, &overview::overview(document))),
            (TYPES.to_owned(), page::write(document, &types::all(document))),
        ]);
        for tag in list(&document["tags"]) {
            pages.insert(anchor(word(&tag["name"])), page::write(document, &tag_page(document, tag)));
        }
        Self(pages.into_iter().map(|(name, html)| (name, html_document(html))).collect())
    }

    fn answer(&self, name: &str, headers: &HeaderMap) -> Response {
        self.0.get(name).map_or_else(unknown_route, |page| page.answer(headers))
    }
}

/// The routes of the pages. `pages` is called at the first request.
pub(super) fn router(pages: fn() -> &'static ReferencePages) -> Router<App> {
    let overview = move |headers: HeaderMap| async move { pages().answer("", &headers) };
    let page = move |name: Result<Path<String>, PathRejection>, headers: HeaderMap| async move {
        match name {
            Ok(Path(name)) => pages().answer(&name, &headers),
            Err(_) => unknown_route(),
        }
    };
    Router::new().route("/api/docs", get(overview)).route("/api/docs/{page}", get(page))
}

fn html_document(html: String) -> StaticDocument {
    // The page contains its style. Nothing else may be loaded.
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    StaticDocument::new(html, &headers)
}

/// The page of a tag: its operations.
fn tag_page<'a>(document: &Value, tag: &'a Value) -> ReferencePage<'a> {
    let name = word(&tag["name"]);
    let mut content = text::markdown(word(&tag["description"]), 2);
    for operation in operations(document, name) {
        operation::write(&mut content, document, operation);
    }
    ReferencePage { address: anchor(name), title: name, content }
}
