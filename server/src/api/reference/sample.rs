//! A request as a `curl` command, and its answer, from the examples of the document.

use super::{
    document::{DocumentedOperation, fields, list, resolved},
    text::{boxed, word},
};
use serde_json::Value;
use std::fmt::Write as _;

/// Both samples of an operation.
pub(super) fn write(document: &Value, documented: DocumentedOperation<'_>) -> String {
    let operation = documented.description;
    let mut html = format!("<h3>Request</h3>{}", boxed(&curl(documented)));
    let answers = fields(&operation["responses"]);
    let Some((status, response)) = answers.iter().find(|(status, _)| status.starts_with('2')) else { return html };
    let _ = write!(html, "<h3>Answer {status}</h3>");
    let content = &resolved(document, response)["content"];
    match (content["application/json"].get("example"), content.is_object()) {
        (Some(example), _) => html.push_str(&boxed(&format!("{example:#}"))),
        (None, true) => html.push_str("<p>The bytes of the file.</p>"),
        (None, false) => html.push_str("<p>The answer has no body.</p>"),
    }
    html
}

/// The command, with shell variables for the reader's own values.
fn curl(DocumentedOperation { method, path, description: operation }: DocumentedOperation<'_>) -> String {
    let request = if method == "get" { String::new() } else { format!("--request {} ", method.to_uppercase()) };
    let mut lines = vec![format!("curl {request}\"$BASE{}{}\"", with_variables(path), query(operation))];
    if let Some(name) = credential(operation) {
        lines.push(format!("--header \"Authorization: Bearer ${name}\""));
    }
    for parameter in list(&operation["parameters"]).iter().filter(|parameter| parameter["in"] == "header") {
        // Each command creates its own key, because a key that was used for another request is refused.
        if parameter["name"] == "Idempotency-Key" {
            lines.push("--header \"Idempotency-Key: $(uuidgen)\"".to_owned());
        } else if let Some(example) = parameter["example"].as_str() {
            lines.push(format!("--header {}", quoted(&format!("{}: {example}", word(&parameter["name"])))));
        }
    }
    lines.extend(body(operation));
    lines.extend(file(operation));
    lines.join(" \\\n  ")
}

/// `{account_id}` becomes `$ACCOUNT_ID`.
fn with_variables(path: &str) -> String {
    let parts = path.split('/').map(|part| {
        let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        name.map_or_else(|| part.to_owned(), |name| format!("${}", name.to_uppercase()))
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The required parameters: `returnRequestId` becomes `$RETURN_REQUEST_ID`.
fn query(operation: &Value) -> String {
    let needed = |parameter: &&Value| parameter["in"] == "query" && parameter["required"] == true;
    let parts: Vec<String> = list(&operation["parameters"])
        .iter()
        .filter(needed)
        .map(|parameter| format!("{}=${}", word(&parameter["name"]), variable(word(&parameter["name"]))))
        .collect();
    if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
}

fn variable(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            text.push('_');
        }
        text.extend(letter.to_uppercase());
    }
    text
}

/// The variable with the credential that most readers have.
fn credential(operation: &Value) -> Option<&'static str> {
    let takes = |scheme: &str| list(&operation["security"]).iter().any(|one| one.get(scheme).is_some());
    let names = [("consumerToken", "TOKEN"), ("apiKey", "KEY"), ("userToken", "USER_TOKEN")];
    names.into_iter().find(|(scheme, _)| takes(scheme)).map(|(_, name)| name)
}

fn body(operation: &Value) -> Vec<String> {
    let content = &operation["requestBody"]["content"];
    if let Some(example) = content["application/json"].get("example") {
        let body = quoted(&format!("{example:#}"));
        return vec!["--header 'Content-Type: application/json'".to_owned(), format!("--data {body}")];
    }
    let kinds = fields(content);
    let Some((kind, _)) = kinds.iter().find(|(kind, _)| !kind.starts_with("multipart/")) else { return Vec::new() };
    vec![format!("--header 'Content-Type: {kind}'"), format!("--data-binary @file.{}", extension(kind))]
}

/// For an answer with a file: the type to accept, and the file to write.
fn file(operation: &Value) -> Vec<String> {
    let responses = &operation["responses"];
    let content = &responses["200"]["content"];
    let kinds = fields(content);
    let Some((kind, _)) = kinds.first().filter(|_| content.get("application/json").is_none()) else {
        return Vec::new();
    };
    let accept = (!responses["406"].is_null()).then(|| format!("--header 'Accept: {kind}'"));
    accept.into_iter().chain([format!("--output file.{}", extension(kind))]).collect()
}

fn extension(kind: &str) -> &str {
    match kind.rsplit('/').next().unwrap_or_default() {
        "jpeg" | "octet-stream" => "jpg", // evidence, the example of an upload, is a photo
        "gzip" => "gz",
        "tab-separated-values" => "tsv",
        other => other.trim_start_matches("x-"),
    }
}

/// A text as one word in a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_command_has_everything_that_its_operation_requires() {
        let operation = json!({
            "parameters": [
                {"name": "returnRequestId", "in": "query", "required": true},
                {"name": "page", "in": "query"},
                {"name": "Idempotency-Key", "in": "header", "example": "one"},
                {"name": "If-None-Match", "in": "header", "example": "two"},
            ],
            "security": [{"userToken": []}, {"apiKey": []}],
            "requestBody": {"content": {"application/json": {"example": {"name": "Ada's"}}}},
            "responses": {"200": {"content": {"application/pdf": {}}}, "406": {}},
        });
        let lines = [
            "curl --request POST \"$BASE/a/$ACCOUNT_ID/b?returnRequestId=$RETURN_REQUEST_ID\" \\",
            "  --header \"Authorization: Bearer $KEY\" \\",
            "  --header \"Idempotency-Key: $(uuidgen)\" \\",
            "  --header 'If-None-Match: two' \\",
            "  --header 'Content-Type: application/json' \\",
            "  --data '{\n  \"name\": \"Ada'\\''s\"\n}' \\",
            "  --header 'Accept: application/pdf' \\",
            "  --output file.pdf",
        ];
        let post = DocumentedOperation { method: "post", path: "/a/{account_id}/b", description: &operation };
        assert_eq!(curl(post), lines.join("\n"));
        let get = DocumentedOperation { method: "get", path: "/a", description: &json!({}) };
        assert_eq!(curl(get), "curl \"$BASE/a\"");
    }
}
