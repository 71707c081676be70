//! Types and their fields.

use super::{
    document::{fields, list, resolved},
    page::{ReferencePage, TYPES},
    text::{escape, heading, markdown, word},
};
use serde_json::Value;
use std::fmt::Write as _;

/// Longer enumerations, such as the currencies, are not listed.
const MAX_LISTED_VALUES: usize = 30;

/// The page of all types.
pub(super) fn all(document: &Value) -> ReferencePage<'static> {
    let mut content = String::from(
        "<p>Objects in requests and answers. Names with <code>Input</code> are those of requests, where they differ.</p>",
    );
    for (name, schema) in fields(&document["components"]["schemas"]) {
        if schema["properties"].is_object() {
            let title = heading(2, &format!("type-{}", escape(name)), name);
            let _ = write!(
                content,
                "<article class=\"type\"><div class=\"about\">{title}{}",
                markdown(word(&schema["description"]), 3)
            );
            write_fields(&mut content, document, schema);
            content.push_str("</div></article>");
        }
    }
    ReferencePage { address: TYPES.to_owned(), title: "Types", content }
}

/// The fields of a type as a table.
pub(super) fn write_fields(page: &mut String, document: &Value, schema: &Value) {
    let properties = fields(&schema["properties"]);
    if properties.is_empty() {
        return;
    }
    page.push_str("<table><tbody>");
    for (name, property) in properties {
        let needed = list(&schema["required"]).iter().any(|field| field == name);
        let _ = write!(
            page,
            "<tr><th scope=\"row\"><code>{}</code>{}</th><td>{}{}</td></tr>",
            escape(name),
            if needed { "" } else { "<br><small>optional</small>" },
            kind_of(document, property),
            markdown(word(&property["description"]), 4)
        );
    }
    page.push_str("</tbody></table>");
}

/// The type of a value, as a paragraph above its description.
pub(super) fn kind_of(document: &Value, schema: &Value) -> String {
    let kind = kind(document, schema);
    if kind.is_empty() { kind } else { format!("<p class=\"kind\">{kind}</p>") }
}

/// The name of the type that a schema refers to.
pub(super) fn type_name(schema: &Value) -> Option<String> {
    schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).map(escape)
}

fn kind(document: &Value, schema: &Value) -> String {
    if let Some(name) = type_name(schema) {
        let named = resolved(document, schema);
        let inner = kind(document, named);
        let is_object = named["properties"].is_object() || inner.is_empty();
        return if is_object { format!("<a href=\"/api/docs/{TYPES}#type-{name}\">{name}</a>") } else { inner };
    }
    for several in ["anyOf", "oneOf", "allOf"] {
        let options = list(&schema[several]);
        if !options.is_empty() {
            let kinds: Vec<String> = options.iter().map(|option| kind(document, option)).collect();
            return kinds.join(" or ");
        }
    }
    if let Some(value) = schema["const"].as_str() {
        return format!("<code>{}</code>", escape(value));
    }
    let values = list(&schema["enum"]);
    if !values.is_empty() && values.len() <= MAX_LISTED_VALUES {
        let values: Vec<String> = values.iter().map(|value| format!("<code>{}</code>", escape(word(value)))).collect();
        return values.join(", ");
    }
    let kinds = schema["type"].as_str().into_iter().chain(list(&schema["type"]).iter().map(word));
    let kinds: Vec<String> = kinds.map(|kind| simple(document, schema, kind)).collect();
    kinds.join(" or ")
}

fn simple(document: &Value, schema: &Value, kind: &str) -> String {
    let bounds = || match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(least), Some(most)) if most <= i64::from(u32::MAX) => format!(", {least} to {most}"),
        (Some(least), _) if least >= 0 => format!(", at least {least}"),
        _ => String::new(),
    };
    match (kind, word(&schema["format"])) {
        ("string", "") => "text".to_owned(),
        ("string", format) => escape(format),
        ("integer", _) => format!("whole number{}", bounds()),
        ("array", _) => format!("list of {}", self::kind(document, &schema["items"])),
        (other, _) => escape(other),
    }
}
