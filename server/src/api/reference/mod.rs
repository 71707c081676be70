//! `/api/docs`: the OpenAPI document as pages to read, one for each tag. No scripts, nothing from another host.

#![expect(clippy::indexing_slicing, reason = "a JSON value read by a name that it lacks is null")]

mod operation;
mod overview;
mod page;
mod sample;
mod text;
mod types;

use super::{error::unknown_route, fixed::Fixed, openapi};
use axum::{
    Router,
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, header},
    response::Response,
    routing::get,
};
use page::Page;
use serde_json::{Map, Value};
use std::{collections::HashMap, sync::LazyLock};
use text::{anchor, word};

/// The page of all types.
const TYPES: &str = "types";

pub(super) fn router() -> Router<crate::App> {
    Router::new().route("/api/docs", get(overview_page)).route("/api/docs/{page}", get(page_of))
}

/// The page of each tag by its address, `types`, and the overview under an empty name.
static PAGES: LazyLock<HashMap<String, Fixed>> = LazyLock::new(|| {
    let document = openapi::whole();
    let mut pages = HashMap::from([
        (String::new(), page::write(&document, &overview::overview(&document))),
        (TYPES.to_owned(), page::write(&document, &types::all(&document))),
    ]);
    for tag in list(&document["tags"]) {
        pages.insert(anchor(word(&tag["name"])), page::write(&document, &tag_page(&document, tag)));
    }
    pages.into_iter().map(|(name, html)| (name, fixed(html))).collect()
});

fn fixed(html: String) -> Fixed {
    // The style stands in the page itself; nothing else is allowed in.
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    Fixed::new(html, &[(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)])
}

async fn overview_page(headers: HeaderMap) -> Response {
    answer("", &headers)
}

async fn page_of(name: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Response {
    match name {
        Ok(Path(name)) => answer(&name, &headers),
        Err(_) => unknown_route(),
    }
}

fn answer(name: &str, headers: &HeaderMap) -> Response {
    PAGES.get(name).map_or_else(unknown_route, |page| page.answer(headers))
}

/// The page of one tag: its operations.
fn tag_page<'a>(document: &Value, tag: &'a Value) -> Page<'a> {
    let name = word(&tag["name"]);
    let mut content = text::markdown(word(&tag["description"]), 2);
    for (method, path, operation) in operations(document, name) {
        operation::write(&mut content, document, (method, path), operation);
    }
    Page { address: anchor(name), title: name, content }
}

/// Every operation of a tag, as method, path and description. Each once: not at its path without the account again.
fn operations<'a>(document: &'a Value, tag: &str) -> Vec<(&'a str, &'a str, &'a Value)> {
    let has_tag =
        |operation: &Value| operation["x-same-as"].is_null() && list(&operation["tags"]).iter().any(|of| of == tag);
    let mut found = Vec::new();
    for (path, methods) in fields(&document["paths"]) {
        found.extend(
            fields(methods)
                .into_iter()
                .filter(|(_, operation)| has_tag(operation))
                .map(|(method, operation)| (method, path, operation)),
        );
    }
    found
}

/// What a reference points to, or the value itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|reference| document.pointer(reference.trim_start_matches('#')));
    target.unwrap_or(value)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn fields(value: &Value) -> Vec<(&str, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter).map(|(name, field)| (name.as_str(), field)).collect()
}
