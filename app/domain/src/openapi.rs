//! JSON Schemas of types that implement their JSON by hand (feature `openapi`). Other types derive them.
//!
//! Every document built from these schemas applies [`name_as_enum`].

use crate::{
    base::{time_zone::TimeZone, timestamp::Timestamp},
    money::{Currency, Money, Percent, Prices},
    stage::StageName,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use std::{borrow::Cow, fmt::Write as _};

/// Turns the schema of an enum of names into `enum`. The derived schema is a `oneOf` of `const`s, because each name
/// has a description, and generators of Python clients cannot read that. The descriptions become a Markdown list in
/// the schema's own description, and `x-enum-descriptions`, which client generators read. Other schemas stay
/// unchanged. It is a `schemars` transform for one schema, without nested ones.
pub fn name_as_enum(schema: &mut Schema) {
    for several in ["oneOf", "anyOf"] {
        let parts = schema.get(several).and_then(Value::as_array);
        let Some(names) = parts.and_then(|parts| parts.iter().map(names_of).collect::<Option<Vec<_>>>()) else {
            continue;
        };
        let names: Vec<(Value, String)> = names.into_iter().flatten().collect();
        let mut description = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        for (at, (name, meaning)) in names.iter().enumerate() {
            let name = name.as_str().unwrap_or_default();
            let gap = if at == 0 { "\n\n" } else { "\n" };
            let colon = if meaning.is_empty() { "" } else { ": " };
            let _ = write!(description, "{gap}- `{name}`{colon}{meaning}"); // writing to a text does not fail
        }
        let (names, meanings): (Vec<Value>, Vec<String>) = names.into_iter().unzip();
        schema.remove(several);
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), names.into());
        schema.insert("x-enum-descriptions".to_owned(), meanings.into());
        schema.insert("description".to_owned(), description.into());
    }
}

/// The names that a part of a schema allows, each with its meaning; `None` if it allows anything else.
fn names_of(part: &Value) -> Option<Vec<(Value, String)>> {
    let meaning = part.get("description").and_then(Value::as_str).unwrap_or_default();
    let names = match (part.get("const"), part.get("enum")) {
        (Some(name), _) => std::slice::from_ref(name),
        (None, Some(names)) => names.as_array()?.as_slice(),
        (None, None) => return None,
    };
    names.iter().map(|name| name.is_string().then(|| (name.clone(), meaning.to_owned()))).collect()
}

macro_rules! schemas {
    ($($of:ty = $name:literal, |$generator:ident| $schema:expr;)+) => {$(
        impl JsonSchema for $of {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )+};
}

schemas! {
    Currency = "Currency", |_generator| json_schema!({
        "description": "A currency's alphabetic code (ISO 4217).",
        "type": "string",
        "enum": Currency::all().map(|currency| currency.code().to_owned()).collect::<Vec<_>>(),
        "examples": ["EUR"],
    });
    Money = "Money", |generator| json_schema!({
        "description": "An amount, exact to the currency's minor unit.",
        "type": "object",
        "required": ["value", "currency"],
        "additionalProperties": false,
        "properties": {
            "value": {
                "description": "A decimal with a point and all of the currency's decimals; negative for what is taken off.",
                "type": "string",
                "pattern": "^-?[0-9]{1,19}(\\.[0-9]{1,4})?$",
                "maxLength": crate::money::MAX_DECIMAL_CHARS,
                "examples": ["39.95"],
            },
            "currency": {"description": "The currency of the amount (ISO 4217).", "allOf": [generator.subschema_for::<Currency>()]},
        },
    });
    Prices = "Prices", |generator| json_schema!({
        "description": "One amount a currency, none below 0. Where a currency has none, the fee is not charged and the option is not offered: nothing is converted.",
        "type": "array",
        "maxItems": 200,
        "items": generator.subschema_for::<Money>(),
    });
    Percent = "Percent", |_generator| json_schema!({
        "description": "A percentage with at most two decimals.",
        "type": "number",
        "minimum": 0,
        "maximum": 100,
        "examples": [15],
    });
    Timestamp = "Timestamp", |_generator| json_schema!({
        "description": "A moment in UTC, to the microsecond (RFC 3339).",
        "type": "string",
        "format": "date-time",
        "maxLength": 40,
        "examples": ["2026-01-31T12:00:00Z"],
    });
    TimeZone = "TimeZone", |_generator| json_schema!({
        "description": "A name of the IANA time zone database.",
        "type": "string",
        "maxLength": 64,
        "examples": ["Europe/Berlin"],
    });
    StageName = "Stage", |_generator| json_schema!({
        "description": "The stage of a return request: `Group: Status`.",
        "type": "string",
        "enum": StageName::NAMES,
        "examples": ["Resolution: Approved"],
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Scan;
    use schemars::transform::RecursiveTransform;

    #[test]
    fn a_closed_set_of_names_is_an_enum_and_nothing_else_becomes_one() {
        let schema = schemars::generate::SchemaSettings::draft2020_12()
            .with_transform(RecursiveTransform(name_as_enum))
            .into_generator()
            .into_root_schema_for::<Vec<Scan>>();
        let scan = schema.pointer("/$defs/Scan").unwrap();
        assert_eq!((&scan["type"], &scan["enum"][0]), (&"string".into(), &"InTransit".into()));
        assert_eq!(scan["enum"].as_array().unwrap().len(), scan["x-enum-descriptions"].as_array().unwrap().len());
        assert!(scan["description"].as_str().unwrap().contains("\n\n- `InTransit`: "), "{scan}");
        assert!(scan.get("oneOf").is_none());

        let mixed = json_schema!({"oneOf": [{"const": "a"}, {"enum": ["b", "c"]}]});
        let other = json_schema!({"anyOf": [{"const": "a"}, {"type": "null"}]});
        let object = json_schema!({"oneOf": [{"const": 1}, {"const": "a"}]});
        for (mut before, after) in [(mixed, Some(serde_json::json!(["a", "b", "c"]))), (other, None), (object, None)] {
            let kept = before.clone();
            name_as_enum(&mut before);
            assert_eq!(before.get("enum"), after.as_ref());
            assert_eq!(before == kept, after.is_none());
        }
    }
}
