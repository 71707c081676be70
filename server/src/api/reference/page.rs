//! The frame of every page: style, header and sidebar.

use super::{
    document::{DocumentedOperation, list, operations},
    text::{anchor, escape, word},
};
use serde_json::Value;
use std::fmt::Write as _;

/// The name of the page of all types.
pub(super) const TYPES: &str = "types";

/// One page of the reference.
pub(super) struct ReferencePage<'a> {
    /// The name below `/api/docs`; empty for the overview.
    pub address: String,
    pub title: &'a str,
    /// The content, in HTML.
    pub content: String,
}

/// A complete page, in HTML.
pub(super) fn write(document: &Value, page: &ReferencePage<'_>) -> String {
    let title = escape(page.title);
    let name = escape(word(&document["info"]["title"]));
    let version = escape(word(&document["info"]["version"]));
    // The title of the overview is the name of the API already.
    let window = if page.address.is_empty() { name.clone() } else { format!("{title} – {name}") };
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{window}</title><style>{STYLE}</style></head><body id=\"top\"><a class=\"skip\" href=\"#content\">Skip to content</a>\
         <header><p><a class=\"brand\" href=\"/api/docs\">{name}</a></p><p class=\"version\">Version {version}</p>\
         <p><a href=\"/api/v0/openapi.json\">Download OpenAPI 3.1</a></p></header>\
         <div class=\"columns\">{}<main id=\"content\" tabindex=\"-1\"><h1>{title}</h1>{}\
         <p class=\"top\"><a href=\"#top\">Back to top</a></p></main></div></body></html>",
        sidebar(document, &page.address),
        page.content
    )
}

/// Every tag with its operations. The part of the current page is open.
fn sidebar(document: &Value, current: &str) -> String {
    let mark = |address: &str| if address == current { " aria-current=\"page\"" } else { "" };
    let mut html = format!(
        "<nav aria-label=\"Contents\" tabindex=\"0\"><details class=\"contents\"><summary>Contents</summary>\
         <p><a href=\"/api/docs\"{}>Overview</a></p><p><a href=\"/api/docs#errors\">Errors</a></p>",
        mark("")
    );
    for tag in list(&document["tags"]) {
        let (name, address) = (word(&tag["name"]), anchor(word(&tag["name"])));
        let open = if address == current { " open" } else { "" };
        let (name, mark) = (escape(name), mark(&address));
        let _ = write!(
            html,
            "<details{open}><summary>{name}</summary><ul><li><a href=\"/api/docs/{address}\"{mark}>All of {name}</a></li>"
        );
        for operation in operations(document, word(&tag["name"])) {
            let _ = write!(html, "<li>{}</li>", link(&address, operation));
        }
        html.push_str("</ul></details>");
    }
    let _ = write!(html, "<p><a href=\"/api/docs/{TYPES}\"{}>Types</a></p></details></nav>", mark(TYPES));
    html
}

/// A link to an operation, with its method.
pub(super) fn link(address: &str, operation: DocumentedOperation<'_>) -> String {
    let DocumentedOperation { method, description: operation, .. } = operation;
    let (id, summary) = (word(&operation["operationId"]), escape(word(&operation["summary"])));
    format!("<a href=\"/api/docs/{address}#{id}\">{summary} {}</a>", badge(method))
}

/// A method in its colour.
pub(super) fn badge(method: &str) -> String {
    format!("<b class=\"method {method}\">{}</b>", method.to_uppercase())
}

const STYLE: &str = include_str!("style.css");
