//! Origins of websites (RFC 6454) in a merchant's settings, written as browsers write them.

use super::{
    host::{LABEL_CHARS, MAX_HOST_CHARS},
    refusal::{Problems, RefusalCode},
};

/// The longest list. Every page has `embedOrigins` in a header.
const MAX_ORIGINS: usize = 20;

/// Adds the problems of a list of origins, by field: `embedOrigins` for its length, `embedOrigins[0]` for an entry.
pub fn check(problems: &mut Problems, field: &str, origins: &[String]) {
    if origins.len() > MAX_ORIGINS {
        problems.add(field, RefusalCode::OutOfRange, format!("expected at most {MAX_ORIGINS} origins"));
    }
    for (index, _) in origins.iter().enumerate().filter(|(_, origin)| !is_origin(origin)) {
        let message =
            "expected an origin without a path, such as https://shop.example; http only for localhost and 127.0.0.1";
        problems.add(format!("{field}[{index}]"), RefusalCode::NotAllowed, message);
    }
}

/// Whether a text is an origin (RFC 6454) as browsers write it: scheme, host, and a port other than the scheme's
/// default.
fn is_origin(text: &str) -> bool {
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let (host, port) = match rest.split_once(':') {
        Some((host, port)) => (host, Some(port)),
        None => (rest, None),
    };
    let is_label = |label: &str| {
        LABEL_CHARS.contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let is_port = |port: &str| !port.starts_with(['0', '+']) && port.parse::<u16>().is_ok();
    let is_default = |port: &str| (scheme, port) == ("https", "443") || (scheme, port) == ("http", "80");
    let is_secure = scheme == "https" || (scheme == "http" && matches!(host, "localhost" | "127.0.0.1"));
    is_secure
        && host.len() <= MAX_HOST_CHARS
        && host.split('.').all(is_label)
        && port.is_none_or(|port| is_port(port) && !is_default(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_as_browsers_write_them_can_be_listed() {
        let good =
            ["https://shop.example", "https://a-b.shop.example:8443", "http://localhost:8080", "http://127.0.0.1"];
        let bad = [
            "",
            "shop.example",
            "https://",
            "https://shop.example/",
            "https://Shop.example",
            "https://shop.example:443",
            "http://shop.example",
            "https://*.shop.example",
            "https://a b.example",
            "https://shop.example;script-src",
            "https://shop.example:0",
            "https://shop.example:+443",
            "https://shop.example:99999",
            "'self'",
            "https://a..b",
            "null",
        ];
        let fields = |origins: &[&str]| {
            let mut problems = Problems::default();
            check(&mut problems, "origins", &origins.iter().map(ToString::to_string).collect::<Vec<_>>());
            problems.0.into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        assert_eq!(fields(&good), Vec::<String>::new());
        for text in bad {
            assert_eq!(fields(&["https://shop.example", text]), ["origins[1]"], "{text}");
        }
        assert_eq!(fields(&["https://shop.example"; MAX_ORIGINS]), Vec::<String>::new());
        assert_eq!(fields(&["https://shop.example"; MAX_ORIGINS + 1]), ["origins"]);
    }
}
