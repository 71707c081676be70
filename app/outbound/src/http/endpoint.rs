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

    /// What lies under this URL: its path with one more segment, its query as it was.
    pub fn below(&self, segment: &str) -> Result<Self, EndpointError> {
        let mut url = self.0.clone();
        url.path_segments_mut().map_err(|()| EndpointError::NotAUrl)?.pop_if_empty().push(segment);
        Self::parse(url.as_str())
    }

    /// The same URL with one more parameter in its query.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let mut url = self.0.clone();
        url.query_pairs_mut().append_pair(name, value);
        Self::parse(url.as_str())
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_are_endpoints() {
        for (text, kept) in [
            ("https://example.com", "https://example.com/"),
            ("https://example.com:443/hook?a={b}|c'\"d", "https://example.com/hook?a={b}|c%27%22d"),
            ("HTTP:127.1", "http://127.0.0.1/"),
            ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ] {
            assert_eq!(Endpoint::parse(text).unwrap().as_str(), kept);
        }
        let long = format!("https://example.com/{}", "a".repeat(2048));
        let longer_than_it_looks = format!("https://example.com/{}", "ü".repeat(1000));
        for (text, error) in [
            ("", EndpointError::NotAUrl),
            ("example.com/hook", EndpointError::NotAUrl),
            ("https://", EndpointError::NotAUrl),
            ("https://a b/", EndpointError::NotAUrl),
            ("https://[fe80::1%25eth0]/", EndpointError::NotAUrl),
            ("https://1.2.3.4.5/", EndpointError::NotAUrl),
            ("localhost:3000/hook", EndpointError::Scheme),
            ("ftp://example.com/", EndpointError::Scheme),
            ("file:///etc/passwd", EndpointError::Scheme),
            ("https://user@example.com/", EndpointError::Credentials),
            ("https://:word@example.com/", EndpointError::Credentials),
            ("https://example.com/#", EndpointError::Fragment),
            ("https://example.com/\r\nHost: inside", EndpointError::ControlCharacter),
            ("https://exam\tple.com/", EndpointError::ControlCharacter),
            (&long, EndpointError::TooLong),
            (&longer_than_it_looks, EndpointError::TooLong),
        ] {
            assert_eq!(Endpoint::parse(text), Err(error), "{text}");
            assert!(error.to_string().starts_with("expected a URL "));
        }
        for (base, below) in [
            ("https://example.com", "https://example.com/health"),
            ("https://example.com/", "https://example.com/health"),
            ("https://example.com/a/b", "https://example.com/a/b/health"),
            ("https://example.com/a/b/?shop=1", "https://example.com/a/b/health?shop=1"),
        ] {
            assert_eq!(Endpoint::parse(base).unwrap().below("health").unwrap().as_str(), below);
        }
        for (base, with) in [
            ("https://example.com/a", "https://example.com/a?lang=p%26t"),
            ("https://example.com/a?shop=1", "https://example.com/a?shop=1&lang=p%26t"),
        ] {
            assert_eq!(Endpoint::parse(base).unwrap().with("lang", "p&t").unwrap().as_str(), with);
        }
        let full = Endpoint::parse(&format!("https://example.com/{}", "a".repeat(2028))).unwrap();
        assert_eq!(full.below("health"), Err(EndpointError::TooLong));
        let secret = Endpoint::parse("https://example.com/secret?key=secret").unwrap();
        assert_eq!(format!("{secret:?}"), "Endpoint(\"https://example.com\")");
    }
}
