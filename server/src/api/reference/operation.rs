//! One operation: its description on one side, an example of a request and its answer on the other.

use super::{
    document::{DocumentedOperation, fields, list, resolved},
    page::{TYPES, badge},
    sample,
    text::{code, escape, heading, markdown, word},
    types::{kind_of, type_name, write_fields},
};
use serde_json::Value;
use std::fmt::Write as _;

/// Shared errors that only few operations have. The page of an operation shows these, and links to the overview for the others.
const RARE_ERRORS: [&str; 4] = ["406", "412", "502", "504"];

/// Adds the operation to a page.
pub(super) fn write(page: &mut String, document: &Value, documented: DocumentedOperation<'_>) {
    let DocumentedOperation { method, path, description: operation } = documented;
    let id = word(&operation["operationId"]);
    let title = heading(2, id, word(&operation["summary"]));
    let (badge, description) = (badge(method), markdown(word(&operation["description"]), 3));
    let _ = write!(
        page,
        "<article><div class=\"about\">{title}<p class=\"path\">{badge} <code>{}</code></p>{description}",
        escape(path)
    );
    write_parameters(page, document, operation);
    write_body(page, document, operation);
    write_answers(page, document, operation);
    write_errors(page, document, operation);
    page.push_str("<p class=\"top\"><a href=\"#top\">Back to top</a></p></div><div class=\"samples\">");
    page.push_str(&sample::write(document, documented));
    page.push_str("</div></article>");
}

fn write_parameters(page: &mut String, document: &Value, operation: &Value) {
    let parameters = list(&operation["parameters"]);
    if parameters.is_empty() {
        return;
    }
    page.push_str("<h3>Parameters</h3><table><tbody>");
    for parameter in parameters {
        let needed = if parameter["required"] == true { "" } else { ", optional" };
        let _ = write!(
            page,
            "<tr><th scope=\"row\"><code>{}</code><br><small>{}{needed}</small></th><td>{}{}</td></tr>",
            escape(word(&parameter["name"])),
            escape(word(&parameter["in"])),
            kind_of(document, &parameter["schema"]),
            markdown(word(&parameter["description"]), 4)
        );
    }
    page.push_str("</tbody></table>");
}

fn write_body(page: &mut String, document: &Value, operation: &Value) {
    let body = &operation["requestBody"];
    if !body.is_object() {
        return;
    }
    let needed = if body["required"] == true { "" } else { " <small>optional</small>" };
    let _ = write!(page, "<h3>Body{needed}</h3>");
    write_media_types(page, body);
    for (_, content) in fields(&body["content"]) {
        let schema = resolved(document, &content["schema"]);
        write_fields(page, document, schema);
        for option in list(&schema["anyOf"]) {
            let option = resolved(document, option);
            page.push_str(&markdown(word(&option["description"]), 4));
            write_fields(page, document, option);
        }
    }
}

/// The media types of a body or an answer.
fn write_media_types(page: &mut String, place: &Value) {
    let names: Vec<String> =
        fields(&place["content"]).iter().map(|(name, _)| format!("<code>{}</code>", escape(name))).collect();
    if !names.is_empty() {
        let _ = write!(page, "<p class=\"kind\">{}</p>", names.join(", "));
    }
}

fn write_answers(page: &mut String, document: &Value, operation: &Value) {
    page.push_str("<h3>Answers</h3>");
    for (status, response) in fields(&operation["responses"]) {
        if !status.starts_with(['2', '3']) {
            continue;
        }
        let _ = write!(page, "<p><b>{status}</b> {}</p>", code(&escape(word(&response["description"]))));
        write_media_types(page, response);
        let schema = &response["content"]["application/json"]["schema"];
        if let Some(name) = type_name(schema) {
            let _ = write!(
                page,
                "<details><summary>Fields of {name}</summary><p><a href=\"/api/docs/{TYPES}#type-{name}\">{name} among the types</a></p>"
            );
            write_fields(page, document, resolved(document, schema));
            page.push_str("</details>");
        }
    }
}

/// The errors of this operation, and a link to those that operations share.
fn write_errors(page: &mut String, document: &Value, operation: &Value) {
    page.push_str("<h3>Errors</h3><ul>");
    for (status, response) in fields(&operation["responses"]) {
        let is_own = response["$ref"].is_null() && status.starts_with(['4', '5']);
        if is_own || RARE_ERRORS.contains(&status) {
            let description = word(&resolved(document, response)["description"]);
            let _ = write!(page, "<li><b>{status}</b> {}</li>", code(&escape(description)));
        }
    }
    page.push_str("<li><a href=\"/api/docs#errors\">Errors that operations share</a></li></ul>");
}
