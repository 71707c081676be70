//! The tables of required fields in docs/bridge-reference.md, generated from the contract.

use outbound::bridge::document;
use serde_json::Value;
use std::fmt::Write as _;

const BEGIN: &str = "<!-- fields: generated from the contract -->\n";
const END: &str = "<!-- end of fields -->\n";

/// `UPDATE_DOCS=1` writes the tables.
#[test]
fn the_tables_of_the_page_are_current() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bridge-reference.md");
    let page = std::fs::read_to_string(file).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (kept, after) = rest.split_once(END).unwrap();
    let tables = tables(&document());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file, format!("{before}{BEGIN}{tables}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(kept, tables, "UPDATE_DOCS=1 rewrites docs/bridge-reference.md");
}

#[test]
fn the_tables_mark_required_fields() {
    let tables = tables(&document());
    for needed in ["purchases[].order.shippingPaid", "purchases[].fulfilledAt"] {
        assert!(tables.contains(&format!("| `{needed}` | needed |")), "{needed}: {tables}");
    }
    assert!(tables.contains("| `label.mediaType` | with `label` |"), "{tables}");
    for optional in ["consumer.email", "purchases[].product.sku", "items[].amount", "qrCode"] {
        assert!(tables.contains(&format!("| `{optional}` | |")), "{optional}: {tables}");
    }
}

/// One table per answer, with the required fields first.
fn tables(document: &Value) -> String {
    let mut text = String::new();
    for path in ["/get-purchases", "/resolve-return", "/get-label"] {
        let answer = &document["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]["schema"];
        let mut rows = Vec::new();
        add_rows(&mut rows, document, answer, "", true);
        let _ = write!(text, "\n`POST …{path}`:\n\n| field | | holds | meaning |\n|---|---|---|---|\n");
        text.push_str(&rows.concat());
    }
    text + "\n"
}

/// Adds a row for each field of a type and of the types within it. `is_needed` says whether the type itself is required.
fn add_rows(rows: &mut Vec<String>, document: &Value, schema: &Value, within: &str, is_needed: bool) {
    let (_, schema) = resolved(document, schema);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let (needed, others): (Vec<_>, Vec<_>) =
        schema["properties"].as_object().unwrap().iter().partition(|(name, _)| required.contains(&name.as_str()));
    for (name, property) in needed.into_iter().chain(others) {
        let field = if within.is_empty() { name.clone() } else { format!("{within}.{name}") };
        let mark = match (required.contains(&name.as_str()), is_needed) {
            (true, true) => " needed ".to_owned(),
            (true, false) => format!(" with `{within}` "),
            (false, _) => " ".to_owned(),
        };
        let (kind, inner) = kind_of(document, property);
        let description = property["description"].as_str().unwrap().replace('\n', " ");
        rows.push(format!("| `{field}` |{mark}| {kind} | {description} |\n"));
        if let Some((object, list)) = inner {
            let is_needed = is_needed && required.contains(&name.as_str());
            add_rows(rows, document, object, &format!("{field}{list}"), is_needed);
        }
    }
}

/// The type of a field, and the object within it, if any; with `[]` for a list of objects.
fn kind_of<'a>(document: &'a Value, schema: &'a Value) -> (String, Option<(&'a Value, &'static str)>) {
    let (name, schema) = resolved(document, schema);
    let known = match name {
        "Money" => "amount",
        "Timestamp" => "time",
        "Currency" => "currency code",
        _ => "",
    };
    if !known.is_empty() {
        return (known.to_owned(), None);
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or_default();
    match kind {
        "array" => {
            let (kind, inner) = kind_of(document, &schema["items"]);
            (format!("list of {kind}"), inner.map(|(object, _)| (object, "[]")))
        }
        "object" if schema["properties"].is_object() => ("object".to_owned(), Some((schema, ""))),
        "object" => ("texts by name".to_owned(), None),
        "string" if schema["enum"].is_array() => {
            let words = schema["enum"].as_array().unwrap().iter().filter_map(Value::as_str);
            (words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "), None)
        }
        "string" => (if schema["format"] == "uuid" { "UUID" } else { "text" }.to_owned(), None),
        "integer" => ("whole number".to_owned(), None),
        "boolean" => ("true or false".to_owned(), None),
        other => panic!("{other}: {schema}"),
    }
}

/// The type that a schema refers to, with its name. For a type or null, this is the type.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> (&'a str, &'a Value) {
    let part = schema["anyOf"].as_array().and_then(|parts| parts.iter().find(|part| part["type"] != "null"));
    let schema = part.unwrap_or(schema);
    match schema["$ref"].as_str() {
        Some(reference) => {
            (reference.rsplit('/').next().unwrap(), document.pointer(reference.trim_start_matches('#')).unwrap())
        }
        None => ("", schema),
    }
}
