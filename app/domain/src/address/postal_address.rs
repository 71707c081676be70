//! A postal address and its checks.

use super::country::is_country;
use crate::base::{
    nulls::null_as_default,
    refusal::{Problems, RefusalCode},
};
use serde::{Deserialize, Serialize};

/// A postal address as it stands on a label.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Address {
    /// The person or company at the address.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Street and house number.
    #[serde(deserialize_with = "null_as_default")]
    pub street: String,
    /// Building, floor, company or "c/o"; may be empty. Written below the street, or below the name if it begins with "c/o".
    #[serde(deserialize_with = "null_as_default")]
    pub additional: String,
    /// The postal code, as the country writes it.
    #[serde(deserialize_with = "null_as_default")]
    pub postal_code: String,
    /// The city or town of the address.
    #[serde(deserialize_with = "null_as_default")]
    pub city: String,
    /// State, county or prefecture; may be empty.
    #[serde(deserialize_with = "null_as_default")]
    pub province: String,
    /// The country's two letters (ISO 3166-1 alpha-2).
    #[serde(deserialize_with = "null_as_default")]
    pub country: String,
}

/// The longest line of an address, characters.
const MAX_LINE_CHARS: usize = 200;

impl Address {
    /// Problems by field. Every field may be empty.
    pub fn check(&self) -> Problems {
        let mut problems = Problems::default();
        let lines = [
            ("name", &self.name),
            ("street", &self.street),
            ("additional", &self.additional),
            ("postalCode", &self.postal_code),
            ("city", &self.city),
            ("province", &self.province),
        ];
        for (field, line) in lines {
            problems.check_text(field, line, 0..=MAX_LINE_CHARS);
        }
        if !is_country(&self.country) && !self.country.is_empty() {
            problems.add("country", RefusalCode::NotAllowed, "expected two letters of ISO 3166-1, such as NL");
        }
        problems
    }

    /// Like [`Self::check`], for an address that parcels are sent to: it needs street, city and country.
    pub fn check_complete(&self) -> Problems {
        let mut problems = self.check();
        let needed = [("street", &self.street), ("city", &self.city), ("country", &self.country)];
        for (field, _) in needed.into_iter().filter(|(_, line)| line.trim().is_empty()) {
            problems.add(field, RefusalCode::Required, "expected a value: carriers need it to deliver parcels");
        }
        problems
    }
}
