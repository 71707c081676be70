//! JSON Schemas of what writes its JSON by hand (feature `openapi`); the rest derives them.

use crate::{Currency, Money, Percent, TimeZone, Timestamp, money::Prices, stage::StageName};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

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
                "maxLength": 24,
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
