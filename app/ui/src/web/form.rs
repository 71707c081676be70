//! Reads forms strictly: damaged input is refused, never guessed at.

use axum::{
    body::Bytes,
    extract::{FromRequest as _, Request},
    http::{StatusCode, header},
};

/// Larger forms are refused. 300 rows with full comments are far smaller.
pub const MAX_BYTES: usize = 1024 * 1024;
/// Forms with more fields are refused, because reading a field looks at those before it. 1,000 rows have fewer.
const MAX_FIELDS: usize = 10_000;

/// The fields of a form, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The fields of a form body. `None` if it is not valid UTF-8, or has too many fields.
    pub fn parse(body: &[u8]) -> Option<Self> {
        if body.split(|&byte| byte == b'&').count() > MAX_FIELDS {
            return None;
        }
        let pairs = body.split(|&byte| byte == b'&').filter(|pair| !pair.is_empty());
        let pair = |pair: &[u8]| {
            let at = pair.iter().position(|&byte| byte == b'=').unwrap_or(pair.len());
            let (name, value) = pair.split_at_checked(at)?;
            Some((decoded(name)?, decoded(value.get(1..).unwrap_or_default())?))
        };
        pairs.map(pair).collect::<Option<_>>().map(Self)
    }

    /// The first value of a field. Empty if the field is missing.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// All values of a field, such as those of several ticks.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether the field is there, even if it is empty.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// All fields.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// Decodes a name or a value.
fn decoded(text: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.iter().copied();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    let text = String::from_utf8(bytes).ok()?;
    // Databases refuse NUL, and nobody types it.
    (!text.contains('\0')).then_some(text)
}

/// Why a form was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// It is too large.
    TooLarge,
    /// It is not a form, or damaged.
    Malformed,
}

/// Reads the body of a form, still encoded, and refuses damaged ones.
pub async fn read(request: Request) -> Result<String, Unread> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let is_form = kind.eq_ignore_ascii_case("application/x-www-form-urlencoded");
    let body = Bytes::from_request(request, &()).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Unread::TooLarge,
        _ => Unread::Malformed,
    })?;
    // Some clients send no type with a form without fields.
    if (!is_form && !body.is_empty()) || Fields::parse(&body).is_none() {
        return Err(Unread::Malformed);
    }
    String::from_utf8(body.into()).map_err(|_| Unread::Malformed)
}

/// Encodes a text as a value in an address.
pub fn encoded(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::with_capacity(text.len()), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_decoded() {
        let fields =
            Fields::parse(b"orderNumber=%231001&email=ada%40example.com&q=a+b&empty=&flag&caf%C3%A9=1").unwrap();
        assert_eq!(fields.get("orderNumber"), "#1001");
        assert_eq!(fields.get("email"), "ada@example.com");
        assert_eq!((fields.get("q"), fields.get("empty"), fields.get("flag"), fields.get("none")), ("a b", "", "", ""));
        assert_eq!(fields.get("café"), "1");
        assert_eq!(["q", "empty", "flag", "none"].map(|name| fields.has(name)), [true, true, true, false]);
    }

    #[test]
    fn damage_is_refused() {
        for bad in [&b"a=%FF"[..], b"a=%", b"a=%4", b"a=%zz", b"\xff=1", b"a=%00"] {
            assert!(Fields::parse(bad).is_none(), "{bad:?}");
        }
        assert_eq!(Fields::parse(b"").unwrap(), Fields::default());
        assert!(
            Fields::parse(&b"a&".repeat(MAX_FIELDS - 1)).is_some()
                && Fields::parse(&b"a&".repeat(MAX_FIELDS)).is_none()
        );
    }

    #[test]
    fn any_text_can_be_encoded_in_an_address() {
        let text = "100% wool & more/é";
        assert_eq!(Fields::parse(format!("q={}", encoded(text)).as_bytes()).unwrap().get("q"), text);
    }
}
