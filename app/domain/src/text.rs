use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A language by its BCP 47 tag, as far as the portal speaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Locale(pub String);

impl Default for Locale {
    fn default() -> Self {
        Self("en".to_owned())
    }
}

/// A text in several languages: language tag → text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Translated(pub BTreeMap<String, String>);

impl Translated {
    /// A text in English only.
    pub fn en(text: &str) -> Self {
        Self(BTreeMap::from([("en".to_owned(), text.to_owned())]))
    }

    /// The text in `locale`, else in its bare language, else in English, else in whatever there is.
    pub fn get(&self, locale: &Locale) -> &str {
        let bare = locale.0.split('-').next().unwrap_or_default();
        [locale.0.as_str(), bare, "en"]
            .iter()
            .find_map(|tag| self.0.get(*tag))
            .or_else(|| self.0.values().next())
            .map_or("", String::as_str)
    }
}
