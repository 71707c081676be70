//! `/api/docs`: the OpenAPI document as a page to read. No scripts, nothing from another host.

#![expect(clippy::indexing_slicing, reason = "a JSON value read by a name that it lacks is null")]

use super::openapi;
use crate::bodies::SharedByAll;
use axum::{
    Extension, Router,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::{Map, Value};
use std::{fmt::Write as _, sync::LazyLock};

pub(super) fn router() -> Router<crate::App> {
    Router::new().route("/api/docs", get(page))
}

static PAGE: LazyLock<String> = LazyLock::new(|| write_page(&openapi::document()));

async fn page() -> Response {
    // The style stands in the page itself; nothing else is allowed in.
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, policy)];
    (Extension(SharedByAll), headers, PAGE.as_str()).into_response()
}

/// Every operation by tag: what it does, who may, what it takes, what it answers.
fn write_page(document: &Value) -> String {
    let mut contents = String::new();
    let mut sections = String::new();
    for tag in list(&document["tags"]) {
        let name = word(&tag["name"]);
        let _ = write!(contents, "<li><a href=\"#{}\">{}</a></li>", anchor(name), escape(name));
        let _ = write!(
            sections,
            "<section id=\"{}\"><h2>{}</h2><p>{}</p>",
            anchor(name),
            escape(name),
            escape(word(&tag["description"]))
        );
        for (path, methods) in fields(&document["paths"]) {
            for (method, operation) in fields(methods) {
                if list(&operation["tags"]).iter().any(|of| of == &tag["name"]) {
                    write_operation(&mut sections, document, (method, path), operation);
                }
            }
        }
        sections.push_str("</section>");
    }
    contents.push_str("<li><a href=\"#types\">Types</a></li>");
    write_types(&mut sections, document);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Retour API</title><style>{STYLE}</style></head><body><header><h1>Retour API</h1>{}<p><a href=\"/api/v0/openapi.json\">\
         The same as an OpenAPI document</a></p></header><nav aria-label=\"Resources\"><ul>{contents}</ul></nav><main>{sections}</main>\
         </body></html>",
        paragraphs(word(&document["info"]["description"]))
    )
}

fn write_operation(page: &mut String, document: &Value, (method, path): (&str, &str), operation: &Value) {
    let id = word(&operation["operationId"]);
    let _ = write!(
        page,
        "<article id=\"{id}\"><h3>{}</h3><p class=\"path\"><b>{}</b> <code>{}</code></p>{}",
        escape(word(&operation["summary"])),
        method.to_uppercase(),
        escape(path),
        paragraphs(word(&operation["description"]))
    );
    let parameters = list(&operation["parameters"]);
    if !parameters.is_empty() {
        page.push_str("<table><caption>Parameters</caption><tbody>");
        for parameter in parameters {
            let _ = write!(
                page,
                "<tr><th scope=\"row\"><code>{}</code><br><small>{}</small></th><td>{}{}</td></tr>",
                escape(word(&parameter["name"])),
                escape(word(&parameter["in"])),
                kind_of(document, &parameter["schema"]),
                paragraphs(word(&parameter["description"]))
            );
        }
        page.push_str("</tbody></table>");
    }
    let body = &operation["requestBody"];
    if body.is_object() {
        write_content(page, document, "Body", body);
    }
    for (status, response) in fields(&operation["responses"]) {
        let reference = word(&response["$ref"]).trim_start_matches('#');
        let response = if reference.is_empty() { response } else { document.pointer(reference).unwrap_or(response) };
        let title = format!("{status}: {}", word(&response["description"]));
        if status.starts_with('2') {
            write_content(page, document, &title, response);
        } else {
            let _ = write!(page, "<p class=\"error\">{}</p>", code(&escape(&title)));
        }
    }
    page.push_str("</article>");
}

/// What is in a body or an answer: its fields, and an example.
fn write_content(page: &mut String, document: &Value, title: &str, place: &Value) {
    let _ = write!(page, "<details><summary>{}</summary>", escape(title));
    for (media_type, content) in fields(&place["content"]) {
        let _ = write!(page, "<p><code>{}</code></p>", escape(media_type));
        let reference = word(&content["schema"]["$ref"]).trim_start_matches('#');
        let schema = document.pointer(reference).unwrap_or(&content["schema"]);
        write_fields(page, document, schema);
        if let Some(example) = content.get("example") {
            let _ = write!(page, "<pre tabindex=\"0\">{}</pre>", escape(&format!("{example:#}")));
        }
    }
    page.push_str("</details>");
}

/// Every type that others refer to, once.
fn write_types(page: &mut String, document: &Value) {
    page.push_str("<section id=\"types\"><h2>Types</h2>");
    for (name, schema) in fields(&document["components"]["schemas"]) {
        if schema["properties"].is_object() {
            let name = escape(name);
            let text = paragraphs(word(&schema["description"]));
            let _ = write!(page, "<article id=\"type-{name}\"><h3>{name}</h3>{text}");
            write_fields(page, document, schema);
            page.push_str("</article>");
        }
    }
    page.push_str("</section>");
}

fn write_fields(page: &mut String, document: &Value, schema: &Value) {
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
            paragraphs(word(&property["description"]))
        );
    }
    page.push_str("</tbody></table>");
}

/// What a value may be, as a line above its description.
fn kind_of(document: &Value, schema: &Value) -> String {
    let kind = kind(document, schema);
    if kind.is_empty() { kind } else { format!("<p class=\"kind\">{kind}</p>") }
}

fn kind(document: &Value, schema: &Value) -> String {
    let reference = word(&schema["$ref"]);
    if let Some(named) = document.pointer(reference.trim_start_matches('#')).filter(|_| !reference.is_empty()) {
        let name = escape(reference.rsplit('/').next().unwrap_or_default());
        let inner = kind(document, named);
        let is_object = named["properties"].is_object() || inner.is_empty();
        return if is_object { format!("<a href=\"#type-{name}\">{name}</a>") } else { inner };
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
    // The currencies of the world are known.
    if !values.is_empty() && values.len() <= 30 {
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

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn fields(value: &Value) -> Vec<(&str, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter).map(|(name, field)| (name.as_str(), field)).collect()
}

fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// As much Markdown as our descriptions use: paragraphs, lists, code.
fn paragraphs(text: &str) -> String {
    let mut html = String::new();
    for block in text.split("\n\n").filter(|block| !block.is_empty()) {
        let mut lines = block.lines();
        let (first, items): (Vec<&str>, Vec<&str>) = lines.by_ref().partition(|line| !line.starts_with("- "));
        let _ = write!(html, "<p>{}</p>", code(&escape(&first.join(" "))));
        if !items.is_empty() {
            let items = items.iter().map(|item| format!("<li>{}</li>", code(&escape(item.trim_start_matches("- ")))));
            let _ = write!(html, "<ul>{}</ul>", items.collect::<String>());
        }
    }
    html
}

fn code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "\
:root{color-scheme:light dark;font:1rem/1.55 system-ui,sans-serif}\
body{margin:0 auto;max-width:62rem;padding:1.5rem 1rem 6rem}\
h1{font-size:1.9rem;margin:.5rem 0}h2{margin-top:3.5rem;font-size:1.45rem;border-bottom:1px solid color-mix(in srgb,currentcolor 25%,transparent);padding-bottom:.3rem}\
h3{margin:0 0 .2rem;font-size:1.1rem}p,ul{margin:.4rem 0;max-width:46rem}\
article{margin:1.6rem 0;padding:1rem 1.1rem;border:1px solid color-mix(in srgb,currentcolor 20%,transparent);border-radius:.6rem;scroll-margin-top:1rem}\
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:0;list-style:none;max-width:none}\
code,pre{font:.92em ui-monospace,monospace;overflow-wrap:anywhere}\
pre{overflow-x:auto;padding:.8rem;border-radius:.4rem;background:color-mix(in srgb,currentcolor 7%,transparent);max-height:26rem}\
table{border-collapse:collapse;width:100%;margin:.6rem 0}caption{text-align:left;font-weight:600;margin-bottom:.2rem}\
th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-top:1px solid color-mix(in srgb,currentcolor 14%,transparent)}\
th{width:14rem;font-weight:400}td p{margin:0 0 .3rem}summary{cursor:pointer;padding:.3rem 0;font-weight:600}\
.kind{font-size:.92rem;color:color-mix(in srgb,currentcolor 75%,transparent)}.error{font-size:.92rem}.path{overflow-wrap:anywhere}\
@media(max-width:40rem){th,td{display:block;width:auto}td{border-top:0;padding-top:0}}";
