//! Optional fields in which `null` means the same as a field that is left out.

use serde::{Deserialize, Deserializer};

/// Reads `null` as the default. For the fields of objects that are always replaced as a whole, in which nothing can be cleared.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
