//! The schemas of types, as requests and as answers have them.

#![expect(
    clippy::indexing_slicing,
    reason = "a document of our own making: a JSON value indexed by a name gives null, or makes the field"
)]

use crate::api::base::operation::Content;
use domain::openapi::name_as_enum;
use schemars::{
    SchemaGenerator,
    generate::{Contract, SchemaSettings},
    transform::RecursiveTransform,
};
use serde_json::{Map, Value};

/// What references to schemas begin with.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

/// The schemas of requests and of answers. They differ: a field that a request may leave out is always in an answer.
pub(super) struct Schemas {
    pub input: SchemaGenerator,
    pub output: SchemaGenerator,
}

/// The schemas of the document.
pub(super) struct Components {
    pub schemas: Map<String, Value>,
    /// The names of types that differ between requests and answers. In requests they are called `…Input`.
    pub differing: Vec<String>,
}

impl Schemas {
    pub(super) fn new() -> Self {
        let generator = |contract: Contract| {
            let mut settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(name_as_enum));
            settings.contract = contract;
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.into_generator()
        };
        Self { input: generator(Contract::Deserialize), output: generator(Contract::Serialize) }
    }

    /// All schemas by name.
    pub(super) fn components(mut self) -> Components {
        let mut schemas = self.output.take_definitions(true);
        let input = self.input.take_definitions(true);
        let differing = differing(&input, &schemas);
        for (name, mut schema) in input {
            point_to_inputs(&mut schema, &differing);
            if differing.contains(&name) {
                schemas.insert(format!("{name}Input"), schema);
            } else {
                schemas.entry(name).or_insert(schema);
            }
        }
        Components { schemas, differing }
    }

    /// Whether the JSON of an answer has a version, and with it an `ETag`.
    pub(super) fn has_version(&mut self, content: &Content) -> bool {
        let Content::Json(schema) = content else { return false };
        let schema = schema(&mut self.output);
        let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(SCHEMAS)).unwrap_or_default();
        self.output.definitions().get(name).is_some_and(|schema| schema["properties"]["version"].is_object())
    }
}

/// The names of the types whose schema in requests differs from the one in answers, or refers to such a type.
fn differing(input: &Map<String, Value>, output: &Map<String, Value>) -> Vec<String> {
    let mut differing: Vec<String> = Vec::new();
    loop {
        let before = differing.len();
        for (name, schema) in input {
            let differs = output.get(name).is_some_and(|known| known != schema || refers_to(schema, &differing));
            if differs && !differing.contains(name) {
                differing.push(name.clone());
            }
        }
        if differing.len() == before {
            return differing;
        }
    }
}

fn refers_to(schema: &Value, names: &[String]) -> bool {
    let mut copy = schema.clone();
    point_to_inputs(&mut copy, names);
    copy != *schema
}

/// Points references to the schemas of requests, for types that differ.
pub(super) fn point_to_inputs(schema: &mut Value, differing: &[String]) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| point_to_inputs(field, differing));
            let reference = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
            let renamed = reference.filter(|name| differing.iter().any(|other| other == name));
            if let Some(name) = renamed.map(|name| format!("{SCHEMAS}{name}Input")) {
                fields.insert("$ref".to_owned(), name.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_to_inputs(item, differing)),
        _ => {}
    }
}
