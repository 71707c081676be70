//! A URL that somebody wants called.

use std::{fmt, str::FromStr};
use url::{Position, Url};

/// Longest URL, in bytes: as much as anything on the way can be trusted to carry.
pub const MOST_BYTES: usize = 2048;

/// A URL that can be called as it stands. Where it leads is looked at with each call.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Url);

/// Why a text is no such URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Longer than [`MOST_BYTES`].
    #[error("expected a URL of at most {MOST_BYTES} bytes")]
    TooLong,
    /// A line break, a tab and the like.
    #[error("expected a URL without control characters")]
    ControlCharacter,
    /// No URL, or one relative to another.
    #[error("expected a URL such as https://example.com/hook")]
    NotAUrl,
    /// Neither `http` nor `https`.
    #[error("expected a URL that begins with https:// or http://")]
    Scheme,
    /// What is between `user:` and `@` would be kept and shown as part of the URL.
    #[error("expected a URL without a user name or password in it")]
    Credentials,
    /// What follows `#` never leaves the caller.
    #[error("expected a URL without a # part")]
    Fragment,
}

impl Endpoint {
    /// Reads a URL as browsers do: `http:127.1` is `http://127.0.0.1/`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        if text.len() > MOST_BYTES {
            return Err(EndpointError::TooLong);
        }
        if text.chars().any(char::is_control) {
            return Err(EndpointError::ControlCharacter);
        }
        let url = Url::parse(text).map_err(|_| EndpointError::NotAUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(EndpointError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EndpointError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(EndpointError::Fragment);
        }
        if url.as_str().len() > MOST_BYTES {
            return Err(EndpointError::TooLong); // what is not ASCII got longer
        }
        let endpoint = Self(url);
        // The client has a narrower idea of what a path may hold.
        if endpoint.path().parse::<hyper::Uri>().is_ok() { Ok(endpoint) } else { Err(EndpointError::NotAUrl) }
    }

    /// The URL that is called, in its one normal spelling.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn url(&self) -> &Url {
        &self.0
    }

    /// Whether everyone on the way can read along.
    pub(super) fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// Scheme, host and port: what shares a connection.
    pub(super) fn origin(&self) -> &str {
        &self.0[..Position::AfterPort]
    }

    /// Host, and port if it is not the scheme's own: the `Host` field.
    pub(super) fn authority(&self) -> &str {
        &self.0[Position::BeforeHost..Position::AfterPort]
    }

    /// Path and query.
    pub(super) fn path(&self) -> &str {
        &self.0[Position::BeforePath..Position::AfterQuery]
    }
}

/// Only where it leads: paths and queries often hold a secret.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.origin()).finish()
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        Self::parse(text)
    }
}
