//! An API key that a merchant created at a shop, a carrier or a payment provider.

use std::fmt;

/// The most characters of a key: longer texts are pasted by mistake.
const MAX_CHARS: usize = 500;

/// A key to somebody's API. It gives access to every order, so it is never shown or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// The text is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an API key: 1 to {MAX_CHARS} letters, digits and signs, without spaces")]
pub struct ApiKeyError;

impl ApiKey {
    /// Parses a key, and ignores the spaces around it.
    pub fn parse(text: &str) -> Result<Self, ApiKeyError> {
        let key = text.trim();
        let is_key = (1..=MAX_CHARS).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
        if is_key { Ok(Self(key.to_owned())) } else { Err(ApiKeyError) }
    }

    /// The key itself, to be sent or encrypted.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Does not show the key.
impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}
