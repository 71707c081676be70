//! The key that a shop knows us by.

use std::fmt;

/// What a shop's own API knows us by. It opens all orders: it is neither shown nor logged.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A text that is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an API key: 1 to 500 letters, digits and signs, without spaces")]
pub struct ApiKeyError;

impl ApiKey {
    /// Reads a key, without what was copied along around it.
    pub fn parse(text: &str) -> Result<Self, ApiKeyError> {
        let key = text.trim();
        let is_key = (1..=500).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key { Ok(Self(key.to_owned())) } else { Err(ApiKeyError) }
    }

    /// As it is sent, and kept encrypted.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Nothing of it.
impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}
