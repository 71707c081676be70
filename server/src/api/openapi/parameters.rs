//! What operations can be asked with: path, query and headers.

use crate::api::{
    operation::Operation,
    parameter::{Parameter, Values},
    query::{MAX_PAGE, MAX_REPEATED},
};
use returns::{MAX_LIMIT, MAX_PAGE_NUMBER, lists};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The parameters of an operation.
pub(super) fn parameters(operation: &Operation) -> Value {
    let mut parameters = Vec::new();
    let path = operation.path();
    for name in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
        let schema = match name {
            "external_id" => json!({"type": "string", "minLength": 1, "maxLength": 1_000}),
            _ => json!({"type": "string", "format": "uuid", "maxLength": 36}),
        };
        parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": describe_id(name), "schema": schema,
        }));
    }
    let mut query = |name: &str, description: String, schema: Value| {
        parameters.push(json!({"name": name, "in": "query", "description": description, "schema": schema}));
    };
    if operation.list.is_some() || operation.is_paged {
        let limit = json!({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 20});
        query("limit", "The number of results per page.".to_owned(), limit);
        let page = json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_PAGE});
        query(
            "page",
            format!(
                "The `nextPage` of the answer before, with the same order, filters and search; or a page number from 1 to {MAX_PAGE_NUMBER}. 1 if left out."
            ),
            page,
        );
    }
    if let Some(list) = operation.list {
        let sorts: &[&str] = if list.sorts_by_update { &["createdAt", "updatedAt"] } else { &["createdAt"] };
        query(
            "sortBy",
            "The time to sort by.".to_owned(),
            json!({"type": "string", "enum": sorts, "default": "createdAt"}),
        );
        let ways = json!({"type": "string", "enum": ["asc", "desc"], "default": "desc"});
        query("orderBy", "The direction: `desc` is newest first.".to_owned(), ways);
        if !list.fields.is_empty() {
            let longest = lists::MAX_CHARS + 40;
            let clause = json!({"type": "string", "maxLength": longest, "pattern": clauses(list)});
            query("filter", describe_filter(list), json!({"type": "array", "items": clause, "maxItems": MAX_REPEATED}));
        }
        if list.is_searchable() {
            let text = "Order numbers, names and e-mail addresses that are or begin with this.".to_owned();
            query("search", text, json!({"type": "string", "maxLength": lists::MAX_CHARS}));
        }
    }
    if let Some(choice) = operation.choice {
        let schema = json!({"type": "string", "enum": choice.values, "default": choice.values.first()});
        query(choice.name, choice.description.to_owned(), schema);
    }
    if !operation.expandable.is_empty() {
        let names: Vec<&str> = operation.expandable.iter().map(|&(name, _)| name).collect();
        let schema = json!({"type": "array", "items": {"type": "string", "enum": names}, "maxItems": MAX_REPEATED});
        query(
            "expand",
            "Objects to put in place of their ids, or to add to the answer; may repeat.".to_owned(),
            schema,
        );
    }
    parameters.extend(operation.parameters.iter().map(own_parameter));
    parameters.extend(header_parameters(operation));
    Value::Array(parameters)
}

fn own_parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.values {
        Values::Id => json!({"type": "string", "format": "uuid", "maxLength": 36}),
        Values::Flag => json!({"type": "boolean", "default": false}),
        Values::OneOf(texts) => json!({"type": "string", "enum": texts}),
        Values::Text => json!({"type": "string", "maxLength": 1_000}),
    };
    json!({
        "name": parameter.name, "in": parameter.place, "required": parameter.is_required,
        "description": parameter.description, "schema": schema,
    })
}

fn header_parameters(operation: &Operation) -> Vec<Value> {
    let mut parameters = Vec::new();
    if operation.is_idempotent {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header",
            "description": "A text of your own, new for each request. For 24 hours, the same request with the same key has no second effect and gets the first answer again.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([\\t -~]*[!-~])?$"},
            "example": "5f0c2a9e-1001",
        }));
    }
    if operation.if_match {
        parameters.push(json!({
            "name": "If-Match", "in": "header",
            "description": "The `ETag` of the version that you have read. If it has changed since, the answer is 412 and nothing is done.",
            "schema": {"type": "string", "maxLength": 40, "pattern": "^(\"[0-9]{1,18}\"|\\*)$"},
        }));
    }
    parameters
}

fn describe_id(name: &str) -> &'static str {
    match name {
        "account_id" => "The id of the account.",
        "consumer_id" => "The id of the consumer.",
        "evidence_id" => "The id of the evidence.",
        "shipment_id" => "The id of the shipment.",
        "external_id" => "The shop's own id of the purchase, percent-encoded, or the id that Retour gave it.",
        _ => "The id of the object that the operation is about.",
    }
}

/// What a clause looks like, field by field.
fn clauses(list: &returns::List) -> String {
    let clause = |field: &lists::Field| {
        let name = field.name;
        match field.kind {
            lists::FieldKind::Id => format!("{name}:[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}"),
            lists::FieldKind::OneOf(words) => format!("{name}:({})", words().join("|").replace('.', "\\.")),
            lists::FieldKind::Time(_) => {
                let day = "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
                let time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])";
                format!("{name}(:|<=?|>=?){day}T{time}")
            }
            lists::FieldKind::OrderNumber
            | lists::FieldKind::NumberOfOrder
            | lists::FieldKind::Email
            | lists::FieldKind::Text
            | lists::FieldKind::Barcode => format!("{name}:[^\\x00]{{0,{}}}", lists::MAX_CHARS),
        }
    };
    let all: Vec<String> = list.fields.iter().map(clause).collect();
    format!("^({})$", all.join("|"))
}

fn describe_filter(list: &returns::List) -> String {
    let mut text =
        "Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:"
            .to_owned();
    for field in list.fields {
        let values = match field.kind {
            lists::FieldKind::Id => "an id".to_owned(),
            lists::FieldKind::OrderNumber | lists::FieldKind::NumberOfOrder => {
                "an order number, without regard to `#`, spaces and case".to_owned()
            }
            lists::FieldKind::Email => "an e-mail address, without regard to case".to_owned(),
            lists::FieldKind::Text => "a text, as it is".to_owned(),
            lists::FieldKind::Barcode => "what a scanner reads; of GS1-128 the SSCC will do".to_owned(),
            lists::FieldKind::OneOf(words) => format!("`{}`", words().join("`, `")),
            lists::FieldKind::Time(_) => "a time (RFC 3339), also with `<`, `<=`, `>`, `>=`".to_owned(),
        };
        let _ = write!(text, "\n- `{}`: {values}", field.name); // writing to a text does not fail
    }
    text
}
