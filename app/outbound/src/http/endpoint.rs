//! A URL that can be called.

use std::{fmt, str::FromStr};
use url::{Host, Position, Url};

/// The longest URL, in bytes. Servers and proxies reliably accept this much.
pub const MAX_URL_BYTES: usize = 2048;

/// A URL that can be called. Each call checks the addresses that it resolves to.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Url);

/// Why a text is not a URL that can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// Longer than [`MAX_URL_BYTES`].
    #[error("expected a URL of at most {MAX_URL_BYTES} bytes")]
    TooLong,
    /// A control character, such as a line break or a tab.
    #[error("expected a URL without control characters")]
    ControlCharacter,
    /// Not a URL, or a relative one.
    #[error("expected a URL such as https://example.com/hook")]
    NotAUrl,
    /// Neither `http` nor `https`.
    #[error("expected a URL that begins with https:// or http://")]
    Scheme,
    /// A password in the URL would be stored and shown with it.
    #[error("expected a URL without a user name or password in it")]
    Credentials,
    /// The part after `#` is never sent.
    #[error("expected a URL without a # part")]
    Fragment,
}

impl Endpoint {
    /// Parses a URL as browsers do: `http:127.1` is `http://127.0.0.1/`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        if text.len() > MAX_URL_BYTES {
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
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(EndpointError::TooLong); // percent-encoding made it longer
        }
        let endpoint = Self(url);
        // The client accepts fewer characters in a path than the parser.
        if endpoint.path().parse::<hyper::Uri>().is_ok() { Ok(endpoint) } else { Err(EndpointError::NotAUrl) }
    }

    /// The normalized URL.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The URL with one more path segment and the same query.
    pub fn below(&self, segment: &str) -> Result<Self, EndpointError> {
        let mut url = self.0.clone();
        url.path_segments_mut().map_err(|()| EndpointError::NotAUrl)?.pop_if_empty().push(segment);
        Self::parse(url.as_str())
    }

    /// The URL with path segments that contain ids of another system; `None` if an id could change the rest of the URL.
    pub(crate) fn below_ids(&self, segments: &[&str]) -> Option<Self> {
        let is_id_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let is_id = |segment: &str| !segment.is_empty() && segment.bytes().all(is_id_byte);
        segments
            .iter()
            .try_fold(self.clone(), |url, segment| if is_id(segment) { url.below(segment).ok() } else { None })
    }

    /// The URL with one more query parameter.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, EndpointError> {
        let mut url = self.0.clone();
        url.query_pairs_mut().append_pair(name, value);
        Self::parse(url.as_str())
    }

    /// The URL of the whole server: without path and query.
    pub(crate) fn root(&self) -> Result<Self, EndpointError> {
        Self::parse(self.origin())
    }

    /// Whether the host is an IP address.
    pub(crate) fn is_ip_address(&self) -> bool {
        matches!(self.0.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)))
    }

    pub(super) fn url(&self) -> &Url {
        &self.0
    }

    /// Whether the call is not encrypted.
    pub(super) fn is_plain(&self) -> bool {
        self.0.scheme() == "http"
    }

    /// Scheme, host and port. URLs with the same origin share connections.
    pub(super) fn origin(&self) -> &str {
        &self.0[..Position::AfterPort]
    }

    /// The value of the `Host` field: the host, and the port unless it is the scheme's default.
    pub(super) fn authority(&self) -> &str {
        &self.0[Position::BeforeHost..Position::AfterPort]
    }

    /// The path and the query.
    pub(super) fn path(&self) -> &str {
        &self.0[Position::BeforePath..Position::AfterQuery]
    }
}

/// Shows only the origin: paths and queries often contain secrets.
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
    fn a_url_is_normalized_or_rejected_with_the_reason() {
        for (text, kept) in [
            ("https://example.com", "https://example.com/"),
            ("https://example.com:443/hook?a={b}|c'\"d", "https://example.com/hook?a={b}|c%27%22d"),
            ("HTTP:127.1", "http://127.0.0.1/"),
            ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ] {
            assert_eq!(Endpoint::parse(text).unwrap().as_str(), kept);
        }
        let long = format!("https://example.com/{}", "a".repeat(2048));
        let too_long_once_encoded = format!("https://example.com/{}", "ü".repeat(1000));
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
            (&too_long_once_encoded, EndpointError::TooLong),
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
