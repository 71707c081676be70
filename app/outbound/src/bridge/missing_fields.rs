//! Finds every missing field of an answer. Serde stops at the first one, but the author of a bridge needs the whole list.

use domain::{Problems, RefusalCode};
use schemars::{
    JsonSchema,
    generate::{Contract, SchemaSettings},
};
use serde_json::{Map, Value};

/// Every field that the contract requires of a `T` and that the JSON lacks. Empty if the body is not JSON.
pub(super) fn missing<T: JsonSchema>(body: &[u8]) -> Problems {
    let Ok(answer) = serde_json::from_slice::<Value>(body) else { return Problems::default() };
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = Contract::Deserialize;
    let mut generator = settings.into_generator();
    let schema = generator.subschema_for::<T>().to_value();
    let mut search = Search { definitions: generator.take_definitions(true), found: Problems::default() };
    search.compare(&schema, &answer, "");
    search.found
}

struct Search {
    definitions: Map<String, Value>,
    found: Problems,
}

impl Search {
    fn compare(&mut self, schema: &Value, value: &Value, path: &str) {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.rsplit('/').next()) {
            let Some(named) = self.definitions.get(name).cloned() else { return };
            return self.compare(&named, value, path);
        }
        // An optional field has the schema "its type, or null".
        for option in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            self.compare(option, value, path);
        }
        match value {
            Value::Object(fields) => self.compare_fields(schema, fields, path),
            Value::Array(items) => {
                let Some(schema) = schema.get("items") else { return };
                for (index, item) in items.iter().enumerate() {
                    self.compare(schema, item, &format!("{path}[{index}]"));
                }
            }
            _ => {}
        }
    }

    fn compare_fields(&mut self, schema: &Value, fields: &Map<String, Value>, path: &str) {
        let within = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        for name in required.filter(|name| !fields.contains_key(*name)) {
            self.found.add(within(name), RefusalCode::Required, "this field is missing");
        }
        for (name, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if let Some(value) = fields.get(name) {
                self.compare(schema, value, &within(name));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::bridge::{BridgeError, contract::Purchases, examples, parse_answer};
    use domain::Problems;
    use serde_json::{Value, json};

    fn messages(body: &Value) -> Vec<String> {
        let error = parse_answer::<Purchases>(body.to_string().as_bytes()).unwrap_err();
        let BridgeError::BadAnswer(Problems(problems)) = error else { panic!("{error}") };
        problems.into_iter().map(|(field, refusal)| format!("{field}: {}", refusal.message)).collect()
    }

    fn remove(body: &mut Value, place: &str, field: &str) {
        body.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(field).unwrap();
    }

    #[test]
    fn every_missing_field_is_named_at_once() {
        let missing = |field: &str| format!("{field}: this field is missing");
        assert_eq!(messages(&json!({})), ["consumer", "purchases"].map(missing));
        let mut body = examples::purchases();
        remove(&mut body, "/purchases/0", "refundedQuantity");
        remove(&mut body, "/purchases/0", "fulfilledAt");
        remove(&mut body, "/purchases/0/paid", "currency");
        remove(&mut body, "/purchases/1/order", "shippingPaid");
        let mut found = messages(&body);
        found.sort();
        let fields = [
            "purchases[0].fulfilledAt",
            "purchases[0].paid.currency",
            "purchases[0].refundedQuantity",
            "purchases[1].order.shippingPaid",
        ];
        assert_eq!(found, fields.map(missing));
    }

    #[test]
    fn missing_fields_are_named_beside_a_value_of_the_wrong_type() {
        let mut body = examples::purchases();
        body["purchases"][0]["taxIncluded"] = json!("yes");
        remove(&mut body, "/purchases/1", "tax");
        let expected = ["purchases[0].taxIncluded: expected a boolean", "purchases[1].tax: this field is missing"];
        assert_eq!(messages(&body), expected);
    }

    #[test]
    fn a_long_list_is_cut() {
        let messages = messages(&json!({"consumer": {}, "purchases": vec![json!({}); 100]}));
        assert_eq!(messages.len(), 51);
        assert!(messages.last().unwrap().contains("more"), "{messages:?}");
    }
}
