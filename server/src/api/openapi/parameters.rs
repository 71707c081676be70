//! The parameters of operations: in the path, in the query and in headers.

use crate::api::base::{
    operation::Operation,
    parameter::{Parameter, ParameterValues},
    query::{MAX_PAGE, MAX_REPEATED, sorts_of},
};
use domain::stage::Queue;
use returns::{List, MAX_LIMIT, MAX_PAGE_NUMBER, lists};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The bytes that a filter's clause has besides its value: the longest name of a field, and the operator.
const CLAUSE_EXTRA: usize = 40;

/// The parameters of an operation.
pub(super) fn parameters(operation: &Operation) -> Value {
    let mut parameters = path_parameters(operation);
    if operation.list.is_some() || operation.is_paged {
        parameters.extend(page_parameters());
    }
    parameters.extend(operation.list.into_iter().flat_map(list_parameters));
    if let Some(choice) = operation.choice {
        let schema = json!({"type": "string", "enum": choice.values, "default": choice.values.first()});
        parameters.push(query(choice.name, choice.description, &schema));
    }
    if !operation.expandable.is_empty() {
        let names: Vec<&str> = operation.expandable.iter().map(|&(name, _)| name).collect();
        let schema = json!({"type": "array", "items": {"type": "string", "enum": names}, "maxItems": MAX_REPEATED});
        let description = "Objects to return in place of their ids, or to add to the answer; may repeat.";
        parameters.push(query("expand", description, &schema));
    }
    parameters.extend(operation.parameters.iter().map(own_parameter));
    parameters.extend(header_parameters(operation));
    Value::Array(parameters)
}

fn query(name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "description": description, "schema": schema})
}

fn path_parameters(operation: &Operation) -> Vec<Value> {
    let path = operation.path();
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name| {
        let schema = match name {
            "external_id" => json!({"type": "string", "minLength": 1, "maxLength": 1_000}),
            _ => json!({"type": "string", "format": "uuid", "maxLength": 36}),
        };
        json!({"name": name, "in": "path", "required": true, "description": describe_id(name), "schema": schema})
    };
    names.map(parameter).collect()
}

fn page_parameters() -> [Value; 2] {
    let limit = json!({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 20});
    let page = json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_PAGE});
    let description = format!(
        "The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to {MAX_PAGE_NUMBER}. 1 if left out."
    );
    [query("limit", "The number of results per page.", &limit), query("page", &description, &page)]
}

fn list_parameters(list: &List) -> Vec<Value> {
    let sorts = sorts_of(list);
    let sort_by = json!({"type": "string", "enum": sorts, "default": "createdAt"});
    let order_by = json!({"type": "string", "enum": ["asc", "desc"], "default": "desc"});
    let mut parameters = vec![
        query("sortBy", describe_sort(list), &sort_by),
        query("orderBy", "The direction: `desc` is newest first.", &order_by),
    ];
    if !list.fields.is_empty() {
        let longest = (lists::MAX_CHARS + 1) * lists::MAX_VALUES + CLAUSE_EXTRA;
        let clause = json!({"type": "string", "maxLength": longest, "pattern": clauses(list)});
        let schema = json!({"type": "array", "items": clause, "maxItems": MAX_REPEATED});
        parameters.push(query("filter", &describe_filter(list), &schema));
    }
    if list.is_searchable() {
        let description = "Text that order numbers, names or e-mail addresses equal or begin with.";
        parameters.push(query("search", description, &json!({"type": "string", "maxLength": lists::MAX_CHARS})));
    }
    parameters
}

fn describe_sort(list: &List) -> &'static str {
    if list.sorts_by_stage() {
        "The time to sort by. `stageSince` is the time at which requests entered their stage, and needs a filter by `stage` or `queue`."
    } else {
        "The time to sort by."
    }
}

fn own_parameter(parameter: &Parameter) -> Value {
    let schema = match parameter.values {
        ParameterValues::Id => json!({"type": "string", "format": "uuid", "maxLength": 36}),
        ParameterValues::Flag => json!({"type": "boolean", "default": false}),
        ParameterValues::OneOf(texts) => json!({"type": "string", "enum": texts}),
        ParameterValues::Text { least, most } => json!({"type": "string", "minLength": least, "maxLength": most}),
        ParameterValues::AnyText => json!({"type": "string"}),
    };
    json!({
        "name": parameter.name, "in": parameter.place.name(), "required": parameter.is_required,
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
            "schema": {"type": "string", "pattern": "^(\"[0-9]{1,18}\"|\\*)$"},
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
        "receiving_id" => "The id of the parcel that was counted.",
        "receipt_id" => "The id of the receipt.",
        "proposal_id" => "The id of the proposal.",
        "external_id" => "The shop's own id of the purchase, percent-encoded, or the id that Retour gave it.",
        _ => "The id of the object that the operation is about.",
    }
}

/// The pattern of a filter's clause.
fn clauses(list: &List) -> String {
    let clause = |field: &lists::Field| {
        let (name, value) = (field.name, value_pattern(field.kind));
        if field.kind.has_order() {
            return format!("{name}(:|<=?|>=?){value}");
        }
        // A bound within a repetition multiplies the size of the pattern, which validators limit: only the first text has one.
        let more = value.replace(&longest_text(), "*");
        format!("{name}:{value}(\\|{more})*")
    };
    let all: Vec<String> = list.fields.iter().map(clause).collect();
    format!("^({})$", all.join("|"))
}

/// The pattern of a value in a filter's clause.
fn value_pattern(kind: lists::FieldKind) -> String {
    let one_of = |words: &[&str]| format!("({})", words.join("|").replace('.', "\\."));
    match kind {
        lists::FieldKind::Id
        | lists::FieldKind::SharedId
        | lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Id, .. }) => {
            "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}".to_owned()
        }
        lists::FieldKind::OneOf(words) => one_of(&words()),
        lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::OneOf(words), .. }) => {
            one_of(&words())
        }
        lists::FieldKind::Queue => one_of(&Queue::OF_REQUESTS.map(Queue::name)),
        lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Flag, .. }) => {
            one_of(&["true", "false"])
        }
        lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Country, .. }) => {
            "[A-Z]{2}".to_owned()
        }
        lists::FieldKind::Time(_) | lists::FieldKind::Moment => {
            let day = "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
            let time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])";
            format!("{day}T{time}")
        }
        lists::FieldKind::Amount => "[0-9]{1,12} EUR".to_owned(),
        lists::FieldKind::OrderNumber
        | lists::FieldKind::NumberOfOrder
        | lists::FieldKind::Email
        | lists::FieldKind::Text
        | lists::FieldKind::SharedText
        | lists::FieldKind::Barcode
        | lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Text, .. }) => {
            format!("[^\\x00|]{}", longest_text())
        }
    }
}

/// The bound of a text in a pattern.
fn longest_text() -> String {
    format!("{{0,{}}}", lists::MAX_CHARS)
}

fn describe_filter(list: &List) -> String {
    let mut text =
        "Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several \
         values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:"
            .to_owned();
    for field in list.fields {
        let values = match field.kind {
            lists::FieldKind::Id
            | lists::FieldKind::SharedId
            | lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Id, .. }) => "an id".to_owned(),
            lists::FieldKind::OrderNumber | lists::FieldKind::NumberOfOrder => {
                "an order number, without regard to `#`, spaces and case".to_owned()
            }
            lists::FieldKind::Email => "an e-mail address, without regard to case".to_owned(),
            lists::FieldKind::Text
            | lists::FieldKind::SharedText
            | lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Text, .. }) => {
                "a text, as it is".to_owned()
            }
            lists::FieldKind::Barcode => "what a scanner reads; of GS1-128 the SSCC will do".to_owned(),
            lists::FieldKind::OneOf(words) => format!("`{}`", words().join("`, `")),
            lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::OneOf(words), .. }) => {
                format!("`{}`", words().join("`, `"))
            }
            lists::FieldKind::Queue => {
                format!("a queue as `GET /queues` names it: `{}`", Queue::OF_REQUESTS.map(Queue::name).join("`, `"))
            }
            lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Flag, .. }) => {
                "`true` or `false`".to_owned()
            }
            lists::FieldKind::Related(lists::Related { values: lists::RelatedValues::Country, .. }) => {
                "a country, two letters of ISO 3166-1".to_owned()
            }
            lists::FieldKind::Amount => {
                "an amount and its currency, such as `12.50 EUR`, also with `<`, `<=`, `>`, `>=`".to_owned()
            }
            lists::FieldKind::Time(_) | lists::FieldKind::Moment => {
                "a time (RFC 3339), also with `<`, `<=`, `>`, `>=`".to_owned()
            }
        };
        let _ = write!(text, "\n- `{}`: {values}", field.name); // writing to a string cannot fail
    }
    text
}
