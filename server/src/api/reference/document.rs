//! Reading the OpenAPI document.

use serde_json::{Map, Value};

/// An operation in the document.
#[derive(Clone, Copy)]
pub(super) struct DocumentedOperation<'a> {
    /// In lower case.
    pub method: &'a str,
    pub path: &'a str,
    pub description: &'a Value,
}

/// Every operation of a tag, at its path with the account's id.
pub(super) fn operations<'a>(document: &'a Value, tag: &str) -> Vec<DocumentedOperation<'a>> {
    let has_tag =
        |operation: &Value| operation["x-same-as"].is_null() && list(&operation["tags"]).iter().any(|of| of == tag);
    let mut found = Vec::new();
    for (path, methods) in fields(&document["paths"]) {
        found.extend(
            fields(methods)
                .into_iter()
                .filter(|(_, operation)| has_tag(operation))
                .map(|(method, description)| DocumentedOperation { method, path, description }),
        );
    }
    found
}

/// The target of a reference, or the value itself if it is none.
pub(super) fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|reference| document.pointer(reference.trim_start_matches('#')));
    target.unwrap_or(value)
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn fields(value: &Value) -> Vec<(&str, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter).map(|(name, field)| (name.as_str(), field)).collect()
}
