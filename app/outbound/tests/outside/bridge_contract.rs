//! The published contract is the one that the code implements.

use outbound::bridge::document;
use serde_json::Value;

/// `UPDATE_DOCS=1` writes the document.
#[test]
fn the_published_contract_is_current() {
    let text = format!("{:#}\n", document());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bridge-openapi.json");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(file).unwrap_or_default();
    assert_eq!(kept, text, "UPDATE_DOCS=1 rewrites docs/bridge-openapi.json");
}

/// Linters require `security`: without it, the document does not say who may call an operation.
#[test]
fn the_document_describes_the_signature_as_headers() {
    assert_eq!(document()["security"], serde_json::json!([]));
    for operation in
        document()["paths"].as_object().unwrap().values().flat_map(|methods| methods.as_object().unwrap().values())
    {
        let names =
            operation["parameters"].as_array().unwrap().iter().map(|parameter| parameter["name"].as_str().unwrap());
        assert!(names.into_iter().any(|name| name == "webhook-signature"), "{operation}");
    }
}

#[test]
fn examples_match_their_schemas() {
    let document = document();
    let mut checked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for operation in methods.as_object().unwrap().values() {
            let bodies = [&operation["requestBody"], &operation["responses"]["200"]];
            for content in bodies.map(|body| &body["content"]["application/json"]) {
                for (name, example) in content["examples"].as_object().into_iter().flatten() {
                    let errors = errors(&content["schema"], &document, &example["value"]);
                    assert!(errors.is_empty(), "{path} {name}: {errors:#?}");
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(checked, 13);
}

fn errors(schema: &Value, document: &Value, example: &Value) -> Vec<String> {
    let mut schema = schema.clone();
    schema["components"] = document["components"].clone();
    let validator = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).build(&schema).unwrap();
    validator.iter_errors(example).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_reference_resolves_and_every_field_is_described() {
    let document = document();
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(schema["description"].is_string(), "{name}");
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            assert!(property["description"].is_string(), "{name}.{field}");
        }
    }
}

/// Generated Python clients cannot read a `oneOf` of `const`s.
#[test]
fn a_closed_set_of_names_is_an_enum() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        for several in ["oneOf", "anyOf"] {
            let parts = schema[several].as_array().map(Vec::as_slice).unwrap_or_default();
            assert!(parts.iter().all(|part| !part["const"].is_string()), "{name}");
        }
    }
    let status = &document["components"]["schemas"]["ResolutionStatus"];
    assert_eq!(status["enum"], serde_json::json!(["Completed", "Pending", "Failed"]));
}
