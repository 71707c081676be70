//! Host names.

use super::refusal::{Refusal, RefusalCode};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The longest host name (RFC 1035, 2.3.4).
pub(super) const MAX_HOST_CHARS: usize = 253;

/// The length of a label (RFC 1035, 2.3.4).
pub(super) const LABEL_CHARS: std::ops::RangeInclusive<usize> = 1..=63;

/// A host name in lower case, without a port: `returns.shop.example`. Never an IP address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Domain", example = "returns.shop.example"))]
#[serde(transparent)]
pub struct HostName(String);

impl HostName {
    /// Parses a name as people type it or as the `Host` header has it (RFC 9110, 7.2): case, port and a trailing dot
    /// are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.split_once(':').map_or(text, |(name, _)| name);
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        let labels: Vec<&str> = name.split('.').collect();
        let is_label = |label: &&str| {
            LABEL_CHARS.contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        // The last label of an IPv4 address is a number; the last label of a host name never is.
        let is_name = labels.last().is_some_and(|last| !last.bytes().all(|byte| byte.is_ascii_digit()));
        let is_host = labels.len() > 1 && name.len() <= MAX_HOST_CHARS && is_name && labels.iter().all(is_label);
        is_host.then_some(Self(name))
    }

    /// The refusal of a text that is no host name.
    pub fn refusal() -> Refusal {
        let message = "expected the name of a host, such as returns.shop.example: no scheme, no path";
        Refusal::new(RefusalCode::NotAllowed, message)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_are_read_as_browsers_send_them() {
        for text in ["returns.shop.example", "Returns.Shop.Example:8443", "returns.shop.example."] {
            let host = HostName::parse(text).unwrap();
            assert_eq!((host.as_str(), host.to_string().as_str()), ("returns.shop.example", "returns.shop.example"));
        }
        assert!(HostName::parse("xn--bcher-kva.example").is_some());
        let long = format!("{}.example", "a.".repeat(130));
        for bad in [
            "",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:3000",
            "[::1]:3000",
            "https://a.example",
            "a..example",
            "-a.example",
            "a b.example",
            "a.example/x",
            "é.example",
            &long,
        ] {
            assert!(HostName::parse(bad).is_none(), "{bad}");
        }
    }
}
