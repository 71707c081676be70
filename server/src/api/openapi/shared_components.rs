//! Moves repeated parts of the document into `components`, and refers to them. This saves a third of the bytes.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Moves parameters, examples and errors that occur more than once. Schemas are in `components` already.
pub(super) fn extract_repeated(document: &mut Value) {
    for kind in [PartKind::Parameters, PartKind::Responses, PartKind::Examples] {
        let mut parts = Vec::new();
        each(document, kind, &mut |base, operation, value| {
            parts.push(Part { base, operation: operation.to_owned(), json: value.to_string() });
        });
        let names = names_of_repeated(&parts);
        let mut moved = Map::new();
        each(document, kind, &mut |_, _, value| {
            let Some(name) = names.get(&value.to_string()) else { return };
            let reference = json!({"$ref": format!("#/components/{}/{name}", kind.place())});
            let value = std::mem::replace(value, reference);
            moved.insert(name.clone(), if kind == PartKind::Examples { json!({"value": value}) } else { value });
        });
        if kind == PartKind::Examples {
            each_content(document, &mut |_, content| name_example(content));
        }
        let place = document.pointer_mut("/components").and_then(Value::as_object_mut);
        let place = place.map(|components| components.entry(kind.place()).or_insert_with(|| json!({})));
        if let Some(place) = place.and_then(Value::as_object_mut) {
            place.extend(moved);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartKind {
    Parameters,
    Responses,
    Examples,
}

impl PartKind {
    fn place(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Responses => "responses",
            Self::Examples => "examples",
        }
    }
}

/// A part of the document that can be moved.
struct Part {
    /// Its name in `components`, if no other part has the name.
    base: String,
    operation: String,
    json: String,
}

/// The names of the parts that occur more than once, by their JSON. If several parts have the same base name, each also gets the name of its first operation.
fn names_of_repeated(parts: &[Part]) -> HashMap<String, String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in parts {
        *counts.entry(&part.json).or_default() += 1;
    }
    let repeated: Vec<&Part> =
        parts.iter().filter(|part| counts.get(part.json.as_str()).is_some_and(|count| *count > 1)).collect();
    let mut of_base: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for part in &repeated {
        of_base.entry(&part.base).or_default().insert(&part.json);
    }
    let mut names = HashMap::new();
    for part in repeated {
        let is_alone = of_base.get(part.base.as_str()).is_none_or(|texts| texts.len() == 1);
        let name =
            if is_alone { part.base.clone() } else { format!("{}Of{}", part.base, pascal_case(&part.operation)) };
        names.entry(part.json.clone()).or_insert(name);
    }
    names
}

/// Calls `visit` with every value of a kind, its name and the id of its operation.
fn each(document: &mut Value, kind: PartKind, visit: &mut impl FnMut(String, &str, &mut Value)) {
    if kind == PartKind::Examples {
        return each_content(document, &mut |operation, content| {
            let schema = content.pointer("/schema/$ref").and_then(Value::as_str);
            let name = schema.and_then(|reference| reference.rsplit('/').next()).unwrap_or(operation);
            let name = pascal_case(name);
            if let Some(example) = content.get_mut("example") {
                visit(name, operation, example);
            }
        });
    }
    each_operation(document, &mut |id, operation| match kind {
        PartKind::Parameters => {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default();
                visit(pascal_case(name) + "Parameter", id, parameter);
            }
        }
        PartKind::Responses | PartKind::Examples => {
            let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
            for (status, response) in responses.into_iter().flatten() {
                if status.starts_with('4') && response.get("$ref").is_none() {
                    visit(format!("{}{status}", pascal_case(id)), id, response);
                }
            }
        }
    });
}

fn each_operation(document: &mut Value, visit: &mut impl FnMut(&str, &mut Value)) {
    for group in ["paths", "webhooks"] {
        let group = document.get_mut(group).and_then(Value::as_object_mut);
        let methods = group.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut);
        for operation in methods.flat_map(Map::values_mut) {
            let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default().to_owned();
            visit(&id, operation);
        }
    }
}

/// Calls `visit` with the content of every body and every answer.
fn each_content(document: &mut Value, visit: &mut impl FnMut(&str, &mut Value)) {
    each_operation(document, &mut |id, operation| {
        let mut look = |place: &mut Value| {
            let contents = place.get_mut("content").and_then(Value::as_object_mut);
            contents.into_iter().flat_map(Map::values_mut).for_each(|content| visit(id, content));
        };
        if let Some(body) = operation.get_mut("requestBody") {
            look(body);
        }
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        responses.into_iter().flat_map(Map::values_mut).for_each(look);
    });
}

/// Turns a reference in `example` into `examples`, because only `examples` may have references.
fn name_example(content: &mut Value) {
    let is_reference = content.pointer("/example/$ref").is_some();
    if let Some(fields) = content.as_object_mut().filter(|_| is_reference)
        && let Some(example) = fields.remove("example")
    {
        fields.insert("examples".to_owned(), json!({"typical": example}));
    }
}

/// `account_id` becomes `AccountId`, and `Idempotency-Key` becomes `IdempotencyKey`.
fn pascal_case(name: &str) -> String {
    let capitalized = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split(['_', '-']).map(capitalized).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_occur_twice_are_moved_and_others_stay() {
        let operation = |id: &str, limit: i64, code: &str| {
            json!({
                "operationId": id,
                "parameters": [{"name": "account_id"}, {"name": "limit", "maximum": limit}, {"name": id}],
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}, "example": {"id": 1}}}},
                    "409": {"description": code},
                    "404": {"$ref": "#/components/responses/NotFound"},
                },
            })
        };
        let mut document = json!({"components": {"responses": {"NotFound": {}}}, "paths": {
            "/a": {"get": operation("listA", 1, "one"), "put": operation("putA", 1, "one")},
            "/b": {"get": operation("listB", 2, "two"), "put": operation("putB", 2, "three")},
        }});
        let whole = document.clone();
        extract_repeated(&mut document);
        let components = &document["components"];
        assert_eq!(
            components["parameters"],
            json!({
                "AccountIdParameter": {"name": "account_id"},
                "LimitParameterOfListA": {"name": "limit", "maximum": 1}, "LimitParameterOfListB": {"name": "limit", "maximum": 2},
            })
        );
        assert_eq!(components["responses"], json!({"ListA409": {"description": "one"}, "NotFound": {}}));
        assert_eq!(components["examples"], json!({"User": {"value": {"id": 1}}}));
        let list = &document["paths"]["/b"]["get"];
        assert_eq!(list["parameters"][1], json!({"$ref": "#/components/parameters/LimitParameterOfListB"}));
        assert_eq!(list["parameters"][2], whole["paths"]["/b"]["get"]["parameters"][2]);
        assert_eq!(list["responses"]["409"], json!({"description": "two"}));
        let content = &list["responses"]["200"]["content"]["application/json"];
        assert_eq!(content["examples"], json!({"typical": {"$ref": "#/components/examples/User"}}));
        assert!(content.get("example").is_none());
    }
}
