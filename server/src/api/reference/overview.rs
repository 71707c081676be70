//! The overview: the introduction, the types of events, the errors, and every operation and type by name.

use super::{
    document::{fields, list, operations},
    page::{ReferencePage, TYPES, link},
    text::{anchor, code, escape, heading, markdown, word},
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write as _};

/// The overview.
pub(super) fn overview(document: &Value) -> ReferencePage<'_> {
    let mut content = markdown(word(&document["info"]["description"]), 2);
    content.push_str(&heading(3, "events", "Types of events"));
    write_enum(&mut content, &document["components"]["schemas"]["EventType"]);
    write_errors(&mut content, document);
    write_operations(&mut content, document);
    write_types(&mut content, document);
    ReferencePage { address: String::new(), title: word(&document["info"]["title"]), content }
}

/// The values of an enumeration, with their meanings.
fn write_enum(content: &mut String, schema: &Value) {
    let rows = list(&schema["enum"]).iter().zip(list(&schema["x-enum-descriptions"]));
    content.push_str("<table><tbody>");
    for (name, description) in rows {
        let (name, description) = (escape(word(name)), code(&escape(word(description))));
        let _ = write!(content, "<tr><th scope=\"row\"><code>{name}</code></th><td>{description}</td></tr>");
    }
    content.push_str("</tbody></table>");
}

/// The errors that operations share, and the codes of other errors.
fn write_errors(content: &mut String, document: &Value) {
    content.push_str(&heading(2, "errors", "Errors"));
    content.push_str(&markdown(ERRORS, 3));
    content.push_str("<table><caption>Errors that operations share</caption><tbody>");
    for (status, name) in shared(document) {
        let response = &document["components"]["responses"][name];
        let error = word(&response["content"]["application/json"]["example"]["error"]["code"]);
        let text = code(&escape(word(&response["description"])));
        let _ =
            write!(content, "<tr><th scope=\"row\">{status} <code>{}</code></th><td>{text}</td></tr>", escape(error));
    }
    content.push_str("</tbody></table>");
    content.push_str(&heading(3, "codes", "Codes of 409 and of details"));
    content.push_str("<p>An operation lists the codes of its own 409 answers. The same words stand in the <code>code</code> of each of the <code>details</code> of a 422.</p>");
    write_enum(content, &document["components"]["schemas"]["RefusalCode"]);
}

/// Status and name of every error that operations refer to.
fn shared(document: &Value) -> BTreeSet<(&str, &str)> {
    let operations = fields(&document["paths"]).into_iter().flat_map(|(_, methods)| fields(methods));
    let responses = operations.flat_map(|(_, operation)| fields(&operation["responses"]));
    let named =
        responses.filter_map(|(status, response)| Some((status, response["$ref"].as_str()?.rsplit('/').next()?)));
    named.collect()
}

/// Every operation by name. Older versions had one long page; links to its anchors lead here.
fn write_operations(content: &mut String, document: &Value) {
    content.push_str(&heading(2, "operations", "All operations"));
    for tag in list(&document["tags"]) {
        let name = word(&tag["name"]);
        let address = anchor(name);
        let _ = write!(
            content,
            "<section class=\"index\"><h3 id=\"{address}\"><a href=\"/api/docs/{address}\">{}</a></h3><p>{}</p><ul>",
            escape(name),
            code(&escape(word(&tag["description"])))
        );
        for operation in operations(document, name) {
            let id = word(&operation.description["operationId"]);
            let _ = write!(content, "<li id=\"{id}\">{}</li>", link(&address, operation));
        }
        content.push_str("</ul></section>");
    }
}

/// Every type by name, with the anchors of the former long page.
fn write_types(content: &mut String, document: &Value) {
    content.push_str(&heading(2, TYPES, "All types"));
    content.push_str("<ul class=\"names\">");
    for (name, schema) in fields(&document["components"]["schemas"]) {
        if schema["properties"].is_object() {
            let name = escape(name);
            let _ = write!(content, "<li id=\"type-{name}\"><a href=\"/api/docs/{TYPES}#type-{name}\">{name}</a></li>");
        }
    }
    content.push_str("</ul>");
}

const ERRORS: &str = "Every error has the same shape. `code` is for programs and does not change. `message` is for \
people and may change. Where fields are wrong, `details` names each of them. Every answer has an `X-Request-Id`: \
name it when you report a problem.

```
{
  \"error\": {
    \"code\": \"ValidationFailed\",
    \"message\": \"Some fields have values that are not allowed.\",
    \"details\": [
      {\"field\": \"quantity\", \"code\": \"OutOfRange\", \"message\": \"expected a whole number from 1 to 1000000\"}
    ]
  }
}
```

After 408, 429, 500, 502, 503 and 504 the same request can succeed later. Wait for the seconds in `Retry-After` if it is \
there, and send the same `Idempotency-Key` again. All other errors need a change of the request or of what it is about.";
