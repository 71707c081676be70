//! Fields of a PATCH request, present or absent.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// A field that may be absent. `null` is a value like any other: only fields that can be `null` accept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatchField<T>(pub Option<T>);

impl<T> Default for PatchField<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Clone> PatchField<T> {
    /// Replaces the value, if the field is present.
    pub(crate) fn put_into(&self, place: &mut T) {
        if let Some(given) = &self.0 {
            place.clone_from(given);
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PatchField<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(|given| Self(Some(given)))
    }
}

impl<T: JsonSchema> JsonSchema for PatchField<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
